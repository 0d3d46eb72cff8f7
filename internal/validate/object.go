package validate

import (
	"bytes"
	"encoding/binary"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// This file is the pass at an object.

// Members are those of one object, as far as they have been met.
type members struct {
	met       uint64 // declared properties, the first 64
	wide      int    // where they go on in seen
	expected  int    // the declared property that should come next
	count     int
	base      int  // of undeclared keys
	ascending bool // undeclared keys came in order
}

func (p *pass) object(n *node, i int) int {
	doc, start, at := p.doc, i, i-p.gapped
	if p.depth++; p.depth > jsontext.MaxDepth {
		return -1
	}
	if i = p.space(i + 1); i < len(doc) && doc[i] == '}' {
		p.depth--
		if len(n.required) > 0 || n.minProperties > 0 {
			return -1
		}
		p.differs = p.differs || n.presets != 0
		if p.copying {
			p.text = append(p.text, "{}"...)
		}
		return i + 1
	}
	line := p.openText('{', start, at)
	m := members{wide: len(p.seen), base: len(p.keys), ascending: true}
	for range (len(n.properties) - 1) >> 6 {
		p.seen = append(p.seen, 0)
	}
	for {
		end := i
		if n.straight {
			end = p.straight(n, &m, i)
		}
		if end == i {
			end = p.member(n, &m, i)
		}
		if end < 0 {
			return -1
		}
		if i = p.space(end); i >= len(doc) {
			return -1
		}
		if doc[i] == ',' {
			i = p.space(i + 1)
			continue
		}
		if doc[i] != '}' {
			return -1
		}
		break
	}
	if m.met&n.requiredMask != n.requiredMask || m.count < n.minProperties || m.count > n.maxProperties {
		return -1
	}
	p.differs = p.differs || n.presets&^m.met != 0
	if len(n.properties) > 64 {
		p.steps -= len(n.properties) / 16
		for _, r := range n.required {
			if r >= 64 && p.seen[m.wide+r>>6-1]&(1<<(r&63)) == 0 {
				return -1
			}
		}
		p.seen = p.seen[:m.wide]
	}
	if !m.ascending && p.repeats(p.keys[m.base:]) {
		return -1
	}
	p.keys = p.keys[:m.base]
	p.closeText(line, '}', i)
	p.depth--
	return i + 1
}

// straight goes over members as an encoder writes them, most members there are: declared ones in their order, scalars
// without alternatives, no space between. It returns the index after the last of them: i where there is none.
func (p *pass) straight(n *node, m *members, i int) int {
	if p.level > len(n.properties[0].leads) {
		return i
	}
	doc, text := p.doc, p.text
	at, end := m.expected, i
	for ; at < len(n.properties); at++ {
		d := &n.properties[at]
		start := i + len(d.token)
		if !d.begins(doc, i) || start >= len(doc) || start == p.next || d.node.short || d.node.checksMore ||
			doc[start] <= ' ' || doc[start] == '{' || doc[start] == '[' {
			break
		}
		if end = p.scalar(d.node, start); end < 0 {
			return -1
		}
		p.steps -= 1 + (end-start)>>5
		if p.copying {
			lead := d.leads[p.level-1]
			if m.count == 0 && at == 0 {
				lead = lead[1:]
			}
			text = append(append(text, lead...), doc[start:end]...)
		}
		if i = end + 1; end >= len(doc) || doc[end] != ',' {
			at++
			break
		}
	}
	p.text = text
	run := uint64(1)<<at - uint64(1)<<m.expected
	if m.met&run != 0 {
		return -1
	}
	m.met |= run
	m.count += at - m.expected
	m.expected = at
	return end
}

// member goes over a member of any kind.
func (p *pass) member(n *node, m *members, i int) int {
	at, child := -1, n.additional
	if m.expected < len(n.properties) && n.properties[m.expected].begins(p.doc, i) {
		at = m.expected
		d := &n.properties[at]
		if p.copying {
			p.declared(d, m.count)
		}
		if n.names != nil && !p.quietly(n.names, i) {
			return -1
		}
		i += len(d.token)
	} else {
		if at, i = p.key(n, m, i); i < 0 {
			return -1
		}
	}
	if at >= 0 {
		child = n.properties[at].node
		m.expected = at + 1
		word := &m.met
		if at >= 64 {
			word = &p.seen[m.wide+at>>6-1]
		}
		if *word&(1<<(at&63)) != 0 {
			return -1
		}
		*word |= 1 << (at & 63)
	}
	m.count++
	return p.value(child, p.space(i))
}

// begins reports whether the member at i is that of d, written as an encoder writes it.
func (d *property) begins(doc []byte, i int) bool {
	if i+8 <= len(doc) {
		if binary.LittleEndian.Uint64(doc[i:])&d.mask != d.head {
			return false
		}
		if len(d.token) <= 8 {
			return true
		}
	}
	return i+len(d.token) <= len(doc) && string(doc[i:i+len(d.token)]) == d.token
}

// key goes over a key that is not the expected one, and its colon. It returns the declared property that the key names,
// or -1, and the index after the colon, or -1.
func (p *pass) key(n *node, m *members, i int) (at, after int) {
	doc := p.doc
	if i >= len(doc) || doc[i] != '"' {
		return -1, -1
	}
	end, plain := jsontext.ScanString(doc, i)
	if end < 0 {
		return -1, -1
	}
	p.steps -= (end - i) >> 5
	if !plain && bytes.IndexByte(doc[i:end], '\\') >= 0 {
		p.differs = true
	}
	at = -1
	if n.index != nil {
		at = p.lookup(n, doc[i+1:end-1], plain)
	}
	if at < 0 && !p.again {
		here := span{i + 1, end - 1}
		if len(p.keys) > m.base && m.ascending {
			m.ascending = p.compareKeys(p.keys[len(p.keys)-1], here) < 0
		}
		p.keys = append(p.keys, here)
	}
	if n.names != nil && !p.quietly(n.names, i) {
		return -1, -1
	}
	if p.copying {
		p.element(m.count)
		p.text = append(p.text, doc[i:end]...)
		p.text = append(p.text, ": "...)
	}
	if i = p.space(end); i >= len(doc) || doc[i] != ':' {
		return -1, -1
	}
	return at, i + 1
}
