package scripted

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// property is what the script understands of a JSON Schema.
type property struct {
	Name        string            `json:"-"`
	Type        any               `json:"type"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Format      string            `json:"format"`
	Enum        []json.RawMessage `json:"enum"`
	Default     json.RawMessage   `json:"default"`
	Minimum     *float64          `json:"minimum"`
	Maximum     *float64          `json:"maximum"`
	MinItems    int               `json:"minItems"`
	Items       *property         `json:"items"`
}

func (p property) is(kind string) bool {
	switch t := p.Type.(type) {
	case string:
		return t == kind
	case []any:
		return slices.Contains(t, any(kind))
	}
	return false
}

// needed is how the script asks for a value.
func (p property) needed() string {
	name := inline(strings.ReplaceAll(p.Name, "_", " "))
	if about := strings.TrimRight(inline(p.Description), "."); about != "" {
		name += " (" + about + ")"
	}
	return name
}

// fill finds arguments for a tool in a question: how many it found, and which required ones it did not.
func fill(question string, t model.Tool) (arguments json.RawMessage, filled int, missing []string) {
	props, required := properties(t.Parameters)
	f := find(question, stems(words(t.Name)+" "+t.Description))
	names := len(f.quoted) + len(f.phrases)
	var out bytes.Buffer
	out.WriteByte('{')
	for _, p := range props {
		need := slices.Contains(required, p.Name)
		value, ok := f.value(p, need, props)
		switch {
		case ok:
			filled++
		case !need || p.Default != nil:
			continue
		default:
			missing = append(missing, p.needed())
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		name, _ := json.Marshal(p.Name)
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), filled + names - len(f.quoted) - len(f.phrases), missing // a name that is taken counts twice
}

// properties are those of an object's schema, in its order.
func properties(schema json.RawMessage) ([]property, []string) {
	var object struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(schema, &object) != nil {
		return nil, nil
	}
	var out []property
	dec := json.NewDecoder(bytes.NewReader(object.Properties))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, object.Required
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			break
		}
		var p property
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			break
		}
		_ = json.Unmarshal(raw, &p) // a schema that is true describes nothing
		p.Name, _ = name.(string)
		out = append(out, p)
	}
	return out, object.Required
}

// found is what a question has that can be an argument. Each thing is used once.
type found struct {
	question string
	quoted   []string
	dates    []string
	numbers  []number
	phrases  []string // names: capitalised words, and what follows "in"
	loose    []string // words after "in" that are no names
}

type number struct {
	text  string
	where int
}

var (
	quotes  = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|«([^»]+)»|` + "`([^`]+)`")
	date    = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z?)?\b`)
	figure  = regexp.MustCompile(`-?\b\d+(?:\.\d+)?\b`)
	capital = regexp.MustCompile(`\p{Lu}[\p{L}'’.-]*(?: (?:(?:de|do|da|del|of|la|el) )?\p{Lu}[\p{L}'’-]*)*`)
	after   = regexp.MustCompile(`(?i)\b(?:in|for|at|of|em|en|para|no|na|de) (?:the |a |o |la |el )?([\p{L}\d_-]+)`)
)

// find looks through a question; the words of the tool itself are no names.
func find(question string, own []string) *found {
	f := &found{question: question}
	rest := quotes.ReplaceAllStringFunc(question, func(s string) string {
		f.quoted = append(f.quoted, strings.Trim(s, "\"“”«»`"))
		return " ; "
	})
	rest = date.ReplaceAllStringFunc(rest, func(s string) string {
		f.dates = append(f.dates, s)
		return " ; "
	})
	for _, m := range figure.FindAllStringIndex(rest, -1) {
		f.numbers = append(f.numbers, number{rest[m[0]:m[1]], len(stems(rest[:m[0]]))})
	}
	for _, at := range capital.FindAllStringIndex(rest, -1) {
		begins := strings.HasSuffix(strings.TrimRight(" ;"+rest[:at[0]], " \n¿¡"), ";")
		if name := named(strings.TrimRight(rest[at[0]:at[1]], ".'’-"), own, begins); name != "" {
			f.phrases = append(f.phrases, name)
		}
	}
	for _, m := range after.FindAllStringSubmatch(rest, -1) {
		if w := m[1]; !slices.Contains(own, stem(strings.ToLower(w))) && unicode.IsLower([]rune(w)[0]) && len(stems(w)) > 0 {
			f.loose = append(f.loose, w)
		}
	}
	f.question = rest
	return f
}

