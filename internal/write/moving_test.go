package write

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// A leaver is a key that takes itself, and all others, out of its map.
type leaver struct{ from *map[*leaver]int }

func (l *leaver) MarshalText() ([]byte, error) {
	clear(*l.from)
	return []byte("gone"), nil
}

// A stunt changes the list beside it when it is asked for its JSON.
type stunt struct{ list *[]int }

func (s stunt) MarshalJSON() ([]byte, error) {
	*s.list = append((*s.list)[:0:0], 7, 8, 9)
	return []byte("0"), nil
}

// TestMoving has values that change while they are written, by the hands of their own methods.
func TestMoving(t *testing.T) {
	m := map[*leaver]int{}
	keys := []*leaver{{&m}, {&m}}
	for _, schema := range []string{`true`, `{"minProperties":2}`} {
		r, err := newTrial(shape.NewReader(FormOf).Read(reflect.TypeOf(m)), []byte(schema), false)
		if err != nil {
			t.Fatal(err)
		}
		m[keys[0]], m[keys[1]] = 1, 2
		w := r.holds(t, reflect.ValueOf(&m).Elem(), false, []byte(schema))
		if accepted := schema == "true"; w.Accepted != accepted || string(w.Doc) != `{"gone":1}` && string(w.Doc) != `{"gone":2}` {
			t.Errorf("%s: accepted %t: %s", schema, w.Accepted, w.Doc)
		}
	}
	var v struct {
		A stunt `json:"a"`
		B []int `json:"b"`
	}
	v.A.list = &v.B
	r, err := newTrial(shape.NewReader(FormOf).Read(reflect.TypeOf(v)), []byte(`{"properties":{"b":{"maxItems":2}}}`), false)
	if err != nil {
		t.Fatal(err)
	}
	if w := r.holds(t, reflect.ValueOf(&v).Elem(), false, nil); w.Accepted || string(w.Doc) != `{"a":0,"b":[7,8,9]}` {
		t.Errorf("accepted %t: %s", w.Accepted, w.Doc)
	}
}

// TestDeep has values about as deep as anything may be, with something foreign at the bottom that is deep itself.
func TestDeep(t *testing.T) {
	type link struct {
		Next *link `json:"n,omitempty"`
		Any  any   `json:"a,omitempty"`
	}
	for _, outside := range []int{1, 300, 498, 499, 500, 501} {
		for _, inside := range []int{0, 1, 2, 399, 400, 401, 700, 999, 1001} {
			for name, wrap := range map[string]func(any) any{
				"pointers": func(x any) any { return &x },
				"lists":    func(x any) any { return []any{x} },
				"raw":      nil,
			} {
				var bottom any = 1
				if wrap == nil {
					bottom = json.RawMessage(strings.Repeat("[", inside) + strings.Repeat("]", inside))
				} else {
					for range inside {
						bottom = wrap(bottom)
					}
				}
				v := link{Any: bottom}
				for range outside {
					next := v
					v = link{Next: &next}
				}
				r, err := newTrial(shape.NewReader(FormOf).Read(reflect.TypeOf(v)), []byte("true"), false)
				if err != nil {
					t.Fatal(err)
				}
				r.holds(t, reflect.ValueOf(&v).Elem(), false, fmt.Appendf(nil, "%d levels and %d %s", outside, inside, name))
			}
		}
	}
}
