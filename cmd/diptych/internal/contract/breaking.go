package contract

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// A walk asks whether every value of one schema, narrow, is one of another, wide. Where it is not, a client of the old version
// breaks: for arguments narrow is the old schema, for results the new one.
type walk struct {
	input        bool
	narrow, wide schema
	changes      []Change
	pairs        int
	spent        bool
	open         map[[2]*tree.Node]bool // pairs that are being compared: a recursive type comes back to itself
}

func (w *walk) add(kind Kind, place, format string, args ...any) {
	w.changes = append(w.changes, Change{Kind: kind, Place: place, What: fmt.Sprintf(format, args...)})
}

// said chooses between the words for arguments and for results.
func (w *walk) said(arguments, results string) string {
	if w.input {
		return arguments
	}
	return results
}

// within adds what keeps the values of a from being values of b.
func (w *walk) within(a, b *tree.Node, place string, depth int) {
	if w.pairs++; w.pairs > maxPairs || depth > maxDepth {
		if !w.spent {
			w.add(Unsure, place, "is too large to be compared further")
		}
		w.spent = true
		return
	}
	if free(b) {
		return
	}
	if a != nil && a.Kind == tree.Boolean && string(a.Raw) == "false" {
		return // it has no values
	}
	if b.Is(tree.Boolean) {
		w.add(Breaking, place, "%s", w.said("is refused now", "is a value that could not be there before"))
		return
	}
	pair := [2]*tree.Node{a, b}
	if w.open[pair] {
		return
	}
	if w.open == nil {
		w.open = make(map[[2]*tree.Node]bool)
	}
	w.open[pair] = true
	a, b = w.follow(w.narrow.root, a), w.follow(w.wide.root, b)
	if free(b) || same(a, b) && !refers(a) && !refers(b) {
		return
	}
	if arms := arms(a); arms != nil {
		for _, arm := range arms {
			w.within(merged(a, arm), b, place, depth+1)
		}
		return
	}
	if arms := arms(b); arms != nil {
		w.among(a, b, arms, place, depth)
		return
	}
	for _, arm := range b.List("allOf") {
		w.within(a, arm, place, depth+1)
	}
	for _, arm := range a.List("allOf") {
		a = merged(a, arm)
	}
	w.types(a, b, place)
	w.values(a, b, place)
	w.bounds(a, b, place)
	w.texts(a, b, place)
	w.items(a, b, place, depth)
	w.members(a, b, place, depth)
	for _, keyword := range []string{"not", "if", "then", "else", "contains", "minContains", "maxContains", "propertyNames", "patternProperties",
		"dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems", "$dynamicRef"} {
		if x, y := a.Get(keyword), b.Get(keyword); y != nil && !same(x, y) {
			w.add(Unsure, place, "%s differs, and no rule decides it", keyword)
		}
	}
}

func (w *walk) follow(root, n *tree.Node) *tree.Node {
	target, _ := tree.Follow(root, n)
	if target == nil {
		return &tree.Node{Kind: tree.Object}
	}
	if target == n || len(n.Members) == 1 {
		return target
	}
	return merged(n, target)
}

// free reports whether a schema takes every value.
func free(n *tree.Node) bool {
	if n == nil || n.Is(tree.Boolean) && string(n.Raw) == "true" {
		return true
	}
	if n.Kind != tree.Object {
		return false
	}
	return !slices.ContainsFunc(n.Members, func(m tree.Member) bool { return !annotation(m.Name) })
}

func annotation(keyword string) bool {
	switch keyword {
	case "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$id", "$schema", "$anchor", "$defs", "definitions":
		return true
	}
	return strings.HasPrefix(keyword, "x-")
}

// arms are the alternatives of a union; nil where n is none.
func arms(n *tree.Node) []*tree.Node {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list := n.List(keyword); len(list) > 0 {
			return list
		}
	}
	if kinds := n.List("type"); len(kinds) > 1 {
		var list []*tree.Node
		for _, k := range kinds {
			list = append(list, &tree.Node{Kind: tree.Object, Members: []tree.Member{{Name: "type", Value: k}}})
		}
		return list
	}
	return nil
}

