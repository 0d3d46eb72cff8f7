package write_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
	"github.com/diptych-mcp/diptych/internal/write"
)

// calls counts what the methods of the types below are asked for.
type calls struct{ json, text, key int }

type (
	countedJSON struct {
		*calls
		n int
	}
	countedText struct{ *calls }
	countedKey  struct {
		*calls
		name string
	}
	counted struct {
		JSON countedJSON              `json:"json"`
		Text countedText              `json:"text"`
		Map  map[countedKey]int       `json:"map"`
		Any  any                      `json:"any"`
		Late float64                  `json:"late"`
		Opt  opt[countedJSON]         `json:"opt"`
		Raw  either[countedJSON, int] `json:"arm"`
	}
)

func (c countedJSON) MarshalJSON() ([]byte, error) { c.json++; return fmt.Append(nil, c.n), nil }
func (c countedText) MarshalText() ([]byte, error) { c.text++; return []byte("text"), nil }
func (c countedKey) MarshalText() ([]byte, error)  { c.key++; return []byte(c.name), nil }

// TestOnce says that the methods of a value are called once for an answer, whether it is accepted at once, only by the reading of
// the finished document, or refused; and that what is explained is what they wrote.
func TestOnce(t *testing.T) {
	for name, tt := range map[string]struct {
		schema  string
		late    float64
		refused bool
	}{
		"proven":                    {`{"properties":{"json":{"type":"integer"}}}`, 1, false},
		"proven by a reader":        {`{"properties":{"json":{"anyOf":[{"minimum":5},{"maximum":9}]},"any":{"const":7},"text":{"pattern":"^t"}}}`, 1, false},
		"only the document is read": {`{"properties":{"json":{"type":"integer"}},"minProperties":1,"patternProperties":{"^t":{"type":"string"}}}`, 1, false},
		"refused at the end":        {`{"properties":{"late":{"maximum":2}}}`, 3, true},
		"refused at the start":      {`{"properties":{"json":{"type":"string"}}}`, 1, true},
		"refused by a reader":       {`{"properties":{"json":{"anyOf":[{"minimum":50},{"maximum":-9}]}}}`, 1, true},
		"refused by the walker":     {`{"unevaluatedProperties":false}`, 1, true},
	} {
		check, err := validate.Compile([]byte(tt.schema))
		if err != nil {
			t.Fatal(err)
		}
		s := shape.NewReader(write.FormOf).Read(reflect.TypeFor[counted]())
		w := write.Compile(s, write.FormOf, check, false)
		var n calls
		v := counted{JSON: countedJSON{&n, 7}, Text: countedText{&n}, Map: map[countedKey]int{{&n, "a"}: 1, {&n, "b"}: 2}, Any: countedJSON{&n, 7}, Late: tt.late,
			Opt: write.Some(countedJSON{&n, 7}), Raw: either[countedJSON, int]{A: &countedJSON{&n, 7}}}
		refused, err := w.Fill(new(write.Answer), reflect.ValueOf(&v).Elem(), write.Style{})
		if err != nil || (refused != nil) != tt.refused {
			t.Errorf("%s: refused %s, %v", name, refused, err)
		}
		if want := (calls{json: 4, text: 1, key: 2}); n != want {
			t.Errorf("%s: calls %+v, want %+v", name, n, want)
		}
		if want := `{"json":7,"text":"text","map":{"a":1,"b":2},"any":7,"late":3,"opt":7,"arm":7}`; tt.late == 3 && string(refused) != want {
			t.Errorf("%s: the document to be explained is %s", name, refused)
		}
	}
}

// TestErrors says that an error is never data, wherever an interface holds it.
func TestErrors(t *testing.T) {
	full := errors.New("disk full")
	for _, tt := range []struct {
		value any
		path  string
	}{
		{full, ""},
		{[]any{1, full}, "[1]"},
		{map[string]any{"a": []any{full}}, "a[0]"},
		{struct{ E any }{full}, "E"},
		{struct{ E error }{full}, "E"},
		{[]error{nil, full}, "[1]"},
		{struct{ S fmt.Stringer }{spokenError{}}, "S"},
		{[]any{(*pointedError)(nil)}, "[0]"},
		{[]any{&pointedError{}}, "[0]"},
		{write.Some[any](full), ""},
		{map[int]any{1: jsonError{}}, `["1"]`},
	} {
		for range 2 { // the second time the type is known
			v := addressed(reflect.ValueOf(&tt.value).Elem())
			doc, err := compile(reflect.TypeFor[any]()).Append(nil, v)
			var fault *write.Fault
			if !errors.As(err, &fault) || fault.Path != tt.path || !strings.Contains(fault.Rule, "error") || strings.Contains(err.Error(), "disk") {
				t.Errorf("%#v: %s, %v", tt.value, doc, err)
			}
		}
	}
	// No error is held here.
	for _, v := range []any{[]error{}, []error{nil}, struct{ E error }{}, pointedError{}} {
		if doc, err := compile(reflect.TypeFor[any]()).Append(nil, addressed(reflect.ValueOf(&v).Elem())); err != nil {
			t.Errorf("%#v: %s, %v", v, doc, err)
		}
	}
}

type (
	spokenError  struct{}
	pointedError struct{ N int }
	jsonError    struct{}
)

func (spokenError) Error() string              { return "spoken" }
func (spokenError) String() string             { return "spoken" }
func (*pointedError) Error() string            { return "pointed" }
func (jsonError) Error() string                { return "json" }
func (jsonError) MarshalJSON() ([]byte, error) { return []byte("1"), nil }
