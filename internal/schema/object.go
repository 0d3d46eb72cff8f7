package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// An object is a schema object being put together. Its keys leave sorted.
type object struct {
	members []member
	// reference says that the schema only points elsewhere: it carries no title, nor does a choice between such a
	// schema and null.
	reference bool
}

type member struct {
	key string
	raw []byte
}

func (o *object) get(key string) []byte {
	for _, m := range o.members {
		if m.key == key {
			return m.raw
		}
	}
	return nil
}

func (o *object) set(key string, raw []byte) {
	for i := range o.members {
		if o.members[i].key == key {
			o.members[i].raw = raw
			return
		}
	}
	o.members = append(o.members, member{key, raw})
}

func (o *object) setString(key, value string) { o.set(key, quote(value)) }

func (o *object) setDefault(key string, raw []byte) {
	if o.get(key) == nil {
		o.set(key, raw)
	}
}

func (o *object) remove(key string) {
	o.members = slices.DeleteFunc(o.members, func(m member) bool { return m.key == key })
}

func (o *object) json() []byte {
	slices.SortStableFunc(o.members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	return writeMembers(o.members)
}

// properties keep their declared order.
type properties struct{ members []member }

func (p *properties) add(name string, o *object) {
	p.members = append(p.members, member{name, o.json()})
}

func (p *properties) json() []byte { return writeMembers(p.members) }

func writeMembers(members []member) []byte {
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, quote(m.key)...)
		out = append(out, ':')
		out = append(out, m.raw...)
	}
	return append(out, '}')
}

// list writes schemas as an array.
func list(items []*object) []byte {
	out := []byte{'['}
	for i, o := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, o.json()...)
	}
	return append(out, ']')
}

// quote writes a JSON string without escaping <, > and &.
func quote(s string) []byte {
	return jsontext.AppendString(make([]byte, 0, len(s)+2), strings.ToValidUTF8(s, "\ufffd"))
}

// marshal is json.Marshal without the escaping of <, > and &.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// unquote returns what a JSON string means.
func unquote(raw []byte) string {
	var s string
	_ = json.Unmarshal(raw, &s) // it was written by quote
	return s
}
