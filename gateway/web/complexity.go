package web

// What Markdown can become, counted before it is rendered. A table's short rows are padded to the width of its header, and
// some syntax is looked for to the end of the paragraph each time that it begins: 64 KiB can become 14 GiB, or take seconds.

import "strings"

// A complexity counts, in one pass and never too little.
type complexity struct {
	nodes int // elements and texts of the tree
	steps int // of what is done again and again within a paragraph

	paragraph paragraph
}

type paragraph struct {
	bytes, lines int
	cells        int // of its widest line
	ruled        bool
	delimiters   int // characters of emphasis: each is compared with those before it
	openers      int // what is looked for to the end of the paragraph: links, code, HTML
}

// simple reports whether text may be rendered as Markdown.
func simple(text string) bool {
	if len(text) > maxProse {
		return false
	}
	var c complexity
	for line := range strings.Lines(text) {
		if len(line) > maxLine || !c.line(line) {
			return false
		}
	}
	c.end()
	return c.nodes <= maxNodes && c.steps <= maxSteps
}

// line takes the next line, and reports whether it is nested no deeper than may be.
func (c *complexity) line(line string) bool {
	nesting, rest, item := containers(line)
	blank := strings.TrimSpace(line) == ""
	if item || blank { // an item begins a paragraph of its own
		c.end()
	}
	if blank {
		return true
	}
	c.nodes += 1 + nesting
	p := &c.paragraph
	p.bytes += len(line)
	p.lines++
	cells, ruled := 1, false
	for i := range len(rest) {
		switch rest[i] {
		case '|':
			cells++
		case '-':
			ruled = true
		case '*', '_', '~':
			p.delimiters++
		case '[', ']', '<', '`':
			p.openers++
		}
	}
	p.cells = max(p.cells, cells)
	// The line below a table's header has nothing but these; a table of one column may have no bar.
	p.ruled = p.ruled || ruled && strings.Trim(rest, "|-: \t\r\n") == ""
	return nesting <= maxNesting
}

// end counts the paragraph so far.
func (c *complexity) end() {
	p := &c.paragraph
	c.nodes += p.delimiters + p.openers
	if p.ruled {
		c.nodes += p.cells * p.lines
	}
	c.steps += p.delimiters*p.delimiters + p.openers*p.bytes
	*p = paragraph{}
}

// containers counts the quotes and lists that a line begins with. The rest is what follows them. Item holds for a line that
// begins with the marker of a list, which ends a paragraph wherever it is.
func containers(line string) (n int, rest string, item bool) {
	indent := 0
	for rest = line; rest != ""; {
		switch {
		case rest[0] == ' ' || rest[0] == '\t':
			rest = rest[1:]
			indent++
			continue
		case rest[0] == '>':
			rest = rest[1:]
		case marker(rest) > 0:
			item = item || n == 0 && indent < 4 && rest[0] != '\t' && (rest[0] < '0' || rest[0] > '9') && strings.TrimSpace(rest[1:]) != ""
			rest = rest[marker(rest):]
		default:
			return n, rest, item
		}
		n++
	}
	return n, rest, item
}

// marker is how long the marker of a list item at the start of s is.
func marker(s string) int {
	i := 0
	if s[0] == '-' || s[0] == '*' || s[0] == '+' {
		i = 1
	} else {
		for i < len(s) && i < 9 && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		if i == 0 || i == len(s) || s[i] != '.' && s[i] != ')' {
			return 0
		}
		i++
	}
	if i < len(s) && s[i] != ' ' && s[i] != '\t' && s[i] != '\r' && s[i] != '\n' {
		return 0
	}
	return i
}
