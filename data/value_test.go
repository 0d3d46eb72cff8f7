package data

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// rebuilt writes a value from what the walk over it yields.
func rebuilt(b []byte, v value) []byte {
	switch v[0] {
	case '{':
		b = append(b, '{')
		first := true
		for key, member := range v.members() {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = append(appendText(b, key), ':')
			b = rebuilt(b, member)
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		for i, element := range v.elements() {
			b = rebuilt(comma(b, i), element)
		}
		return append(b, ']')
	case '"':
		return appendText(b, v.text())
	}
	return append(b, v...)
}

// The walk sees what encoding/json sees.
func FuzzValue(f *testing.F) {
	for _, doc := range []string{`{"a" : [1, {"b\"\\":null}, "\u00e9\ud800"], "a":{}, "":[]}`, ` [ ] `, `-1.5e+3`, "true", `"\/"`, "\t{\n}\r"} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		if !utf8.Valid(doc) || !json.Valid(doc) || !jsontext.Valid(doc, jsontext.MaxDepth) {
			return
		}
		v, ok := parse(doc)
		if !ok {
			t.Fatalf("%s is refused", doc)
		}
		got := rebuilt(nil, v)
		if !json.Valid(got) {
			t.Fatalf("%s became %s", doc, got)
		}
		var want bytes.Buffer
		if err := json.Compact(&want, doc); err != nil {
			t.Fatal(err)
		}
		v, _ = parse(want.Bytes())
		again := rebuilt(nil, v)
		if !bytes.Equal(got, again) {
			t.Errorf("%s became %s, and without its white space %s", doc, got, again)
		}
		var a, b any
		if json.Unmarshal(doc, &a) != nil || json.Unmarshal(got, &b) != nil {
			return // a number past a float
		}
		wantJSON, _ := marshal(a)
		gotJSON, _ := marshal(b)
		if !bytes.Equal(wantJSON, gotJSON) {
			t.Errorf("%s means %s, the walk saw %s", doc, wantJSON, gotJSON)
		}
	})
}

// Whatever an author puts into a result, it is refused or the judge accepts it, and it says what was put in.
func TestResultsAgainstJudge(t *testing.T) {
	s := judge(t)
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "\xff", "\u202e", dataURL, "#fff", "red"}))
		figure := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 100))
		rows := rapid.SliceOfN(figure, 0, 5).Draw(t, "rows")
		label := text.Draw(t, "label")
		name := func(float64) string { return label }
		same := func(f float64) float64 { return f }
		series := Series[float64]{Label: text.Draw(t, "series"), Value: same, Color: rapid.SampledFrom([]string{"", "#fff", "red"}).Draw(t, "colour")}
		parts := []Part{
			Bar(rows, name, series).Title(text.Draw(t, "title")).Stacked(),
			Line(rows, name, series, series).Axes(label, ""),
			Radar(rows, name, series),
			Pie(rows, name, same).Alt(label), Doughnut(rows, name, same), PolarArea(rows, name, same),
			Scatter(rows, name, same, same), Bubble(rows, nil, same, same, same),
			NewTable([]string{text.Draw(t, "header")}, []any{text.Draw(t, "cell")}, []any{figure.Draw(t, "figure")}),
			Force(text.Draw(t, "force")),
			Source{URL: dataURL, Title: text.Draw(t, "source"), Period: text.Draw(t, "period")},
		}
		kept := rapid.SliceOfN(rapid.SampledFrom(parts), 0, 4).Draw(t, "parts")
		doc, err := NewResult("words", Source{URL: dataURL}, kept...).structured()
		if err != nil {
			return
		}
		accepted++
		v, err := jsonschemaValue(doc)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("accepted, but the judge says %v of %s", err, doc)
		}
	})
	if accepted == 0 {
		t.Error("every result was refused")
	}
}
