package encode

import (
	"reflect"
	"sync"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// A node writes values of one shape. Nodes of recursive types are cyclic.
type node struct {
	write writeFunc
	split splitFunc // nil where a value is one block
	bare  bool      // where split is nil: the block is a string
}

type (
	// A writeFunc appends the JSON of v. Depth counts the pointers, lists and maps around it.
	writeFunc func(dst []byte, v reflect.Value, depth int) ([]byte, *fault)
	// A splitFunc is a writeFunc that also marks the blocks of v.
	splitFunc func(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, *fault)
)

// A compiler turns shapes into nodes and remembers them. One stays behind every Encoder, for the types that appear
// only inside interfaces.
type compiler struct {
	contents sync.Map // reflect.Type of an interface's contents -> *node

	mu     sync.Mutex // guards what follows
	reader *shape.Reader
	nodes  map[*shape.Shape]*node
}

func newCompiler(forms shape.Forms) *compiler {
	return &compiler{reader: shape.NewReader(forms), nodes: make(map[*shape.Shape]*node)}
}

func (c *compiler) compile(s *shape.Shape) *node {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.node(s)
}

// inside returns the node of a type met inside an interface.
func (c *compiler) inside(t reflect.Type) *node {
	if n, ok := c.contents.Load(t); ok {
		return n.(*node)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.node(c.reader.ReadContents(t))
	c.contents.Store(t, n)
	return n
}

func (c *compiler) node(s *shape.Shape) *node {
	if n := c.nodes[s]; n != nil {
		return n
	}
	n := new(node)
	c.nodes[s] = n
	c.fill(n, s)
	return n
}

func (c *compiler) fill(n *node, s *shape.Shape) {
	switch s.Kind {
	case shape.Bool:
		n.write = writeBool
	case shape.Int:
		n.write = writeInt
	case shape.Uint:
		n.write = writeUint
	case shape.Float:
		n.write = writeFloat64
		if s.Type.Kind() == reflect.Float32 {
			n.write = writeFloat32
		}
	case shape.String:
		n.write, n.bare = writeString, true
	case shape.Number:
		n.write = writeNumber
	case shape.Bytes:
		n.write = writeBytes
	case shape.List:
		l := list{c.node(s.Elem)}
		n.write, n.split = l.write, l.split
	case shape.Array:
		a := array{c.node(s.Elem)}
		n.write, n.split = a.write, a.split
	case shape.Tuple:
		t := tuple(c.each(s.Parts))
		n.write, n.split = t.write, t.split
	case shape.Map:
		n.write = c.dict(s).write
	case shape.Struct:
		n.write = c.object(s).write
	case shape.Pointer:
		p := pointer{c.node(s.Elem)}
		n.write, n.split = p.write, p.split
	case shape.Optional:
		o := optional{c.node(s.Elem), s.Value}
		n.write, n.split = o.write, o.split
	case shape.Union:
		u := union(c.each(s.Parts))
		n.write, n.split = u.write, u.split
	case shape.Any:
		a := c.anything(s.Type)
		n.write, n.split = a.write, a.split
	case shape.Raw:
		n.write, n.split = writeRaw, splitRaw
	case shape.Promise:
		p := promise{s.Elem}
		n.write, n.split = p.write, p.split
	case shape.JSON:
		n.write = writeMarshalJSON
		if s.Type == timeTime {
			n.write = writeTime
		}
	case shape.Text:
		n.write = writeMarshalText
	default:
		c.invalid(n, s)
	}
}

func (c *compiler) each(shapes []*shape.Shape) []*node {
	nodes := make([]*node, len(shapes))
	for i, s := range shapes {
		nodes[i] = c.node(s)
	}
	return nodes
}

// invalid writes a type that registration refuses, and that can therefore only stand inside an interface. Where
// encoding/json has a reading of it, that reading is followed; what nothing can write is a fault.
func (c *compiler) invalid(n *node, s *shape.Shape) {
	switch {
	case s.Key != nil:
		n.write = c.dict(s).write
	case s.Elem != nil:
		elem := c.node(s.Elem) // perhaps still being filled, further up
		n.write = func(dst []byte, v reflect.Value, depth int) ([]byte, *fault) { return elem.write(dst, v, depth) }
	default:
		n.write = func(dst []byte, _ reflect.Value, _ int) ([]byte, *fault) {
			return dst, broken(s.Problem, nil)
		}
	}
}
