package validate

// This file tells a writer, which knows beforehand what it is about to write, what a schema asks of one value.

// A Demand is what a compiled schema asks of one value. Its methods are about demands that are simple enough to be met while
// a value is written; where ok is false, a Reader checks the finished bytes.
type Demand struct{ n *node }

// Demand is what the schema asks of a whole document. ok is false where only the walker can tell.
func (c *Checker) Demand() (d Demand, ok bool) { return Demand{c.root}, !c.slow }

// Anything is the demand that every JSON value meets.
func (c *Checker) Anything() Demand { return Demand{c.open} }

// Free reports whether the demand is met by every JSON value, and asks nothing of what is in it.
func (d Demand) Free() bool {
	n := d.n
	for n.jump != nil {
		n = n.jump
	}
	return n.kinds == anyKind && n.plain() && !n.short && !n.checksMore
}

// Only is what is asked of the one member of an object, under this name. ok is false where that is not all that is asked.
func (d Demand) Only(name string) (_ Demand, ok bool) {
	o, ok := d.Object()
	if !ok || o.Min > 1 || o.Max < 1 {
		return d, false
	}
	for _, required := range o.Required() {
		if required != name {
			return d, false
		}
	}
	return o.Property(name), true
}

// of follows references and forks to what is asked of a value with this first byte: nil where none is taken.
func (d Demand) of(first byte) *node {
	n := d.n
	for n != nil && n.short {
		if n.jump != nil {
			n = n.jump
		} else {
			n = n.fork[slot(first)]
		}
	}
	return n
}

// Takes reports whether a token without a variable part, such as null, meets the demand.
func (d Demand) Takes(token string) bool {
	p := pass{next: -1, steps: stepsBase}
	return p.rest(d, []byte(token), 0)
}

// maxSmall is the greatest integer of 18 digits: up to there integers are compared as such.
const maxSmall = 999_999_999_999_999_999

// Numbers returns the range of integers that meet the demand, as far as that needs no more than a look at the value.
// fractions says that what lies between two of them meets it too. Outside of the range a Reader decides.
func (d Demand) Numbers() (low, high int64, fractions bool) {
	n := d.of('0')
	if n == nil || n.kinds&kindInteger == 0 || n.multiple != nil || n.checksMore {
		return 1, 0, false
	}
	return max(n.lowInt, -maxSmall), min(n.highInt, maxSmall), n.kinds&kindNumber == kindNumber
}

// Strings is what is asked of strings.
type Strings struct {
	Min, Max int      // code points
	Words    []string // those that are taken; nil: all
	Closer   bool     // more is asked, which a Reader decides
}

// Strings returns what the demand asks of a string; ok is false where it takes none.
func (d Demand) Strings() (s Strings, ok bool) {
	n := d.of('"')
	if n == nil || n.kinds&kindString == 0 {
		return Strings{}, false
	}
	return Strings{n.minLength, n.maxLength, n.words, n.pattern != nil || n.format != nil || n.base64 || n.checksMore}, true
}

// An Array is what is asked of arrays.
type Array struct {
	Min, Max int // items
	n        *node
}

// Array returns what the demand asks of an array; ok is false where that is not simple.
func (d Demand) Array() (a Array, ok bool) {
	n := d.of('[')
	if n == nil || n.kinds&kindArray == 0 || n.unique || n.checksMore {
		return Array{}, false
	}
	return Array{n.minItems, n.maxItems, n}, true
}

// Item is what is asked of the i-th item.
func (a Array) Item(i int) Demand {
	if i < len(a.n.prefix) {
		return Demand{a.n.prefix[i]}
	}
	return Demand{a.n.items}
}

// Uniform reports whether the same is asked of all items.
func (a Array) Uniform() bool { return len(a.n.prefix) == 0 }

// An Object is what is asked of objects.
type Object struct {
	Min, Max int // members
	n        *node
}

// Object returns what the demand asks of an object; ok is false where that is not simple.
func (d Demand) Object() (o Object, ok bool) {
	n := d.of('{')
	if n == nil || n.kinds&kindObject == 0 || n.names != nil || n.checksMore {
		return Object{}, false
	}
	return Object{n.minProperties, n.maxProperties, n}, true
}

// Property is what is asked of the member of this name.
func (o Object) Property(name string) Demand {
	if i, ok := o.n.index[name]; ok {
		return Demand{o.n.properties[i].node}
	}
	return Demand{o.n.additional}
}

// Uniform reports whether the same is asked of all members, and none has to be there.
func (o Object) Uniform() bool { return len(o.n.properties) == 0 }

// Required lists the members that have to be there.
func (o Object) Required() []string {
	names := make([]string, len(o.n.required))
	for i, at := range o.n.required {
		names[i] = o.n.properties[at].name
	}
	return names
}
