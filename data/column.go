package data

// What a column of a table holds, as its author says it: in a table tag, or by Describe. Where nothing is said, the type of a
// cell decides: a JSON number is a quantity, and text is text.

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// kinds are what a column can hold.
var kinds = []string{"text", "code", "date", "number", "percent", "money"}

// A description is what was said of a column. The zero one says nothing.
type description struct {
	kind, unit, note string
	decimals         string // digits; "" leaves figures as they are
	missing          string // is shown in prose where there is no value
	nan              bool   // NaN is a missing value
	exact            bool   // the cells are numbers by their Go type, written as text: json:",string"
}

// published reports whether the structured content says something of the column.
func (d description) published() bool { return d.kind+d.unit+d.note+d.decimals != "" }

// quantity reports whether the column holds figures by what was said; said is false where nothing was.
func (d description) quantity() (is, said bool) {
	switch d.kind {
	case "":
		return d.exact, d.exact
	case "number", "percent", "money":
		return true, true
	}
	return false, true
}

// append writes the description as JSON.
func (d description) append(b []byte) []byte {
	b = append(b, '{')
	n := 0
	for _, m := range []struct{ key, text string }{{"kind", d.kind}, {"unit", d.unit}, {"decimals", d.decimals}, {"note", d.note}} {
		if m.text == "" {
			continue
		}
		b = append(comma(b, n), `"`+m.key+`":`...)
		if n++; m.key == "decimals" {
			b = append(b, m.text...)
		} else {
			b = appendText(b, m.text)
		}
	}
	return append(b, '}')
}

// readTag reads a tag such as "Share,percent,decimals=1": a header, and what the column holds. Text with a comma is quoted:
// 'Area, total',number,unit=km². The rule is why the tag cannot be read.
func readTag(tag string) (header string, d description, rule string) {
	parts, rule := tagParts(tag)
	if rule != "" || len(parts) == 0 {
		return "", d, rule
	}
	header = parts[0]
	for _, part := range parts[1:] {
		name, text, given := strings.Cut(part, "=")
		switch name = strings.TrimSpace(name); {
		case !given && slices.Contains(kinds, name):
			d.kind = name
		case given && name == "unit":
			d.unit = text
		case given && name == "note":
			d.note = text
		case given && name == "missing" && text == "NaN":
			d.nan = true
		case given && name == "missing":
			d.missing, d.nan = text, true
		case given && name == "decimals":
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || n > maxDecimals {
				return "", d, "decimals out of range; give a whole number from 0 to " + strconv.Itoa(maxDecimals)
			}
			d.decimals = strconv.Itoa(n)
		default:
			return "", d, "a column option that is unknown; the options are " + strings.Join(kinds, ", ") +
				", unit=, decimals=, note= and missing=, and a header with a comma is written in single quotes"
		}
	}
	return header, d, ""
}

// tagParts splits a tag at its commas, of which those in single quotes are text. A quote opens where a part or its text begins,
// so that an apostrophe within a word is none.
func tagParts(tag string) (parts []string, rule string) {
	var part strings.Builder
	quoted := false
	for i, r := range tag {
		opens := i == 0 || strings.IndexByte(",=", tag[i-1]) >= 0
		closes := i == len(tag)-1 || tag[i+1] == ','
		switch {
		case r == '\'' && !quoted && opens:
			quoted = true
		case r == '\'' && quoted && closes:
			quoted = false
		case r == ',' && !quoted:
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteRune(r)
		}
	}
	if quoted {
		return nil, "a quote without an end; close it"
	}
	return append(parts, part.String()), ""
}

