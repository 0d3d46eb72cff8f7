package web

// What the page gets of a run: the stored events, with the model's text rendered and tables cut to their first page.

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// A viewEvent is what the page reads. Its number is that of the stored event, or of the last one that it sums up.
type viewEvent struct {
	Seq  int64  `json:"seq"`
	Type string `json:"type"`
	Data any    `json:"data"`
}

type textView struct {
	Turn  int             `json:"turn"`
	Prose json.RawMessage `json:"prose"`
	Final bool            `json:"final,omitempty"`
}

type tableView struct {
	Call    string     `json:"call"`
	Tool    string     `json:"tool"`
	Same    *chat.Ref  `json:"same,omitempty"`
	Guarded int        `json:"guarded,omitempty"` // cells that the spreadsheet file changes
	Table   *tablePage `json:"table,omitempty"`
}

type chartView struct {
	Call   string    `json:"call"`
	Tool   string    `json:"tool"`
	Same   *chat.Ref `json:"same,omitempty"`
	Config string    `json:"config,omitempty"` // JSON as text, so that the page can read its digits
}

type callView struct {
	*chat.ToolCall
	Arguments []argument `json:"arguments,omitempty"`
	Cut       bool       `json:"cut,omitempty"` // Read is longer than what is sent
}

type consentView struct {
	*chat.Consent
	Arguments []argument `json:"arguments,omitempty"`
}

// An argument is shown as a name and the text of a value, digit for digit. The name is empty where there is but a value.
type argument struct {
	Name  string `json:"name,omitempty"`
	Value string `json:"value"`
}

func viewArguments(raw json.RawMessage) []argument {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return oneArgument("", raw)
	}
	var list []argument
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return oneArgument("", raw)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return oneArgument("", raw)
		}
		list = append(list, oneArgument(name.(string), value)...)
	}
	return list
}

func oneArgument(name string, raw json.RawMessage) []argument {
	if len(raw) == 0 || string(raw) == "null" && name == "" {
		return nil
	}
	value := string(raw)
	var text string
	if json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
		value = text
	}
	if len(value) > maxArgument {
		value = strings.ToValidUTF8(value[:maxArgument], "") + "…"
	}
	return []argument{{name, value}}
}

// A viewer turns stored events into what the page reads. Pieces of text are kept until flush, and dropped when the whole
// turn arrives first.
type viewer struct {
	render *proseRenderer
	rows   int  // of a table's page
	live   bool // what is asked can be answered
	turn   int
	said   strings.Builder
	seq    int64      // of the last piece that is not sent yet; 0 for none
	last   *chat.Text // the last whole turn
}

// take reads the next event and returns the events to send now.
func (v *viewer) take(e store.Event) ([]viewEvent, error) {
	event, err := chat.Decode(e)
	if err != nil {
		return nil, err
	}
	if text, ok := event.(*chat.Text); ok {
		if text.Final {
			v.turn, v.seq = 0, 0
			v.said.Reset()
			v.last = text
			return []viewEvent{{e.Seq, e.Type, textView{text.Turn, v.render.whole(text.Text), true}}}, nil
		}
		var told []viewEvent
		if text.Turn != v.turn {
			told = v.flush()
			v.turn = text.Turn
			v.said.Reset()
		}
		v.said.WriteString(text.Text)
		v.seq = e.Seq
		return told, nil
	}
	told := v.flush()
	data := any(event)
	switch event := event.(type) {
	case *chat.Table:
		view := tableView{Call: event.Call, Tool: event.Tool, Same: event.Same}
		if event.Rows != nil {
			t, err := readTable(event.Rows)
			if err != nil {
				return told, err
			}
			page := t.page(0, max(v.rows, 1), -1, false, "")
			view.Table, view.Guarded = &page, t.guarded()
		}
		data = view
	case *chat.Chart:
		data = chartView{event.Call, event.Tool, event.Same, string(event.Config)}
	case *chat.Consent:
		data = consentView{event, viewArguments(event.Arguments)}
	case *chat.Question:
		data = viewQuestion(event, v.live)
	case *chat.NumberCheck:
		// Marks are a property of the text: it is sent again, with them.
		spans, err := nowhere(event.Findings)
		if err != nil {
			return told, err
		}
		if v.last == nil || v.last.Turn != event.Turn || len(spans) == 0 {
			return told, nil
		}
		return append(told, viewEvent{e.Seq, "text", textView{event.Turn, v.render.whole(v.last.Text, spans...), true}}), nil
	case *chat.ToolCall:
		view := callView{ToolCall: event, Arguments: viewArguments(event.Arguments)}
		if len(event.Read) > maxRead {
			event.Read, view.Cut = strings.ToValidUTF8(event.Read[:maxRead], ""), true
		}
		data = view
	}
	return append(told, viewEvent{e.Seq, e.Type, data}), nil
}

// flush tells the text so far, where there is new one.
func (v *viewer) flush() []viewEvent {
	if v.seq == 0 {
		return nil
	}
	told := viewEvent{v.seq, "text", textView{Turn: v.turn, Prose: v.render.piece(v.said.String())}}
	v.seq = 0
	return []viewEvent{told}
}
