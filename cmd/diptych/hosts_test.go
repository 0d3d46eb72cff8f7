package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// hostTools are tools that JSON Schema and the protocol allow, and that one host or another refuses, cuts or misreads.
var hostTools = []fixtureTool{
	{name: "a_schema", description: "d", output: `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`, readOnly: true, answer: says(`{"n":1}`, `{"n":1}`),
		input: `{"type":"object","$defs":{"Node":{"type":"object","properties":{"kids":{"type":"array","description":"d","items":{"$ref":"#/$defs/Node"}}}}},"properties":{
			"level":{"type":"integer","enum":[1,2],"description":"The level."},"sort":{"type":"string","enum":["up",""],"description":"The order."},
			"any":{"description":"Anything."},"maybe":{"type":["string","null"],"description":"d"},"tree":{"$ref":"#/$defs/Node","description":"The tree."},
			"mail":{"type":"string","format":"email","description":"Where to."},"days":{"type":"integer","default":7,"maximum":14,"description":"At most 14 days."},
			"limit":{"type":"integer","default":20,"maximum":100,"description":"How many, 20 unless said, 100 at most."}}}`},
	{name: "b_bare", description: "d", input: `{"type":"object"}`, output: `{"type":["object","null"]}`},
	{name: "c_" + strings.Repeat("x", 62), description: "d", input: noProperties, output: `{"type":"object"}`},
	{name: "d_" + strings.Repeat("x", 53), description: "d", input: noProperties, output: `{"type":"object"}`},
	{name: "e_nulls", description: "d", readOnly: true, output: `{"type":"object"}`, answer: refusesNull,
		input: `{"type":"object","required":["a"],"properties":{"a":{"type":"string","description":"d"},"b":{"type":"integer","description":"d"},"c":{"anyOf":[{"type":"string"},{"type":"null"}],"description":"d"}}}`},
	{name: "f_blocks", description: "d", input: noProperties, output: `{"type":"object"}`, readOnly: true, answer: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"share":0.1234}`), Content: []mcp.Content{
			&mcp.TextContent{Text: "The share is 12.3 %, of 4711 people."}, &mcp.TextContent{Text: "More."},
			&mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png"}, &mcp.ResourceLink{URI: "https://example.org/", Name: "n"},
		}}, nil
	}},
	{name: "g_long", description: "d", input: noProperties, readOnly: true, answer: says(strings.Repeat("word ", 60_000), "")},
	{name: "h_unmarked", description: "d", input: noProperties, readOnly: true, answer: says("Error: Only SELECT queries are allowed", "")},
	{name: "i_unmarked", description: "d", readOnly: true, input: roomInput, answer: picky("", says(`{"success":false,"reason":"no room"}`, ""))},
	{name: "i_wanted", description: "d", readOnly: true, answer: says("Error: as you asked", ""),
		input: `{"type":"object","required":["level"],"properties":{"level":{"type":"string","enum":["error","debug"],"description":"d"}}}`},
	{name: "j_error", description: "d", input: noProperties, readOnly: true, output: `{"type":"object","required":["a"]}`, answer: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: text("no such room").Content, StructuredContent: json.RawMessage(`{"error":"x"}`)}, nil
	}},
	{name: "k_sources", description: "d", input: noProperties, readOnly: true, output: `{"type":"object","properties":{"sources":{"type":"array"}}}`, answer: says("x", `{"sources":[]}`)},
	{name: "l_data", description: "d", input: noProperties, readOnly: true, output: `{"type":"object","required":["sources"],"properties":{"sources":{"type":"array","minItems":1}}}`,
		answer: says("Nothing was found in the register.", `{"sources":[""]}`)},
	{name: "m_huge", description: "d", input: noProperties, output: `{"type":"object","description":"` + strings.Repeat("x", 70_000) + `"}`, readOnly: true, answer: says("x", `{}`)},
	{name: "peek", description: "d", input: noProperties, readOnly: true, answer: func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Params.InputResponses == nil {
			return &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{"sure": &mcp.ElicitParams{
				Mode: "form", Message: "Look?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
			}}}, nil
		}
		if answer, _ := req.Params.InputResponses["sure"].(*mcp.ElicitResult); answer == nil || answer.Action != "accept" {
			return fails("nobody agreed")(nil, nil)
		}
		return text("agreed"), nil
	}},
	{name: "n_deep", description: "d", input: noProperties, readOnly: true, answer: says("x", `{"a":`+strings.Repeat("[", 1100)+strings.Repeat("]", 1100)+`}`)},
}

const noProperties = `{"type":"object","properties":{}}`

func refusesNull(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if args := string(req.Params.Arguments); strings.Contains(args, "null") || strings.Contains(args, "wrong") {
		return fails("b: got null, want integer")(ctx, req)
	}
	return says(`{"a":true}`, `{"a":true}`)(ctx, req)
}
