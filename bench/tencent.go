package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	trpc "trpc.group/trpc-go/trpc-mcp-go"
)

// trpc-mcp-go, which never validates.

func newTencent() *trpc.Server {
	return trpc.NewServer("bench", "1.0.0", trpc.WithStatelessMode(true), trpc.WithServerPath("/"), trpc.WithServerLogger(silent{}))
}

// addTencent returns a call of the handler, to which the wire has given decoded arguments. Its result still holds the Go
// value: the wire encodes it.
func addTencent[In, Whole any](s *trpc.Server, t *mcp.Tool, fn func(In) Whole, arguments string, doc []byte) (func() error, error) {
	var in, out openapi3.Schema
	if err := errors.Join(in.UnmarshalJSON(t.InputSchema.(json.RawMessage)), out.UnmarshalJSON(t.OutputSchema.(json.RawMessage))); err != nil {
		return nil, err
	}
	handler := trpc.NewTypedToolHandler(func(_ context.Context, _ *trpc.CallToolRequest, in In) (Whole, error) { return fn(in), nil })
	s.RegisterTool(trpc.NewTool(t.Name, trpc.WithInputSchema(&in), trpc.WithOutputSchema(&out)), handler)
	req := &trpc.CallToolRequest{}
	if err := json.Unmarshal([]byte(arguments), &req.Params.Arguments); err != nil {
		return nil, err
	}
	ctx := context.Background()
	seen := false
	return func() error {
		res, err := handler(ctx, req)
		if err == nil && res.IsError {
			err = fmt.Errorf("the call failed: %.300v", res.Content)
		}
		if err == nil && !seen {
			seen = true
			err = same(res.StructuredContent, doc)
		}
		return err
	}, nil
}

func tencentHTTP(s *trpc.Server) http.Handler { return s.HTTPHandler() }

// silent is a logger that writes nothing.
type silent struct{}

func (silent) Debug(...any)          {}
func (silent) Debugf(string, ...any) {}
func (silent) Info(...any)           {}
func (silent) Infof(string, ...any)  {}
func (silent) Warn(...any)           {}
func (silent) Warnf(string, ...any)  {}
func (silent) Error(...any)          {}
func (silent) Errorf(string, ...any) {}
func (silent) Fatal(...any)          {}
func (silent) Fatalf(string, ...any) {}
