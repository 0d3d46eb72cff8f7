package diptych

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// JSON is raw JSON that promises to be a T. It publishes T's schema and is checked against it before it leaves: never
// coerced, filled in or trimmed, every digit and the order of keys as they are; only white space between values is not
// kept. Use it for documents that come from somewhere else. As a tool's answer it must hold JSON.
type JSON[T any] []byte

// MarshalJSON returns j as it is; an empty j is null.
func (j JSON[T]) MarshalJSON() ([]byte, error) {
	if len(j) == 0 {
		return []byte("null"), nil
	}
	return j, nil
}

// UnmarshalJSON keeps a copy of data.
func (j *JSON[T]) UnmarshalJSON(data []byte) error {
	*j = append((*j)[:0], data...)
	return nil
}

// Decode reads j into a T, without checking it. Numbers in an interface are json.Number, with every digit.
func (j JSON[T]) Decode() (T, error) {
	var v T
	err := decodeExactly(j, &v)
	return v, err
}

// Value reads j into a T after it has checked j against the schema of T: what json.Unmarshal makes the zero value, such as a
// number that is missing, is an error. The error is a [*Mismatch]; returned by a tool it says so to the caller.
func (j JSON[T]) Value() (T, error) {
	var v T
	if m := valueOf(reflect.TypeFor[T](), j, &v); m != nil {
		return *new(T), m
	}
	return v, nil
}

func (JSON[T]) form() shape.Form {
	return shape.Form{Kind: shape.Promise, Parts: []reflect.Type{reflect.TypeFor[T]()}}
}

// An Optional is a T or null. The zero value is null. As a field it needs omitzero to be left out instead.
type Optional[T any] struct {
	value T
	set   bool
}

// Some returns an Optional that holds v.
func Some[T any](v T) Optional[T] { return Optional[T]{v, true} }

// Get returns the value and whether there is one.
func (o Optional[T]) Get() (T, bool) { return o.value, o.set }

// IsZero reports whether o is null, for omitzero.
func (o Optional[T]) IsZero() bool { return !o.set }

// MarshalJSON writes the value or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if !o.set {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON reads null as the zero Optional.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	*o = Optional[T]{}
	if string(bytes.TrimSpace(data)) == "null" {
		return nil
	}
	o.set = true
	return decodeExactly(data, &o.value)
}

func (Optional[T]) form() shape.Form {
	return shape.Form{Kind: shape.Optional, Parts: []reflect.Type{reflect.TypeFor[T]()}, Value: func(p any) any {
		if o := p.(*Optional[T]); o.set {
			return &o.value
		}
		return nil
	}}
}

// An AnyOf is an A or a B: exactly one of the fields is set.
//
//	diptych.AnyOf[int, string]{A: new(17)}
//
// An arm that is itself an AnyOf publishes its arms flat.
type AnyOf[A, B any] struct {
	A *A
	B *B
}

// MarshalJSON writes the arm that is set; none or two set is an error.
func (u AnyOf[A, B]) MarshalJSON() ([]byte, error) { return marshalArm(u.A, u.B) }

// UnmarshalJSON sets the first arm whose schema accepts data without a key that it does not know, else the first that
// accepts it.
func (u *AnyOf[A, B]) UnmarshalJSON(data []byte) error {
	*u = AnyOf[A, B]{}
	return unmarshalArm(data, arm(&u.A), arm(&u.B))
}

func (AnyOf[A, B]) form() shape.Form {
	return shape.Form{Kind: shape.Union, Parts: []reflect.Type{reflect.TypeFor[A](), reflect.TypeFor[B]()}}
}

// An AnyOf3 is an A, a B or a C: exactly one of the fields is set.
type AnyOf3[A, B, C any] struct {
	A *A
	B *B
	C *C
}

// MarshalJSON writes the arm that is set.
func (u AnyOf3[A, B, C]) MarshalJSON() ([]byte, error) { return marshalArm(u.A, u.B, u.C) }

