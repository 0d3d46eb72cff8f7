package encode_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/formtest"
)

type reading struct {
	Temperature float64 `json:"temperature"`
	Condition   string  `json:"condition"`
	Humidity    int     `json:"humidity"`
}

type row struct {
	ID     int       `json:"id"`
	City   string    `json:"city"`
	Note   string    `json:"note"`
	Count  int64     `json:"count"`
	Price  float64   `json:"price"`
	Ratio  float64   `json:"ratio"`
	Active bool      `json:"active"`
	When   time.Time `json:"when"`
}

type section struct {
	Title    string            `json:"title"`
	Text     string            `json:"text"`
	Labels   map[string]string `json:"labels"`
	Numbers  []float64         `json:"numbers"`
	Sections []section         `json:"sections,omitempty"`
}

func rows(n int) []row {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]row, n)
	for i := range all {
		all[i] = row{
			ID: i, City: []string{"Lisboa", "São Paulo", "Reykjavík", "Wien"}[r.IntN(4)], Note: strings.Repeat("word ", r.IntN(8)), Count: r.Int64N(1e9),
			Price: float64(r.IntN(100000)) / 100, Ratio: r.Float64(), Active: r.IntN(2) == 0, When: time.Unix(r.Int64N(2e9), 0).UTC(),
		}
	}
	return all
}

// document is about a megabyte of prose, labels and numbers.
func document() section {
	r := rand.New(rand.NewPCG(3, 4))
	var build func(depth int) section
	build = func(depth int) section {
		s := section{
			Title: fmt.Sprintf("Section %d", r.IntN(1000)), Text: strings.Repeat("A sentence with \"quotes\", é and a line.\n", 20+r.IntN(20)),
			Labels: map[string]string{"lang": "en", "kind": "prose", "source": "archive"}, Numbers: make([]float64, 20),
		}
		for i := range s.Numbers {
			s.Numbers[i] = r.NormFloat64()
		}
		for i := 0; depth > 0 && i < 8; i++ {
			s.Sections = append(s.Sections, build(depth-1))
		}
		return s
	}
	return build(3)
}

// untyped is v as encoding/json decodes it.
func untyped(v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var x any
	if err := json.Unmarshal(b, &x); err != nil {
		panic(err)
	}
	return x
}

func BenchmarkEncode(b *testing.B) {
	doc := document()
	loose := untyped(doc)
	for _, bb := range []struct {
		name  string
		value any // a pointer
	}{
		{"3fields", &reading{21.5, "partly cloudy", 60}},
		{"100rows", ptr(rows(100))},
		{"10000rows", ptr(rows(10000))},
		{"document", &doc},
		{"untyped", &loose},
	} {
		v := reflect.ValueOf(bb.value).Elem()
		e := compile(v.Type())
		b.Run(bb.name+"/encode", func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = e.Append(dst[:0], v)
			}
			b.SetBytes(int64(len(dst)))
		})
		b.Run(bb.name+"/blocks", func(b *testing.B) {
			var dst []byte
			var blocks []encode.Block
			b.ReportAllocs()
			for b.Loop() {
				dst, blocks, _ = e.AppendBlocks(dst[:0], blocks[:0], v)
			}
			b.SetBytes(int64(len(dst)))
		})
		b.Run(bb.name+"/standard", func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = json.Marshal(bb.value)
			}
			b.SetBytes(int64(len(dst)))
		})
	}
}

// TestAllocations says that what is usual costs nothing but the growth of dst.
func TestAllocations(t *testing.T) {
	type optional struct {
		A opt[string] `json:"a"`
		B *int        `json:"b,omitempty"`
		C time.Time   `json:"c,omitzero"`
	}
	for name, value := range map[string]any{
		"3 fields":  &reading{21.5, "partly \"cloudy\"", 60},
		"100 rows":  ptr(rows(100)),
		"optionals": &[]optional{{formtest.Some("x"), ptr(1), time.Unix(1, 0)}, {}},
		"tuple":     &pair[string, either[int, []bool]]{A: "a", B: either[int, []bool]{B: &[]bool{true}}},
		"untyped":   &[]any{"a", 1.5, []any{true, nil}, int8(3)},
		"raw":       ptr(raw[[]string](`[ "a", "b" ]`)),
	} {
		v := reflect.ValueOf(value).Elem()
		e := compile(v.Type())
		var dst []byte
		var blocks []encode.Block
		run := func() {
			var err error
			if dst, blocks, err = e.AppendBlocks(dst[:0], blocks[:0], v); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if n := testing.AllocsPerRun(100, run); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
