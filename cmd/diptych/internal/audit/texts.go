package audit

import (
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// This file checks what the model reads of a good result.

func (a *auditor) texts(r peer.Result) {
	if len(r.Content) == 0 {
		a.found("content-empty", "result", "content is an empty list")
	}
	for i, block := range r.Content {
		text, ok := block.(*mcp.TextContent)
		if !ok {
			continue
		}
		place := "content[" + strconv.Itoa(i) + "]"
		if strings.TrimSpace(text.Text) == "" {
			a.found("text-empty", place, "the text block is empty")
			continue
		}
		n := parsed(text.Text)
		switch {
		case n.Is(tree.String) && (parsed(n.Text).Is(tree.Object) || parsed(n.Text).Is(tree.Array)):
			a.found("json-in-string", place, "the text is a JSON string that holds JSON again", "encode the value once")
		case r.Structured == nil && (n.Is(tree.Object) || n.Is(tree.Array)):
			a.found("json-in-string", place, "the text is JSON, and there is no structured content")
		}
	}
}
