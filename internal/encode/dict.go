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
	elem *node
	keys Keys
}

// Keys puts the keys of maps of one type in order.
type Keys struct {
	kind   shape.Kind
	values reflect.Type // []E of a map[K]E
}

// KeysOf returns the Keys of a map's shape.
func KeysOf(s *shape.Shape) Keys { return Keys{s.Key.Kind, reflect.SliceOf(s.Type.Elem())} }

// An Entry is a key as it is written, and where its value is kept.
type Entry struct {
	Key   string
	Index int
}

func (c *compiler) dict(s *shape.Shape) dict {
	return dict{c.node(s.Elem), KeysOf(s)}
}

func (d dict) write(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	if v.Len() == 0 {
		return append(dst, "{}"...), nil
	}
	if depth == maxDepth {
		return dst, tooDeep(v)
	}
	entries, values, err := d.keys.Sorted(make([]Entry, 0, 8), v) // eight fit on the stack
	if err != nil {
		return dst, broken(ruleFailedText, err)
	}
	dst = append(dst, '{')
	for i, e := range entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, e.Key), ':')
		var f *fault
		if dst, f = d.elem.write(dst, values.Index(e.Index), depth+1); f != nil {
			return dst, f.member(e.Key).passing(v)
		}
	}
	return append(dst, '}'), nil
}

// Sorted appends the entries of a map in the order of their keys' text, and keeps the values beside them. The error is a
// key's own.
func (k Keys) Sorted(entries []Entry, v reflect.Value) (_ []Entry, values reflect.Value, err error) {
	// One slice takes all the values: an iterator on its own allocates each of them.
	var (
		n    = v.Len()
		key  = reflect.New(v.Type().Key()).Elem()
		rows = v.MapRange()
	)
	values = reflect.MakeSlice(k.values, n, n)
	entries = slices.Grow(entries, n)
	for i := 0; i < n && rows.Next(); i++ {
		key.SetIterKey(rows)
		values.Index(i).SetIterValue(rows)
		text, err := k.text(key)
		if err != nil {
			return entries, values, err
		}
		entries = append(entries, Entry{text, i})
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	return entries, values, nil
}

// text is a key as it is written.
func (k Keys) text(key reflect.Value) (string, error) {
	switch k.kind {
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
		return string(b), err
	}
	return key.String(), nil
}
