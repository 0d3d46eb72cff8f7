package data

// A result: the text, its sources, and what is drawn beside them.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/jsontext"
	"github.com/diptych-mcp/diptych/internal/shape"
)

// reserved keeps a Result out of the tools that are published with diptych.Add.
//
//lint:ignore U1000 only its presence in Result counts
type reserved = shape.Reserved

// A Result is what a data tool returns: a text for the model, at least one source, and what the screen draws. It is built
// by [NewResult] alone. The zero Result compiles; a tool that returns it answers with an error.
type Result struct {
	//lint:ignore U1000 its presence is what counts
	reserved

	content string
	sources []Source
	tables  []Table // one at most; more are a breach
	charts  []json.RawMessage
	force   []string
	meta    mcp.Meta
	faults  []breach // found while the parts were built
}

// NewResult returns a result from a text and a source, with more parts beside them: further sources, a [Table], charts, a
// [Force] text, [Meta]. The text says every fact that the model may repeat. Nothing is checked here, and everything when the
// tool returns.
func NewResult(content string, src Source, more ...Part) Result {
	r := Result{content: content}
	src.addTo(&r)
	for _, p := range more {
		if p != nil {
			p.addTo(&r)
		}
	}
	return r
}

// A Part is what a result holds besides its text and first source: a [Source], [Table], [Chart], [ChartJSON], [Force] or
// [Meta]. There are no others.
type Part interface{ addTo(*Result) }

// Force is plain text that is shown to the user exactly as given, and never goes through the model; at most 4,000
// characters. Hosts differ, and some give the model everything: it is no place for a secret. An empty Force is absent.
type Force string

func (f Force) addTo(r *Result) {
	if f != "" {
		r.force = append(r.force, string(f))
	}
}

// Meta is the result's _meta, for bulk that only a view needs. The model does not read it. Of two entries of one key the
// last stays.
type Meta map[string]any

func (m Meta) addTo(r *Result) {
	if r.meta == nil {
		r.meta = make(mcp.Meta, len(m))
	}
	for key, v := range m {
		r.meta[key] = v
	}
}

// addChart keeps a chart; the places of its faults are relative to it.
func (r *Result) addChart(raw json.RawMessage, faults []breach) {
	compact, ok := jsontext.AppendCompact(nil, raw, jsontext.MaxDepth)
	switch {
	case !utf8.Valid(raw):
		faults, ok = []breach{{"", notUTF8}}, false
	case !ok:
		faults = []breach{{"", "not valid JSON"}}
	}
	if !ok {
		compact = []byte("null")
	}
	at := place{"charts", len(r.charts)}.String()
	for _, f := range faults {
		r.faults = append(r.faults, breach{strings.TrimSuffix(at+"."+f.place, "."), f.rule})
	}
	r.charts = append(r.charts, compact)
}

// MarshalJSON writes the structured content: sources, table, charts and force in this order, what is absent left out. A
// result that breaks a rule is an error that names every place.
func (r Result) MarshalJSON() ([]byte, error) { return r.structured() }

// structured writes the structured content and checks it together with what cannot be seen in it.
func (r Result) structured() ([]byte, error) {
	var c checker
	if strings.TrimSpace(r.content) == "" {
		c.add("content", noText)
	}
	faults := appendUTF8(slices.Clip(r.faults), place{"content"}, r.content)
	for i, s := range r.sources {
		faults = appendUTF8(faults, place{"sources", i}, s.URL, s.Title, s.Publisher, s.License, s.RetrievedAt, s.Period)
	}
	for _, t := range r.tables {
		faults = append(faults, t.faults...)
	}
	for _, f := range appendUTF8(faults, place{"force"}, r.force...) {
		c.add(f.place, f.rule)
	}
	if n := len(r.tables); n > 1 {
		c.add("table", "given "+strconv.Itoa(n)+" times; a result has one table")
	}
	if n := len(r.force); n > 1 {
		c.add("force", "given "+strconv.Itoa(n)+" times; a result has one")
	}
	doc, err := r.encode()
	if err != nil {
		c.add("", "cannot be written as JSON")
		return nil, c.err()
	}
	c.document(doc)
	return doc, c.err()
}

const noText = "no text; say in words what the data says"

func (r Result) encode() ([]byte, error) {
	b := []byte(`{"sources":[`)
	for i, s := range r.sources {
		raw, err := s.MarshalJSON()
		if err != nil {
			return nil, err
		}
		b = append(comma(b, i), raw...)
	}
	b = append(b, ']')
	if len(r.tables) > 0 {
		b = r.tables[0].appendTo(append(b, `,"table":`...))
		if r.tables[0].described() {
			b = r.tables[0].appendColumns(append(b, `,"columns":`...))
		}
	}
	if len(r.charts) > 0 {
		b = append(b, `,"charts":[`...)
		for i, raw := range r.charts {
			b = append(comma(b, i), raw...)
		}
		b = append(b, ']')
	}
	if len(r.force) > 0 {
		b = appendText(append(b, `,"force":`...), r.force[0])
	}
	return append(b, '}'), nil
}

// comma separates the i-th element from the one before it.
func comma(b []byte, i int) []byte {
	if i == 0 {
		return b
	}
	return append(b, ',')
}

// appendText writes s as a JSON string.
func appendText(b []byte, s string) []byte {
	return jsontext.AppendString(b, strings.ToValidUTF8(s, "\ufffd"))
}

// marshal is json.Marshal without escaping <, > and &, which are common in URLs and texts.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
