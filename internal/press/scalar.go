package press

import (
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A boolean prints what is allowed of true and false.
type boolean struct{ no, yes bool }

func newBoolean(d validate.Demand) boolean { return boolean{d.Takes("false"), d.Takes("true")} }

func (b boolean) print(s *Sheet, v reflect.Value) bool {
	if v.Bool() {
		s.twice("true")
		return b.yes
	}
	s.twice("false")
	return b.no
}

// An integer prints signed integers.
type integer struct {
	low, high int64 // what lies between needs no closer look
	demand    validate.Demand
}

func newInteger(d validate.Demand) *integer {
	n := &integer{demand: d}
	n.low, n.high, _ = d.Numbers()
	return n
}

func (n *integer) print(s *Sheet, v reflect.Value) bool { return n.number(s, v.Int()) }

func (n *integer) number(s *Sheet, x int64) bool {
	start := len(s.Doc)
	s.Doc = strconv.AppendInt(s.Doc, x, 10)
	s.copy(start)
	return n.low <= x && x <= n.high || s.reader.Meets(n.demand, s.Doc, start)
}

// Unsigned prints unsigned integers.
type unsigned struct{ *integer }

func (n unsigned) print(s *Sheet, v reflect.Value) bool {
	x := v.Uint()
	if x <= math.MaxInt64 {
		return n.number(s, int64(x))
	}
	start := len(s.Doc)
	s.Doc = strconv.AppendUint(s.Doc, x, 10)
	s.copy(start)
	return s.reader.Meets(n.demand, s.Doc, start)
}

// A float prints floats. Its range is one of integers that every spelling keeps apart: the shortest digits of a float
// that lies between two of them lie there too.
type float struct {
	bits      int
	low, high float64
	demand    validate.Demand
}

func newFloat(d validate.Demand, bits int) *float {
	low, high, fractions := d.Numbers()
	if !fractions {
		low, high = 1, 0
	}
	exact := int64(1e15)
	if bits == 32 {
		exact = 1 << 24
	}
	return &float{bits, float64(max(low, -exact)), float64(min(high, exact)), d}
}

func (f *float) print(s *Sheet, v reflect.Value) bool {
	x := v.Float()
	start := len(s.Doc)
	s.Doc = encode.AppendFloat(s.Doc, x, f.bits)
	s.copy(start)
	return f.low <= x && x <= f.high || s.reader.Meets(f.demand, s.Doc, start)
}

// A text prints strings.
type text struct {
	validate.Strings
	counts bool
	none   bool // no string is allowed
	demand validate.Demand
}

func newText(d validate.Demand) *text {
	asked, ok := d.Strings()
	return &text{asked, asked.Min > 0 || asked.Max < math.MaxInt, !ok, d}
}

func (t *text) print(s *Sheet, v reflect.Value) bool {
	start := len(s.Doc)
	ok := t.write(s, v.String())
	s.copy(start)
	return ok
}

// split prints a string as a block of its own, which has no quotes.
func (t *text) split(s *Sheet, v reflect.Value) bool {
	ok := t.write(s, v.String())
	s.Text = append(s.Text, v.String()...)
	s.end()
	return ok
}

// write writes x to the document.
func (t *text) write(s *Sheet, x string) bool {
	start := len(s.Doc)
	plain := isPlain(x)
	if plain {
		s.Doc = append(append(append(s.Doc, '"'), x...), '"')
	} else if utf8.ValidString(x) {
		s.Doc = encode.AppendString(s.Doc, x)
	} else {
		return false
	}
	if t.counts {
		n := len(x)
		if !plain {
			n = utf8.RuneCountInString(x)
		}
		if n < t.Min || n > t.Max {
			return false
		}
	}
	return !t.none && (t.Words == nil || t.word(x)) && (!t.Closer || s.reader.Meets(t.demand, s.Doc, start))
}

func (t *text) word(x string) bool {
	for _, w := range t.Words {
		if w == x {
			return true
		}
	}
	return false
}

// isPlain reports whether x stands in JSON as it is, one byte for each character. It looks at eight bytes at a time.
func isPlain(x string) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(x); i += 8 {
		b := x[i : i+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		quote, slash := w^'"'*ones, w^'\\'*ones
		// A borrow sets a wrong bit only above a byte that is truly there.
		if ((w-0x20*ones)|(quote-ones)&^quote|(slash-ones)&^slash|w)&tops != 0 {
			return false
		}
	}
	for ; i < len(x); i++ {
		if c := x[i]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// A moment prints time.Time.
type moment struct{ demand validate.Demand }

func (m *moment) print(s *Sheet, v reflect.Value) bool {
	if !v.CanInterface() {
		return false
	}
	t, _ := reflect.TypeAssert[time.Time](v)
	start := len(s.Doc)
	var ok bool
	s.Doc, ok = encode.AppendTime(s.Doc, t)
	s.copy(start)
	return ok && s.reader.Meets(m.demand, s.Doc, start)
}
