package press

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A scalar writes values that are one token. It writes the document alone; whoever calls it copies the token to the text.
type scalar interface {
	append(doc []byte, v reflect.Value) ([]byte, verdict)
}

// A verdict is what a scalar can say of the token that it has written.
type verdict uint8

const (
	yes verdict = iota
	no
	unsure // a reader decides
)

// newScalar returns the scalar of a shape under a demand, nil for what may be more than one token.
func newScalar(s *shape.Shape, d validate.Demand) scalar {
	switch s.Kind {
	case shape.Bool:
		return newBoolean(d)
	case shape.Int:
		return newInteger(d)
	case shape.Uint:
		return unsigned(newInteger(d))
	case shape.Float:
		return newFloat(d, s.Type.Bits())
	case shape.String:
		return newText(d)
	case shape.JSON:
		if s.Type == reflect.TypeFor[time.Time]() {
			return moment{}
		}
	}
	return nil
}

// A boolean writes true and false.
type boolean [2]verdict

func newBoolean(d validate.Demand) (b boolean) {
	for i, token := range []string{"false", "true"} {
		if !d.Takes(token) {
			b[i] = no
		}
	}
	return b
}

func (b boolean) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	if v.Bool() {
		return append(doc, "true"...), b[1]
	}
	return append(doc, "false"...), b[0]
}

// An integer writes signed integers. What lies in its range needs no closer look.
type integer struct{ low, high int64 }

func newInteger(d validate.Demand) integer {
	low, high, _ := d.Numbers()
	return integer{low, high}
}

func (n integer) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	x := v.Int()
	return strconv.AppendInt(doc, x, 10), n.judge(x)
}

func (n integer) judge(x int64) verdict {
	if n.low <= x && x <= n.high {
		return yes
	}
	return unsure
}

// Unsigned writes unsigned integers.
type unsigned integer

func (n unsigned) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	x := v.Uint()
	doc = strconv.AppendUint(doc, x, 10)
	if x > math.MaxInt64 {
		return doc, unsure
	}
	return doc, integer(n).judge(int64(x))
}

// A float writes floats. The ends of its range are integers that every float near them keeps apart: the shortest digits of
// a float between the two lie there too.
type float struct {
	low, high float64
	bits      int
}

func newFloat(d validate.Demand, bits int) float {
	low, high, fractions := d.Numbers()
	if !fractions {
		low, high = 1, 0
	}
	exact := int64(1e15)
	if bits == 32 {
		exact = 1 << 24
	}
	return float{float64(max(low, -exact)), float64(min(high, exact)), bits}
}

func (f float) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	x := v.Float()
	doc = encode.AppendFloat(doc, x, f.bits)
	if f.low <= x && x <= f.high {
		return doc, yes
	}
	return doc, unsure
}

// A text writes strings.
type text struct {
	validate.Strings
	words [][2]string // those that alone are taken, and as they are written
	good  verdict     // on a string of which no more is known
}

func newText(d validate.Demand) *text {
	asked, ok := d.Strings()
	t := &text{Strings: asked}
	for _, w := range asked.Words {
		t.words = append(t.words, [2]string{w, string(encode.AppendString(nil, w))})
	}
	switch {
	case !ok:
		t.good = no
	case asked.Closer:
		t.good = unsure
	}
	return t
}

func (t *text) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	return t.appendString(doc, v.String())
}

func (t *text) appendString(doc []byte, x string) ([]byte, verdict) {
	length := len(x)
	switch {
	case t.Words != nil:
		token := t.word(x)
		if token == "" {
			return doc, no
		}
		doc = append(doc, token...)
	case isPlain(x):
		start := len(doc)
		doc = slices.Grow(doc, length+2)[:start+length+2]
		doc[start] = '"'
		copy(doc[start+1:], x)
		doc[start+length+1] = '"'
	case !utf8.ValidString(x):
		return doc, no
	default:
		doc = encode.AppendString(doc, x)
	}
	// A character has from one to four bytes: most strings need no counting.
	if length > t.Max || length/4 < t.Min {
		if n := utf8.RuneCountInString(x); n < t.Min || n > t.Max {
			return doc, no
		}
	}
	return doc, t.good
}

// word returns what is written of a word, or nothing where x is none.
func (t *text) word(x string) string {
	for i := range t.words {
		if t.words[i][0] == x {
			return t.words[i][1]
		}
	}
	return ""
}

// isPlain reports whether x stands in JSON as it is, one byte for each character. It looks at eight bytes at a time, at
// the last eight of them perhaps once more.
func isPlain(x string) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	if len(x) < 8 {
		for i := range len(x) {
			if c := x[i]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
				return false
			}
		}
		return true
	}
	for i := 0; i < len(x); i += 8 {
		b := x[min(i, len(x)-8):]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		quote, slash := w^'"'*ones, w^'\\'*ones
		if ((w-0x20*ones)|(quote-ones)&^quote|(slash-ones)&^slash|w)&tops != 0 {
			return false
		}
	}
	return true
}

// A moment writes time.Time.
type moment struct{}

func (moment) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	if !v.CanInterface() {
		return doc, no
	}
	t, _ := reflect.TypeAssert[time.Time](v)
	doc, ok := encode.AppendTime(doc, t)
	if !ok {
		return doc, no
	}
	return doc, unsure
}

// A token prints a scalar where no one else copies it to the text.
type token struct {
	scalar
	demand validate.Demand
}

func (t *token) print(s *Sheet, v reflect.Value) bool {
	start := len(s.Doc)
	doc, verdict := t.append(s.Doc, v)
	s.Doc = doc
	s.copy(start)
	return verdict == yes || t.settle(s, verdict, doc, start)
}

// split prints a value as a block: a string without its quotes.
func (t *token) split(s *Sheet, v reflect.Value) bool {
	if !t.print(s, v) {
		return false
	}
	if _, ok := t.scalar.(*text); ok {
		start := 0
		if len(s.Ends) > 0 {
			start = s.Ends[len(s.Ends)-1]
		}
		s.Text = append(s.Text[:start], v.String()...)
	}
	s.end()
	return true
}

// settle decides over a token that its scalar did not say yes to.
func (t *token) settle(s *Sheet, v verdict, doc []byte, start int) bool {
	return v == unsure && s.reader.Meets(t.demand, doc, start)
}