// named is the name at the end of capitalised words, in English where it is that of a known place. What precedes it in
// "Compare Tokyo" and "Is São Paulo" is no part of it: words of the tool, and small ones as a question begins.
func named(capitalised string, own []string, begins bool) string {
	words := strings.Fields(capitalised)
	for i := 0; len(words) > 0; i++ {
		name := strings.Join(words, " ")
		if english, ok := places[accents.Replace(strings.ToLower(name))]; ok {
			return english
		}
		switch w := stems(words[0]); {
		case len(w) == 0 && i == 0 && begins:
		case len(w) > 0 && (slices.Contains(own, w[0]) || asking[w[0]]):
		case len(stems(name)) == 0:
		default:
			return name
		}
		words = words[1:]
	}
	return ""
}

// value is what the question has for a property.
func (f *found) value(p property, need bool, all []property) (json.RawMessage, bool) {
	low := " " + strings.Join(strings.FieldsFunc(strings.ToLower(f.question+" "+strings.Join(f.quoted, " ")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '.'
	}), " ") + " "
	for _, e := range p.Enum {
		text := strings.ToLower(strings.Trim(string(e), `"`))
		if strings.Contains(low, " "+text+" ") || strings.Contains(low, " "+text+". ") {
			return e, true
		}
	}
	switch {
	case len(p.Enum) > 0:
		return nil, false
	case p.is("boolean"):
		named := slices.ContainsFunc(stems(words(p.Name)), func(w string) bool { return slices.Contains(stems(f.question), w) })
		return json.RawMessage(`true`), named
	case p.is("integer"), p.is("number"):
		return f.number(p, need || p.Default != nil)
	case p.is("array"):
		if p.Items == nil || !p.Items.is("string") {
			return nil, false
		}
		names := append(append([]string{}, f.quoted...), f.phrases...)
		if len(names) == 0 || len(names) < p.MinItems {
			return nil, false
		}
		f.quoted, f.phrases = nil, nil
		out, err := json.Marshal(names)
		return out, err == nil
	case p.is("string"), p.Type == nil:
		s, ok := f.text(p, need, all)
		out, err := json.Marshal(s)
		return out, ok && err == nil
	}
	return nil, false
}

// number takes the number next to the property's name or, if any will do, the first that fits its bounds.
func (f *found) number(p property, any bool) (json.RawMessage, bool) {
	named := stems(words(p.Name) + " " + p.Title)
	asked := stems(f.question)
	fits := func(n number) bool {
		v, err := strconv.ParseFloat(n.text, 64)
		return err == nil && !(p.is("integer") && !p.is("number") && v != float64(int64(v))) &&
			(p.Minimum == nil || v >= *p.Minimum) && (p.Maximum == nil || v <= *p.Maximum)
	}
	beside := func(n number) bool {
		for _, i := range []int{n.where - 1, n.where, n.where + 1} {
			if i >= 0 && i < len(asked) && slices.Contains(named, asked[i]) {
				return true
			}
		}
		return false
	}
	for _, loose := range []bool{false, true} {
		for i, n := range f.numbers {
			if fits(n) && (beside(n) || loose && any) {
				f.numbers = slices.Delete(f.numbers, i, i+1)
				return json.RawMessage(n.text), true
			}
		}
	}
	return nil, false
}

// text takes a date, a quoted string, the word beside the property's name, a name, or for what is required any word
// after "in".
func (f *found) text(p property, need bool, all []property) (string, bool) {
	if p.Format == "date" || p.Format == "date-time" || strings.Contains(p.Description, "YYYY-MM-DD") || p.Name == "day" || p.Name == "date" {
		return pop(&f.dates)
	}
	if s, ok := pop(&f.quoted); ok {
		return s, true
	}
	for i, s := range f.phrases {
		if f.other(s, p, all) {
			continue
		}
		f.phrases = slices.Delete(f.phrases, i, i+1)
		return s, true
	}
	if !need {
		return "", false
	}
	fields := strings.Fields(strings.Trim(f.question, " \n?!."))
	for i, w := range fields[:max(0, len(fields)-1)] {
		if named := stems(words(p.Name)); len(named) > 0 && slices.Contains(stems(w), named[0]) && len(stems(fields[i+1])) > 0 {
			return strings.TrimRight(fields[i+1], "?!.,"), true
		}
	}
	return pop(&f.loose)
}

// other reports whether a phrase rather belongs to another property: a continent to a region, an example to what it is
// an example of.
func (f *found) other(phrase string, p property, all []property) bool {
	owns := func(p property) bool {
		return continents[strings.ToLower(phrase)] && (p.Name == "region" || p.Name == "continent") || strings.Contains(p.Description, phrase)
	}
	return !owns(p) && slices.ContainsFunc(all, owns)
}

func pop(list *[]string) (string, bool) {
	if len(*list) == 0 {
		return "", false
	}
	first := (*list)[0]
	*list = (*list)[1:]
	return first, true
}
