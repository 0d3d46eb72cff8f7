package data

// Prose from a table, so that the facts which the model may repeat are typed once.

import (
	"fmt"
	"strconv"
	"strings"
)

// Text says in words what a table holds, for a result's content. Up to ten rows of one or two columns are a sentence:
//
//	City (Population): Tokyo (37,400,068), Delhi (30,290,936) and Shanghai (27,058,479).
//
// A larger table is listed one row a line, up to twenty rows, with the count of all. An empty one says so. The figures of a
// column that holds nothing but numbers are written for people, grouped from five digits on, so that years stay years, and
// rounded where the column says to how many decimals; the table itself stays exact. Text is written as it is, also where it is
// all digits. Without a [Locale] the words are English.
func Text(t Table, how ...TextOption) string {
	var p prose
	for _, h := range how {
		if h != nil {
			h.say(&p)
		}
	}
	w := p.locale.words()
	headers := make([]string, len(t.header))
	for i, header := range t.header {
		headers[i] = t.of(i).named(header)
	}
	cells := func(row []value) []string {
		said := make([]string, len(row))
		for i, cell := range row {
			said[i] = w.cell(cell, t.of(i))
		}
		return said
	}
	switch {
	case len(t.rows) == 0:
		return fmt.Sprintf(w.empty, strings.Join(headers, ", "))
	case len(t.rows) <= sentenceRows && len(t.header) <= 2:
		items := make([]string, len(t.rows))
		for i, row := range t.rows {
			said := cells(row)
			items[i] = strings.Join(said[:min(1, len(said))], "")
			if len(said) > 1 {
				items[i] += " (" + strings.Join(said[1:], ", ") + ")"
			}
		}
		lead := p.lead
		if lead == "" {
			lead = strings.Join(headers[:min(1, len(headers))], "")
			if len(headers) > 1 {
				lead += " (" + headers[1] + ")"
			}
			lead += ":"
		}
		return lead + " " + w.series(items) + "."
	}
	return p.list(t, w, headers, cells)
}

// list writes a header line and one line for each row, as many as fit.
func (p prose) list(t Table, w words, headers []string, cells func([]value) []string) string {
	var lines strings.Builder
	shown := 0
	for _, row := range t.rows[:min(listedRows, len(t.rows))] {
		line := "\n" + strings.Join(cells(row), " | ")
		if shown > 0 && lines.Len()+len(line) > listedBytes {
			break
		}
		lines.WriteString(line)
		shown++
	}
	lead := ""
	if p.lead != "" {
		lead = strings.TrimSpace(p.lead) + " "
	}
	count := w.number(strconv.Itoa(len(t.rows)))
	if shown < len(t.rows) {
		lead += fmt.Sprintf(w.some, count, w.number(strconv.Itoa(shown)))
	} else if len(t.rows) == 1 {
		lead += w.one
	} else {
		lead += fmt.Sprintf(w.all, count)
	}
	return lead + "\n" + strings.Join(headers, " | ") + lines.String()
}

// A TextOption changes how [Text] speaks: a [Lead] or a [Locale]. There are no others.
type TextOption interface{ say(*prose) }

type prose struct {
	lead   string
	locale Locale
}

// A Lead is how a text begins, in place of the headers: data.Lead("The largest cities are"). A text without rows has none.
type Lead string

func (l Lead) say(p *prose) { p.lead = string(l) }

// A Locale chooses the words and the marks of a number.
type Locale int

const (
	English    Locale = iota // 37,400,068.5
	Portuguese               // 37.400.068,5
	Spanish                  // 37.400.068,5
)

func (l Locale) say(p *prose) { p.locale = l }

// words are what a locale writes between the facts.
type words struct {
	group, decimal       string
	percent              string // with the space before it
	and, yes, no, absent string
	empty, all, some     string // with the columns; the count; the count and how many of them follow
	one                  string // row
}

func (l Locale) words() words {
	switch l {
	case Portuguese:
		return words{
			group: ".", decimal: ",", percent: "%", and: " e ", yes: "sim", no: "não", absent: "–",
			empty: "Nenhuma linha (colunas: %s).", one: "1 linha:", all: "%s linhas:", some: "%s linhas; as primeiras %s:",
		}
	case Spanish:
		return words{
			group: ".", decimal: ",", percent: "\u00a0%", and: " y ", yes: "sí", no: "no", absent: "–",
			empty: "Ninguna fila (columnas: %s).", one: "1 fila:", all: "%s filas:", some: "%s filas; las primeras %s:",
		}
	default:
		return words{
			group: ",", decimal: ".", percent: "%", and: " and ", yes: "yes", no: "no", absent: "–",
			empty: "No rows (columns: %s).", one: "1 row:", all: "%s rows:", some: "%s rows; the first %s:",
		}
	}
}

// series joins items as a sentence does.
func (w words) series(items []string) string {
	last := len(items) - 1
	if last == 0 {
		return items[0]
	}
	return strings.Join(items[:last], ", ") + w.and + items[last]
}

func (w words) cell(v value, d description) string {
	switch {
	case v.isNull() && d.missing != "":
		return d.missing
	case v.isNull():
		return w.absent
	case v[0] == 't':
		return w.yes
	case v[0] == 'f':
		return w.no
	}
	s := string(v)
	if v.isText() {
		s = v.text()
	}
	figures, said := d.quantity()
	if v.isNumber() && (figures || !said) || figures && isNumber(s) {
		s = w.number(d.rounded(s))
		if d.kind == "percent" {
			s += w.percent
		}
		return s
	}
	if strings.TrimSpace(s) == "" {
		return w.absent
	}
	return cut(strings.Join(strings.Fields(s), " "), saidCell)
}

// number writes a JSON number for people: whole digits in groups of three from five digits on, every digit kept.
func (w words) number(s string) string {
	whole, fraction, decimal := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	if strings.ContainsAny(s, "eE") || len(s) > saidCell {
		return cut(strings.Replace(s, ".", w.decimal, 1), saidCell)
	}
	if len(whole) > 4 {
		var b strings.Builder
		for i, r := range whole {
			if i > 0 && (len(whole)-i)%3 == 0 {
				b.WriteString(w.group)
			}
			b.WriteRune(r)
		}
		whole = b.String()
	}
	if decimal {
		whole += w.decimal + fraction
	}
	return sign + whole
}
