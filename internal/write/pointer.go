package write

import "reflect"

// A pointer writes what a pointer or an optional holds, or null.
type pointer struct {
	null  bool                   // is allowed
	block bool                   // where blocks are made, there has to be one
	value func(optional any) any // of an optional
	elem  node
}

// held returns the pointer to what v holds; some is false where that is nothing.
func (p *pointer) held(v reflect.Value) (_ reflect.Value, some bool, f *fault) {
	if p.value != nil {
		if !v.CanInterface() {
			return v, false, broken(ruleUnexported, nil)
		}
		if v = reflect.ValueOf(p.value(addressed(v).Addr().Interface())); !v.IsValid() {
			return v, false, nil
		}
	}
	return v, !v.IsNil(), nil
}

// addressed is v, or a copy of it that has an address.
func addressed(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Elem()
}

func (p *pointer) write(b *buffer, v reflect.Value) *fault { return p.follow(b, v, false) }

func (p *pointer) split(b *buffer, v reflect.Value) *fault { return p.follow(b, v, true) }

func (p *pointer) follow(b *buffer, v reflect.Value, blocks bool) *fault {
	v, some, f := p.held(v)
	if f != nil {
		return f
	}
	if some {
		return into(b, p.elem, v, blocks)
	}
	return b.null(p.null, blocks, p.block)
}

// into writes what the pointer v points at.
func into(b *buffer, n node, v reflect.Value, blocks bool) (f *fault) {
	if b.depth == maxDepth {
		return tooDeep(v)
	}
	b.depth++
	if blocks {
		f = split(b, n, v.Elem())
	} else {
		f = n.write(b, v.Elem())
	}
	b.depth--
	if f != nil {
		return f.passing(v)
	}
	return nil
}

// null writes null, as a block of its own where blocks are made.
func (b *buffer) null(allowed, blocks, due bool) *fault {
	b.say(allowed)
	if !blocks {
		b.both("null")
		return nil
	}
	if due {
		return broken(ruleNilBlock, nil)
	}
	b.open()
	b.both("null")
	b.end()
	return nil
}

// A union writes the one pointer among its struct's fields that is set.
type union struct{ arms []node }

func (u *union) write(b *buffer, v reflect.Value) *fault { return u.follow(b, v, false) }

func (u *union) split(b *buffer, v reflect.Value) *fault { return u.follow(b, v, true) }

func (u *union) follow(b *buffer, v reflect.Value, blocks bool) *fault {
	set := -1
	for i := range u.arms {
		if v.Field(i).IsNil() {
			continue
		}
		if set >= 0 {
			return broken(ruleOneForm, nil)
		}
		set = i
	}
	if set < 0 {
		return broken(ruleOneForm, nil)
	}
	return into(b, u.arms[set], v.Field(set), blocks)
}
