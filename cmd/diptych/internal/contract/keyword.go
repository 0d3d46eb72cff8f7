package contract

// The keywords that bound a value, compared one by one.

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

func (w *walk) types(a, b *tree.Node, place string) {
	allowed := kinds(b)
	if b.Get("type") == nil {
		return // an enum says it value by value
	}
	var lost []string
	for _, k := range kinds(a) {
		if !takes(allowed, k) {
			lost = append(lost, k)
		}
	}
	if a.Get("type") == nil && a.Get("enum") == nil && a.Get("const") == nil {
		lost = []string{"any type"}
	}
	if len(lost) > 0 {
		w.add(Breaking, place, "%s", w.said("was "+listed(lost)+", and is "+listed(allowed)+" now", "was "+listed(allowed)+", and may be "+listed(lost)+" now"))
	}
}

func listed(words []string) string {
	if len(words) == len(everyKind) {
		return "any type"
	}
	return strings.Join(words, " or ")
}

// choices are the values that a schema lists; nil where it lists none.
func choices(n *tree.Node) []*tree.Node {
	if c := n.Get("const"); c != nil {
		return []*tree.Node{c}
	}
	return n.List("enum")
}

func (w *walk) values(a, b *tree.Node, place string) {
	have, allowed := choices(a), choices(b)
	if len(allowed) == 0 {
		return
	}
	if len(have) == 0 {
		if k := kinds(a); len(k) == 1 && k[0] == "null" || len(k) == 1 && k[0] == "boolean" && len(allowed) == 2 {
			return
		}
		w.add(Breaking, place, "%s", w.said("takes listed values alone now", "may have values that were not listed before"))
		return
	}
	var lost []string
	for _, v := range have {
		if !slices.ContainsFunc(allowed, func(o *tree.Node) bool { return same(v, o) }) {
			lost = append(lost, shown(v.Raw))
		}
	}
	if len(lost) > 0 {
		w.add(Breaking, place, "%s %s", w.said("no longer takes", "may now be"), strings.Join(lost, ", "))
	}
}

func (w *walk) bounds(a, b *tree.Node, place string) {
	for _, k := range []struct {
		name string
		low  bool
		kind string
	}{
		{"minimum", true, "number"}, {"maximum", false, "number"}, {"exclusiveMinimum", true, "number"}, {"exclusiveMaximum", false, "number"},
		{"minLength", true, "string"}, {"maxLength", false, "string"}, {"minItems", true, "array"}, {"maxItems", false, "array"},
		{"minProperties", true, "object"}, {"maxProperties", false, "object"},
	} {
		limit := number(b.Get(k.name))
		if limit == nil || !overlap(kinds(a), []string{k.kind}) && !(k.kind == "number" && overlap(kinds(a), []string{"integer"})) || len(choices(a)) > 0 {
			continue
		}
		own := number(a.Get(k.name))
		if other := partner(k.name); own == nil && other != "" {
			own = number(a.Get(other))
			if own != nil && strings.HasPrefix(k.name, "exclusive") && own.Cmp(limit) == 0 {
				own = nil // the limit itself was allowed
			}
		}
		if k.low && own == nil && limit.Sign() <= 0 && k.kind != "number" {
			continue
		}
		if own == nil || k.low && own.Cmp(limit) < 0 || !k.low && own.Cmp(limit) > 0 {
			w.add(Breaking, place, "%s", w.said(k.name+" is "+string(b.Get(k.name).Raw)+" now", "may be outside of the "+k.name+" "+string(b.Get(k.name).Raw)+" that it had"))
		}
	}
	if step := number(b.Get("multipleOf")); step != nil && step.Sign() > 0 && len(choices(a)) == 0 && overlap(kinds(a), []string{"number", "integer"}) {
		if own := number(a.Get("multipleOf")); own == nil || !new(big.Rat).Quo(own, step).IsInt() {
			if one := big.NewRat(1, 1); !(slices.Equal(kinds(a), []string{"integer"}) && new(big.Rat).Quo(one, step).IsInt()) {
				w.add(Breaking, place, "%s", w.said("has to be a multiple of "+string(b.Get("multipleOf").Raw)+" now", "may be no multiple of "+string(b.Get("multipleOf").Raw)+" now"))
			}
		}
	}
	if on := b.Get("uniqueItems"); on != nil && string(on.Raw) == "true" && !same(on, a.Get("uniqueItems")) && overlap(kinds(a), []string{"array"}) {
		w.add(Breaking, place, "%s", w.said("may not hold an item twice now", "may hold an item twice now"))
	}
}

// partner is the other keyword that bounds the same end.
func partner(name string) string {
	return map[string]string{"minimum": "exclusiveMinimum", "exclusiveMinimum": "minimum", "maximum": "exclusiveMaximum", "exclusiveMaximum": "maximum"}[name]
}

// number is a bound as a fraction; nil where there is none, or none that is sensible.
func number(n *tree.Node) *big.Rat {
	if !n.Is(tree.Number) || len(n.Text) > 40 || strings.ContainsAny(n.Text, "eE") && len(n.Text) > 8 {
		return nil
	}
	r, ok := new(big.Rat).SetString(n.Text)
	if !ok {
		return nil
	}
	return r
}

func (w *walk) texts(a, b *tree.Node, place string) {
	if !overlap(kinds(a), []string{"string"}) || len(choices(a)) > 0 {
		return
	}
	for _, keyword := range []string{"pattern", "format", "contentEncoding"} {
		x, y := a.Get(keyword), b.Get(keyword)
		switch {
		case y == nil || same(x, y):
		case x == nil:
			w.add(Unsure, place, "%s", w.said("has a "+keyword+" now, which some of the texts of before may not have", "has no "+keyword+" any more"))
		default:
			w.add(Unsure, place, "has another %s, and no rule decides whether it takes the same texts", keyword)
		}
	}
}

func (w *walk) items(a, b *tree.Node, place string, depth int) {
	if !overlap(kinds(a), []string{"array"}) {
		return
	}
	first, second := a.List("prefixItems"), b.List("prefixItems")
	at := func(list []*tree.Node, n *tree.Node, i int) *tree.Node {
		if i < len(list) {
			return list[i]
		}
		return n.Get("items")
	}
	for i := range max(len(first), len(second)) {
		w.item(at(first, a, i), at(second, b, i), fmt.Sprintf("%s/%d", place, i), depth)
	}
	w.item(a.Get("items"), b.Get("items"), place+"/items", depth)
}

func (w *walk) item(a, b *tree.Node, place string, depth int) {
	switch {
	case free(b):
	case a == nil:
		w.add(Breaking, place, "%s", w.said("was of any type, and is bound now", "may be of any type now"))
	default:
		w.within(a, b, place, depth+1)
	}
}
