package press_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/press"
	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A trial sets a press beside the plain way that it stands for.
type trial struct {
	press   *press.Press
	encoder *encode.Encoder
	check   *validate.Checker
	wrapped bool
	sheet   press.Sheet
}

func newTrial(s *shape.Shape, raw []byte, wrapped bool) (*trial, error) {
	check, err := validate.Compile(raw)
	if err != nil {
		return nil, err
	}
	return &trial{press: press.Compile(s, forms, check, wrapped), encoder: encode.Compile(s, forms), check: check, wrapped: wrapped}, nil
}

// plainly encodes v, then checks the bytes and writes the text of them.
func (r *trial) plainly(v reflect.Value) (doc, text []byte, ends []int, ok bool) {
	if r.wrapped {
		doc = append(doc, `{"result":`...)
	}
	doc, blocks, err := r.encoder.AppendBlocks(doc, nil, v)
	if err != nil {
		return nil, nil, nil, false
	}
	if r.wrapped {
		doc = append(doc, '}')
	}
	text, ends, ok = r.check.Panel(nil, nil, doc, blocks)
	return doc, text, ends, ok
}

func (r *trial) print(v reflect.Value) bool {
	r.sheet.Doc, r.sheet.Text, r.sheet.Ends = r.sheet.Doc[:0], r.sheet.Text[:0], r.sheet.Ends[:0]
	return r.press != nil && r.press.Print(&r.sheet, v)
}

// same is the law: a yes of the press is a yes of the plain way, with the same bytes in both panels. Where the schema is
// the type's own, the press says yes as often.
func (r *trial) same(t *rapid.T, v reflect.Value, own bool, raw []byte) {
	doc, text, ends, ok := r.plainly(v)
	printed := r.print(v)
	if printed && !ok {
		t.Fatalf("%s: the press says yes to what is refused: %s", describe(v, raw), doc)
	}
	if own && ok && !printed {
		t.Fatalf("%s: the press does not say yes: %s", describe(v, raw), doc)
	}
	if printed && !(bytes.Equal(r.sheet.Doc, doc) && bytes.Equal(r.sheet.Text, text) && slices.Equal(r.sheet.Ends, ends)) {
		t.Fatalf("%s\n got %s %q %v\nwant %s %q %v", describe(v, raw), r.sheet.Doc, r.sheet.Text, r.sheet.Ends, doc, text, ends)
	}
}

// TestRandom holds the press to the encoder and the check over random types and values, under the schema of the type.
func TestRandom(t *testing.T) { rapid.Check(t, func(t *rapid.T) { try(t, false) }) }

// TestRandomSchemas does the same under schemas that are not quite the type's.
func TestRandomSchemas(t *testing.T) { rapid.Check(t, func(t *rapid.T) { try(t, true) }) }

func try(t *rapid.T, bent bool) {
	typ := anyType(t, 3)
	s := shape.NewReader(forms).Read(typ)
	own, err := schema.ForOutput("f", s, schema.Config{})
	if err != nil {
		return // a tag that does not fit
	}
	raw := own.JSON
	if bent {
		raw = bend(t, raw)
	}
	r, err := newTrial(s, raw, own.Wrapped)
	if err != nil {
		if !bent {
			t.Fatal(err)
		}
		return
	}
	for range 4 {
		v := reflect.New(typ).Elem()
		fill(t, v, 5)
		r.same(t, v, !bent, raw)
	}
}

// TestNothingPromised holds the press to the plain way where the schema is true, as for a tool without one.
func TestNothingPromised(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := anyType(t, 3)
		r, err := newTrial(shape.NewReader(forms).Read(typ), []byte("true"), false)
		if err != nil {
			t.Fatal(err)
		}
		v := reflect.New(typ).Elem()
		fill(t, v, 5)
		r.same(t, v, true, []byte("true"))
	})
}
