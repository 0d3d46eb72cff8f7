package tree

import "strings"

// Follow returns the schema that a node refers to: the target of its $ref within root, through at most a few steps. A
// reference that leads nowhere, or in a circle, returns nil. Name is the last part of the last reference, or "".
func Follow(root, n *Node) (target *Node, name string) {
	for range maxSteps {
		ref := n.Str("$ref")
		if ref == "" {
			return n, name
		}
		if n = at(root, ref); n == nil {
			return nil, name
		}
		name = ref[strings.LastIndexAny(ref, "/#")+1:]
	}
	return nil, name
}

// at resolves a JSON pointer in a fragment (RFC 6901), such as #/$defs/Slot.
func at(root *Node, ref string) *Node {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	n := root
	for _, token := range strings.Split(path, "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~", "%24", "$").Replace(token)
		n = n.Get(token)
	}
	return n
}
