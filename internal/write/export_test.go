package write

import (
	"reflect"
	"testing"
)

// A Walked is what one walk over a value writes.
type Walked struct {
	Doc    []byte
	Texts  []string // the text blocks
	Blocks int      // given content blocks

	Proven   bool // on the way
	Accepted bool // in the end
}

// Walk writes v and keeps all of it, whether the schema accepts it or not.
func (w *Writer) Walk(v reflect.Value) (Walked, error) {
	b := new(buffer)
	if err := w.walk(b, v, Style{}); err != nil {
		return Walked{}, err
	}
	r := Walked{Doc: b.doc, Blocks: len(b.given), Proven: b.proven, Accepted: !b.refused && (b.proven || w.check.Check(b.doc))}
	start := 0
	for _, end := range b.ends {
		r.Texts = append(r.Texts, string(b.text[start:end]))
		start = end
	}
	return r, nil
}

// Allocations is how often a walk allocates once its buffer has grown. The pool that buffers come from drops some on purpose
// under the race detector.
func (w *Writer) Allocations(t *testing.T, v reflect.Value) float64 {
	b := new(buffer)
	run := func() {
		b.doc, b.text, b.ends = b.doc[:0], b.text[:0], b.ends[:0]
		if err := w.walk(b, v, Style{}); err != nil || !b.proven {
			t.Fatalf("proven %t, %v", b.proven, err)
		}
	}
	run()
	return testing.AllocsPerRun(100, run)
}
