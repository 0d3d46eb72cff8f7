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

// checkNumbers traces the figures of the answer, if somebody can. They may come from structured content, of this run and
// of earlier ones, and from what the model read that it did not say itself.
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
			if m.Role != model.Assistant && p.Text != "" {
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
	g := gatherer{at: make(map[string]int)}
	g.walk(v, "")
	return append(g.lists, g.lengths)
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
