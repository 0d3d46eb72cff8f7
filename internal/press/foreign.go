package press

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A foreign prints what others wrote, and what is asked for in ways that take a second reading: the encoder writes it, and
// a reader checks and indents it.
type foreign struct {
	encoder *encode.Encoder
	demand  validate.Demand
}

func (f *foreign) print(s *Sheet, v reflect.Value) (ok bool) {
	start := len(s.Doc)
	var err error
	if s.Doc, err = f.encoder.Append(s.Doc, v); err != nil {
		return false
	}
	s.Text, ok = s.reader.Part(f.demand, s.Doc, start, s.Text, s.depth, s.level)
	return ok
}

func (f *foreign) split(s *Sheet, v reflect.Value) (ok bool) {
	start := len(s.Doc)
	var err error
	if s.Doc, s.blocks, err = f.encoder.Mark(s.Doc, s.blocks[:0], v); err != nil {
		return false
	}
	s.Text, s.Ends, ok = s.reader.Blocks(f.demand, s.Doc, start, s.Text, s.Ends, s.depth, s.blocks)
	return ok
}
