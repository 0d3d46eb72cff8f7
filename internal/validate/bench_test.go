package validate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// A row is what a table tool answers with, in three degrees of strictness.
type row struct {
	ID      int     `json:"id"`
	Name    string  `json:"name"`
	Country string  `json:"country"`
	Kind    string  `json:"kind"`
	Price   float64 `json:"price"`
	Count   int     `json:"count"`
	Active  bool    `json:"active"`
	Note    string  `json:"note,omitempty"`
}

func rows(n int) any {
	list := make([]row, n)
	for i := range list {
		list[i] = row{
			ID: i + 1, Name: fmt.Sprintf("Station number %d", i), Country: []string{"PT", "DE", "FR"}[i%3],
			Kind: []string{"river", "coast", "mountain"}[i%3], Price: float64(i%1000) * 1.25, Count: i * 7 % 10007,
			Active: i%2 == 0, Note: "measured twice a day, at dawn and at dusk",
		}
	}
	return map[string]any{"result": list}
}

const (
	rowsSchema = `{"properties":{"result":{"items":{"$ref":"#/$defs/Row"},"type":"array"}},"required":["result"],"type":"object",
		"$defs":{"Row":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"country":{"type":"string"},
		"kind":{"type":"string"},"price":{"type":"number"},"count":{"type":"integer"},"active":{"type":"boolean"},"note":{"type":"string"}},
		"required":["id","name","country","kind","price","count","active"]}}}`
	rowsTagged = `{"properties":{"result":{"items":{"$ref":"#/$defs/Row"},"type":"array"}},"required":["result"],"type":"object",
		"$defs":{"Row":{"type":"object","properties":{"id":{"type":"integer","minimum":1},"name":{"type":"string","minLength":1,"maxLength":80},
		"country":{"type":"string","minLength":2,"maxLength":2},"kind":{"type":"string","enum":["river","coast","mountain"]},
		"price":{"type":"number","minimum":0,"maximum":100000},"count":{"type":"integer","minimum":0,"maximum":100000},
		"active":{"type":"boolean"},"note":{"type":"string","maxLength":200}},
		"required":["id","name","country","kind","price","count","active"]}}}`
	documentSchema = `{"type":"object","properties":{"title":{"type":"string"},"body":{"type":"string"},
		"tags":{"type":"array","items":{"type":"string"}},"weights":{"type":"object","additionalProperties":{"type":"number"}}},
		"required":["title","body","tags","weights"]}`
	smallSchema = `{"type":"object","properties":{"city":{"type":"string","minLength":1},"temperature":{"type":"number","minimum":-90,"maximum":60},
		"humidity":{"type":"integer","minimum":0,"maximum":100}},"required":["city","temperature","humidity"]}`
)

func document() any {
	type doc struct {
		Title   string             `json:"title"`
		Body    string             `json:"body"`
		Tags    []string           `json:"tags"`
		Weights map[string]float64 `json:"weights"`
	}
	d := doc{Title: "A long report", Body: strings.Repeat("The river rose by four metres, “quickly”, they said.\n", 16_000), Weights: map[string]float64{}}
	for i := range 3000 {
		d.Tags = append(d.Tags, fmt.Sprintf("tag %d", i))
		d.Weights[fmt.Sprintf("key%04d", i)] = float64(i) / 8
	}
	return d
}

func small() any {
	return struct {
		City        string  `json:"city"`
		Temperature float64 `json:"temperature"`
		Humidity    int     `json:"humidity"`
	}{"Lisboa", 21.5, 48}
}

// BenchmarkPass sets the pass beside the encoding of the same value, turn by turn. The figure is the ratio of the medians,
// text/marshal; the time of both together means nothing.
func BenchmarkPass(b *testing.B) {
	for _, bench := range []struct {
		name, schema string
		value        any
		times        int // a turn
	}{
		{"rows", rowsSchema, rows(10_000), 1},
		{"rows with tags", rowsTagged, rows(10_000), 1},
		{"document", documentSchema, document(), 1},
		{"small", smallSchema, small(), 1000},
	} {
		b.Run(bench.name, func(b *testing.B) {
			c, doc := compiled(b, bench.schema), marshaled(b, bench.value)
			var r Reader
			to := Raw{Cut: &Cut{}}
			d, _ := c.Demand()
			turns := []struct {
				name string
				run  func() bool
				took []time.Duration
			}{
				{name: "marshal", run: func() bool { _, err := json.Marshal(bench.value); return err == nil }},
				{name: "text", run: func() bool {
					r.Start()
					to.Doc, to.Text, to.Ends = to.Doc[:0], to.Text[:0], to.Ends[:0]
					return r.Raw(d, doc, &to)
				}},
				{name: "check", run: func() bool { return c.Check(doc) }},
			}
			for b.Loop() {
				for i := range turns {
					turn := &turns[i]
					start := time.Now()
					for range bench.times {
						if !turn.run() {
							b.Fatal(turn.name)
						}
					}
					turn.took = append(turn.took, time.Since(start))
				}
			}
			for i := range turns {
				slices.Sort(turns[i].took)
			}
			median := func(i int) float64 { return float64(turns[i].took[len(turns[i].took)/2]) }
			b.ReportMetric(median(1)/median(0), "text/marshal")
			b.ReportMetric(median(2)/median(0), "check/marshal")
			b.ReportMetric(median(0)/float64(bench.times), "ns/marshal")
		})
	}
}

// BenchmarkArguments reads three fields that mean what they say, and the same by way of the tree.
func BenchmarkArguments(b *testing.B) {
	c, err := Compile([]byte(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":1},"units":{"enum":["metric","imperial"]}},"required":["city"],"additionalProperties":false}`))
	if err != nil {
		b.Fatal(err)
	}
	args := []byte(`{"city":"São Paulo","days":3,"units":"metric"}`)
	for name, read := range map[string]func([]byte) ([]byte, []Fault){"literal": c.Arguments, "tree": c.meant} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, faults := read(args); faults != nil {
					b.Fatal(faults)
				}
			}
		})
	}
}
