package web

// A table as CSV (RFC 4180): exactly as given, or with cells that a spreadsheet would run as formulas made plain text.

import (
	"regexp"
	"strings"
)

// exactCSV writes every cell as given. An empty text is quoted, so that it differs from null.
func (t table) exactCSV() string { return t.csv(func(text string) string { return text }) }

// spreadsheetCSV puts an apostrophe, which stays visible, before whatever a spreadsheet would take for a formula. A byte
// order mark tells spreadsheets that this is UTF-8.
func (t table) spreadsheetCSV() string { return "\uFEFF" + t.csv(harmless) }

// guarded counts the cells that spreadsheetCSV changes.
func (t table) guarded() int {
	n := 0
	for _, name := range t.header {
		n += btoi(harmless(name) != name)
	}
	for _, row := range t.rows {
		for _, c := range row {
			n += btoi(c.isText && harmless(*c.text) != *c.text)
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

// Spreadsheets skip blanks and characters without a form before they look for the sign, and take its full-width and small
// forms too. One that is set to another separator, as most are where numbers have a comma, starts a cell within a text.
const (
	blank = `[\s\p{Z}\p{Cc}\p{Cf}]*`
	sign  = `[=+\-@\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}\x{FE66}\x{FE62}\x{FE63}\x{FE6B}]`
)

var (
	formula = regexp.MustCompile(`^` + blank + sign + `|^[\t\r\n]`)
	within  = regexp.MustCompile(`([;\t\r\n]` + blank + `)(` + sign + `)`)
)

func isFormula(text string) bool { return !isNumber(text) && formula.MatchString(text) }

func harmless(text string) string {
	if isFormula(text) {
		text = "'" + text
	}
	return within.ReplaceAllString(text, "$1'$2")
}

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
