//lint:file-ignore SA5008 the tags that encoding/json reads in an unexpected way are what is tested

package shape_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/diptych-mcp/diptych/internal/shape"
)

type byPointer struct{ N int }

func (*byPointer) MarshalJSON() ([]byte, error) { return []byte(`1`), nil }

type holder struct{ P byPointer }

type base struct {
	ID   string `json:"id"`
	Name string
}

type itself *itself

type loop struct {
	Next *loop            `json:"next,omitempty"`
	All  map[string]*loop `json:"all"`
}

func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  shape.Kind
	}{
		{true, shape.Bool},
		{int8(1), shape.Int},
		{uint(1), shape.Uint},
		{1.5, shape.Float},
		{"s", shape.String},
		{json.Number("1"), shape.Number},
		{[]byte{}, shape.Bytes},
		{[4]byte{}, shape.Array},
		{[]string{}, shape.List},
		{map[string]int{}, shape.Map},
		{map[netip.Addr]int{}, shape.Map},
		{map[float64]int{}, shape.Invalid},
		{map[string]byPointer{}, shape.Invalid},
		{map[string]holder{}, shape.Invalid},
		{map[string]*byPointer{}, shape.Map},
		{json.RawMessage{}, shape.Raw},
		{time.Time{}, shape.JSON},
		{big.Int{}, shape.JSON},
		{netip.Addr{}, shape.Text},
		{byPointer{}, shape.JSON},
		{struct{ time.Time }{}, shape.JSON},
		{base{}, shape.Struct},
		{&loop{}, shape.Pointer},
		{make(chan int), shape.Invalid},
		{complex(1, 1), shape.Invalid},
		{itself(nil), shape.Invalid},
		{[]itself{}, shape.List},
	} {
		r := shape.NewReader(nil)
		if got := r.Read(reflect.TypeOf(tt.value)); got.Kind != tt.want {
			t.Errorf("%T: kind %d, want %d (%s)", tt.value, got.Kind, tt.want, got.Problem)
		}
	}
}

