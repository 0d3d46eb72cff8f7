package schema

import (
	"math"
	"reflect"
	"strconv"
)

// setBounds publishes the bounds of an integer kind narrower than 64 bits and the floor of an unsigned one. A builder
// for checking adds those of the 64-bit kinds.
func (b *builder) setBounds(o *object, t reflect.Type) {
	minimum := func(n int64) { o.set("minimum", strconv.AppendInt(nil, n, 10)) }
	maximum := func(n uint64) { o.set("maximum", strconv.AppendUint(nil, n, 10)) }
	switch t.Kind() {
	case reflect.Int8:
		minimum(math.MinInt8)
		maximum(math.MaxInt8)
	case reflect.Int16:
		minimum(math.MinInt16)
		maximum(math.MaxInt16)
	case reflect.Int32:
		minimum(math.MinInt32)
		maximum(math.MaxInt32)
	case reflect.Int, reflect.Int64:
		b.unbounded = true
		if b.bounded {
			minimum(math.MinInt64)
			maximum(math.MaxInt64)
		}
	case reflect.Uint8:
		minimum(0)
		maximum(math.MaxUint8)
	case reflect.Uint16:
		minimum(0)
		maximum(math.MaxUint16)
	case reflect.Uint32:
		minimum(0)
		maximum(math.MaxUint32)
	default:
		minimum(0)
		b.unbounded = true
		if b.bounded {
			maximum(math.MaxUint64)
		}
	}
}
