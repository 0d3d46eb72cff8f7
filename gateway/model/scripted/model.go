// Package scripted is a model that is none: it follows a script, needs no key and says so in every answer. It picks the
// tool whose words fit the question, fills in what it finds there, and repeats what the tool answered. The demo and the
// tests use it, because it does the same every time.
package scripted

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

// Model follows the script. The zero value answers at once.
type Model struct {
	Pace time.Duration // between two words, so that a page has something to stream
}

var _ model.Model = Model{}

// Name is "scripted".
func (Model) Name() string { return "scripted" }

// Stream calls a tool after a user's message, if one fits, and tells what the tools said after their answers. Arguments in
// JSON after the name of a tool are taken as they are: "get_forecast {"city": "Oslo", "days": 3}".
func (m Model) Stream(ctx context.Context, req model.Request, emit func(model.Delta) error) (model.Turn, error) {
	t := next(req)
	for _, word := range strings.SplitAfter(t.Text, " ") {
		if err := m.wait(ctx); err != nil {
			return model.Turn{}, err
		}
		if word == "" {
			continue
		}
		if err := emit(model.Delta{Text: word}); err != nil {
			return model.Turn{}, err
		}
	}
	t.Usage = model.Usage{Output: len(strings.Fields(t.Text))}
	return t, nil
}

func (m Model) wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil || m.Pace <= 0 {
		return err
	}
	return wire.Sleep(ctx, m.Pace)
}

// next is the turn that follows a conversation.
func next(req model.Request) model.Turn {
	say := speechOf(req.Messages)
	if answers := answered(req.Messages); len(answers) > 0 {
		return model.Turn{Text: tell(req, answers, say), Reason: model.Stop}
	}
	asked := question(req.Messages)
	best, lacking := choose(asked, req.Tools)
	if best == nil && lacking == nil {
		if earlier, ok := pending(req.Messages); ok { // the user answers what the script asked back
			if f := find(asked, nil); len(f.quoted)+len(f.dates)+len(f.numbers)+len(f.phrases) == 0 {
				asked = `"` + strings.TrimSpace(asked) + `"`
			}
			best, lacking = choose(earlier+" ; "+asked, req.Tools)
		}
	}
	switch {
	case best != nil:
		text := fmt.Sprintf(say.asks, label(best.tool.Name))
		if sent := shown(best.arguments); sent != "" {
			text += fmt.Sprintf(say.with, sent)
		} else {
			text += "."
		}
		call := model.Call{ID: fmt.Sprintf("scripted_%d", len(req.Messages)), Name: best.tool.Name, Arguments: best.arguments}
		return model.Turn{Text: text, Calls: []model.Call{call}, Reason: model.ToolCalls}
	case lacking != nil:
		return model.Turn{Text: fmt.Sprintf(say.lacks, label(lacking.tool.Name), strings.Join(lacking.missing, "; ")) + " " + say.instead, Reason: model.Stop}
	case len(req.Tools) == 0:
		return model.Turn{Text: say.nothing, Reason: model.Stop}
	}
	return model.Turn{Text: fmt.Sprintf(say.none, labels(req.Tools)), Reason: model.Stop}
}

// question is the user's last message.
func question(messages []model.Message) string {
	text := ""
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == model.User {
			for _, p := range messages[i].Parts {
				text += p.Text + "\n"
			}
			break
		}
	}
	return strings.ToValidUTF8(text[:min(len(text), maxQuestion)], "")
}

// pending is the question before the last, where the script answered it without a call.
func pending(messages []model.Message) (string, bool) {
	n := len(messages)
	if n < 3 || messages[n-2].Role != model.Assistant || len(messages[n-2].Calls) > 0 {
		return "", false
	}
	return strings.TrimSpace(question(messages[:n-2])), true
}

// shown are arguments as people write them.
func shown(arguments json.RawMessage) string {
	names, cells := record(flat(arguments))
	for i, name := range names {
		names[i] = inline(name) + ": " + inline(cells[i])
	}
	return strings.Join(names, ", ")
}

// flat writes the lists of an object as text.
func flat(object json.RawMessage) json.RawMessage {
	var all map[string]json.RawMessage
	if json.Unmarshal(object, &all) != nil {
		return nil
	}
	for name, value := range all {
		var list []string
		if json.Unmarshal(value, &list) == nil && len(list) > 0 {
			all[name], _ = json.Marshal(strings.Join(list, ", "))
		}
	}
	out, _ := json.Marshal(all)
	return out
}

func labels(tools []model.Tool) string {
	var out []string
	for i, t := range tools {
		if i == maxLabels {
			out = append(out, "…")
			break
		}
		out = append(out, label(t.Name))
	}
	return strings.Join(out, ", ")
}
