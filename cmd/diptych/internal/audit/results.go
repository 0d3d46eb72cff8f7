package audit

import (
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
	"github.com/diptych-mcp/diptych/data"
)

// This file checks a good result: the structured content against its schema, and the two panels against each other.

func (a *auditor) result(t peer.Tool, args []byte, r peer.Result) {
	if r.InputRequests != nil {
		return // it asks first: there is no result to look at
	}
	a.texts(r)
	a.sizes(r)
	verdict := t.Judge(r)
	switch {
	case verdict.Missing:
		a.found("structured-missing", "result", "the schema promises structured content and none came")
	case !verdict.Schema && r.Structured != nil:
		a.found("structured-undeclared", "result", "structured content came without an output schema")
	}
	if !verdict.Missing {
		for _, fault := range verdict.Faults {
			id := "structured-invalid"
			if strings.Contains(fault, "got null, want") {
				id = "structured-null"
			}
			a.found(id, "structuredContent", fault)
		}
	}
	if r.Structured == nil {
		return
	}
	root, err := tree.Parse(r.Structured)
	if err != nil {
		a.found("structured-invalid", "structuredContent", err.Error())
		return
	}
	w := panelWalk{}
	w.visit(root, "structuredContent")
	for _, place := range w.unsafe {
		a.found("digits-unsafe", place, "an integer past 2^53")
	}
	for _, place := range w.hidden {
		a.found("json-in-string", place, "the text in this field is JSON", "return the value itself, and let the schema describe it")
	}
	a.compare(root, r.Content)
	if verdict.Checked {
		before := len(a.now.Findings)
		a.dataTool(t, args, r)
		if data.DemandsSources(t.Output) == nil || len(a.now.Findings) > before {
			return // what such a text may say is judged by the rules of data tools
		}
	}
	a.figures(root, r.Content)
}

// compare holds the text blocks that are JSON against the structured content: each must be the whole of it or a part.
func (a *auditor) compare(root *tree.Node, content []mcp.Content) {
	exact, rounded := make(map[print]bool), make(map[print]bool)
	prints(root, func(e, r print) { exact[e], rounded[r] = true, true })
	for i, block := range content {
		text, ok := block.(*mcp.TextContent)
		if !ok {
			continue
		}
		n := parsed(text.Text)
		if n == nil || n.Kind != tree.Object && n.Kind != tree.Array && n.Kind != tree.Number {
			continue
		}
		place := "content[" + strconv.Itoa(i) + "]"
		switch e, r := prints(n, nil); {
		case exact[e], exact[scalar(tree.String, text.Text)]: // as a value, or word for word as a string
		case rounded[r]:
			a.found("digits-lost", place, "a number has other digits in the text than in the structured content")
		case n.Kind != tree.Number:
			a.found("panels-unequal", place, "the JSON in the text is not in the structured content")
		}
	}
}

// parsed is text as JSON, or nil.
func parsed(text string) *tree.Node {
	text = strings.TrimSpace(text)
	if text == "" || !strings.ContainsRune(`{["-0123456789`, rune(text[0])) {
		return nil
	}
	n, err := tree.Parse([]byte(text))
	if err != nil {
		return nil
	}
	return n
}

// A panelWalk gathers where the structured content holds what a host will stumble over.
type panelWalk struct{ unsafe, hidden []string }

func (w *panelWalk) visit(n *tree.Node, at string) {
	switch n.Kind {
	case tree.Number:
		if unsafeInteger(n.Text) {
			w.unsafe = append(w.unsafe, at)
		}
	case tree.String:
		if inner := parsed(n.Text); inner != nil && (inner.Kind == tree.Object || inner.Kind == tree.Array && len(inner.Items) > 0) {
			w.hidden = append(w.hidden, at)
		}
	case tree.Array:
		for _, item := range n.Items {
			w.visit(item, at+"[]")
		}
	case tree.Object:
		for _, m := range n.Members {
			w.visit(m.Value, at+"."+cut(m.Name))
		}
	}
}
