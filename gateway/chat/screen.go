package chat

// What the screen gets of a tool's answer: the events made of structured content. Nothing here leads to a model.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/host"
)

// screen makes the events that show a result. next is the number that the first of them will have.
func (r *run) screen(t host.Tool, call string, res host.Result, next int64) []Event {
	var events []Event
	if res.IsError {
		return nil
	}
	if !res.Drawable {
		if key := "none of " + t.Name; !r.given[key] {
			r.given[key] = true
			events = append(events, &Sources{Call: call, Tool: t.Name, Title: t.Title, None: true})
		}
		return events
	}
	var panel struct {
		Sources []json.RawMessage `json:"sources"`
		Table   json.RawMessage   `json:"table"`
		Charts  []json.RawMessage `json:"charts"`
		Force   string            `json:"force"`
	}
	drawn := res.Structured
	if res.Panel != nil {
		drawn = res.Panel
	}
	if err := json.Unmarshal(drawn, &panel); err != nil {
		r.cfg.Logger.Error("structured content that was checked cannot be read", "tool", t.Name, "err", err)
		return nil
	}
	if panel.Force != "" {
		events = append(events, &Force{call, t.Name, panel.Force})
	}
	if panel.Table != nil {
		e := &Table{Call: call, Tool: t.Name, Hash: hash("table", panel.Table)}
		if e.Same = r.before(e.Hash, next+int64(len(events))); e.Same == nil {
			e.Rows = panel.Table
		}
		events = append(events, e)
	}
	for i, chart := range panel.Charts {
		e := &Chart{Call: call, Tool: t.Name, Index: i, Hash: hash("chart", chart)}
		if e.Same = r.before(e.Hash, next+int64(len(events))); e.Same == nil {
			e.Config = chart
		}
		events = append(events, e)
	}
	if fresh := r.fresh(panel.Sources); len(fresh) > 0 {
		events = append(events, &Sources{Call: call, Tool: t.Name, Title: t.Title, Sources: fresh})
	}
	return events
}

// before says where the same was shown, and remembers where it is shown first.
func (r *run) before(hash string, seq int64) *Ref {
	if ref, ok := r.seen[hash]; ok {
		return &ref
	}
	r.seen[hash] = Ref{r.ID, seq}
	return nil
}

// fresh are the sources that the answer does not have yet.
func (r *run) fresh(raw []json.RawMessage) []Source {
	var fresh []Source
	for _, one := range raw {
		var s Source
		if json.Unmarshal(one, &s.URL) != nil && json.Unmarshal(one, &s) != nil {
			continue
		}
		// Two series at one address are two sources; what was retrieved again is not.
		key := s
		key.RetrievedAt = ""
		if r.sources[key] {
			continue
		}
		r.sources[key] = true
		fresh = append(fresh, s)
	}
	return fresh
}

// hash is the same for two documents that say the same: white space, the order of keys and the spelling of text do not
// count, the digits of a number do.
func hash(kind string, doc json.RawMessage) string {
	d := json.NewDecoder(strings.NewReader(string(doc)))
	d.UseNumber()
	canonical := []byte(doc)
	var v any
	if d.Decode(&v) == nil {
		if sorted, err := compact(v); err == nil {
			canonical = sorted
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s", kind, canonical))
	return hex.EncodeToString(sum[:16])
}
