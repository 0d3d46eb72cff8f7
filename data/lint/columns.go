package lint

// What a table says that a reader, or a host, would take for something else.

import (
	"encoding/json"
	"regexp"
	"strings"
)

// A column is one of a table, with what its author says of it.
type column struct {
	name  string
	cells []any
	Kind  string
	Unit  string
	// Decimals is nil where nothing is said.
	Decimals *int
}

// columnsOf splits a table into its columns.
func columnsOf(table [][]any, said []column) []column {
	if len(table) == 0 {
		return nil
	}
	columns := make([]column, len(table[0]))
	for i := range columns {
		if i < len(said) {
			columns[i] = said[i]
		}
		columns[i].name, _ = table[0][i].(string)
		for _, row := range table[1:] {
			columns[i].cells = append(columns[i].cells, row[i])
		}
	}
	return columns
}

var (
	groupedText = regexp.MustCompile(`^[-+−]?[0-9]{1,3}(?:[., '’\x{a0}\x{202f}][0-9]{3})+(?:[.,][0-9]+)?$`)
	signedText  = regexp.MustCompile(`^[-+−]?(?:[0-9]+[.,][0-9]+|[-+−][0-9]+)$`)
	codeName    = regexp.MustCompile(`(?i)(?:^|[^a-zà-ÿ])(?:id|ids|code|codes|zip|zipcode|postal|postcode|cep|uid|isbn|ean|iban|imei|phone|código|codigo|telefone|teléfono)(?:$|[^a-zà-ÿ])`)
	yearName    = regexp.MustCompile(`(?i)(?:^|[^a-zà-ÿ])(?:year|years|ano|anos|año|años)(?:$|[^a-zà-ÿ])`)
	unitName    = regexp.MustCompile(`(?i)[(%‰€$£/]|\b(?:in|per|index|ratio|rate|score|factor|em|por|en|índice|razão|razón|taxa|tasa)\b`)
)

// look finds what is wrong with a column.
func (c column) look(find func(rule, format string, args ...any)) {
	texts, numbers, written := 0, 0, 0
	var large, long, fraction, code bool
	years := true
	for _, cell := range c.cells {
		switch v := cell.(type) {
		case string:
			texts++
			if grouped := groupedText.MatchString(v); grouped || signedText.MatchString(v) {
				written++
			} else if strings.Trim(v, "0123456789") != "" || v == "" {
				written -= len(c.cells) // some cell is no number
			}
		case json.Number:
			numbers++
			whole, part, _ := strings.Cut(strings.TrimPrefix(v.String(), "-"), ".")
			large = large || part == "" && len(whole) > 15
			fraction = fraction || part != ""
			long = long || len(whole)+len(part) >= maxFigureDigits && part != ""
			code = code || len(whole) > 4
			years = years && part == "" && len(whole) == 4 && (whole[:2] == "19" || whole[:2] == "20")
		}
	}
	figures := c.Kind == "" || c.Kind == "number" || c.Kind == "percent" || c.Kind == "money"
	switch {
	case !figures:
	case texts > 0 && numbers == 0 && written > 0:
		find(Column, "column %q: numbers written as text; give numbers, or data.Decimal, so that hosts can add and draw them", c.name)
	case numbers > 0 && codeName.MatchString(c.name) && large:
		find(Column, "column %q: ids as numbers past 2^53, of which hosts lose digits; give text", c.name)
	case numbers > 0 && codeName.MatchString(c.name) && code:
		find(Column, `column %q: codes as numbers, which hosts group; give text, or say table:"…,code"`, c.name)
	case numbers > 0 && years && c.Kind != "" && yearName.MatchString(c.name):
		find(Column, `column %q: years said to be quantities; say table:"…,date"`, c.name)
	case long && c.Decimals == nil:
		find(Column, `column %q: figures of sixteen digits, which is more than is known; round them, or say table:"…,decimals=1"`, c.name)
	case fraction && c.Unit == "" && c.Kind != "percent" && !unitName.MatchString(c.name):
		find(Column, `column %q: measured figures without a unit; say table:"…,unit=km", or put the unit into the header`, c.name)
	}
}
