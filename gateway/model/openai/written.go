package openai

import (
	"bytes"
	"encoding/json"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// written are the arguments of a call as they come. It knows when they are complete without reading them again for each
// piece: a model may write them letter by letter.
type written struct {
	bytes.Buffer
	at       jsontext.Tracker
	closed   bool // the outermost bracket
	complete bool
}

func (w *written) add(piece string) {
	w.WriteString(piece)
	for i := range len(piece) {
		c := piece[i]
		switch {
		case w.closed:
			if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
				w.complete = false // and never again
				return
			}
		case w.at.Next(c) && (c == '}' || c == ']') && w.at.Depth <= 0:
			w.closed, w.complete = true, json.Valid(w.Bytes()[:w.Len()-len(piece)+i+1])
		}
	}
}
