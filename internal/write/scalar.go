package write

import (
	"encoding/base64"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/diptych-mcp/diptych/internal/jsontext"
	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A scalar writes values that are one token. It writes the document alone; its caller copies the token to the text.
type scalar interface {
	append(doc []byte, v reflect.Value) ([]byte, verdict)
}

// A verdict is what a scalar can say of the token that it has written.
type verdict uint8

const (
	yes    verdict = iota // it meets the demand
	no                    // it does not, or is no JSON
	unsure                // a reader decides
	failed                // there is no token: the scalar has a fault
)

// scalar returns the scalar of a shape under a demand, nil for what may be more than one token.
func (c *compiler) scalar(s *shape.Shape, d validate.Demand) scalar {
	open := d == c.anything
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
	case shape.Number:
		return &digits{open}
	case shape.Bytes:
		return &base{open}
	case shape.JSON:
		if s.Type == reflect.TypeFor[time.Time]() {
			return &moment{open}
		}
	}
	return nil
}

// A token writes a scalar, and to the text what the scalar wrote.
type token struct {
	scalar
	demand validate.Demand
	bare   bool // as a block it is without its quotes
}

func (t *token) write(b *buffer, v reflect.Value) *fault {
	start := len(b.doc)
	doc, verdict := t.append(b.doc, v)
	b.doc = doc
	b.copied(start)
	if verdict == yes {
		return nil
	}
	return t.settle(b, v, verdict, start)
}

// settle decides about a token, which starts at start in the document, that its scalar did not say yes to.
func (t *token) settle(b *buffer, v reflect.Value, verdict verdict, start int) *fault {
	switch verdict {
	case failed:
		return t.scalar.(*moment).fault(v)
	case unsure:
		b.meets(t.demand, start)
	case no:
		b.proven = false
	}
	return nil
}

func (t *token) split(b *buffer, v reflect.Value) *fault {
	b.open()
	f := t.write(b, v)
	if t.bare && v.Len() > 0 { // servers of models refuse empty text
		b.text = append(b.text[:b.fromText], v.String()...)
	}
	b.end()
	return f
}

// A boolean writes true and false, and has the verdict on each.
type boolean [2]verdict

func newBoolean(d validate.Demand) *boolean {
	var b boolean
	for i, token := range []string{"false", "true"} {
		if !d.Takes(token) {
			b[i] = no
		}
	}
	return &b
}

func (b *boolean) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	if v.Bool() {
		return append(doc, "true"...), b[1]
	}
	return append(doc, "false"...), b[0]
}

// An integer writes signed integers. What is in its range needs no closer look.
type integer struct{ low, high int64 }

func newInteger(d validate.Demand) *integer {
	low, high, _ := d.Numbers()
	return &integer{low, high}
}

func (n *integer) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	x := v.Int()
	return strconv.AppendInt(doc, x, 10), n.judge(x)
}

func (n *integer) judge(x int64) verdict {
	if n.low <= x && x <= n.high {
		return yes
	}
	return unsure
}

// A natural writes unsigned integers.
type natural struct{ integer }

func unsigned(n *integer) *natural { return &natural{*n} }

func (n *natural) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	x := v.Uint()
	doc = strconv.AppendUint(doc, x, 10)
	if x > math.MaxInt64 {
		return doc, unsure
	}
	return doc, n.judge(int64(x))
}

// A float writes floats. The ends of its range are integers that every float near them keeps apart: the shortest digits of
// a float between the two are there too.
type float struct {
	low, high float64
	bits      int
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
	return &float{float64(max(low, -exact)), float64(min(high, exact)), bits}
}

func (f *float) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	x := v.Float()
	doc = appendFloat(doc, x, f.bits)
	if f.low <= x && x <= f.high {
		return doc, yes
	}
	return doc, unsure
}

// appendFloat appends the shortest digits that read back as f, as ECMAScript does; what is not finite is no JSON.
func appendFloat(dst []byte, f float64, bits int) []byte {
	abs := math.Abs(f)
	format := byte('f')
	switch {
	case abs == 0:
	case bits == 64 && 1 <= abs && abs < 1e15 && f == math.Trunc(f):
		// A whole number of at most 15 digits is its own shortest form, and many are written as floats.
		return strconv.AppendInt(dst, int64(f), 10)
	case bits == 64 && 1e-4 <= abs && abs < 1e11 && math.Round(f*1e4)/1e4 == f:
		return appendFixed(dst, f)
	case abs > math.MaxFloat64:
		if f < 0 {
			return append(dst, "-Infinity"...)
		}
		return append(dst, "Infinity"...)
	case f != f:
		return append(dst, "NaN"...)
	case bits == 64 && (abs < 1e-6 || abs >= 1e21),
		bits == 32 && (float32(abs) < 1e-6 || float32(abs) >= 1e21):
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, f, format, -1, bits)
	if format == 'e' {
		// e-09 is written e-9.
		if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
	}
	return dst
}

