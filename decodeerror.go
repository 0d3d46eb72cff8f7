package diptych

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// faultFinder finds the parts of a document that its schema accepts and their Go types do not: a leap second, a number past
// a float's range, a text that an UnmarshalText refuses. encoding/json says what failed, and seldom where.
type faultFinder struct {
	decode func(doc []byte, dst any) error
	left   int // bytes that may still be looked at
	faults []validate.Fault
}

// findDecodeFaults looks at doc once more, part by part. It finds nothing where the whole alone is at fault.
func findDecodeFaults(doc []byte, s *shape.Shape, decode func([]byte, any) error) []validate.Fault {
	m := faultFinder{decode: decode, left: maxSearched}
	m.look(s, doc, "")
	return m.faults
}

func (m *faultFinder) add(path, rule string) {
	if len(m.faults) < maxDecodeFaults {
		m.faults = append(m.faults, validate.Fault{Path: cut(path), Rule: rule})
	}
}

func (m *faultFinder) look(s *shape.Shape, doc json.RawMessage, path string) {
	if m.left -= len(doc); m.left < 0 || string(doc) == "null" {
		return
	}
	switch kind := s.Kind; {
	case kind == shape.Pointer, kind == shape.Optional:
		m.look(s.Elem, doc, path)
	case kind == shape.Union:
		m.lookAtArms(s, doc, path)
	case kind != shape.Tuple && readsItself(s.Type):
		m.leaf(s.Type, doc, path)
	case kind == shape.List, kind == shape.Array, kind == shape.Tuple:
		var items []json.RawMessage
		if json.Unmarshal(doc, &items) != nil {
			m.leaf(s.Type, doc, path)
		}
		for i, item := range items {
			if p := itemShape(s, i); p != nil {
				m.look(p, item, path+"["+strconv.Itoa(i)+"]")
			}
		}
	case kind == shape.Map, kind == shape.Struct:
		var members map[string]json.RawMessage
		if json.Unmarshal(doc, &members) != nil {
			m.leaf(s.Type, doc, path)
		}
		if kind == shape.Map {
			m.lookAtMap(s, members, path)
			return
		}
		for i := range s.Fields {
			f := &s.Fields[i]
			switch value, ok := members[f.Name]; {
			case !ok:
			case f.Quoted:
				m.quoted(f, value, member(path, f.Name))
			default:
				m.look(f.Shape, value, member(path, f.Name))
			}
		}
	default:
		m.leaf(s.Type, doc, path)
	}
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// member is a path one name longer.
func member(path, name string) string {
	switch {
	case !identifier.MatchString(name):
		return path + "[" + strconv.Quote(cut(name)) + "]"
	case path == "":
		return cut(name)
	}
	return path + "." + cut(name)
}

// leaf reads a part on its own.
func (m *faultFinder) leaf(t reflect.Type, doc []byte, path string) {
	if err := m.decode(doc, reflect.New(t).Interface()); err != nil {
		m.add(path, decodeRule(err, t))
	}
}

// lookAtArms tells what is wrong with the arm that was meant, as far as its schema tells.
func (m *faultFinder) lookAtArms(s *shape.Shape, doc []byte, path string) {
	if m.decode(doc, reflect.New(s.Type).Interface()) == nil {
		return
	}
	before := len(m.faults)
	for _, arm := range s.Parts {
		if accepts(arm.Type, false, doc) {
			if m.look(arm, doc, path); len(m.faults) > before {
				return
			}
		}
	}
	m.add(path, "cannot be read as any of the allowed forms")
}

// lookAtMap reads the keys too. Two that mean the same would be one in the map.
func (m *faultFinder) lookAtMap(s *shape.Shape, members map[string]json.RawMessage, path string) {
	keys := reflect.MakeMap(reflect.MapOf(s.Key.Type, reflect.TypeFor[string]()))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		at := member(path, name)
		m.look(s.Elem, members[name], at)
		if s.Key.Kind == shape.String && !readsText(s.Key.Type) {
			continue
		}
		alone, err := json.Marshal(map[string]string{name: name})
		if err != nil {
			continue
		}
		one := reflect.New(keys.Type())
		if err := m.decode(alone, one.Interface()); err != nil {
			m.add(at, "key "+decodeRule(err, s.Key.Type))
			continue
		}
		for key, text := range one.Elem().Seq2() {
			if keys.MapIndex(key).IsValid() {
				m.add(at, "key means the same as another one")
			}
			keys.SetMapIndex(key, text)
		}
	}
}

// quoted reads a field that json:",string" puts into a string.
func (m *faultFinder) quoted(f *shape.Field, value json.RawMessage, path string) {
	t := reflect.StructOf([]reflect.StructField{{Name: "F", Type: f.Shape.Type, Tag: `json:"f,string"`}})
	if m.decode(append(append([]byte(`{"f":`), value...), '}'), reflect.New(t).Interface()) != nil {
		m.add(path, "cannot be read as "+f.Shape.Type.String()+" in a string")
	}
}

// decodeRule says what err means for a value of t, without the value. A type may speak to the caller by an [Error].
func decodeRule(err error, t reflect.Type) string {
	if e, ok := find[*Error](err); ok {
		return e.Error()
	}
	if typed, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return typeRule(typed)
	}
	if t == reflect.TypeFor[time.Time]() {
		return "must be a date-time with capital T and Z, and without a leap second"
	}
	return "cannot be read as " + t.String()
}

// typeRule is the rule that encoding/json found broken.
func typeRule(err *json.UnmarshalTypeError) string {
	got, isNumber := strings.CutPrefix(err.Value, "number ")
	switch {
	case !isNumber:
		return fmt.Sprintf("got %s, want %s", got, err.Type)
	case strings.ContainsAny(got, ".eE") && err.Type.Kind() != reflect.Float32 && err.Type.Kind() != reflect.Float64:
		return fmt.Sprintf("got a number with a fraction or an exponent, want %s", err.Type)
	}
	return fmt.Sprintf("out of range for %s", err.Type)
}

// merges reports whether two keys of a map somewhere in s can mean the same although they differ as text. A derived schema
// asks integers to be written in one way.
func merges(s *shape.Shape, derived bool) bool {
	return s.Has(func(s *shape.Shape) bool {
		return s.Kind == shape.Map && (readsText(s.Key.Type) || !derived && s.Key.Kind != shape.String)
	})
}

var (
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
)

func readsText(t reflect.Type) bool { return reflect.PointerTo(t).Implements(textUnmarshaler) }

// readsItself reports whether values of t read themselves.
func readsItself(t reflect.Type) bool {
	return readsText(t) || reflect.PointerTo(t).Implements(jsonUnmarshaler)
}
