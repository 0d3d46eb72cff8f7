package web

// Marks in a model's prose: the figures that the number check found in no data.

import (
	"encoding/json"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// nowhere reads the findings of a number check and returns the spans of figures without a source, in order.
func nowhere(findings json.RawMessage) ([]span, error) {
	var figures []struct {
		Start, End int
		Verdict    string
	}
	if err := json.Unmarshal(findings, &figures); err != nil {
		return nil, err
	}
	var spans []span
	last := 0
	for _, f := range figures {
		if f.Verdict == "nowhere" && f.Start >= last && f.End > f.Start {
			spans = append(spans, span{f.Start, f.End})
			last = f.End
		}
	}
	return spans, nil
}

var markedSpans = parser.NewContextKey()

// markRules put marks round the texts that lie in a span. Code is left as it is.
type markRules struct{}

func (markRules) Transform(doc *ast.Document, _ text.Reader, pc parser.Context) {
	spans, _ := pc.Get(markedSpans).([]span)
	if len(spans) == 0 {
		return
	}
	var texts []*ast.Text
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if _, code := n.(*ast.CodeSpan); code {
			return ast.WalkSkipChildren, nil
		}
		if t, ok := n.(*ast.Text); ok && entering {
			texts = append(texts, t)
		}
		return ast.WalkContinue, nil
	})
	for _, t := range texts {
		markText(t, spans)
	}
}

// markText splits what lies before and in a span off t, which keeps the rest and its line break.
func markText(t *ast.Text, spans []span) {
	for _, s := range spans {
		from, to := max(s.start, t.Segment.Start), min(s.end, t.Segment.Stop)
		if from >= to {
			continue
		}
		parent := t.Parent()
		if from > t.Segment.Start {
			parent.InsertBefore(parent, t, ast.NewTextSegment(text.NewSegment(t.Segment.Start, from)))
		}
		m := &mark{}
		m.AppendChild(m, ast.NewTextSegment(text.NewSegment(from, to)))
		parent.InsertBefore(parent, t, m)
		t.Segment = text.NewSegment(to, t.Segment.Stop)
	}
}

type mark struct{ ast.BaseInline }

var kindMark = ast.NewNodeKind("Mark")

func (*mark) Kind() ast.NodeKind { return kindMark }

func (m *mark) Dump(source []byte, level int) { ast.DumpHelper(m, source, level, nil, nil) }

type marksAsMarkup struct{}

func (marksAsMarkup) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindMark, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString("<mark>")
		} else {
			_, _ = w.WriteString("</mark>")
		}
		return ast.WalkContinue, nil
	})
}
