package web

// How long a request may take to arrive and an answer to leave. Who sends or reads too slowly is left, whatever it holds
// meanwhile is free again, and what is broken off never looks like a whole.

import (
	"net/http"
	"time"
)

const (
	patience = 30 * time.Second // for a request's body, and for each piece of an answer
	piece    = 64 << 10
)

// An answer is on its way to whoever asks.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	begun   bool
}

// timed gives the body of a request its time, and the answer to it one for each piece. The server itself takes the time for
// reading back once the body was read, so that a stream may last.
func timed(w http.ResponseWriter, r *http.Request) *answer {
	a := &answer{ResponseWriter: w, control: http.NewResponseController(w)}
	if r.Body != http.NoBody {
		_ = a.control.SetReadDeadline(time.Now().Add(patience)) // a recorder in a test has none, here and below
	}
	return a
}

// Unwrap lets an [http.ResponseController] flush.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) WriteHeader(status int) {
	a.begun = true
	_ = a.control.SetWriteDeadline(time.Now().Add(patience))
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	a.begun = true
	written := 0
	for {
		_ = a.control.SetWriteDeadline(time.Now().Add(patience))
		n, err := a.ResponseWriter.Write(b[written:min(len(b), written+piece)])
		if written += n; err != nil || written == len(b) {
			return written, err
		}
	}
}

// begun holds for an answer that can become no other any more.
func begun(w http.ResponseWriter) bool {
	a, ok := w.(*answer)
	return ok && a.begun
}
