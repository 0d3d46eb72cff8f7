// Package contract compares what two versions of a server publish: what a client of the old one may rely on, and what is left
// of it.
package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
)

// Read reads a saved contract: what `diptych ls --json` prints, or the result of tools/list.
func Read(text []byte) ([]peer.Tool, error) {
	type published struct {
		Name         string               `json:"name"`
		Title        string               `json:"title"`
		Description  string               `json:"description"`
		InputSchema  json.RawMessage      `json:"inputSchema"`
		OutputSchema json.RawMessage      `json:"outputSchema"`
		Annotations  *mcp.ToolAnnotations `json:"annotations"`
	}
	var list []published
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '{' {
		var result struct {
			Tools *[]published `json:"tools"`
		}
		if err := json.Unmarshal(text, &result); err != nil {
			return nil, err
		}
		if result.Tools == nil {
			return nil, errors.New("no list of tools; save one with diptych ls --json")
		}
		list = *result.Tools
	} else if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	tools := make([]peer.Tool, len(list))
	for i, t := range list {
		if t.Name == "" {
			return nil, fmt.Errorf("tool %d has no name; save the contract again with diptych ls --json", i+1)
		}
		tools[i] = peer.Tool{
			Tool:  &mcp.Tool{Name: t.Name, Title: t.Title, Description: t.Description, Annotations: t.Annotations},
			Input: t.InputSchema, Output: t.OutputSchema,
		}
	}
	return tools, nil
}
