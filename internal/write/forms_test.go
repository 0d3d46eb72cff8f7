// This file has forms for the tests, declared as the package that owns
// them declares its own.
package write

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/shape"
)

type (
	// Optional holds a value or null.
	Optional[T any] struct {
		V   T
		Set bool
	}
	// Union has exactly one arm set.
	Union[A, B any] struct {
		A *A
		B *B
	}
	// Tuple is a list of two.
	Tuple[A, B any] struct {
		A A
		B B
	}
	// Promise is JSON that says it is a T.
	Promise[T any] []byte
)

// Some is an optional v.
func Some[T any](v T) Optional[T] { return Optional[T]{v, true} }

// FormOf says which form a type is.
func FormOf(t reflect.Type) (shape.Form, bool) {
	if t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		if f, ok := reflect.Zero(t).Interface().(interface{ form() shape.Form }); ok {
			return f.form(), true
		}
	}
	return shape.Form{}, false
}

func (Optional[T]) form() shape.Form {
	return shape.Form{Kind: shape.Optional, Parts: []reflect.Type{reflect.TypeFor[T]()}, Value: func(o any) any {
		if o := o.(*Optional[T]); o.Set {
			return &o.V
		}
		return nil
	}}
}

func (Union[A, B]) form() shape.Form {
	return shape.Form{Kind: shape.Union, Parts: []reflect.Type{reflect.TypeFor[A](), reflect.TypeFor[B]()}}
}

func (Tuple[A, B]) form() shape.Form {
	return shape.Form{Kind: shape.Tuple, Parts: []reflect.Type{reflect.TypeFor[A](), reflect.TypeFor[B]()}}
}

func (Promise[T]) form() shape.Form {
	return shape.Form{Kind: shape.Promise, Parts: []reflect.Type{reflect.TypeFor[T]()}}
}

// A form's own marshaler does not decide.

func (Optional[T]) MarshalJSON() ([]byte, error) { panic("a form's own marshaler was called") }
func (Union[A, B]) MarshalJSON() ([]byte, error) { panic("a form's own marshaler was called") }
func (Tuple[A, B]) MarshalJSON() ([]byte, error) { panic("a form's own marshaler was called") }
func (Promise[T]) MarshalJSON() ([]byte, error)  { panic("a form's own marshaler was called") }
