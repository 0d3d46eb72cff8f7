package shape

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
)

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	rawMessage    = reflect.TypeFor[json.RawMessage]()
	jsonNumber    = reflect.TypeFor[json.Number]()
)

// A Reader reads types and remembers what it read. It is not safe for concurrent use.
type Reader struct {
	forms Forms
	seen  map[seenKey]*Shape
}

// seenKey tells apart the two ways a type is encoded: marshalers with pointer receivers are found only where the
// value has an address, which a map's values and an interface's contents do not have.
type seenKey struct {
	t         reflect.Type
	addressed bool
}

// NewReader returns a Reader that knows the library's own forms.
func NewReader(forms Forms) *Reader {
	if forms == nil {
		forms = func(reflect.Type) (Form, bool) { return Form{}, false }
	}
	return &Reader{forms: forms, seen: make(map[seenKey]*Shape)}
}

// Read returns the shape of t as it is encoded through a pointer.
func (r *Reader) Read(t reflect.Type) *Shape { return r.read(t, true) }

// ReadContents returns the shape of t as it is encoded inside an interface, where it has no address.
func (r *Reader) ReadContents(t reflect.Type) *Shape { return r.read(t, false) }

func (r *Reader) read(t reflect.Type, addressed bool) *Shape {
	k := seenKey{t, addressed}
	if s := r.seen[k]; s != nil {
		return s
	}
	s := &Shape{Type: t}
	r.seen[k] = s
	r.fill(s, t, addressed)
	if s.comesBack(s, map[*Shape]bool{}) {
		*s = Shape{Kind: Invalid, Type: t, Problem: fmt.Sprintf("type %s is defined by itself, with no JSON in between; put a struct, a list or a map in between", t)}
	}
	return s
}

// comesBack reports whether s leads to target through types that write no JSON of their own.
func (s *Shape) comesBack(target *Shape, seen map[*Shape]bool) bool {
	if seen[s] {
		return false
	}
	seen[s] = true
	switch s.Kind {
	case Pointer, Optional, Promise:
		return s.Elem == target || s.Elem.comesBack(target, seen)
	case Union:
		for _, p := range s.Parts {
			if p == target || p.comesBack(target, seen) {
				return true
			}
		}
	}
	return false
}

func (r *Reader) fill(s *Shape, t reflect.Type, addressed bool) {
	if f, ok := r.forms(t); ok {
		s.Kind, s.Value = f.Kind, f.Value
		if f.Kind == Optional || f.Kind == Promise {
			s.Elem = r.read(f.Parts[0], addressed)
			return
		}
		for _, p := range f.Parts {
			s.Parts = append(s.Parts, r.read(p, addressed))
		}
		return
	}
	switch t {
	case rawMessage:
		s.Kind = Raw
		return
	case jsonNumber:
		s.Kind = Number
		return
	}
	p := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Interface:
		// What an interface holds decides, whatever methods it asks for.
	case t.Kind() == reflect.Pointer:
		// What a pointer points at has an address, so that its marshaler is found there, or its form.
	case t.Implements(jsonMarshaler):
		s.Kind = JSON
		return
	case addressed && p.Implements(jsonMarshaler):
		s.Kind, s.ByPointer = JSON, true
		return
	case t.Implements(textMarshaler):
		s.Kind = Text
		return
	case addressed && p.Implements(textMarshaler):
		s.Kind, s.ByPointer = Text, true
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		s.Kind = Bool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.Kind = Int
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		s.Kind = Uint
	case reflect.Float32, reflect.Float64:
		s.Kind = Float
	case reflect.String:
		s.Kind = String
	case reflect.Interface:
		s.Kind = Any
	case reflect.Pointer:
		if endless(t) {
			s.Kind, s.Problem = Invalid, fmt.Sprintf("type %s points only at itself; use a struct or a list instead", t)
			return
		}
		s.Kind, s.Elem = Pointer, r.read(t.Elem(), true)
	case reflect.Slice:
		if isByte(t.Elem()) {
			s.Kind = Bytes
			return
		}
		s.Kind, s.Elem = List, r.read(t.Elem(), true)
	case reflect.Array:
		s.Kind, s.Elem = Array, r.read(t.Elem(), addressed)
	case reflect.Map:
		r.fillMap(s, t)
	case reflect.Struct:
		fields, clash := r.fields(t, addressed)
		if s.Kind, s.Fields = Struct, fields; clash != "" && !Foreign(t) {
			// encoding/json writes neither field, without an error.
			*s = Shape{Kind: Invalid, Type: t, Problem: clash, Elem: &Shape{Kind: Struct, Type: t, Fields: fields}}
		}
	default:
		s.Kind, s.Problem = Invalid, fmt.Sprintf("type %s has no JSON form; use a type that JSON can carry", t)
	}
}

