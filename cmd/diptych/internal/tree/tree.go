// Package tree reads a JSON document that somebody else wrote, and keeps what a map would lose: the order of keys and
// every digit. Depth and size are bounded.
package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A Kind is one of the six kinds of JSON value.
type Kind byte

const (
	Null Kind = iota
	Boolean
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// A Node is one JSON value. A nil Node is a value that is not there: every method of it answers empty.
type Node struct {
	Kind    Kind
	Raw     []byte // as it is written in the document
	Text    string // of a string, decoded; of a number, its digits
	Items   []*Node
	Members []Member
}

// A Member is one property of an object, in document order. Of a key that is there twice the last one counts.
type Member struct {
	Name  string
	Value *Node
}

// Parse reads one JSON value.
func Parse(doc []byte) (*Node, error) {
	p := parser{doc: doc, dec: json.NewDecoder(bytes.NewReader(doc))}
	p.dec.UseNumber()
	n, err := p.value(0)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	return n, nil
}

type parser struct {
	doc   []byte
	dec   *json.Decoder
	nodes int
}

func (p *parser) value(depth int) (*Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	if p.nodes++; p.nodes > maxNodes {
		return nil, fmt.Errorf("more than %d values", maxNodes)
	}
	start := int(p.dec.InputOffset())
	for start < len(p.doc) && bytes.IndexByte([]byte(" \t\r\n,:"), p.doc[start]) >= 0 {
		start++
	}
	token, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	n := &Node{}
	switch t := token.(type) {
	case nil:
	case bool:
		n.Kind = Boolean
	case json.Number:
		n.Kind, n.Text = Number, t.String()
	case string:
		n.Kind, n.Text = String, t
	case json.Delim:
		if err := p.inside(n, t, depth); err != nil {
			return nil, err
		}
	}
	n.Raw = p.doc[start:p.dec.InputOffset()]
	return n, nil
}

func (p *parser) inside(n *Node, open json.Delim, depth int) error {
	n.Kind = Array
	if open == '{' {
		n.Kind = Object
	}
	for p.dec.More() {
		var name string
		if n.Kind == Object {
			token, err := p.dec.Token()
			if err != nil {
				return err
			}
			name, _ = token.(string)
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		if n.Kind == Object {
			n.Members = append(n.Members, Member{name, v})
		} else {
			n.Items = append(n.Items, v)
		}
	}
	_, err := p.dec.Token()
	return err
}

// Get returns the member called name, or nil.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Name == name {
			return n.Members[i].Value
		}
	}
	return nil
}

// Is reports whether n is there and of kind k.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Str returns the text of the member called name if that is a string, else "".
func (n *Node) Str(name string) string {
	if m := n.Get(name); m.Is(String) {
		return m.Text
	}
	return ""
}

// List returns the items of the member called name.
func (n *Node) List(name string) []*Node {
	if m := n.Get(name); m.Is(Array) {
		return m.Items
	}
	return nil
}

// Has reports whether the list called name holds the string text, as required does.
func (n *Node) Has(name, text string) bool {
	for _, item := range n.List(name) {
		if item.Is(String) && item.Text == text {
			return true
		}
	}
	return false
}

// Nodes returns the members of an object; nil of anything else.
func (n *Node) Nodes() []Member {
	if n == nil {
		return nil
	}
	return n.Members
}