// merged is n with the members of arm in the place of its own and of its alternatives. Required lists are joined.
func merged(n, arm *tree.Node) *tree.Node {
	if !arm.Is(tree.Object) {
		return arm
	}
	out := &tree.Node{Kind: tree.Object}
	for _, m := range n.Members {
		switch {
		case m.Name == "anyOf", m.Name == "oneOf", m.Name == "$ref", m.Name == "allOf", m.Name == "type" && arm.Get("type") != nil:
		case m.Name == "required" && arm.Get("required") != nil:
			both := &tree.Node{Kind: tree.Array, Items: append(slices.Clone(m.Value.Items), arm.List("required")...)}
			out.Members = append(out.Members, tree.Member{Name: "required", Value: both})
		case m.Name == "properties" && arm.Get("properties").Is(tree.Object):
			both := &tree.Node{Kind: tree.Object, Members: append(slices.Clone(m.Value.Members), arm.Get("properties").Members...)}
			out.Members = append(out.Members, tree.Member{Name: "properties", Value: both})
		case arm.Get(m.Name) == nil:
			out.Members = append(out.Members, m)
		}
	}
	for _, m := range arm.Members {
		if (m.Name == "required" || m.Name == "properties") && n.Get(m.Name) != nil {
			continue
		}
		out.Members = append(out.Members, m)
	}
	return out
}

// among asks whether the values of a are values of one of the alternatives of b.
func (w *walk) among(a, b *tree.Node, arms []*tree.Node, place string, depth int) {
	var nearest []Change
	fits := 0
	for _, arm := range arms {
		arm = w.follow(w.wide.root, merged(b, w.follow(w.wide.root, arm)))
		if !overlap(kinds(a), kinds(arm)) {
			continue
		}
		fits++
		trial := walk{input: w.input, narrow: w.narrow, wide: w.wide, pairs: w.pairs, open: w.copyOpen()}
		trial.within(a, arm, place, depth+1)
		w.pairs = trial.pairs
		if len(trial.changes) == 0 {
			return
		}
		if nearest == nil || len(trial.changes) < len(nearest) {
			nearest = trial.changes
		}
	}
	switch fits {
	case 0:
		w.add(Breaking, place, "%s", w.said("may be "+listed(kinds(a))+", which no alternative takes now", "may be "+listed(kinds(a))+" now, which no alternative had"))
	case 1:
		w.changes = append(w.changes, nearest...)
	default:
		w.add(Unsure, place, "no single one of the alternatives takes all that %s", w.said("was taken before", "may come now"))
	}
}

func (w *walk) copyOpen() map[[2]*tree.Node]bool {
	out := make(map[[2]*tree.Node]bool, len(w.open))
	for k := range w.open {
		out[k] = true
	}
	return out
}

var everyKind = []string{"null", "boolean", "integer", "number", "string", "array", "object"}

