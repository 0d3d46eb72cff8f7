package diptych

import (
	"reflect"
	"slices"

	"github.com/diptych-mcp/diptych/internal/schema"
)

// A derivation is what followed from a type alone. It holds for every tool whose Docs say nothing about the types in it.
type derivation struct {
	asked []string // of Docs, in vain
	value any
}

// derive works out what follows from the type in key, or remembers it. It is remembered where work says that it depends on
// nothing else, no Docs had a say in it and no method of the author's, which may say something else next time.
func derive[T any](key any, cfg *config, work func(schema.Config) (value T, lasts bool, err error)) (T, error) {
	if known, ok := contracts.Load(key); ok && !cfg.tells(known.(derivation).asked) {
		return known.(derivation).value.(T), nil
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
		contracts.Store(key, derivation{slices.Clip(slices.Compact(asked)), value})
	}
	return value, err
}

// tells says whether Docs have an entry for one of the keys.
func (c *config) tells(keys []string) bool {
	return len(c.docs) > 0 && slices.ContainsFunc(keys, func(key string) bool { _, ok := c.doc(key); return ok })
}
