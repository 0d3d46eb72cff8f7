package write

import (
	"reflect"
	"sync"

	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A compiler finds the node of each shape under each demand. It stays with its writer, for the types that appear only
// inside interfaces.
type compiler struct {
	anything validate.Demand
	text     *text    // any string
	contents sync.Map // content -> node

	mu     sync.Mutex // guards what follows
	reader *shape.Reader
	nodes  map[pair]node
}

// A pair is a shape and what is asked of its values. One type may be under several demands.
type pair struct {
	shape  *shape.Shape
	demand validate.Demand
}

// A content is the same for a type met inside an interface.
type content struct {
	typ    reflect.Type
	demand validate.Demand
}

func newCompiler(forms shape.Forms, anything validate.Demand) *compiler {
	return &compiler{anything: anything, text: newText(anything), reader: shape.NewReader(forms), nodes: make(map[pair]node)}
}

func (c *compiler) compile(s *shape.Shape, d validate.Demand) node {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.node(s, d)
}

var errorType = reflect.TypeFor[error]()

// inside returns the node of a type met inside an interface. An error there is a failure that was returned as data: most
// errors would be written as {}.
func (c *compiler) inside(t reflect.Type, d validate.Demand) node {
	k := content{t, d}
	if n, ok := c.contents.Load(k); ok {
		return n.(node)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var n node
	if t.Implements(errorType) {
		n = unwritable(ruleError)
	} else {
		n = c.node(c.reader.ReadContents(t), d)
	}
	c.contents.Store(k, n)
	return n
}

func (c *compiler) node(s *shape.Shape, d validate.Demand) node {
	if d.Free() {
		d = c.anything
	}
	k := pair{s, d}
	n := c.nodes[k]
	if n == nil {
		n = c.make(k)
		c.nodes[k] = n
	}
	return n
}

// make makes the node of a pair. Nodes of what may hold itself are remembered before those of their parts are asked for.
func (c *compiler) make(k pair) node {
	s, d := k.shape, k.demand
	if isBlock(s.Type) {
		return &block{marshaler{d, c.anything}}
	}
	if t := c.scalar(s, d); t != nil {
		return &token{t, d, s.Kind == shape.String}
	}
	switch s.Kind {
	case shape.List, shape.Array, shape.Tuple:
		return c.list(k)
	case shape.Map:
		return c.dict(k)
	case shape.Struct:
		return c.object(k)
	case shape.Pointer, shape.Optional:
		p := &pointer{null: d.Takes("null"), block: pointsAtBlock(s), value: s.Value}
		c.nodes[k] = p
		p.elem = c.node(s.Elem, d)
		return p
	case shape.Union:
		u := &union{arms: make([]node, len(s.Parts))}
		c.nodes[k] = u
		for i, part := range s.Parts {
			u.arms[i] = c.node(part, d)
		}
		return u
	case shape.Any:
		return &dynamic{c, d, d == c.anything && s.Type.NumMethod() == 0, d.Takes("null"), pointsAtBlock(s)}
	case shape.Raw, shape.Promise:
		return newPromise(s, d, c.anything)
	case shape.JSON:
		return &marshaler{d, c.anything}
	case shape.Text:
		return &textMarshaler{newText(d), d}
	}
	return c.invalid(k)
}

// invalid is a type that registration refuses, and that can therefore only be inside an interface. Where encoding/json has a
// reading of it, that reading is followed; what nothing can write is a fault.
func (c *compiler) invalid(k pair) node {
	s := k.shape
	switch {
	case s.Key != nil:
		return c.dict(k)
	case s.Elem != nil:
		same := new(alias)
		c.nodes[k] = same
		same.node = c.node(s.Elem, k.demand)
		return same
	}
	return unwritable(s.Problem)
}

// An alias is a node that another one was asked for by, before it was made.
type alias struct{ node }

// An unwritable is a type without a JSON form.
type unwritable string

func (u unwritable) write(*buffer, reflect.Value) *fault { return broken(string(u), nil) }

// A checked is a value of which the schema asks something that takes a second reading: it is written as if nothing were
// asked, then that part of the document is read.
type checked struct {
	node
	demand validate.Demand
}

func (c *compiler) checked(k pair) node {
	return &checked{c.node(k.shape, c.anything), k.demand}
}

func (c *checked) write(b *buffer, v reflect.Value) *fault {
	start := len(b.doc)
	f := c.node.write(b, v)
	if f == nil {
		b.meets(c.demand, start)
	}
	return f
}

func (c *checked) split(b *buffer, v reflect.Value) *fault {
	start := len(b.doc)
	f := split(b, c.node, v)
	if f == nil {
		b.meets(c.demand, start)
	}
	return f
}
