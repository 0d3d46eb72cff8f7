package chat

// Many tools: a model gets those that fit the question, and finds the rest. Providers take 128 at most, and a model that has
// to read 500 chooses badly.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// findTools is the tool with which a model finds others.
const findTools = "find_tools"

var findToolsOffer = model.Tool{Name: findTools, Description: "There are more tools than are listed here. This finds those that fit a description of what is needed; they can be called afterwards.",
	Parameters: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string","description":"What the tool should do, in a few words, in the language of the tools."}},"required":["query"]}`)}

// choose lists what a model is offered in this turn: all tools where they are few, else those that it has called or found, those
// that fit the question, and findTools. The tools together have at most so many bytes.
func (r *run) choose(messages []model.Message, bytes int) []model.Tool {
	all := offered(r.cfg.Tools.Tools())
	total := 0
	for _, t := range all {
		total += toolSize(t)
	}
	if len(all) <= r.cfg.ToolsMax && total <= bytes {
		return all
	}
	used := make(map[string]bool)
	for _, m := range messages {
		for _, c := range m.Calls {
			used[c.Name] = true
		}
	}
	ranked := rank(all, question(messages))
	slices.SortStableFunc(ranked, func(a, b scored) int {
		return cmp.Compare(known(b.tool.Name, used, r.found), known(a.tool.Name, used, r.found))
	})
	chosen := []model.Tool{}
	left := bytes - toolSize(findToolsOffer)
	for _, s := range ranked {
		if len(chosen) >= r.cfg.ToolsMax-1 {
			break
		}
		if n := toolSize(s.tool); n <= left {
			left -= n
			chosen = append(chosen, s.tool)
		}
	}
	slices.SortFunc(chosen, func(a, b model.Tool) int { return strings.Compare(a.Name, b.Name) })
	r.leaveOut(fmt.Sprintf("%d of %d tools, which the model can search", len(all)-len(chosen), len(all)))
	return append(chosen, findToolsOffer)
}

func known(name string, sets ...map[string]bool) int {
	for i, set := range sets {
		if set[name] {
			return len(sets) - i
		}
	}
	return 0
}

// question is what the user asked last, and before that.
func question(messages []model.Message) string {
	var texts []string
	for i := len(messages) - 1; i >= 0 && len(texts) < 3; i-- {
		if messages[i].Role == model.User {
			for _, p := range messages[i].Parts {
				texts = append(texts, p.Text)
			}
		}
	}
	return strings.Join(texts, "\n")
}

// search answers a call of findTools.
func (r *run) search(arguments json.RawMessage) string {
	var in struct {
		Query string `json:"query"`
	}
	if json.Unmarshal(arguments, &in) != nil || strings.TrimSpace(in.Query) == "" {
		return "arguments: query: required but missing"
	}
	var b strings.Builder
	for i, s := range rank(offered(r.cfg.Tools.Tools()), in.Query) {
		if i == maxFound || s.score == 0 {
			break
		}
		r.found[s.tool.Name] = true
		fmt.Fprintf(&b, "%s: %s\n", s.tool.Name, short(s.tool.Description))
	}
	if b.Len() == 0 {
		return "No tool fits. Try other words."
	}
	return "These can be called now:\n" + b.String()
}

type scored struct {
	tool  model.Tool
	score float64
}

// rank sorts tools by how well they fit a query (BM25 over names and descriptions), the best first, equals by name.
func rank(tools []model.Tool, query string) []scored {
	const k, b = 1.2, 0.75
	docs := make([]map[string]int, len(tools))
	lengths := make([]int, len(tools))
	in := make(map[string]int) // documents with a word
	total := 0
	for i, t := range tools {
		docs[i] = make(map[string]int)
		// The name says more than the description.
		for _, word := range words(t.Name + " " + t.Name + " " + t.Description) {
			if docs[i][word]++; docs[i][word] == 1 {
				in[word]++
			}
			lengths[i]++
		}
		total += lengths[i]
	}
	average := float64(max(total, 1)) / float64(max(len(tools), 1))
	asked := words(query)
	slices.Sort(asked)
	asked = slices.Compact(asked)
	ranked := make([]scored, len(tools))
	for i, t := range tools {
		ranked[i].tool = t
		for _, word := range asked {
			if n := float64(docs[i][word]); n > 0 {
				rare := math.Log(1 + (float64(len(tools))-float64(in[word])+0.5)/(float64(in[word])+0.5))
				ranked[i].score += rare * n * (k + 1) / (n + k*(1-b+b*float64(lengths[i])/average))
			}
		}
	}
	slices.SortStableFunc(ranked, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return ranked
}

// words are those of a text, in lower case, without endings of the plural; names in camel case have several.
func words(text string) (out []string) {
	var word []rune
	end := func() {
		if len(word) > 1 {
			w := strings.ToLower(string(word))
			if len(w) > 3 {
				w = strings.TrimSuffix(strings.TrimSuffix(w, "es"), "s")
			}
			out = append(out, w)
		}
		word = word[:0]
	}
	lower := false
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
		case unicode.IsUpper(r) && lower:
			end()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		lower = unicode.IsLower(r)
	}
	end()
	return out
}
