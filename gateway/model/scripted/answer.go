package scripted

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/model"
)

const (
	mostItems = 5
	mostRunes = 400
)

// callID is one that the conversation has not had.
func callID(req model.Request) string { return fmt.Sprintf("scripted_%d", len(req.Messages)) }

// answered are the answers of tools at the end of the conversation.
func answered(messages []model.Message) []model.Message {
	i := len(messages)
	for i > 0 && messages[i-1].Role == model.ToolRole {
		i--
	}
	return messages[i:]
}

// tell repeats what the tools said, in a sentence or two each.
func tell(all, answers []model.Message) string {
	out := []string{"I follow a script."}
	for _, a := range answers {
		name := "The tool"
		for _, m := range all {
			for _, c := range m.Calls {
				if c.ID == a.CallID {
					name = c.Name
				}
			}
		}
		var items []string
		for _, p := range a.Parts {
			switch {
			case p.MIMEType != "":
				items = append(items, "something that is no text ("+p.MIMEType+")")
			case strings.TrimSpace(p.Text) != "":
				items = append(items, plain(p.Text))
			}
		}
		if n := len(items) - mostItems; n > 0 {
			items = append(items[:mostItems], fmt.Sprintf("and %d more", n))
		}
		said := short(strings.Join(items, "; "))
		switch {
		case a.Failed:
			out = append(out, sentence(name+" failed: "+said))
		case said == "":
			out = append(out, name+" answered without a word.")
		default:
			out = append(out, sentence(name+" answered: "+said))
		}
	}
	return strings.Join(out, " ")
}

func sentence(s string) string {
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}

// plain is a text, or the fields of a JSON object as "name value", digit for digit.
func plain(text string) string {
	text = strings.TrimSpace(text)
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if open, err := dec.Token(); err != nil || open != json.Delim('{') || !json.Valid([]byte(text)) {
		return strings.Join(strings.Fields(text), " ")
	}
	var out []string
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			break
		}
		var s string
		if json.Unmarshal(value, &s) != nil {
			var flat bytes.Buffer
			_ = json.Compact(&flat, value)
			s = flat.String()
		}
		out = append(out, strings.ReplaceAll(fmt.Sprint(name), "_", " ")+" "+s)
	}
	return strings.Join(out, ", ")
}

// short cuts a text behind a sentence, or else behind a word.
func short(s string) string {
	r := []rune(s)
	if len(r) <= mostRunes {
		return s
	}
	s = string(r[:mostRunes])
	if i := strings.LastIndex(s, ". "); i > len(s)/2 {
		return s[:i+1]
	}
	if i := strings.LastIndex(s, " "); i > 0 {
		s = s[:i]
	}
	return s + " …"
}
