package encode_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/diptych-mcp/diptych/internal/encode"
	"github.com/diptych-mcp/diptych/internal/formtest"
	"github.com/diptych-mcp/diptych/internal/shape"
)

type (
	opt[T any]       = formtest.Optional[T]
	either[A, B any] = formtest.Union[A, B]
	pair[A, B any]   = formtest.Tuple[A, B]
	raw[T any]       = formtest.Promise[T]
)

func compile(t reflect.Type) *encode.Encoder {
	return encode.Compile(shape.NewReader(formtest.Of).Read(t), formtest.Of)
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
	v := []any{tree{Kids: []tree{{}}}, &tree{}, map[string]tree{"a": {}}, receivers{}, omitting{}, formtest.Some(1), []*tree{{Any: tree{}}}}
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
