package write

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/diptych-mcp/diptych/internal/validate"
)

// A dynamic writes what an interface holds, under what is asked of the interface.
type dynamic struct {
	c      *compiler
	demand validate.Demand
	open   bool // nothing is asked, and the interface has no methods
	null   bool // is allowed
	block  bool // where blocks are made, there has to be one
}

func (d *dynamic) write(b *buffer, v reflect.Value) *fault {
	if d.open && v.CanInterface() {
		return d.value(b, v.Interface())
	}
	v = v.Elem()
	if !v.IsValid() {
		return b.null(d.null, false, d.block)
	}
	return d.c.inside(v.Type(), d.demand).write(b, v)
}

func (d *dynamic) split(b *buffer, v reflect.Value) *fault {
	v = v.Elem()
	if !v.IsValid() {
		return b.null(d.null, true, d.block)
	}
	return split(b, d.c.inside(v.Type(), d.demand), v)
}

// value writes the types that fill untyped documents without asking what they are a second time.
func (d *dynamic) value(b *buffer, x any) *fault {
	start := len(b.doc)
	verdict := yes
	switch x := x.(type) {
	case nil:
		b.doc = append(b.doc, "null"...)
	case string:
		b.doc, verdict = appendText(d.c.text, b.doc, x)
	case bool:
		b.doc = strconv.AppendBool(b.doc, x)
	case int:
		b.doc = strconv.AppendInt(b.doc, int64(x), 10)
	case float64:
		b.doc = appendFloat(b.doc, x, 64)
		if x-x != 0 { // not finite
			verdict = no
		}
	case []any:
		return d.items(b, x)
	case map[string]any:
		return d.members(b, x)
	default:
		v := reflect.ValueOf(x)
		return d.c.inside(v.Type(), d.demand).write(b, v)
	}
	b.say(verdict == yes)
	b.copied(start)
	return nil
}

func (d *dynamic) items(b *buffer, items []any) *fault {
	if b.depth == maxDepth {
		return tooDeep(reflect.ValueOf(items))
	}
	b.depth++
	start := len(b.doc)
	line := b.enter()
	for i, x := range items {
		if i == 0 {
			b.first('[')
		} else {
			b.next()
		}
		if f := d.value(b, x); f != nil {
			return f.item(i).passing(reflect.ValueOf(items))
		}
		if b.full() {
			return tooLarge()
		}
	}
	b.depth--
	if len(items) == 0 {
		b.empty(line, "[]")
	} else {
		b.leave(line, start, ']')
	}
	return nil
}

func (d *dynamic) members(b *buffer, members map[string]any) *fault {
	if b.depth == maxDepth {
		return tooDeep(reflect.ValueOf(members))
	}
	b.depth++
	start := len(b.doc)
	line := b.enter()
	keys := slices.Grow(make([]string, 0, 8), len(members)) // eight fit on the stack
	for key := range members {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for i, key := range keys {
		if i == 0 {
			b.first('{')
		} else {
			b.next()
		}
		b.key(d.c.text, key)
		if f := d.value(b, members[key]); f != nil {
			return f.member(key).passing(reflect.ValueOf(members))
		}
		if b.full() {
			return tooLarge()
		}
	}
	b.depth--
	if len(keys) == 0 {
		b.empty(line, "{}")
	} else {
		b.leave(line, start, '}')
	}
	return nil
}