// TestFields compares the reader with what encoding/json writes for the same struct with every field set.
func TestFields(t *testing.T) {
	type inner struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	type other struct {
		B int `json:"b"`
		C int `json:"c"`
	}
	type tagged struct {
		X int `json:"c"`
	}
	type outer struct {
		inner
		*other
		tagged  `json:"named"`
		A       string `json:"a"`
		skipped int
		Dash    int `json:"-"`
		Comma   int `json:"-,"`
		Z       int
	}
	v := outer{other: &other{}}
	_ = v.skipped
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	var want []string
	for depth := 0; ; {
		tok, err := d.Token()
		if err != nil {
			break
		}
		switch tok := tok.(type) {
		case json.Delim:
			if tok == '{' {
				depth++
			} else {
				depth--
			}
		case string:
			if depth == 1 && d.More() {
				want = append(want, tok)
				var skip json.RawMessage
				if err := d.Decode(&skip); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	var got []string
	read := shape.NewReader(nil).Read(reflect.TypeOf(v))
	if want := `fields inner.B and other.B have the same name "b" in JSON, so neither is written; rename one of them`; read.Kind != shape.Invalid || read.Problem != want {
		t.Errorf("problem %q, want %q", read.Problem, want)
	}
	for _, f := range read.Elem.Fields {
		got = append(got, f.Name)
		if (f.Name == "c") != f.Outer {
			t.Errorf("%s: Outer = %v", f.Name, f.Outer)
		}
	}
	if strings.Join(got, ",") != strings.Join(want, ",") {
		t.Errorf("fields %v, encoding/json writes %v", got, want)
	}
}

// TestNoNames are tags that have no name by the rule before Go 1.27, whose encoding/json reads up to the quote. The table of
// differences in package write has what each release writes.
func TestNoNames(t *testing.T) {
	type s struct {
		A int `json:"a\"b"`
		B int `json:"a\\b"`
		C int `json:"'c'"`
		D int `json:"a"`
	}
	var got []string
	for _, f := range shape.NewReader(nil).Read(reflect.TypeFor[s]()).Fields {
		got = append(got, f.Name)
	}
	if want := "A,B,C,a"; strings.Join(got, ",") != want {
		t.Errorf("fields %v, want %s", got, want)
	}
}

func TestOptionsWithoutEffect(t *testing.T) {
	type s struct {
		T time.Time `json:"t,omitempty"`
	}
	f := shape.NewReader(nil).Read(reflect.TypeFor[s]()).Fields[0]
	if f.Shape.Kind != shape.Invalid || !strings.Contains(f.Shape.Problem, "omitzero") || f.Shape.Elem.Kind != shape.JSON {
		t.Errorf("omitempty on a time: kind %d, problem %q", f.Shape.Kind, f.Shape.Problem)
	}
}

type endless *endless

// TestEndless says that a pointer to nothing but itself is refused, at any distance.
func TestEndless(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[endless](), reflect.TypeFor[*endless](), reflect.TypeFor[**endless]()} {
		if s := shape.NewReader(nil).Read(typ); s.Kind != shape.Invalid || !strings.Contains(s.Problem, "itself") {
			t.Errorf("%s: kind %d, problem %q", typ, s.Kind, s.Problem)
		}
	}
	if s := shape.NewReader(nil).Read(reflect.TypeFor[***loop]()); s.Kind != shape.Pointer {
		t.Errorf("a pointer to pointers is refused: %s", s.Problem)
	}
}

type form[T any] struct{ Held *T }

func (form[T]) MarshalJSON() ([]byte, error) { return nil, nil }

// both is written by MarshalJSON where it has an address, by MarshalText where it has none.
type both struct{}

func (*both) MarshalJSON() ([]byte, error) { return nil, nil }
func (both) MarshalText() ([]byte, error)  { return nil, nil }

// TestPointers says that a pointer never hides what it points at, be it a marshaler or a form.
func TestPointers(t *testing.T) {
	r := shape.NewReader(func(t reflect.Type) (shape.Form, bool) {
		return shape.Form{Kind: shape.Optional, Parts: []reflect.Type{reflect.TypeFor[int]()}}, t == reflect.TypeFor[form[int]]()
	})
	for _, tt := range []struct {
		value any
		want  shape.Kind
	}{
		{&form[int]{}, shape.Optional},
		{&time.Time{}, shape.JSON},
		{&big.Int{}, shape.JSON},
		{&netip.Addr{}, shape.Text},
		{&json.RawMessage{}, shape.Raw},
	} {
		for _, s := range []*shape.Shape{r.Read(reflect.TypeOf(tt.value)), r.ReadContents(reflect.TypeOf(tt.value))} {
			if s.Kind != shape.Pointer || s.Elem.Kind != tt.want {
				t.Errorf("%T: kind %d of %+v, want a pointer to kind %d", tt.value, s.Kind, s.Elem, tt.want)
			}
		}
	}
}

func TestReceivers(t *testing.T) {
	r := shape.NewReader(nil)
	if got := r.Read(reflect.TypeFor[both]()).Kind; got != shape.JSON {
		t.Errorf("with an address: kind %d, want JSON", got)
	}
	if got := r.ReadContents(reflect.TypeFor[both]()).Kind; got != shape.Text {
		t.Errorf("without an address: kind %d, want Text", got)
	}
}

// TestZeroTest says that omitzero costs nothing on a value with an address.
func TestZeroTest(t *testing.T) {
	type row struct {
		When time.Time `json:"when,omitzero"`
	}
	v := reflect.ValueOf(&row{time.Unix(1, 0)}).Elem()
	zero := shape.NewReader(nil).Read(v.Type()).Fields[0].IsZero
	if n := testing.AllocsPerRun(10, func() { zero(v.Field(0)) }); n != 0 {
		t.Errorf("IsZero allocates %v times", n)
	}
	if zero(v.Field(0)) || !zero(reflect.ValueOf(row{}).Field(0)) {
		t.Error("IsZero is not the type's own")
	}
}

// TestForeign accepts what encoding/json ignores in the structs of other modules, whose authors alone can mend it.
func TestForeign(t *testing.T) {
	type own struct {
		Expiry time.Time `json:"expiry,omitempty"`
	}
	if f := shape.NewReader(nil).Read(reflect.TypeFor[own]()).Fields[0]; f.Shape.Kind != shape.Invalid {
		t.Errorf("omitempty on a time.Time of this module: %v", f.Shape.Kind)
	}
	for _, f := range shape.NewReader(nil).Read(reflect.TypeFor[oauth2.Token]()).Fields {
		if f.Shape.Kind == shape.Invalid || f.Name == "expiry" && f.Optional() {
			t.Errorf("%s of another module: %s, optional %v", f.Name, f.Shape.Problem, f.Optional())
		}
	}
}
