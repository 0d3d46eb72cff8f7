package main

import (
	"errors"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An operation is one request as the log, the metrics and the traces name it, after OpenTelemetry's conventions for MCP. Nothing in it
// is a text that a client can make up: each value of a label is a time series for ever.
type operation struct {
	method string
	tool   string // empty for other methods, and for names of tools that do not exist
}

func operationOf(method string, req mcp.Request) operation {
	op := operation{method: method}
	if params, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && isTool(params.Name) {
		op.tool = params.Name
	}
	return op
}

// errorType says how an operation failed: the protocol's code, or that the tool failed; empty if it did not.
func errorType(res mcp.Result, err error) string {
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return strconv.FormatInt(wire.Code, 10)
	}
	if err != nil {
		return "_OTHER"
	}
	if call, ok := res.(*mcp.CallToolResult); ok && call.IsError {
		return "tool_error"
	}
	return ""
}
