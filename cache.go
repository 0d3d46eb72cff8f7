package diptych

import (
	"reflect"
	"slices"
	"sync"

	"github.com/diptych-mcp/diptych/internal/schema"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// What follows from types alone is worked out once for each type and kept as long as the process runs.
var (
	intakes  memo[reflect.Type, *intake]            // what Call reads into a type
	checkers memo[checkerKey, *validate.Checker]    // what AnyOf checks an arm against; nil for a type without a schema
	inputs   derivations[reflect.Type, sharedInput] // what tools of one In share
	outputs  derivations[outputKey, output]         // what tools of one Out share
)

// A memo keeps one value for each key.
type memo[K comparable, V any] struct{ values sync.Map }

// get returns the value of key, made by work when there is none yet.
func (m *memo[K, V]) get(key K, work func() V) V {
	v, ok := m.values.Load(key)
	if !ok {
		v, _ = m.values.LoadOrStore(key, work())
	}
	return v.(V)
}

// Derivations is a memo of what follows from a type and the Docs about it. It keeps only what no Docs contributed to.
type derivations[K comparable, V any] struct{ values sync.Map }

type derivation[V any] struct {
	asked []string // keys that Docs did not have
	value V
}

// get returns the value of key, made by work when none is kept or when the tool's Docs say something about its types. The
// value is kept if work says that it depends on the type alone, and neither Docs nor a method of the author's, which may
// return something else next time, had a part in it.
func (d *derivations[K, V]) get(key K, cfg *config, work func(schema.Config) (value V, lasts bool, err error)) (V, error) {
	if v, ok := d.values.Load(key); ok && len(cfg.schemas) == 0 {
		if known := v.(derivation[V]); !cfg.documents(known.asked) {
			return known.value, nil
		}
	}
	sc := schemaConfig(cfg)
	var asked []string
	told, doc := false, sc.Doc
	sc.Doc = func(key string) (schema.Doc, bool) {
		d, ok := doc(key)
		asked, told = append(asked, key), told || ok
		return d, ok
	}
	sc.Asked = func(reflect.Type) { told = true }
	value, lasts, err := work(sc)
	if err == nil && lasts && !told {
		slices.Sort(asked)
		d.values.Store(key, derivation[V]{slices.Clip(slices.Compact(asked)), value})
	}
	return value, err
}

// documents reports whether Docs have an entry for one of the keys.
func (c *config) documents(keys []string) bool {
	return len(c.docs) > 0 && slices.ContainsFunc(keys, func(key string) bool { _, ok := c.doc(key); return ok })
}

type checkerKey struct {
	t      reflect.Type
	closed bool
}

// accepts reports whether data is a value of t by t's own schema; closed refuses keys that t does not have.
func accepts(t reflect.Type, closed bool, data []byte) bool {
	checker := checkers.get(checkerKey{t, closed}, func() *validate.Checker { return newChecker(t, closed) })
	return checker == nil || checker.Check(data)
}
