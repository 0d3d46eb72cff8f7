package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// flawedTools break the rules of check, each its own.
var flawedTools = []fixtureTool{
	{name: "a_good", description: "Answers rightly.", input: `{"type":"object","required":["room"],"properties":{"room":{"type":"string","description":"The room."}}}`,
		output: `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, readOnly: true, answer: picky("room: want text", says(`{"n":1}`, `{"n":1}`))},
	{name: "b.dotted", description: "", input: noInput, readOnly: false},
	{name: strings.Repeat("c_long", 15), description: "d", input: noInput, output: `{"type":"object"}`},
	{name: "d bad name", description: "d", input: noInput, output: `{"type":"object"}`},
	{name: "e_root", description: "d", input: noInput, output: `{"type":"array","items":{"type":"string"}}`, readOnly: true, answer: says(`["x"]`, `["x"]`)},
	{name: "f_hosts", description: "d", output: `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"n":{"type":"integer","format":"uint64"},"s":{"type":"string","pattern":"^\\w+\\@$"}}}`,
		input: `{"type":"object","anyOf":[{"required":["a"]}],"$defs":{"T":{"type":"string"}},"properties":{
			"a":{"$ref":"#/$defs/T"},"b":{"type":"string","pattern":"^(?!x)"},"c":{"type":"string","pattern":"^a\\-b$"},"d":{"type":"array"},"bad key":{"type":"string"}}}`},
	{name: "g_refused", description: "d", input: noInput, output: `{"type":"object","$ref":"#"}`, readOnly: true, answer: says("x", `{}`)},
	{name: "h_missing", description: "d", input: noInput, output: `{"type":"object"}`, readOnly: true, answer: says("x", "")},
	{name: "i_invalid", description: "d", input: noInput, output: `{"type":"object","properties":{"n":{"type":"integer"},"m":{"type":"string"}}}`, readOnly: true, answer: says(`{"n":"x","m":null}`, `{"n":"x","m":null}`)},
	{name: "j_unequal", description: "d", input: noInput, output: `{"type":"object"}`, readOnly: true, answer: says(`{"n":2}`, `{"n":1}`)},
	{name: "k_json", description: "d", input: noInput, readOnly: true, answer: says(`{"n":2}`, "")},
	{name: "l_json", description: "d", input: noInput, output: `{"type":"object"}`, readOnly: true, answer: says(`"{\"n\":2}"`, `{"result":"{\"n\":2}"}`)},
	{name: "m_empty", description: "d", input: noInput, output: `{"type":"object"}`, readOnly: true, answer: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: json.RawMessage(`{}`)}, nil
	}},
	{name: "n_blank", description: "d", input: noInput, readOnly: true, answer: says(" \n", "")},
	{name: "o_digits", description: "d", input: noInput, output: `{"type":"object"}`, readOnly: true, answer: says(`{"n":9007199254740993}`, `{"n":9007199254740992}`)},
	{name: "p_undeclared", description: "d", input: noInput, readOnly: true, answer: says(`{"n":1.10}`, `{"n":1.1}`)},
	{name: "q_leaks", description: "d", input: `{"type":"object","required":["n"],"properties":{"n":{"type":"integer","description":"d","examples":[3]}}}`, readOnly: true,
		answer: picky("Traceback (most recent call last):\n  File \"/home/ann/server.py\", line 3\npostgres://ann:hunter2@db/x", says("x", ""))},
	{name: "r_protocol", description: "d", input: noInput, readOnly: true, answer: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, os.ErrPermission
	}},
	{name: "s_lax", description: "d", input: `{"type":"object","required":["n"],"properties":{"n":{"type":"integer","description":"d"}}}`, readOnly: true, answer: says("x", "")},
	{name: "t_mute", description: "d", input: noInput, readOnly: true, answer: fails("")},
	{name: "u_never", description: "d", input: noInput, readOnly: true, answer: lyingTools[2].answer},
	{name: "v_dies", description: "d", input: noInput, readOnly: true, answer: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		os.Exit(9)
		return nil, nil
	}},
	{name: "w_data", description: "d", input: noInput, readOnly: true, output: `{"type":"object","required":["sources"],"properties":{"sources":{"type":"array","minItems":1}}}`,
		answer: says("x", `{"sources":["javascript:alert(1)"]}`)},
	{name: "x_secret", description: "d", input: noInput, readOnly: true, answer: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return fails("cannot log in with "+os.Getenv("API_TOKEN"))(nil, nil)
	}},
	{name: "y_unguessable", description: "d", input: `{"type":"object","required":["code"],"properties":{"code":{"type":"string","description":"d","pattern":"^Q[0-9]{7}$"}}}`, readOnly: true, answer: says("x", "")},
	{name: "z_bare", description: "d", input: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}`, output: `{"type":"object"}`},
	{name: "zz_breaks", description: "d", input: roomInput, output: `{"type":"object"}`, readOnly: true,
		answer: fails("Error executing tool zz_breaks: the tool ran, but its result does not match Room: size: required but missing")},
	{name: "zz_masks", description: "d", input: roomInput, output: `{"type":"object"}`, readOnly: true, answer: fails("Error executing tool zz_masks")},
	{name: "zz_refuses", description: "d", input: roomInput, output: `{"type":"object"}`, readOnly: true, answer: picky("room_id: want text", fails(`no room "example"`))},
}

const roomInput = `{"type":"object","required":["room_id"],"properties":{"room_id":{"type":"string","description":"The room."}}}`

// picky refuses arguments of a wrong type with that text.
func picky(text string, good func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)) func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if strings.Contains(string(req.Params.Arguments), "wrong") {
			return fails(text)(ctx, req)
		}
		return good(ctx, req)
	}
}