// Describe returns the table with what is known of a column, in the words of a table tag: a kind (text, code, date, number,
// percent, money), unit=, decimals=, note= and missing=, separated by commas:
//
//	t.Describe("Share", "percent,decimals=1").Describe("Zip", "code")
//
// The kind decides how hosts align, group and round what they show; what is sent, and what files hold, keeps every digit.
// missing= is what prose shows where there is no value, and makes NaN a missing value; of a table made of text
// ([FromStrings], [FromCSV]) the cells that are that mark, or empty, are missing, and the cells of a column of numbers
// become numbers.
func (t Table) Describe(header, options string) Table {
	column := slices.Index(t.header, header)
	_, d, rule := readTag("," + options)
	switch {
	case column < 0:
		rule = "a description of a column that it does not have; give one of its headers"
	case rule == "":
		t.about = slices.Clone(t.about)
		for len(t.about) < len(t.header) {
			t.about = append(t.about, description{})
		}
		d.exact = t.about[column].exact
		t.about[column] = d
		return t.settle(column)
	}
	t.faults = append(slices.Clip(t.faults), breach{"columns", rule})
	return t
}

// settle makes the cells of a table of text what its column is said to hold.
func (t Table) settle(column int) Table {
	d := t.about[column]
	figures, _ := d.quantity()
	if !t.texts || !figures && d.missing == "" {
		return t
	}
	t.rows = slices.Clone(t.rows)
	for i, row := range t.rows {
		if column >= len(row) || !row[column].isText() {
			continue
		}
		text := strings.TrimSpace(row[column].text())
		cell := row[column]
		switch {
		case text == "" && figures || text == d.missing && d.missing != "":
			cell = value("null")
		case figures && isNumber(text):
			cell = value(text)
		case figures:
			t.faults = append(slices.Clip(t.faults), breach{place{"table", i + 1, column}.String(), notFigure})
		}
		t.rows[i] = slices.Clone(row)
		t.rows[i][column] = cell
	}
	return t
}

const notFigure = "text in a column of figures; give a number, or name the mark of a missing value with missing="

// Missing counts the cells of a column without a value, which prose can name.
func (t Table) Missing(header string) int {
	column, n := slices.Index(t.header, header), 0
	for _, row := range t.rows {
		if column >= 0 && column < len(row) && row[column].isNull() {
			n++
		}
	}
	return n
}

// of returns what was said of a column.
func (t Table) of(column int) description {
	if column < len(t.about) {
		return t.about[column]
	}
	return description{}
}

// described reports whether the structured content says something of a column.
func (t Table) described() bool { return slices.ContainsFunc(t.about, description.published) }

// appendColumns writes what was said of each column.
func (t Table) appendColumns(b []byte) []byte {
	b = append(b, '[')
	for i := range t.header {
		b = t.of(i).append(comma(b, i))
	}
	return append(b, ']')
}

// named is the header with its unit, where the header does not have it.
func (d description) named(header string) string {
	if d.unit == "" || strings.Contains(header, d.unit) {
		return header
	}
	return header + ", " + d.unit
}

// columns checks what is said of the columns of a table with that many; -1 says that there is no table.
func (c *checker) columns(v value, width int) {
	n := c.list(v, maxColumns, "a list that says of each column what it holds", func(v value) {
		if !c.is(v, "an object", "an object {kind, unit, decimals, note}, empty where nothing is said") {
			return
		}
		c.object(v, func(key string, v value) string {
			switch key {
			case "kind":
				c.oneOf(v, kinds...)
			case "unit":
				c.line(v, maxUnit)
			case "note":
				c.line(v, maxNote)
			case "decimals":
				if c.number(v, 0, maxDecimals) && !rational(v).IsInt() {
					c.fault("not a whole number")
				}
			default:
				return "no part of a column; leave it out"
			}
			return ""
		})
	})
	switch {
	case width < 0:
		c.fault("columns without a table; leave them out")
	case n >= 0 && width > 0 && n != width:
		c.fault("got " + strconv.Itoa(n) + " entries, want " + strconv.Itoa(width) + " as in the header of the table")
	}
}

// rounded writes a JSON number with the column's decimals, for show: half a unit is rounded away from zero.
func (d description) rounded(s string) string {
	if d.decimals == "" || len(s) > saidCell || strings.ContainsAny(s, "eE") {
		return s
	}
	decimals, _ := strconv.Atoi(d.decimals) // which was read
	if _, fraction, _ := strings.Cut(s, "."); len(fraction) <= decimals {
		return s
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return s
	}
	out := r.FloatString(decimals)
	if strings.Trim(out, "-0.") == "" {
		return strings.TrimPrefix(out, "-")
	}
	return out
}
