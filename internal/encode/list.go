package encode

import "reflect"

// A list writes a slice.
type list struct{ elem *node }

func (l list) write(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	if depth == maxDepth {
		return dst, tooDeep(v)
	}
	dst, f := array(l).write(dst, v, depth+1)
	if f != nil {
		return dst, f.passing(v)
	}
	return dst, nil
}

func (l list) split(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, *fault) {
	if depth == maxDepth {
		return dst, blocks, tooDeep(v)
	}
	dst, blocks, f := array(l).split(dst, blocks, v, depth+1)
	if f != nil {
		return dst, blocks, f.passing(v)
	}
	return dst, blocks, nil
}

// An array writes the items of an array or a slice.
type array struct{ elem *node }

func (a array) write(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	var f *fault
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, f = a.elem.write(dst, v.Index(i), depth); f != nil {
			return dst, f.item(i)
		}
	}
	return append(dst, ']'), nil
}

func (a array) split(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, *fault) {
	var f *fault
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, blocks, f = a.elem.mark(dst, blocks, v.Index(i), depth); f != nil {
			return dst, blocks, f.item(i)
		}
	}
	return append(dst, ']'), blocks, nil
}

// A tuple writes the fields of a struct as an array.
type tuple []*node

func (t tuple) write(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	var f *fault
	dst = append(dst, '[')
	for i, part := range t {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, f = part.write(dst, v.Field(i), depth); f != nil {
			return dst, f.item(i)
		}
	}
	return append(dst, ']'), nil
}

func (t tuple) split(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, *fault) {
	var f *fault
	dst = append(dst, '[')
	for i, part := range t {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, blocks, f = part.mark(dst, blocks, v.Field(i), depth); f != nil {
			return dst, blocks, f.item(i)
		}
	}
	return append(dst, ']'), blocks, nil
}
