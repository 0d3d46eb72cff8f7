// Package scripted is a model that is none: it follows a script, needs no key and says so in every answer. It picks the
// tool whose words fit the question, fills in what it finds there, and repeats what the tool answered. The demo and the
// tests use it, because it does the same every time.
package scripted

import (
	"context"
	"strings"
	"time"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// Model follows the script. The zero value answers at once.
type Model struct {
	Pace time.Duration // between two words, so that a page has something to stream
}

var _ model.Model = Model{}

const maxQuestion = 4 << 10 // bytes that are read

// Name is "scripted".
func (Model) Name() string { return "scripted" }

// Stream calls a tool after a user's message, if one fits, and tells what the tools said after their answers. Arguments in
// JSON behind the name of a tool are taken as they are: "get_forecast {"city": "Oslo", "days": 3}".
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
	t := time.NewTimer(m.Pace)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// next is the turn that follows a conversation.
func next(req model.Request) model.Turn {
	if answers := answered(req.Messages); len(answers) > 0 {
		return model.Turn{Text: tell(req.Messages, answers), Reason: model.Stop}
	}
	question := ""
	if n := len(req.Messages); n > 0 {
		for _, p := range req.Messages[n-1].Parts {
			question += p.Text + "\n"
		}
	}
	question = strings.ToValidUTF8(question[:min(len(question), maxQuestion)], "")
	best, lacking := choose(question, req.Tools)
	switch {
	case best != nil:
		call := model.Call{ID: callID(req), Name: best.tool.Name, Arguments: best.arguments}
		return model.Turn{Text: "I follow a script. I ask " + best.tool.Name + ".", Calls: []model.Call{call}, Reason: model.ToolCalls}
	case lacking != nil:
		return model.Turn{Text: "I follow a script, and it would ask " + lacking.tool.Name + ", but your message does not say this: " +
			strings.Join(lacking.missing, ", ") + ". Put it in quotation marks or choose the tool yourself.", Reason: model.Stop}
	case len(req.Tools) == 0:
		return model.Turn{Text: "I follow a script and have no tools to ask. Connect a server.", Reason: model.Stop}
	}
	return model.Turn{Text: "I follow a script, and none of the tools fits your words. I know " + names(req.Tools) + ".", Reason: model.Stop}
}

func names(tools []model.Tool) string {
	var out []string
	for i, t := range tools {
		if i == 12 {
			out = append(out, "…")
			break
		}
		out = append(out, t.Name)
	}
	return strings.Join(out, ", ")
}
