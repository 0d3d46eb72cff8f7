package validate

// This file writes the space between the tokens of an indented text.

// fresh holds what Fresh returns at the deepest level.
const (
	spaces64 = "                                                                "
	spaces2k = spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 +
		spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 +
		spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 +
		spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64 + spaces64
	fresh = ",\n" + spaces2k
)

func (p *pass) openBracket(c byte) {
	p.level++
	p.text = append(p.text, c)
}

func (p *pass) closeBracket(c byte) {
	p.level--
	p.text = append(p.text, fresh[1:2+2*p.level]...)
	p.text = append(p.text, c)
}

// element writes what stands before an element, the count-th.
func (p *pass) element(count int) {
	if count == 0 {
		p.text = append(p.text, fresh[1:2+2*p.level]...)
	} else {
		p.text = append(p.text, fresh[:2+2*p.level]...)
	}
}

// declared writes what stands before the value of a declared property, the count-th member.
func (p *pass) declared(d *property, count int) {
	if p.level > len(d.leads) {
		p.element(count)
		p.text = append(p.text, d.spaced...)
		return
	}
	lead := d.leads[p.level-1]
	if count == 0 {
		lead = lead[1:]
	}
	p.text = append(p.text, lead...)
}

// Fresh is what stands between two elements of an indented text: a comma, a line break and two spaces a level.
func Fresh(level int) string { return fresh[:2+2*level] }
