package encode

import (
	"encoding/base64"
	"math"
	"reflect"
	"strconv"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// The plain kinds: what needs neither another node nor a method.

func writeBool(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	return appendBool(dst, v.Bool()), nil
}

func writeInt(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	return appendInt(dst, v.Int()), nil
}

func writeUint(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	return strconv.AppendUint(dst, v.Uint(), 10), nil
}

func writeFloat64(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	return AppendFloat(dst, v.Float(), 64), nil
}

func writeFloat32(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	return AppendFloat(dst, v.Float(), 32), nil
}

func writeString(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	return AppendString(dst, v.String()), nil
}

func writeNumber(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	return appendNumber(dst, v.String()), nil
}

func writeBytes(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, v.Bytes())
	return append(dst, '"'), nil
}

// quoted writes a plain kind, or a pointer to one, under json:",string". Marshalers do not heed it.
func (c *compiler) quoted(s *shape.Shape) writeFunc {
	switch s.Kind {
	case shape.String:
		return func(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
			var buf [64]byte
			return AppendString(dst, AppendString(buf[:0], v.String())), nil
		}
	case shape.Bool, shape.Int, shape.Uint, shape.Float, shape.Number:
		write := c.node(s).write
		return func(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
			start := len(dst)
			dst, f := write(append(dst, '"'), v, depth)
			if token := dst[start+1:]; token[0] == 'N' || token[0] == 'I' || token[0] == '-' && token[1] == 'I' {
				// In quotes the check behind would take it for any string.
				return append(dst[:start], token...), f
			}
			return append(dst, '"'), f
		}
	case shape.Pointer:
		return pointer{&node{write: c.quoted(s.Elem)}}.write
	}
	return c.node(s).write
}

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// appendNumber writes the digits of a json.Number as they are; what is no number is NaN to the check behind.
func appendNumber(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, '0')
	}
	if endOfNumber(s, 0) != len(s) {
		return append(dst, "NaN"...)
	}
	return append(dst, s...)
}

// AppendFloat appends the shortest digits that read back as f, as ECMAScript does; what is not finite is no JSON.
func AppendFloat(dst []byte, f float64, bits int) []byte {
	abs := math.Abs(f)
	format := byte('f')
	switch {
	case abs == 0:
	case bits == 64 && 1 <= abs && abs < 1e15 && f == math.Trunc(f):
		// A whole number of at most 15 digits is its own shortest form, and many are written as floats.
		return appendInt(dst, int64(f))
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
