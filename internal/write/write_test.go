package write_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
	"github.com/diptych-mcp/diptych/internal/write"
)

type (
	opt[T any]       = write.Optional[T]
	either[A, B any] = write.Union[A, B]
	pair[A, B any]   = write.Tuple[A, B]
	raw[T any]       = write.Promise[T]
)

// compile returns the writer of a type of which nothing is asked.
func compile(t reflect.Type) *write.Writer {
	check, err := validate.Compile([]byte("true"))
	if err != nil {
		panic(err)
	}
	return write.Compile(shape.NewReader(write.FormOf).Read(t), write.FormOf, check, false)
}

// addressed is v with an address.
func addressed(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Elem()
}

// standard is what encoding/json writes through a pointer, without HTML escaping, as far as the table of differences does
// not say that it is ours that counts.
func standard(v reflect.Value) (string, error) {
	text, err := theirs(v)
	for i := range differences {
		if d := &differences[i]; d.ours != nil && d.known() {
			text = d.ours(text)
		}
	}
	return text, err
}

// theirs is what encoding/json writes through a pointer, without HTML escaping.
func theirs(v reflect.Value) (string, error) {
	var buf strings.Builder
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	err := e.Encode(addressed(v).Addr().Interface())
	return strings.TrimSuffix(buf.String(), "\n"), err
}

// TestConcurrent lets many goroutines meet the same types inside interfaces for the first time.
func TestConcurrent(t *testing.T) {
	v := []any{tree{Kids: []tree{{}}}, &tree{}, map[string]tree{"a": {}}, receivers{}, omitting{}, write.Some(1), []*tree{{Any: tree{}}}}
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
