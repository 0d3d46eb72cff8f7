package web

// How long an answer may take to leave. Who reads too slowly is left, so that what is held for it is free again, and what
// is broken off never looks like a whole.

import (
	"net/http"
	"time"
)

// An answer is on its way to whoever asks. It has its own time for each piece, whatever the server gave it for the whole.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	begun   bool
}

// Unwrap lets an [http.ResponseController] flush.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) WriteHeader(status int) {
	a.begin()
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	written := 0
	for {
		a.begin()
		n, err := a.ResponseWriter.Write(b[written:min(len(b), written+maxPiece)])
		if written += n; err != nil || written == len(b) {
			return written, err
		}
	}
}

func (a *answer) begin() {
	a.begun = true
	_ = a.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // a recorder in a test has none
}

// begun holds for an answer that can become no other any more.
func begun(w http.ResponseWriter) bool {
	a, ok := w.(*answer)
	return ok && a.begun
}
