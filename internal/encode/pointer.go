package encode

import "reflect"

// A pointer writes what it points at, or null.
type pointer struct{ elem *node }

func (p pointer) write(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	if v.IsNil() {
		return append(dst, "null"...), nil
	}
	if depth == maxDepth {
		return dst, tooDeep(v)
	}
	dst, f := p.elem.write(dst, v.Elem(), depth+1)
	if f != nil {
		return dst, f.passing(v)
	}
	return dst, nil
}

func (p pointer) split(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, *fault) {
	if v.IsNil() {
		return markNull(dst, blocks)
	}
	if depth == maxDepth {
		return dst, blocks, tooDeep(v)
	}
	dst, blocks, f := p.elem.mark(dst, blocks, v.Elem(), depth+1)
	if f != nil {
		return dst, blocks, f.passing(v)
	}
	return dst, blocks, nil
}

// An optional writes the value it holds, or null.
type optional struct {
	elem  *node
	value func(optional any) any
}

// held returns a pointer to the value in v, which is nil when there is none.
func (o optional) held(v reflect.Value) (reflect.Value, *fault) {
	if !v.CanInterface() {
		return v, broken(ruleUnexported, nil)
	}
	if !v.CanAddr() {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		v = p.Elem()
	}
	return reflect.ValueOf(o.value(v.Addr().Interface())), nil
}

func (o optional) write(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	p, f := o.held(v)
	switch {
	case f != nil:
		return dst, f
	case !p.IsValid():
		return append(dst, "null"...), nil
	}
	return pointer{o.elem}.write(dst, p, depth)
}

func (o optional) split(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, *fault) {
	p, f := o.held(v)
	switch {
	case f != nil:
		return dst, blocks, f
	case !p.IsValid():
		return markNull(dst, blocks)
	}
	return pointer{o.elem}.split(dst, blocks, p, depth)
}

// A union writes the one pointer among its struct's fields that is set.
type union []*node

// arm returns which field of v is set.
func (u union) arm(v reflect.Value) (int, *fault) {
	set := -1
	for i := range u {
		if v.Field(i).IsNil() {
			continue
		}
		if set >= 0 {
			return 0, broken(ruleOneForm, nil)
		}
		set = i
	}
	if set < 0 {
		return 0, broken(ruleOneForm, nil)
	}
	return set, nil
}

func (u union) write(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	i, f := u.arm(v)
	if f != nil {
		return dst, f
	}
	return pointer{u[i]}.write(dst, v.Field(i), depth)
}

func (u union) split(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, *fault) {
	i, f := u.arm(v)
	if f != nil {
		return dst, blocks, f
	}
	return pointer{u[i]}.split(dst, blocks, v.Field(i), depth)
}
