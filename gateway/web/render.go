package web

// Rendering as something that may fail: it has a time of its own, whatever the Markdown library does with a text, and what
// was rendered once is kept for the next reader.

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// A proseRenderer makes prose. It is safe for concurrent use.
type proseRenderer struct {
	prose func(string, ...span) []proseNode
	slots chan struct{} // a text that never ends keeps one, so that a processor at most is lost to each

	mu    sync.Mutex
	kept  map[[sha256.Size]byte]json.RawMessage
	order [][sha256.Size]byte // the oldest first
	bytes int                 // of all in kept
}

func newProseRenderer() *proseRenderer {
	return &proseRenderer{prose: prose, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), kept: make(map[[sha256.Size]byte]json.RawMessage)}
}

// whole renders the text of a finished turn, once.
func (r *proseRenderer) whole(markdown string, marked ...span) json.RawMessage {
	key := sha256.Sum256(fmt.Appendf(nil, "%v\n%s", marked, markdown))
	r.mu.Lock()
	known, ok := r.kept[key]
	r.mu.Unlock()
	if ok {
		return known
	}
	rendered, ok := r.render(markdown, marked)
	if ok {
		r.keep(key, rendered)
	}
	return rendered
}

// piece renders what there is of a turn that goes on.
func (r *proseRenderer) piece(markdown string) json.RawMessage {
	rendered, _ := r.render(markdown, nil)
	return rendered
}

// render gives the text itself, and false, where rendering takes too long.
func (r *proseRenderer) render(markdown string, marked []span) (json.RawMessage, bool) {
	late := time.NewTimer(renderTimeout)
	defer late.Stop()
	done := make(chan json.RawMessage, 1)
	select {
	case r.slots <- struct{}{}:
		go func() {
			defer func() { <-r.slots }()
			defer func() {
				if recover() != nil {
					done <- asJSON([]proseNode{markdown})
				}
			}()
			done <- asJSON(r.prose(markdown, marked...))
		}()
	case <-late.C:
		return asJSON([]proseNode{markdown}), false
	}
	select {
	case rendered := <-done:
		return rendered, true
	case <-late.C:
		return asJSON([]proseNode{markdown}), false
	}
}

func (r *proseRenderer) keep(key [sha256.Size]byte, rendered json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.kept[key]; ok || len(rendered) > maxRemembered {
		return
	}
	r.kept[key] = rendered
	r.order = append(r.order, key)
	for r.bytes += len(rendered); r.bytes > maxRemembered; r.order = r.order[1:] {
		r.bytes -= len(r.kept[r.order[0]])
		delete(r.kept, r.order[0])
	}
}

// asJSON writes nodes, of strings, lists and objects alone, with <, > and & escaped.
func asJSON(nodes []proseNode) json.RawMessage {
	var b bytes.Buffer
	_ = json.NewEncoder(&b).Encode(nodes)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
