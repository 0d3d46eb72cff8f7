package peer

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestScreened keeps schemas away that would end the process in the SDK's validator.
func TestScreened(t *testing.T) {
	for schema, put := range map[string]bool{
		`{"type":"object","properties":{"a":{"type":"string"}}}`: true,
		`null`:                         true,
		`{"type":"object","$ref":"#"}`: false,
		`{"type":"object","allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"}]}}}`: false,
	} {
		var decoded any
		if err := json.Unmarshal([]byte(schema), &decoded); err != nil {
			t.Fatal(err)
		}
		asked := false
		_, err := screened(func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked = true
			return nil, nil
		})(t.Context(), &mcp.ElicitRequest{Params: &mcp.ElicitParams{RequestedSchema: decoded}})
		if asked != put || (err == nil) != put {
			t.Errorf("%s: asked %v, %v", schema, asked, err)
		}
	}
}
