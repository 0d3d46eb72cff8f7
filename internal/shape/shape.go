// Package shape reads a Go type the way the encoder sees it: which kind of JSON it becomes, which fields it has under
// which names, what is optional. The schema, the encoder and the argument reader all start from it, so that none of
// them can see a type differently from the others.
package shape

import (
	"reflect"
	"slices"
)

// A Kind says what JSON a type becomes.
type Kind uint8

// The kinds. Everything after Struct is a type that something else decides about: the value at run time, a method of
// the type, or one of the library's own forms.
const (
	Invalid  Kind = iota // has no JSON form; Shape.Problem says why
	Bool                 //
	Int                  // any signed integer kind
	Uint                 // any unsigned integer kind
	Float                // float32, float64
	String               // a string kind without a marshaler
	Number               // json.Number: digits kept as they are
	Bytes                // []byte and its like: base64
	List                 // a slice
	Array                // [N]T
	Map                  //
	Pointer              //
	Struct               //
	Any                  // an interface: the value decides
	Raw                  // json.RawMessage: JSON without a promise
	JSON                 // its MarshalJSON decides
	Text                 // its MarshalText decides
	Optional             // T or null
	Union                // exactly one of several arms
	Tuple                // a fixed list of parts
	Promise              // raw JSON that promises T
)

// A Shape is a Go type as the encoder sees it. Shapes of recursive types are cyclic; compare them by pointer.
type Shape struct {
	Kind   Kind
	Type   reflect.Type
	Elem   *Shape   // of a List, Array, Map, Pointer, Optional or Promise
	Key    *Key     // of a Map
	Parts  []*Shape // the arms of a Union, the elements of a Tuple; their fields are in the same order
	Fields []Field  // of a Struct, in the order in which they are written
	// Value returns a pointer to the value inside a non-nil pointer to an Optional, or nil when it holds none.
	Value func(optional any) any
	// Problem is the fault and the remedy of an Invalid shape. Where encoding/json has a reading all the same, a Key
	// and an Elem hold it for a map, and an Elem alone for anything else.
	Problem string
	// ByPointer says that the marshaler of a JSON or Text shape has a pointer receiver.
	ByPointer bool
}

// A Field is one member of a JSON object.
type Field struct {
	Name      string // in JSON
	GoName    string
	Owner     reflect.Type // the struct that declares it
	Index     []int        // for reflect.Value.FieldByIndex
	Shape     *Shape
	Tag       reflect.StructTag
	OmitEmpty bool
	OmitZero  bool
	IsZero    func(reflect.Value) bool // of an OmitZero field
	Quoted    bool                     // json:",string"
	Outer     bool                     // reached through an embedded pointer: absent when that is nil
}

// Optional reports whether the field may be absent from what the encoder writes.
func (f *Field) Optional() bool { return f.OmitEmpty || f.OmitZero || f.Outer }

// A Key says how a map's keys are written.
type Key struct {
	Kind Kind // String, Int, Uint or Text
	Type reflect.Type
}

// A Form is what a type of the library's own says of itself.
type Form struct {
	Kind  Kind           // Optional, Union, Tuple or Promise
	Parts []reflect.Type // one for an Optional or a Promise
	Value func(optional any) any
}

// Forms recognises the library's own types; it is nil where there are none.
type Forms func(reflect.Type) (Form, bool)

// Bare reports whether a value is written in the text panel without quotes: a string that no marshaler wrote.
func (s *Shape) Bare() bool {
	switch s.Kind {
	case String:
		return true
	case Pointer, Optional, Promise:
		return s.Elem.Bare()
	}
	return false
}

// Listed reports whether a value fills the text panel with one block per item.
func (s *Shape) Listed() bool {
	switch s.Kind {
	case List, Array, Tuple:
		return true
	case Pointer, Optional, Promise:
		return s.Elem.Listed()
	case Union:
		for _, p := range s.Parts {
			if p.Listed() {
				return true
			}
		}
	}
	return false
}

// Base follows pointers to what they point at.
func (s *Shape) Base() *Shape {
	for s.Kind == Pointer {
		s = s.Elem
	}
	return s
}

// Has reports whether is holds for s or for a shape anywhere in it.
func (s *Shape) Has(is func(*Shape) bool) bool {
	seen := map[*Shape]bool{}
	var look func(s *Shape) bool
	look = func(s *Shape) bool {
		if s == nil || seen[s] {
			return false
		}
		seen[s] = true
		if is(s) || look(s.Elem) || slices.ContainsFunc(s.Parts, look) {
			return true
		}
		return slices.ContainsFunc(s.Fields, func(f Field) bool { return look(f.Shape) })
	}
	return look(s)
}

// Reserved marks, by being embedded, a type whose values only another package of this module can publish: no tool of
// diptych.Add may return or take one.
type Reserved struct{}

func (Reserved) reserved() {}

var reservedType = reflect.TypeFor[interface{ reserved() }]()

// IsReserved reports whether t is marked by Reserved.
func IsReserved(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && t.Implements(reservedType)
}
