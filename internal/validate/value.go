package validate

import (
	"bytes"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// A kind is a set of JSON kinds. Integers are told from other numbers by value, not by spelling: 5.0 is one.
type kind uint8

const (
	kindNull kind = 1 << iota
	kindBoolean
	kindInteger
	kindFraction // a number that is not an integer
	kindString
	kindArray
	kindObject

	kindNumber = kindInteger | kindFraction
	anyKind    = 1<<iota - 1
)

// A value is one JSON value of a document, with its place in it. Whatever is wrong with the text is kept as a flaw where
// it was found, so that a document with a NaN in it can still be told about everything else.
type value struct {
	kind       kind
	start, end int
	raw        []byte // the text of null, a boolean or a number
	str        string // what a string means
	items      []*value
	members    []member
	flaw       string // the rule that the text itself breaks here
}

type member struct {
	name       string
	start, end int // of the key
	value      *value
	flaw       string
}

// find returns the value of the named member, or nil.
func (v *value) find(name string) *value {
	for i := range v.members {
		if v.members[i].name == name {
			return v.members[i].value
		}
	}
	return nil
}

// A parser builds values. It goes on where it can and stops where the text no longer is JSON.
type parser struct {
	doc     []byte
	pos     int
	depth   int
	limit   int // of depth
	stopped bool
	flawed  bool
}

// parse reads a whole document. flawed reports whether the tree has a flaw.
func parse(doc []byte, limit int) (v *value, flawed bool) {
	p := parser{doc: doc, limit: limit}
	p.space()
	v = new(value)
	p.value(v)
	if !p.stopped {
		if p.space(); p.pos < len(doc) {
			p.stop(v, ruleJSON)
		}
	}
	return v, p.flawed
}

func (p *parser) space() { p.pos = jsontext.SkipSpace(p.doc, p.pos) }

// stop marks v as the place where the text cannot be read further.
func (p *parser) stop(v *value, rule string) {
	p.stopped, p.flawed = true, true
	v.flaw = rule
	v.start, v.end = p.pos, min(p.pos+1, len(p.doc))
}

// value reads into v, which its parent already has: where reading stops, the path to the place is known.
func (p *parser) value(v *value) {
	v.start, v.end = p.pos, -1
	if p.pos >= len(p.doc) {
		p.stop(v, ruleJSON)
		return
	}
	switch c := p.doc[p.pos]; c {
	case '"':
		v.kind = kindString
		inside, rule := p.text()
		if p.stopped {
			p.stop(v, ruleJSON)
			return
		}
		v.flaw = rule
		v.str = string(jsontext.AppendUnescaped(nil, inside))
	case '{':
		v.kind = kindObject
		p.object(v)
	case '[':
		v.kind = kindArray
		p.array(v)
	case 'n':
		v.kind = kindNull
		p.token(v, "null")
	case 't':
		v.kind = kindBoolean
		p.token(v, "true")
	case 'f':
		v.kind = kindBoolean
		p.token(v, "false")
	default:
		p.number(v)
	}
	if !p.stopped {
		v.end = p.pos
		v.raw = p.doc[v.start:v.end]
	}
}

func (p *parser) token(v *value, token string) {
	if !bytes.HasPrefix(p.doc[p.pos:], []byte(token)) {
		p.stop(v, ruleJSON)
		return
	}
	p.pos += len(token)
}

func (p *parser) number(v *value) {
	for _, token := range []string{"NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(p.doc[p.pos:], []byte(token)) {
			v.kind = kindFraction
			v.flaw = ruleFinite
			p.flawed = true
			p.pos += len(token)
			return
		}
	}
	end, _, form := scanNumber(p.doc, p.pos)
	if end < 0 {
		p.stop(v, ruleJSON)
		return
	}
	v.kind = kindInteger
	if form >= fractional {
		if d := parseDecimal(p.doc[p.pos:end]); !d.integer() {
			v.kind = kindFraction
		}
	}
	p.pos = end
}

// text reads a string and returns its inside, with the rule that its characters break.
func (p *parser) text() (inside []byte, rule string) {
	start := p.pos + 1
	if end, _ := jsontext.ScanString(p.doc, p.pos); end >= 0 {
		p.pos = end
		return p.doc[start : end-1], ""
	}
	i := start
	for i < len(p.doc) && p.doc[i] != '"' {
		switch c := p.doc[i]; {
		case c < 0x20:
			p.pos, p.stopped = i, true
			return nil, ruleJSON
		case c == '\\':
			n := jsontext.EscapeLen(p.doc, i)
			if n == 0 && i+1 < len(p.doc) && p.doc[i+1] == 'u' && jsontext.Hex(p.doc, i+2) >= 0 {
				n, rule = 6, ruleUTF8 // half a surrogate pair
			}
			if n == 0 {
				p.pos, p.stopped = i, true
				return nil, ruleJSON
			}
			i += n
		default:
			r, n := utf8.DecodeRune(p.doc[i:])
			if r == utf8.RuneError && n == 1 {
				rule = ruleUTF8
			}
			i += n
		}
	}
	if i >= len(p.doc) {
		p.pos, p.stopped = len(p.doc), true
		return nil, ruleJSON
	}
	p.flawed = true
	p.pos = i + 1
	return p.doc[start:i], rule
}

func (p *parser) enter(v *value) bool {
	if p.depth++; p.depth > p.limit {
		p.stop(v, ruleDepth(p.limit))
		return false
	}
	p.pos++
	p.space()
	return true
}

// next reads the comma or the closing bracket after an element.
func (p *parser) next(v *value, closing byte) (more bool) {
	p.space()
	if p.pos >= len(p.doc) || p.doc[p.pos] != ',' && p.doc[p.pos] != closing {
		p.stop(v, ruleJSON)
		return false
	}
	more = p.doc[p.pos] == ','
	p.pos++
	if more {
		p.space()
	}
	return more
}

func (p *parser) array(v *value) {
	if !p.enter(v) {
		return
	}
	defer func() { p.depth-- }()
	if p.pos < len(p.doc) && p.doc[p.pos] == ']' {
		p.pos++
		return
	}
	for {
		item := new(value)
		v.items = append(v.items, item)
		if p.value(item); p.stopped || !p.next(v, ']') {
			return
		}
	}
}

func (p *parser) object(v *value) {
	if !p.enter(v) {
		return
	}
	defer func() { p.depth-- }()
	if p.pos < len(p.doc) && p.doc[p.pos] == '}' {
		p.pos++
		return
	}
	var names map[string]bool // only for objects too large to look through
	for {
		if p.pos >= len(p.doc) || p.doc[p.pos] != '"' {
			p.stop(v, ruleJSON)
			return
		}
		m := member{start: p.pos, value: new(value)}
		inside, rule := p.text()
		if p.stopped {
			p.stop(v, ruleJSON)
			return
		}
		m.name, m.flaw, m.end = string(jsontext.AppendUnescaped(nil, inside)), rule, p.pos
		if len(v.members) == 16 {
			names = make(map[string]bool, 64)
			for _, m := range v.members {
				names[m.name] = true
			}
		}
		if names != nil && names[m.name] || names == nil && v.find(m.name) != nil {
			m.flaw = ruleDuplicate
			p.flawed = true
		}
		if names != nil {
			names[m.name] = true
		}
		if p.space(); p.pos >= len(p.doc) || p.doc[p.pos] != ':' {
			p.stop(v, ruleJSON)
			return
		}
		p.pos++
		p.space()
		v.members = append(v.members, m)
		if p.value(m.value); p.stopped || !p.next(v, '}') {
			return
		}
	}
}
