package shape

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// isZeroer is the method that encoding/json calls for omitzero.
type isZeroer interface{ IsZero() bool }

var isZeroerType = reflect.TypeFor[isZeroer]()

// A candidate is a field that could be written, before the rules of embedding have chosen among those of one name.
type candidate struct {
	Field
	tagged bool
	typ    reflect.Type
}

// fields lists what encoding/json writes of a struct: breadth first through embedded structs, the least nested field
// of a name first, a tagged one before untagged ones, and none of them where that leaves a tie, which clash tells of.
func (r *Reader) fields(t reflect.Type, addressed bool) (_ []Field, clash string) {
	type level struct {
		t     reflect.Type
		index []int
		outer bool
	}
	var (
		found   []candidate
		next    = []level{{t: t}}
		count   map[reflect.Type]int
		visited = map[reflect.Type]bool{}
	)
	for len(next) > 0 {
		current := next
		next = nil
		counted := count
		count = map[reflect.Type]int{}
		for _, l := range current {
			if visited[l.t] {
				continue
			}
			visited[l.t] = true
			for i := range l.t.NumField() {
				sf := l.t.Field(i)
				embedded := sf.Type
				if sf.Anonymous {
					if embedded.Kind() == reflect.Pointer {
						embedded = embedded.Elem()
					}
					if !sf.IsExported() && embedded.Kind() != reflect.Struct {
						continue
					}
				} else if !sf.IsExported() {
					continue
				}
				tag := sf.Tag.Get("json")
				if tag == "-" {
					continue
				}
				name, opts, _ := strings.Cut(tag, ",")
				if !validName(name) {
					name = ""
				}
				index := append(slices.Clone(l.index), i)
				if name == "" && sf.Anonymous && embedded.Kind() == reflect.Struct {
					count[embedded]++
					if count[embedded] == 1 {
						next = append(next, level{embedded, index, l.outer || sf.Type.Kind() == reflect.Pointer})
					}
					continue
				}
				tagged := name != ""
				if name == "" {
					name = sf.Name
				}
				c := candidate{tagged: tagged, typ: sf.Type, Field: Field{
					Name: name, GoName: sf.Name, Owner: l.t, Index: index, Tag: sf.Tag, Outer: l.outer,
					OmitEmpty: hasOption(opts, "omitempty"),
					OmitZero:  hasOption(opts, "omitzero"),
					Quoted:    hasOption(opts, "string") && quotable(sf.Type),
				}}
				found = append(found, c)
				if counted[l.t] > 1 {
					// The type is embedded more than once at this depth, so its fields hide each other.
					found = append(found, c)
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		if c := len(a.Index) - len(b.Index); c != 0 {
			return c
		}
		if a.tagged != b.tagged {
			if a.tagged {
				return -1
			}
			return 1
		}
		return slices.Compare(a.Index, b.Index)
	})
	var chosen []candidate
	for i := 0; i < len(found); {
		j := i + 1
		for j < len(found) && found[j].Name == found[i].Name {
			j++
		}
		if j == i+1 || len(found[i].Index) != len(found[i+1].Index) || found[i].tagged != found[i+1].tagged {
			chosen = append(chosen, found[i])
		} else if x, y := &found[i], &found[i+1]; clash == "" {
			clash = fmt.Sprintf("fields %s and %s have the same name %q in JSON, so neither is written; rename one of them", x.within(t), y.within(t), x.Name)
		}
		i = j
	}
	slices.SortFunc(chosen, func(a, b candidate) int { return slices.Compare(a.Index, b.Index) })
	fields := make([]Field, len(chosen))
	for i, c := range chosen {
		fields[i] = c.Field
		// What an embedded pointer leads to has an address again.
		fields[i].Shape = r.field(&fields[i], c.typ, addressed || c.Outer)
	}
	return fields, clash
}

// within names a field as Go does from a struct that it is promoted to.
func (f *Field) within(t reflect.Type) string {
	if f.Owner == t {
		return f.GoName
	}
	return f.Owner.Name() + "." + f.GoName
}

// field reads the type of f and refuses options that encoding/json accepts and then ignores.
func (r *Reader) field(f *Field, t reflect.Type, addressed bool) *Shape {
	if f.OmitZero {
		f.IsZero = zeroTest(t)
	}
	if f.OmitEmpty && !f.OmitZero && neverEmpty(t) {
		if Foreign(f.Owner) {
			f.OmitEmpty = false // the author cannot mend it, and it is written in every case
			return r.read(t, addressed)
		}
		return &Shape{Kind: Invalid, Type: t, Elem: r.read(t, addressed), Problem: fmt.Sprintf("omitempty has no effect on %s; use omitzero", t)}
	}
	return r.read(t, addressed)
}

func neverEmpty(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Array && t.Len() > 0
}

// zeroTest is omitzero's rule: the type's own IsZero where it has one, the zero value where it does not.
func zeroTest(t reflect.Type) func(reflect.Value) bool {
	switch {
	case t.Kind() == reflect.Interface && t.Implements(isZeroerType):
		return func(v reflect.Value) bool {
			return v.IsNil() || v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() || v.Interface().(isZeroer).IsZero()
		}
	case t.Kind() == reflect.Pointer && t.Implements(isZeroerType):
		return func(v reflect.Value) bool { return v.IsNil() || v.Interface().(isZeroer).IsZero() }
	case reflect.PointerTo(t).Implements(isZeroerType):
		// Called on the address, the method of either receiver costs no copy.
		return func(v reflect.Value) bool {
			if !v.CanAddr() {
				p := reflect.New(v.Type())
				p.Elem().Set(v)
				v = p.Elem()
			}
			return v.Addr().Interface().(isZeroer).IsZero()
		}
	}
	return reflect.Value.IsZero
}

// quotable reports whether json:",string" has an effect on t.
func quotable(t reflect.Type) bool {
	if t.Name() == "" && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return false
}

func hasOption(opts, want string) bool {
	for opts != "" {
		var o string
		if o, opts, _ = strings.Cut(opts, ","); o == want {
			return true
		}
	}
	return false
}

// validName is encoding/json's rule for a name in a tag.
func validName(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return s != ""
}