// appendFixed writes a float of at most four decimals, as prices and measurements have, and at most eleven digits before
// them. No two decimals of up to 15 digits are the same float, so one that divides to f is its shortest form.
func appendFixed(dst []byte, f float64) []byte {
	n := int64(math.Round(f * 1e4))
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	dst = strconv.AppendInt(dst, n/1e4, 10)
	n %= 1e4
	dst = append(dst, '.', byte('0'+n/1000), byte('0'+n/100%10), byte('0'+n/10%10), byte('0'+n%10))
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// Digits writes a json.Number as it is. What is no number becomes NaN, which no schema accepts.
type digits struct{ open bool }

func (d *digits) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	s := v.String()
	switch {
	case s == "":
		doc = append(doc, '0')
	case jsontext.SkipNumber(s, 0) != len(s):
		return append(doc, "NaN"...), no
	default:
		doc = append(doc, s...)
	}
	return doc, sure(d.open)
}

// A base writes bytes in base64.
type base struct{ open bool }

func (e *base) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	doc = append(doc, '"')
	doc = base64.StdEncoding.AppendEncode(doc, v.Bytes())
	return append(doc, '"'), sure(e.open)
}

func sure(open bool) verdict {
	if open {
		return yes
	}
	return unsure
}

// A moment writes what the MarshalJSON of time.Time writes, and fails where that fails.
type moment struct{ open bool }

func (m *moment) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	if !v.CanInterface() {
		return doc, failed
	}
	t, _ := reflect.TypeAssert[time.Time](v)
	start := len(doc) + 1
	doc = t.AppendFormat(append(doc, '"'), time.RFC3339Nano)
	b := doc[start:]
	if b[len("2006")] != '-' || b[len(b)-1] != 'Z' && !hourBelow24(b[len(b)-len("-07:00"):]) {
		return doc, failed
	}
	return append(doc, '"'), sure(m.open)
}

func (*moment) fault(v reflect.Value) *fault {
	if !v.CanInterface() {
		return broken(ruleUnexported, nil)
	}
	t, _ := reflect.TypeAssert[time.Time](v)
	_, err := t.MarshalJSON()
	return broken(ruleFailedJSON, err)
}

// hourBelow24 checks the end of a time: an hour of three digits has pushed its sign out of sight.
func hourBelow24(zone []byte) bool {
	sign := zone[0] == '+' || zone[0] == '-'
	return sign && 10*(zone[1]-'0')+(zone[2]-'0') < 24
}

// quoted writes a plain kind, or a pointer to one, under json:",string". Marshalers do not heed it.
func (c *compiler) quoted(s *shape.Shape, d validate.Demand) node {
	switch s.Kind {
	case shape.Bool, shape.Int, shape.Uint, shape.Float, shape.Number, shape.String:
		return &token{&quotation{c.scalar(s, c.anything), s.Kind == shape.String}, d, false}
	case shape.Pointer:
		return &pointer{null: d.Takes("null"), elem: c.quoted(s.Elem, d)}
	}
	return c.node(s, d)
}

// A quotation writes the token of a scalar as a string.
type quotation struct {
	scalar
	text bool // the token is a string itself
}

func (q *quotation) append(doc []byte, v reflect.Value) ([]byte, verdict) {
	if q.text {
		var inner [64]byte
		return jsontext.AppendString(doc, jsontext.AppendString(inner[:0], v.String())), unsure
	}
	start := len(doc)
	doc, verdict := q.scalar.append(append(doc, '"'), v)
	if token := doc[start+1:]; token[0] == 'N' || token[0] == 'I' || token[0] == '-' && token[1] == 'I' {
		// In quotes it would be taken for any string.
		return append(doc[:start], token...), no
	}
	if verdict != no {
		verdict = unsure
	}
	return append(doc, '"'), verdict
}
