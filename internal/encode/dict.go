package encode

import (
	"encoding"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// A dict writes a map, its keys in the order of their text.
type dict struct {
	elem   *node
	key    shape.Kind
	values reflect.Type // []E of a map[K]E
}

// An entry is a key as it is written, and where its value is kept.
type entry struct {
	key   string
	index int
}

func (c *compiler) dict(s *shape.Shape) dict {
	return dict{c.node(s.Elem), s.Key.Kind, reflect.SliceOf(s.Type.Elem())}
}

func (d dict) write(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	n := v.Len()
	if n == 0 {
		return append(dst, "{}"...), nil
	}
	if depth == maxDepth {
		return dst, tooDeep(v)
	}
	// One slice takes all the values: an iterator on its own allocates each of them.
	var (
		entries = slices.Grow(make([]entry, 0, 8), n) // eight fit on the stack
		values  = reflect.MakeSlice(d.values, n, n)
		key     = reflect.New(v.Type().Key()).Elem()
		rows    = v.MapRange()
	)
	for i := 0; i < n && rows.Next(); i++ {
		key.SetIterKey(rows)
		values.Index(i).SetIterValue(rows)
		text, f := d.text(key)
		if f != nil {
			return dst, f
		}
		entries = append(entries, entry{text, i})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	dst = append(dst, '{')
	for i, e := range entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, e.key), ':')
		var f *fault
		if dst, f = d.elem.write(dst, values.Index(e.index), depth+1); f != nil {
			return dst, f.member(e.key).passing(v)
		}
	}
	return append(dst, '}'), nil
}

// text is a key as it is written.
func (d dict) text(key reflect.Value) (string, *fault) {
	switch d.key {
	case shape.Int:
		return strconv.FormatInt(key.Int(), 10), nil
	case shape.Uint:
		return strconv.FormatUint(key.Uint(), 10), nil
	case shape.Text:
		if key.Kind() == reflect.Pointer && key.IsNil() {
			return "", nil
		}
		m, ok := reflect.TypeAssert[encoding.TextMarshaler](key)
		if !ok {
			return "", nil
		}
		b, err := m.MarshalText()
		if err != nil {
			return "", broken(ruleFailedText, err)
		}
		return string(b), nil
	}
	return key.String(), nil
}