// kinds are the types that a schema allows.
func kinds(n *tree.Node) []string {
	var out []string
	if k := n.Str("type"); k != "" {
		out = []string{k}
	}
	for _, k := range n.List("type") {
		out = append(out, k.Text)
	}
	values := n.List("enum")
	if c := n.Get("const"); c != nil {
		values = []*tree.Node{c}
	}
	if out == nil && len(values) > 0 {
		for _, v := range values {
			k := v.Kind.String()
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	if out == nil {
		return everyKind
	}
	return out
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(k string) bool { return takes(b, k) || k == "number" && slices.Contains(b, "integer") })
}

// takes reports whether every value of the kind is of one of these kinds.
func takes(kinds []string, kind string) bool {
	return slices.Contains(kinds, kind) || kind == "integer" && slices.Contains(kinds, "number")
}

func (w *walk) members(a, b *tree.Node, place string, depth int) {
	if !overlap(kinds(a), []string{"object"}) {
		return
	}
	for _, name := range b.List("required") {
		if !a.Has("required", name.Text) {
			w.add(Breaking, place+"/"+name.Text, "%s", w.said("is required now", "may be absent now"))
			w.changes[len(w.changes)-1].absence = true
		}
	}
	rest := b.Get("additionalProperties")
	if p := a.Get("properties"); p.Is(tree.Object) {
		for _, m := range p.Members {
			at := place + "/" + m.Name
			theirs := b.Get("properties").Get(m.Name)
			switch {
			case theirs != nil:
				w.within(m.Value, theirs, at, depth+1)
			case b.Get("patternProperties") != nil:
				w.add(Unsure, at, "is now a matter of patternProperties, and no rule decides it")
			case rest.Is(tree.Boolean) && string(rest.Raw) == "false":
				w.add(Breaking, at, "%s", w.said("was removed", "was added, where the old schema allows nothing more"))
			case rest.Is(tree.Object):
				w.within(m.Value, rest, at, depth+1)
			}
		}
	}
	own := a.Get("additionalProperties")
	closed := own.Is(tree.Boolean) && string(own.Raw) == "false"
	switch {
	case free(rest) || closed:
	case rest.Is(tree.Boolean):
		kind := Breaking
		if !w.input {
			kind = Unsure
		}
		w.add(kind, place, "%s", w.said("takes no further members now", "may have further members now"))
	default:
		if own == nil {
			w.add(Unsure, place, "%s", w.said("bounds its further members now", "no longer bounds its further members"))
		} else {
			w.within(own, rest, place+"/*", depth+1)
		}
	}
}

// gone notes what differs without breaking a schema: arguments and fields that came, and optional fields that went.
func (w *walk) gone(was, is, wasRoot, isRoot *tree.Node, place string, depth int) {
	if depth > maxDepth || w.pairs > maxPairs {
		return
	}
	w.pairs++
	was, _ = tree.Follow(wasRoot, was)
	is, _ = tree.Follow(isRoot, is)
	old, now := was.Get("properties"), is.Get("properties")
	if old.Is(tree.Object) && now.Is(tree.Object) {
		for _, m := range old.Members {
			at := place + "/" + m.Name
			other := now.Get(m.Name)
			switch {
			case other != nil && !same(m.Value, other):
				w.texted(m.Value, other, at)
				w.gone(m.Value, other, wasRoot, isRoot, at, depth+1)
			case other == nil && !w.input && !was.Has("required", m.Name):
				w.add(Unsure, at, "was optional and is gone: a client that reads it finds nothing")
			case other == nil && w.input && !closedTo(is):
				w.add(Unsure, at, "is no longer known: it may be sent and has no effect")
			}
		}
		for _, m := range now.Members {
			if old.Get(m.Name) == nil && !(w.input && is.Has("required", m.Name)) && !(!w.input && closedTo(was)) {
				w.add(Safe, place+"/"+m.Name, "was added")
			}
		}
	}
	if a, b := was.Get("items"), is.Get("items"); a.Is(tree.Object) && b.Is(tree.Object) && !same(a, b) {
		w.gone(a, b, wasRoot, isRoot, place+"/items", depth+1)
	}
	if w.input {
		for _, name := range was.List("required") {
			if !is.Has("required", name.Text) && now.Get(name.Text) != nil {
				w.add(Safe, place+"/"+name.Text, "may be left out now")
			}
		}
	}
}

func closedTo(n *tree.Node) bool {
	rest := n.Get("additionalProperties")
	return rest.Is(tree.Boolean) && string(rest.Raw) == "false"
}

// texted notes defaults and descriptions.
func (w *walk) texted(was, is *tree.Node, place string) {
	if a, b := was.Get("default"), is.Get("default"); !same(a, b) && w.input {
		w.add(Unsure, place, "has another default: a call that leaves it out means something else")
	}
	if was.Str("description") != is.Str("description") {
		w.add(Safe, place, "has another description")
	}
}

// refers reports whether a schema has a reference anywhere: its text alone does not say what it means.
func refers(n *tree.Node) bool {
	return n != nil && bytes.Contains(n.Raw, []byte(`"$ref"`)) || n != nil && n.Raw == nil
}

// same reports whether two values are equal as JSON: in any order of keys, by the digits of numbers.
func same(a, b *tree.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || len(a.Items) != len(b.Items) {
		return false
	}
	switch a.Kind {
	case tree.Array:
		for i := range a.Items {
			if !same(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	case tree.Object:
		return len(a.Members) == len(b.Members) && !slices.ContainsFunc(a.Members, func(m tree.Member) bool { return b.Get(m.Name) == nil || !same(m.Value, b.Get(m.Name)) })
	case tree.Number:
		if x, y := number(a), number(b); x != nil && y != nil {
			return x.Cmp(y) == 0
		}
	case tree.Boolean:
		return string(a.Raw) == string(b.Raw)
	}
	return a.Text == b.Text
}

func shown(raw []byte) string {
	text := string(raw)
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return text
}
