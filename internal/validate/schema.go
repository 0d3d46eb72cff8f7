// Package validate checks JSON documents against JSON Schemas (draft 2020-12), as bytes: one strict pass gives the verdict
// and writes the indented text, a slower walker explains a refusal, and schemas from elsewhere are screened first.
//
// It knows nothing of Go types. Numbers are compared exactly, formats and base64 content are asserted, duplicate keys and
// text that is not UTF-8 are refused.
package validate

import (
	"math"
	"sync"
)

// A Checker is a JSON Schema compiled once. It is safe for concurrent use.
type Checker struct {
	title  string
	root   *node
	open   *node // anything
	slow   bool  // a keyword that the single pass does not know: the walker gives the verdict
	tracks bool  // unevaluatedProperties or unevaluatedItems is there, so the walker keeps account
	passes sync.Pool
}

// Title returns the title of the root schema, or "".
func (c *Checker) Title() string { return c.title }

// Check reports whether doc is JSON that the schema accepts.
func (c *Checker) Check(doc []byte) bool {
	p := c.passes.Get().(*pass)
	defer c.passes.Put(p)
	if !c.slow {
		if ok, spent := p.check(c.root, doc); !spent {
			return ok
		}
	}
	ok, _ := p.check(c.open, doc)
	return ok && c.accepts(doc)
}

// unbounded is the maximum of a count that has none.
const unbounded = math.MaxInt

// A node is one compiled schema. Children are never nil where a document can lead to them: what is not said is anything.
type node struct {
	// What the single pass reads of every value comes first: it shares a cache line.
	kinds        kind // what type allows
	short        bool // jump or fork is there
	checksString bool
	readsString  bool // more than the length of it
	checksNumber bool
	checksMore   bool  // enum, references or alternatives
	straight     bool  // members may be gone over in one run
	jump         *node // replaces this node altogether
	fork         *fork // alternatives that the first byte tells apart

	never  bool   // the schema false
	gap    bool   // no schema at all: fills the place of a missing keyword
	admits kind   // what can pass when references and alternatives are counted in
	at     string // JSON pointer, for errors of Compile

	enum  *enumeration // const is an enumeration of one
	words []string     // its values, where they are few and all strings

	// Strings.
	minLength, maxLength int
	pattern              *pattern
	format               *format
	base64               bool

	// Numbers.
	low, high       *bound
	lowInt, highInt int64 // the same bounds for integers of at most 18 digits
	multiple        *divisor
	multipleText    string

	// Arrays.
	prefix             []*node
	items              *node
	minItems, maxItems int
	unique             bool

	// Objects. After the declared properties come those that are only required, under the rule of all others.
	properties                   []property
	declared                     int
	index                        map[string]int
	required                     []int
	requiredMask                 uint64 // of the first 64
	presets                      uint64 // the first 64 that have a default; all, if one beyond has
	additional                   *node
	names                        *node // propertyNames; nil: any
	minProperties, maxProperties int

	ref                 *node
	allOf, anyOf, oneOf []*node
	not                 *node
	rest                *rest

	fallback *value // default
	title    string
}

type property struct {
	head     uint64 // the first eight bytes of token, as far as it goes
	mask     uint64 // the bytes of head that count
	token    string // "name": as an encoder writes it
	name     string
	spaced   string    // the same and a space, as an indented text has it
	leads    [3]string // the same after a comma and a new line, by level of indentation from 1
	node     *node
	required bool
}

// everything is what a node without keywords allows. Each Checker has its own nodes: this only fills their gaps.
func everything() *node {
	return &node{
		kinds: anyKind, admits: anyKind,
		maxLength: unbounded, maxItems: unbounded, maxProperties: unbounded,
		lowInt: math.MinInt64, highInt: math.MaxInt64,
	}
}
