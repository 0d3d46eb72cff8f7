package encode_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/shape"
)

// The library's own forms, as the package that owns them declares them.
type (
	opt[T any] struct {
		v   T
		set bool
	}
	either[A, B any] struct {
		A *A
		B *B
	}
	pair[A, B any] struct {
		A A
		B B
	}
	raw[T any] []byte
)

type former interface{ form() shape.Form }

func (opt[T]) form() shape.Form {
	return shape.Form{Kind: shape.Optional, Parts: []reflect.Type{reflect.TypeFor[T]()}, Value: func(o any) any {
		if o := o.(*opt[T]); o.set {
			return &o.v
		}
		return nil
	}}
}

func (either[A, B]) form() shape.Form {
	return shape.Form{Kind: shape.Union, Parts: []reflect.Type{reflect.TypeFor[A](), reflect.TypeFor[B]()}}
}

func (pair[A, B]) form() shape.Form {
	return shape.Form{Kind: shape.Tuple, Parts: []reflect.Type{reflect.TypeFor[A](), reflect.TypeFor[B]()}}
}

func (raw[T]) form() shape.Form {
	return shape.Form{Kind: shape.Promise, Parts: []reflect.Type{reflect.TypeFor[T]()}}
}

// A form's own marshaler does not decide.
func (opt[T]) MarshalJSON() ([]byte, error) { return []byte(`"asked"`), nil }

func some[T any](v T) opt[T] { return opt[T]{v, true} }

func forms(t reflect.Type) (shape.Form, bool) {
	if t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		if f, ok := reflect.Zero(t).Interface().(former); ok {
			return f.form(), true
		}
	}
	return shape.Form{}, false
}

func compile(t reflect.Type) *encode.Encoder {
	return encode.Compile(shape.NewReader(forms).Read(t), forms)
}

// addressed is v with an address.
func addressed(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Elem()
}

// standard is what encoding/json writes through a pointer, without HTML escaping.
func standard(v reflect.Value) (string, error) {
	var buf strings.Builder
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	err := e.Encode(addressed(v).Addr().Interface())
	return strings.TrimSuffix(buf.String(), "\n"), err
}

// TestConcurrent lets many goroutines meet the same types inside interfaces for the first time.
func TestConcurrent(t *testing.T) {
	v := []any{tree{Kids: []tree{{}}}, &tree{}, map[string]tree{"a": {}}, receivers{}, omitting{}, some(1), []*tree{{Any: tree{}}}}
	e := compile(reflect.TypeFor[[]any]())
	want, err := e.Append(nil, reflect.ValueOf(&v).Elem())
	if err != nil {
		t.Fatal(err)
	}
	e = compile(reflect.TypeFor[[]any]())
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if got, err := e.Append(nil, reflect.ValueOf(&v).Elem()); string(got) != string(want) || err != nil {
				t.Errorf("got %s, %v\nwant %s", got, err, want)
			}
		})
	}
	all.Wait()
}
