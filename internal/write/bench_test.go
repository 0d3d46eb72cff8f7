package write_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
	"github.com/diptych-mcp/diptych/internal/write"
)

type reading struct {
	Temperature float64 `json:"temperature"`
	Condition   string  `json:"condition"`
	Humidity    int     `json:"humidity"`
}

type row struct {
	ID      int     `json:"id"`
	Name    string  `json:"name"`
	Country string  `json:"country"`
	Kind    string  `json:"kind"`
	Price   float64 `json:"price"`
	Count   int     `json:"count"`
	Ratio   float64 `json:"ratio"`
	Active  bool    `json:"active"`
}

type taggedRow struct {
	ID      int     `json:"id" minimum:"0"`
	Name    string  `json:"name" maxLength:"80"`
	Country string  `json:"country" minLength:"2" maxLength:"2"`
	Kind    string  `json:"kind" enum:"river,lake,sea"`
	Price   float64 `json:"price" minimum:"0" maximum:"100000"`
	Count   int     `json:"count" minimum:"0" maximum:"1000000"`
	Ratio   float64 `json:"ratio" minimum:"0" maximum:"1"`
	Active  bool    `json:"active"`
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
		all[i] = row{i, []string{"Lisboa", "São Paulo", "Reykjavík", "Wien"}[r.IntN(4)], []string{"PT", "BR", "IS", "AT"}[r.IntN(4)],
			[]string{"river", "lake", "sea"}[r.IntN(3)], float64(r.IntN(100000)) / 100, r.IntN(1e6), r.Float64(), r.IntN(2) == 0}
	}
	return all
}

func taggedRows(n int) []taggedRow {
	all := make([]taggedRow, n)
	for i, r := range rows(n) {
		all[i] = taggedRow(r)
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

// BenchmarkFill compares both panels, checked, with one encoding of the same value by encoding/json.
func BenchmarkFill(b *testing.B) {
	text, err := json.Marshal(rows(10000))
	if err != nil {
		b.Fatal(err)
	}
	list := rowsAsJSON(text)
	for _, bb := range []struct {
		name  string
		value any // a pointer
	}{
		{"int", ptr(17)},
		{"3fields", &reading{21.5, "partly cloudy", 60}},
		{"100rows", ptr(rows(100))},
		{"10000rows", ptr(rows(10000))},
		{"100tagged", ptr(taggedRows(100))},
		{"10000tagged", ptr(taggedRows(10000))},
		{"document", ptr(document())},
		{"untyped", ptr(untyped(document()))},
		{"raw", &list},
	} {
		v := reflect.ValueOf(bb.value).Elem()
		s := shape.NewReader(rowForms).Read(v.Type())
		raw, wrapped := []byte("true"), false
		if s.Kind != shape.Any {
			out, err := schema.ForOutput("f", s, schema.Config{})
			if err != nil {
				b.Fatal(err)
			}
			raw, wrapped = out.JSON, out.Wrapped
		}
		check, err := validate.Compile(raw)
		if err != nil {
			b.Fatal(err)
		}
		f := write.Compile(s, rowForms, check, wrapped)
		b.Run(bb.name+"/answer", func(b *testing.B) {
			metered(b, func() {
				if refused, err := f.Fill(new(write.Answer), v, write.Style{}); err != nil || refused != nil {
					b.Fatal(err, string(refused))
				}
			})
		})
		if s.Kind != shape.Promise {
			b.Run(bb.name+"/json", func(b *testing.B) {
				metered(b, func() {
					if _, err := json.Marshal(bb.value); err != nil {
						b.Fatal(err)
					}
				})
			})
		}
	}
}

// processor is the CPU time that the process has used.
func processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// metered runs f as often as b says and reports the CPU time of one run: on a busy machine the time on the clock says little.
func metered(b *testing.B, f func()) {
	b.ReportAllocs()
	n, start := 0, processor()
	for b.Loop() {
		f()
		n++
	}
	b.ReportMetric(float64(processor()-start)/float64(n), "cpu-ns/op")
}

type rowsAsJSON []byte

func rowForms(t reflect.Type) (shape.Form, bool) {
	if t == reflect.TypeFor[rowsAsJSON]() {
		return shape.Form{Kind: shape.Promise, Parts: []reflect.Type{reflect.TypeFor[[]row]()}}, true
	}
	return shape.Form{}, false
}

// TestAllocations says that what is usual costs nothing but the growth of the buffer.
func TestAllocations(t *testing.T) {
	type optional struct {
		A opt[string] `json:"a"`
		B *int        `json:"b,omitempty"`
		C time.Time   `json:"c,omitzero"`
	}
	for name, value := range map[string]any{
		"3 fields":  &reading{21.5, "partly \"cloudy\"", 60},
		"100 rows":  ptr(rows(100)),
		"optionals": &[]optional{{write.Some("x"), ptr(1), time.Unix(1, 0)}, {}},
		"tuple":     &pair[string, either[int, []bool]]{A: "a", B: either[int, []bool]{B: &[]bool{true}}},
		"untyped":   &[]any{"a", 1.5, []any{true, nil}, int8(3)},
		"raw":       ptr(raw[[]string](`[ "a", "b" ]`)),
	} {
		v := reflect.ValueOf(value).Elem()
		if n := compile(v.Type()).Allocations(t, v); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
