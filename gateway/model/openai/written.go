package openai

import (
	"bytes"
	"encoding/json"
)

// written are the arguments of a call as they come. It knows when they are complete without reading them again for each
// piece: a model may write them letter by letter.
type written struct {
	bytes.Buffer
	depth           int
	quoted, escaped bool
	closed          bool // the outermost bracket
	complete        bool
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
		case w.escaped:
			w.escaped = false
		case w.quoted:
			w.escaped, w.quoted = c == '\\', c != '"'
		case c == '"':
			w.quoted = true
		case c == '{' || c == '[':
			w.depth++
		case c == '}' || c == ']':
			if w.depth--; w.depth <= 0 {
				w.closed, w.complete = true, json.Valid(w.Bytes()[:w.Len()-len(piece)+i+1])
			}
		}
	}
}
