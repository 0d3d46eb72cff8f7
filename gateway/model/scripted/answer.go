package scripted

// What the script says of a tool's answer: the answer itself, in the form that it has. It adds no figure to it.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// answered are the answers of tools at the end of the conversation.
func answered(messages []model.Message) []model.Message {
	i := len(messages)
	for i > 0 && messages[i-1].Role == model.ToolRole {
		i--
	}
	return messages[i:]
}

// tell repeats what the tools said.
func tell(req model.Request, answers []model.Message, say speech) string {
	var out []string
	for _, a := range answers {
		var tool model.Tool
		for _, m := range req.Messages {
			for _, c := range m.Calls {
				if c.ID == a.CallID {
					tool.Name = c.Name
				}
			}
		}
		for _, t := range req.Tools {
			if t.Name == tool.Name {
				tool = t
			}
		}
		told := say.form(a.Parts, tool.Description)
		lead := say.says
		switch {
		case a.Failed:
			lead = say.failed
		case told == "":
			lead = say.silent
		}
		gap := " "
		if strings.ContainsAny(told, "\n") {
			gap = "\n\n"
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf(lead, label(tool.Name))+gap+told))
	}
	return strings.Join(out, "\n\n")
}

// label is a tool's name for people, without that of its server, in bold.
func label(name string) string {
	_, own := split(name)
	return "**" + inline(strings.Join(strings.Fields(words(own)), " ")) + "**"
}

// form writes the parts of an answer as Markdown.
func (say speech) form(parts []model.Part, about string) string {
	var out, texts []string
	for _, p := range parts {
		switch {
		case p.MIMEType != "":
			out = append(out, fmt.Sprintf(say.media, inline(p.MIMEType)))
		case strings.TrimSpace(p.Text) != "":
			texts = append(texts, strings.TrimSpace(p.Text))
		}
	}
	if rows := records(texts); len(rows) > 2 {
		return strings.Join(append(out, say.table(rows)), "\n\n")
	}
	for i, text := range texts {
		if i == maxRows {
			out = append(out, say.more)
			break
		}
		out = append(out, say.one(text, about))
	}
	return strings.Join(out, "\n\n")
}

// one writes a text: a figure with what it is, an object as a list, a table as a table, and what else has lines as it is.
func (say speech) one(text, about string) string {
	if rows := records([]string{text}); len(rows) == 2 {
		var list []string
		for i, name := range rows[0] {
			list = append(list, "- "+inline(name)+": "+inline(rows[1][i]))
		}
		return strings.Join(list, "\n")
	}
	about, _, _ = strings.Cut(strings.TrimSpace(about), "\n")
	switch scalar(json.RawMessage(text)) {
	case '0', 't', 'f':
		if about != "" {
			return fmt.Sprintf("**%s** (%s)", inline(text), inline(about))
		}
		return "**" + inline(text) + "**"
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if len(lines) == 1 {
		return inline(text)
	}
	if start := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, " | ") }); start >= 0 {
		rows := pipes(lines[start:])
		if end := start + len(rows); len(rows) > 1 {
			var out []string
			for _, l := range lines[:start] {
				out = append(out, inline(l))
			}
			out = append(out, say.table(rows))
			if end < len(lines) {
				out = append(out, say.one(strings.TrimSpace(strings.Join(lines[end:], "\n")), ""))
			}
			return strings.TrimSpace(strings.Join(out, "\n\n"))
		}
	}
	return say.verbatim(lines)
}

// verbatim writes lines that mean nothing to the script as they are.
func (say speech) verbatim(lines []string) string {
	tail := ""
	if len(lines) > maxLines {
		lines, tail = lines[:maxLines], "\n\n"+say.more
	}
	fence := "```"
	for strings.Contains(strings.Join(lines, "\n"), fence) {
		fence += "`"
	}
	return fence + "\n" + strings.Join(lines, "\n") + "\n" + fence + tail
}

// pipes are the first lines of a text that have as many cells as the first of them.
func pipes(lines []string) (rows [][]string) {
	for _, l := range lines {
		row := strings.Split(l, " | ")
		if len(rows) > 0 && len(row) != len(rows[0]) {
			break
		}
		rows = append(rows, row)
	}
	return rows
}

// table writes rows, the first of them the header.
func (say speech) table(rows [][]string) string {
	var out strings.Builder
	for i, row := range rows {
		if i > maxRows {
			return out.String() + "\n" + say.more
		}
		for _, cell := range row {
			out.WriteString("| " + strings.ReplaceAll(inline(cell), "|", `\|`) + " ")
		}
		out.WriteString("|\n")
		if i == 0 {
			out.WriteString(strings.Repeat("| --- ", len(row)) + "|\n")
		}
	}
	return strings.TrimSpace(out.String())
}

// records reads objects with the same members as rows, the names first: one text for each, or one list of them. It is nil
// for everything else.
func records(texts []string) [][]string {
	var all []json.RawMessage
	if len(texts) != 1 || json.Unmarshal([]byte(texts[0]), &all) != nil {
		all = nil
		for _, t := range texts {
			all = append(all, json.RawMessage(t))
		}
	}
	var rows [][]string
	for _, raw := range all {
		names, cells := record(raw)
		if names == nil || rows != nil && !slices.Equal(rows[0], names) {
			return nil
		}
		if rows == nil {
			rows = append(rows, names)
		}
		rows = append(rows, cells)
	}
	return rows
}

// record reads an object whose values are all scalars, digit for digit.
func record(raw json.RawMessage) (names, cells []string) {
	if !json.Valid(raw) {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, nil
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil, nil
		}
		cell := string(value)
		switch scalar(value) {
		case 0:
			return nil, nil
		case '"':
			_ = json.Unmarshal(value, &cell)
		}
		names, cells = append(names, strings.ReplaceAll(fmt.Sprint(name), "_", " ")), append(cells, cell)
	}
	return names, cells
}

// scalar is the kind of a JSON value by its first byte, 0 for every digit and a minus, and the byte 0 for what has parts or
// is no JSON.
func scalar(raw json.RawMessage) byte {
	raw = bytes.TrimSpace(raw)
	if !json.Valid(raw) {
		return 0
	}
	switch c := raw[0]; {
	case c == '{' || c == '[':
		return 0
	case c == '-' || c >= '0' && c <= '9':
		return '0'
	default:
		return c
	}
}

var special = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "~", `\~`, "#", `\#`, "&", `\&`)

// inline is a text on one line that means nothing in Markdown, cut after a sentence or else after a word.
func inline(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > maxRunes {
		text = string(r[:maxRunes])
		if i := strings.LastIndex(text, ". "); i > len(text)/2 {
			text = text[:i+1] + " …"
		} else if i := strings.LastIndex(text, " "); i > 0 {
			text = text[:i] + " …"
		}
	}
	return special.Replace(text)
}
