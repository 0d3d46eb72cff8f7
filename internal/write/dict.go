package write

import (
	"encoding"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// A dict writes maps, their keys in the order of their text.
type dict struct {
	min, max int
	kind     shape.Kind   // of the keys
	values   reflect.Type // []E of a map[K]E
	text     *text        // asks no more of keys than that they are text
	elem     node
}

// An entry is a key as it is written, and where its value is kept.
type entry struct {
	key   string
	index int
}

func (c *compiler) dict(k pair) node {
	o, ok := k.demand.Object()
	if !ok || !o.Uniform() {
		return c.checked(k)
	}
	d := &dict{min: o.Min, max: o.Max, kind: k.shape.Key.Kind, values: reflect.SliceOf(k.shape.Type.Elem()), text: c.text}
	c.nodes[k] = d
	d.elem = c.node(k.shape.Elem, o.Property(""))
	return d
}

func (d *dict) write(b *buffer, v reflect.Value) *fault {
	start := len(b.doc)
	line := b.enter()
	if v.Len() == 0 {
		b.say(d.min == 0)
		b.empty(line, "{}")
		return nil
	}
	if b.depth == maxDepth {
		return tooDeep(v)
	}
	entries, values, err := d.sorted(make([]entry, 0, 8), v) // eight fit on the stack
	if err != nil {
		return broken(ruleFailedText, err)
	}
	b.say(d.min <= len(entries) && len(entries) <= d.max)
	b.depth++
	for i, e := range entries {
		if i == 0 {
			b.first('{')
		} else {
			b.next()
			b.say(e.key != entries[i-1].key) // keys of several values may have one text
		}
		b.key(d.text, e.key)
		if f := d.elem.write(b, values.Index(e.index)); f != nil {
			return f.member(e.key).passing(v)
		}
		if b.full() {
			return tooLarge()
		}
	}
	b.depth--
	if len(entries) == 0 { // the method of a key has emptied the map
		b.empty(line, "{}")
		return nil
	}
	b.leave(line, start, '}')
	return nil
}

// key writes the name of a member.
func (b *buffer) key(t *text, name string) {
	start := len(b.doc)
	doc, verdict := appendText(t, b.doc, name)
	b.say(verdict == yes)
	b.doc = append(doc, ':')
	if !b.mute {
		b.text = append(append(b.text, b.doc[start:]...), ' ')
	}
}

// sorted appends the entries of a map in the order of their keys' text, and keeps the values beside them. The error is a
// key's own.
func (d *dict) sorted(entries []entry, v reflect.Value) (_ []entry, values reflect.Value, err error) {
	// One slice takes all the values: an iterator on its own allocates each of them.
	var (
		n    = v.Len()
		key  = reflect.New(v.Type().Key()).Elem()
		rows = v.MapRange()
	)
	values = reflect.MakeSlice(d.values, n, n)
	entries = slices.Grow(entries, n)
	for i := 0; i < n && rows.Next(); i++ {
		key.SetIterKey(rows)
		values.Index(i).SetIterValue(rows)
		text, err := d.name(key)
		if err != nil {
			return entries, values, err
		}
		entries = append(entries, entry{text, i})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	return entries, values, nil
}

// name is a key as it is written.
func (d *dict) name(key reflect.Value) (string, error) {
	switch d.kind {
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
