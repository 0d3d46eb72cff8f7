package scripted

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// candidate is a tool with the arguments that the question has for it.
type candidate struct {
	tool      model.Tool
	score     int
	own       bool // a word of the question is in the tool's own name or description
	arguments json.RawMessage
	missing   []string
}

// choose finds the tool that fits best and whose required arguments the question has, and else the one that fits best
// and lacks some. Of equals the first wins. The name of a server precedes all of its tools: it decides between those that
// fit equally well, and a tool that has nothing else to fit by gives way.
func choose(question string, tools []model.Tool) (best, lacking *candidate) {
	asked := stems(question)
	rare := map[string]int{} // how many tools use a word
	for _, t := range tools {
		_, own := split(t.Name)
		for _, w := range slices.Compact(slices.Sorted(slices.Values(stems(words(own) + " " + t.Description)))) {
			rare[w]++
		}
	}
	for _, t := range tools {
		c := &candidate{tool: t}
		server, own := split(t.Name)
		for _, w := range slices.Compact(slices.Sorted(slices.Values(asked))) {
			if slices.Contains(stems(words(own)), w) {
				c.score += 40 / rare[w]
				c.own = true
			}
			if slices.Contains(stems(t.Description), w) {
				c.score += 20 / rare[w]
				c.own = true
			}
			if slices.Contains(stems(words(server)), w) {
				c.score++
			}
		}
		if i := strings.Index(question, t.Name); i >= 0 && t.Name != "" {
			c.score, c.own = c.score+1000+len(t.Name), true
			var object json.RawMessage
			rest := strings.TrimSpace(question[i+len(t.Name):])
			if json.NewDecoder(strings.NewReader(rest)).Decode(&object) == nil && object[0] == '{' {
				c.arguments = object
			}
		}
		if c.score == 0 {
			continue
		}
		if c.arguments == nil {
			var filled int
			c.arguments, filled, c.missing = fill(question, t)
			c.score += 5 * filled
		}
		switch {
		case len(c.missing) == 0 && (best == nil || c.score > best.score):
			best = c
		case len(c.missing) > 0 && (lacking == nil || c.score > lacking.score):
			lacking = c
		}
	}
	if best != nil && lacking != nil && !best.own && lacking.own {
		best = nil
	}
	return best, lacking
}

// split parts a tool's name from that of its server.
func split(name string) (server, own string) {
	if server, own, ok := strings.Cut(name, "__"); ok {
		return server, own
	}
	return "", name
}

// words is a tool's name as words.
func words(name string) string {
	var out strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			out.WriteByte(' ')
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		out.WriteRune(r)
	}
	return out.String()
}

// stems are the words of a text that say something, in lower case, without accents and endings, and in English as far as
// the demo's tools need it.
func stems(s string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), notWord) {
		w = accents.Replace(w)
		if english, ok := meaning[w]; ok {
			w = english
		}
		if said[w] {
			continue
		}
		if w = stem(w); len(w) > 1 && !said[w] {
			out = append(out, w)
		}
	}
	return out
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func stem(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && len(w) > 3:
		return w[:len(w)-1]
	}
	return w
}