// UnmarshalJSON sets an arm by the rule of [AnyOf].
func (u *AnyOf3[A, B, C]) UnmarshalJSON(data []byte) error {
	*u = AnyOf3[A, B, C]{}
	return unmarshalArm(data, arm(&u.A), arm(&u.B), arm(&u.C))
}

func (AnyOf3[A, B, C]) form() shape.Form {
	return shape.Form{Kind: shape.Union, Parts: []reflect.Type{reflect.TypeFor[A](), reflect.TypeFor[B](), reflect.TypeFor[C]()}}
}

func marshalArm(arms ...any) ([]byte, error) {
	var set any
	for _, a := range arms {
		if reflect.ValueOf(a).IsNil() {
			continue
		}
		if set != nil {
			return nil, errors.New("more than one form is set; set exactly one")
		}
		set = a
	}
	if set == nil {
		return nil, errors.New("no form is set; set exactly one")
	}
	return json.Marshal(set)
}

// An armReader tries to read data as one arm of a union and keeps it on success.
type armReader struct {
	typ  reflect.Type
	read func(data []byte) error
}

func arm[T any](dst **T) armReader {
	return armReader{reflect.TypeFor[T](), func(data []byte) error {
		v := new(T)
		if err := decodeExactly(data, v); err != nil {
			return err
		}
		*dst = v
		return nil
	}}
}

func unmarshalArm(data []byte, arms ...armReader) error {
	for _, a := range arms {
		if accepts(a.typ, true, data) && a.read(data) == nil {
			return nil
		}
	}
	for _, a := range arms {
		if accepts(a.typ, false, data) && a.read(decodable(data, shape.NewReader(forms).Read(a.typ))) == nil {
			return nil
		}
	}
	return errors.New("the value is none of the allowed forms; send one of them")
}

// A Tuple2 is a list of exactly two parts.
type Tuple2[A, B any] struct {
	A A
	B B
}

// MarshalJSON writes the parts as an array.
func (t Tuple2[A, B]) MarshalJSON() ([]byte, error) { return json.Marshal([]any{&t.A, &t.B}) }

// UnmarshalJSON reads an array of two.
func (t *Tuple2[A, B]) UnmarshalJSON(data []byte) error { return unmarshalParts(data, &t.A, &t.B) }

func (Tuple2[A, B]) form() shape.Form {
	return shape.Form{Kind: shape.Tuple, Parts: []reflect.Type{reflect.TypeFor[A](), reflect.TypeFor[B]()}}
}

// A Tuple3 is a list of exactly three parts.
type Tuple3[A, B, C any] struct {
	A A
	B B
	C C
}

// MarshalJSON writes the parts as an array.
func (t Tuple3[A, B, C]) MarshalJSON() ([]byte, error) { return json.Marshal([]any{&t.A, &t.B, &t.C}) }

// UnmarshalJSON reads an array of three.
func (t *Tuple3[A, B, C]) UnmarshalJSON(data []byte) error {
	return unmarshalParts(data, &t.A, &t.B, &t.C)
}

func (Tuple3[A, B, C]) form() shape.Form {
	return shape.Form{Kind: shape.Tuple, Parts: []reflect.Type{reflect.TypeFor[A](), reflect.TypeFor[B](), reflect.TypeFor[C]()}}
}

func unmarshalParts(data []byte, parts ...any) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	if len(raw) != len(parts) {
		return fmt.Errorf("got %d parts, want %d", len(raw), len(parts))
	}
	for i, p := range parts {
		if err := decodeExactly(raw[i], p); err != nil {
			return err
		}
	}
	return nil
}

// former is one of the types above.
type former interface{ form() shape.Form }

var formerType = reflect.TypeFor[former]()

// forms recognises this package's own types for package shape.
func forms(t reflect.Type) (shape.Form, bool) {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface || !t.Implements(formerType) {
		return shape.Form{}, false
	}
	f := reflect.Zero(t).Interface().(former).form()
	// A struct that embeds one of them has its method too, but is another type.
	if t.PkgPath() != reflect.TypeFor[config]().PkgPath() {
		return shape.Form{}, false
	}
	return f, true
}
