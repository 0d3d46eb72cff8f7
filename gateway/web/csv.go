package web

// A table as CSV (RFC 4180): exactly as given, or with cells that a spreadsheet would run as formulas made plain text.

import (
	"regexp"
	"strings"
)

// exactCSV writes every cell as given. An empty text is quoted, so that it differs from null.
func (t table) exactCSV() string {
	same := func(text string) string { return text }
	return t.csv(',', same, same)
}

// spreadsheetCSV puts an apostrophe, which stays visible, before whatever a spreadsheet would take for a formula. Where the
// language writes a decimal comma, spreadsheets expect it, and semicolons between the cells. A byte order mark tells them
// that this is UTF-8.
func (t table) spreadsheetCSV() string {
	if t.language != "es" && t.language != "pt" {
		return "\uFEFF" + t.csv(',', harmless, func(number string) string { return number })
	}
	return "\uFEFF" + t.csv(';', func(text string) string { return comma.ReplaceAllString(harmless(text), "$1'$2") }, func(number string) string { return strings.Replace(number, ".", ",", 1) })
}

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

func (t table) csv(separator byte, text, number func(string) string) string {
	special := string(separator)
	var b strings.Builder
	line := func(n int, field func(i int)) {
		for i := range n {
			if i > 0 {
				b.WriteByte(separator)
			}
			field(i)
		}
		b.WriteString("\r\n")
	}
	line(len(t.header), func(i int) { writeField(&b, text(t.header[i]), special) })
	for _, row := range t.rows {
		line(len(row), func(i int) {
			switch c := row[i]; {
			case c.text == nil:
			case c.isText && !(separator == ';' && isNumber(*c.text)):
				writeField(&b, text(*c.text), special)
			default:
				b.WriteString(number(*c.text))
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
	comma   = regexp.MustCompile(`(,` + blank + `)(` + sign + `)`) // where commas are not what separates, and so not quoted
)

// A sign before nothing but a number, such as that of -3% or +1.234,5, makes no formula.
var signed = regexp.MustCompile(`^[+-]\d+([.,]\d+)*[ \x{A0}\x{202F}]?%?$`)

func isFormula(text string) bool {
	return !isNumber(text) && !signed.MatchString(text) && formula.MatchString(text)
}

func harmless(text string) string {
	if isFormula(text) {
		text = "'" + text
	}
	return within.ReplaceAllString(text, "$1'$2")
}

var quoted = regexp.MustCompile(`^$|["\r\n]|^[\s\p{Z}\x{FEFF}]|[\s\p{Z}\x{FEFF}]$`)

// writeField quotes a text that holds one of the special characters.
func writeField(b *strings.Builder, text, special string) {
	if !quoted.MatchString(text) && !strings.ContainsAny(text, special) {
		b.WriteString(text)
		return
	}
	b.WriteByte('"')
	b.WriteString(strings.ReplaceAll(text, `"`, `""`))
	b.WriteByte('"')
}
