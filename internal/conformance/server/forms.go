//lint:file-ignore SA1019 the official suite asks for parts that the revision 2026-07-28 deprecates

package main

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func ask(message string, schema map[string]any) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: schema}
}

func prompt(text string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{
		{Role: "user", Content: &mcp.TextContent{Text: text}},
	}}
}

// object is a form; it takes names and schemas of fields by turns, all of them required.
func object(fields ...string) map[string]any {
	properties := map[string]any{}
	var required []string
	for i := 0; i < len(fields); i += 2 {
		properties[fields[i]] = json.RawMessage(fields[i+1])
		required = append(required, fields[i])
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// defaults is a form in which every kind of field is filled in already.
var defaults = object(
	"name", `{"type":"string","description":"User name","default":"John Doe"}`,
	"age", `{"type":"integer","description":"User age","default":30}`,
	"score", `{"type":"number","description":"User score","default":95.5}`,
	"status", `{"type":"string","description":"User status","enum":["active","inactive","pending"],"default":"active"}`,
	"verified", `{"type":"boolean","description":"Verification status","default":true}`,
)

// choices is a form with every way to offer a choice.
var choices = object(
	"untitledSingle", `{"type":"string","enum":["option1","option2","option3"]}`,
	"titledSingle", `{"type":"string","oneOf":`+titled+`}`,
	"legacyEnum", `{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]}`,
	"untitledMulti", `{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","enum":["option1","option2","option3"]}}`,
	"titledMulti", `{"type":"array","minItems":1,"maxItems":3,"items":{"anyOf":`+titled+`}}`,
)

const titled = `[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]`
