package validate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
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

// BenchmarkPanel sets the pass beside the encoding of the same value: the ratio is the figure, not the time.
func BenchmarkPanel(b *testing.B) {
	for _, bench := range []struct {
		name, schema string
		value        any
	}{
		{"rows", rowsSchema, rows(10_000)},
		{"rows with tags", rowsTagged, rows(10_000)},
		{"document", documentSchema, document()},
		{"small", smallSchema, small()},
	} {
		c, doc := compiled(b, bench.schema), marshaled(b, bench.value)
		blocks := wholeBlocks(b, doc)
		b.Run(bench.name+"/Marshal", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := json.Marshal(bench.value); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(bench.name+"/Panel", func(b *testing.B) {
			text, ends := make([]byte, 0, 2*len(doc)), make([]int, 0, len(blocks))
			b.ReportAllocs()
			for b.Loop() {
				var ok bool
				if text, ends, ok = c.Panel(text[:0], ends[:0], doc, blocks); !ok {
					b.Fatal(c.Explain(doc))
				}
			}
		})
		b.Run(bench.name+"/Check", func(b *testing.B) {
			for b.Loop() {
				if !c.Check(doc) {
					b.Fatal("refused")
				}
			}
		})
		b.Run(bench.name+"/Indent", func(b *testing.B) {
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				if err := json.Indent(&out, doc, "", "  "); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