// endless reports whether pointers lead from t to nothing but pointers, as in type P *P.
func endless(t reflect.Type) bool {
	seen := map[reflect.Type]bool{}
	for t.Kind() == reflect.Pointer && !seen[t] {
		seen[t] = true
		t = t.Elem()
	}
	return t.Kind() == reflect.Pointer
}

// isByte reports whether a slice of t is written as base64: bytes that no marshaler writes one by one.
func isByte(t reflect.Type) bool {
	if t.Kind() != reflect.Uint8 {
		return false
	}
	p := reflect.PointerTo(t)
	return !p.Implements(jsonMarshaler) && !p.Implements(textMarshaler)
}

func (r *Reader) fillMap(s *Shape, t reflect.Type) {
	s.Kind = Map
	s.Key = readKey(t.Key())
	if s.Key == nil {
		s.Kind, s.Problem = Invalid, fmt.Sprintf("map key type %s has no JSON form; use a string, an integer or a type with MarshalText as the key", t.Key())
		return
	}
	s.Elem = r.read(t.Elem(), false)
	if path := r.unreachable(t.Elem(), map[reflect.Type]bool{}); path != "" {
		s.Kind, s.Problem = Invalid, fmt.Sprintf("the pointer-receiver marshaler of %s is not called on a map's values; give it a value receiver or use map[%s]*%s", path, t.Key(), t.Elem())
	}
}

// readKey follows encoding/json: a string kind is written as it is, even when it has MarshalText.
func readKey(t reflect.Type) *Key {
	switch {
	case t.Kind() == reflect.String:
		return &Key{String, t}
	case t.Implements(textMarshaler):
		return &Key{Text, t}
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &Key{Int, t}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return &Key{Uint, t}
	}
	return nil
}

// unreachable names a type inside t whose marshaler encoding/json passes over in silence, because a map's value has
// no address: t itself, or a field or array element of it.
func (r *Reader) unreachable(t reflect.Type, seen map[reflect.Type]bool) string {
	if seen[t] {
		return ""
	}
	seen[t] = true
	if f, ok := r.forms(t); ok {
		for _, p := range f.Parts {
			if name := r.unreachable(p, seen); name != "" {
				return name
			}
		}
		return ""
	}
	if t == rawMessage || t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface || t.Implements(jsonMarshaler) {
		return ""
	}
	p := reflect.PointerTo(t)
	if p.Implements(jsonMarshaler) {
		return t.String()
	}
	if t.Implements(textMarshaler) {
		return ""
	}
	if p.Implements(textMarshaler) {
		return t.String()
	}
	switch t.Kind() {
	case reflect.Array:
		return r.unreachable(t.Elem(), seen)
	case reflect.Struct:
		fields, _ := r.fields(t, false)
		for _, f := range fields {
			if ft := f.Shape.Type; ft != nil && !f.Outer {
				if name := r.unreachable(ft, seen); name != "" {
					return name
				}
			}
		}
	}
	return ""
}
