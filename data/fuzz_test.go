package data

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// FuzzParts mutates a source, a table and a chart each for itself, inside a document that is otherwise good, so that a change
// reaches the rule it is about.
func FuzzParts(f *testing.F) {
	for _, c := range checkCases(f) {
		var doc struct {
			Sources []json.RawMessage
			Table   json.RawMessage
			Charts  []json.RawMessage
		}
		if json.Unmarshal(c.Doc, &doc) != nil {
			continue
		}
		source, table, chart := `"https://example.org/d"`, `[["A"]]`, `{"type":"bar","data":{"labels":[],"datasets":[{"data":[]}]}}`
		if len(doc.Sources) > 0 {
			source = string(doc.Sources[0])
		}
		if doc.Table != nil {
			table = string(doc.Table)
		}
		if len(doc.Charts) > 0 {
			chart = string(doc.Charts[0])
		}
		f.Add(source, table, chart)
	}
	s := judge(f)
	f.Fuzz(func(t *testing.T, source, table, chart string) {
		doc := []byte(`{"sources":[` + source + `],"table":` + table + `,"charts":[` + chart + `]}`)
		if Check(doc) != nil {
			return
		}
		if !accepts(t, s, doc) {
			t.Errorf("accepted, but the judge refuses it: %s", doc)
		}
		var got struct{ Sources []json.RawMessage }
		if err := json.Unmarshal(doc, &got); err != nil {
			t.Fatal(err)
		}
		for _, raw := range got.Sources {
			var link string
			if json.Unmarshal(raw, &link) != nil {
				var object struct{ URL string }
				if err := json.Unmarshal(raw, &object); err != nil {
					t.Fatal(err)
				}
				link = object.URL
			}
			u, err := url.Parse(link)
			if err != nil || !strings.HasPrefix(u.Scheme, "http") || u.Host == "" || u.User != nil {
				t.Errorf("accepted as a source: %q", link)
			}
		}
	})
}
