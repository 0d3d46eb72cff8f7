package chat

// What an answer's figures may come from, as the lists that a number check wants.

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// checkNumbers traces the figures of the answer, if a number check is configured. They may come from structured content, of
// this run and of earlier ones, from what the user said, and from errors of tools. The prose of a tool is no evidence: it is
// what a model repeats, right or wrong.
func (r *run) checkNumbers(number int, prose string, read []model.Message, earlier []string) {
	if r.cfg.Numbers == nil || prose == "" {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			r.cfg.Logger.Error("panic in the number check", "panic", p)
		}
	}()
	var data [][]string
	for _, m := range read {
		for _, p := range m.Parts {
			if (m.Role == model.User || m.Failed) && p.Text != "" {
				text := p.Text
				if m.Failed { // an error names places by figures: sources[0]
					text = strings.NewReplacer("[", " ", "]", " ").Replace(text)
				}
				data = append(data, []string{text})
			}
		}
	}
	for _, doc := range append(slices.Clone(r.structured), r.panels(earlier)...) {
		if r.ctx.Err() != nil {
			return
		}
		data = append(data, lists(doc)...)
	}
	found := r.cfg.Numbers(r.ctx, prose, data...)
	if r.ctx.Err() != nil { // it was stopped, and has nothing to say
		return
	}
	findings, err := compact(found)
	if err != nil {
		r.cfg.Logger.Error("writing what the number check found", "err", err)
		return
	}
	_ = r.publish(&NumberCheck{number, findings})
}

// lists are the values of a JSON document that belong together: a list of values, a column of a table, a field of a list of
// objects; and how long each list is.
func lists(doc json.RawMessage) [][]string {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	if answer, ok := v.(map[string]any); ok && answer["sources"] != nil && (answer["table"] != nil || answer["charts"] != nil) {
		return answerLists(answer)
	}
	g := gatherer{at: make(map[string]int)}
	g.walk(v, "")
	return append(g.lists, g.lengths)
}

// answerLists are the columns of a data tool's table, and the values and labels of its charts: figures elsewhere, such as the
// bounds of an axis, the radius of a bubble or a year in a source, are no data. Cells without a value are empty, so that the
// cells of one row are in the same place of each list. Text that is digits alone counts nothing: its cells are lists of their
// own, and so are those of a column that is said to hold no figures.
func answerLists(answer map[string]any) (out [][]string) {
	rows, _ := answer["table"].([]any)
	columns, _ := answer["columns"].([]any)
	var header []any
	for i, row := range rows {
		cells, _ := row.([]any)
		if i == 0 {
			header = cells
			out = make([][]string, len(header))
		}
		for j, cell := range cells[:min(len(cells), len(header))] {
			out[j] = append(out[j], written(cell))
		}
	}
	for j := range header {
		if isFigures(rows[1:], j, columns) {
			continue
		}
		column := out[j]
		out[j] = column[:1]
		for _, cell := range column[1:] {
			if cell != "" {
				out = append(out, []string{cell})
			}
		}
	}
	if len(rows) > 0 {
		out = append(out, []string{strconv.Itoa(len(rows) - 1)}, []string{strconv.Itoa(len(header))})
	}
	charts, _ := answer["charts"].([]any)
	for _, chart := range charts {
		c, _ := chart.(map[string]any)
		drawn, _ := c["data"].(map[string]any)
		labels, _ := drawn["labels"].([]any)
		for _, label := range labels {
			out = append(out, []string{written(label)})
		}
		sets, _ := drawn["datasets"].([]any)
		for _, set := range sets {
			s, _ := set.(map[string]any)
			out = append(out, values(s)...)
		}
	}
	return out
}

// values are the values of a dataset, or the x and the y of its points, each after its name.
func values(set map[string]any) [][]string {
	points, _ := set["data"].([]any)
	of := map[string][]string{}
	for _, p := range points {
		if point, ok := p.(map[string]any); ok {
			of["x"], of["y"] = append(of["x"], written(point["x"])), append(of["y"], written(point["y"]))
		} else {
			of[""] = append(of[""], written(p))
		}
	}
	var out [][]string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		out = append(out, append([]string{written(set["label"])}, of[name]...))
	}
	return out
}

// isFigures reports whether a column of a table holds figures rather than names and codes.
func isFigures(rows []any, j int, columns []any) bool {
	if j < len(columns) {
		c, _ := columns[j].(map[string]any)
		switch c["kind"] {
		case "number", "percent", "money":
			return true
		case "text", "code", "date":
			return false
		}
	}
	plain := true // text that is digits alone, or no text
	for _, row := range rows {
		cells, _ := row.([]any)
		if j >= len(cells) {
			continue
		}
		switch cell := cells[j].(type) {
		case json.Number:
			return true
		case string:
			plain = plain && strings.Trim(cell, "0123456789") == ""
		}
	}
	return !plain
}

func written(v any) string {
	switch v := v.(type) {
	case json.Number:
		return v.String()
	case string:
		return v
	}
	return ""
}

type gatherer struct {
	lists   [][]string
	at      map[string]int // where the list of a path is
	lengths []string
}

func (g *gatherer) walk(v any, path string) {
	switch v := v.(type) {
	case json.Number:
		g.add(path, v.String())
	case string:
		g.add(path, v)
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			g.walk(v[key], path+"/"+key)
		}
	case []any:
		g.lengths = append(g.lengths, strconv.Itoa(len(v)))
		table := len(v) > 1
		for _, e := range v {
			_, row := e.([]any)
			table = table && row
		}
		if table {
			g.lengths = append(g.lengths, strconv.Itoa(len(v)-1)) // without the header
		}
		nested := path + "/" // of fields of objects: one list for all the objects
		flat := path + "#" + strconv.Itoa(len(g.lists)) + "#" + strconv.Itoa(len(g.lengths))
		for _, e := range v {
			switch e := e.(type) {
			case []any:
				for j, cell := range e {
					g.walk(cell, flat+"/"+strconv.Itoa(j))
				}
			case map[string]any:
				g.walk(e, nested)
			default:
				g.walk(e, flat)
			}
		}
	}
}

func (g *gatherer) add(path, value string) {
	i, ok := g.at[path]
	if !ok {
		i = len(g.lists)
		g.at[path] = i
		g.lists = append(g.lists, nil)
	}
	g.lists[i] = append(g.lists[i], value)
}
