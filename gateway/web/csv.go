package web

// A table as CSV (RFC 4180): exactly as given, or with cells that a spreadsheet would run as formulas made plain text.

import (
	"regexp"
	"strings"
)

// exactCSV writes every cell as given. An empty text is quoted, so that it differs from null.
func (t table) exactCSV() string { return t.csv(func(text string) string { return text }) }

// spreadsheetCSV puts an apostrophe, which stays visible, before each text that a spreadsheet would take for a formula.
// A byte order mark tells spreadsheets that this is UTF-8.
func (t table) spreadsheetCSV() string {
	return "\uFEFF" + t.csv(func(text string) string {
		if isFormula(text) {
			return "'" + text
		}
		return text
	})
}

// guarded counts the cells that spreadsheetCSV changes.
func (t table) guarded() int {
	n := 0
	for _, name := range t.header {
		n += btoi(isFormula(name))
	}
	for _, row := range t.rows {
		for _, c := range row {
			n += btoi(c.isText && isFormula(*c.text))
		}
	}
	return n
}

func (t table) csv(text func(string) string) string {
	var b strings.Builder
	line := func(n int, field func(i int)) {
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			field(i)
		}
		b.WriteString("\r\n")
	}
	line(len(t.header), func(i int) { writeField(&b, text(t.header[i])) })
	for _, row := range t.rows {
		line(len(row), func(i int) {
			switch c := row[i]; {
			case c.text == nil:
			case c.isText:
				writeField(&b, text(*c.text))
			default:
				b.WriteString(*c.text)
			}
		})
	}
	return b.String()
}

// Spreadsheets skip blanks and control characters before they look for the sign, and take its full-width forms too.
var formula = regexp.MustCompile(`^[\s\p{Z}\x00-\x1F\x7F\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}-\x{2069}\x{FEFF}]*[=+\-@\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}]|^[\t\r\n]`)

func isFormula(text string) bool { return !isNumber(text) && formula.MatchString(text) }

var quoted = regexp.MustCompile(`^$|[",\r\n]|^[\s\p{Z}\x{FEFF}]|[\s\p{Z}\x{FEFF}]$`)

func writeField(b *strings.Builder, text string) {
	if !quoted.MatchString(text) {
		b.WriteString(text)
		return
	}
	b.WriteByte('"')
	b.WriteString(strings.ReplaceAll(text, `"`, `""`))
	b.WriteByte('"')
}
