package validate

// This file writes the space between the tokens of an indented text.

// OneLine reports whether an array or an object is written on one line, where its elements would be at this level of
// indentation and so much of the document and of the text belongs to the block.
func OneLine(level, doc, text int) bool {
	return level > maxLevel || level > safeLevel && text > maxGrowth*doc
}

const lines = ",\n                                "

// Fresh is what is between two elements of an indented text: a comma, a line break and two spaces a level.
func Fresh(level int) string { return lines[:2+2*level] }

// openText writes the bracket of an array or an object at i, which is at this place in the document without the space. line is
// where its text is copied from, or -1.
func (p *pass) openText(c byte, i, at int) (line int) {
	if !p.copying {
		return -1
	}
	if p.line || OneLine(p.level+1, at-p.fromDoc, len(p.text)-p.fromText) {
		p.copying = false
		return i
	}
	p.level++
	p.text = append(p.text, c)
	p.bound()
	return -1
}

// bound gives up where the text has become too long.
func (p *pass) bound() {
	if len(p.text) > p.most {
		p.steps, p.full = -1, true
	}
}

// closeText ends the array or the object whose closing bracket is at i.
func (p *pass) closeText(line int, c byte, i int) {
	switch {
	case line >= 0:
		p.copying = true
		first := len(p.gaps)
		for first > 0 && p.gaps[first-1].start >= line {
			first--
		}
		for _, gap := range p.gaps[first:] {
			p.text = append(p.text, p.doc[line:gap.start]...)
			line = gap.end
		}
		p.text = append(p.text, p.doc[line:i+1]...)
	case p.copying:
		p.level--
		p.text = append(p.text, lines[1:2+2*p.level]...)
		p.text = append(p.text, c)
	}
}

// element writes what comes before an element, the count-th.
func (p *pass) element(count int) {
	if count == 0 {
		p.text = append(p.text, lines[1:2+2*p.level]...)
	} else {
		p.text = append(p.text, lines[:2+2*p.level]...)
		p.bound()
	}
}

// declared writes what comes before the value of a declared property, the count-th member.
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
