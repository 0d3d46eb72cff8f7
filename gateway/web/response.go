package web

// How long an answer may take to leave. Slow readers are disconnected, so that what is held for them is free again, and an
// answer that was cut off never looks like a whole one.

import (
	"net/http"
	"time"
)

// A response renews its deadline with each piece that it writes, whatever the server gave it for the whole.
type response struct {
	http.ResponseWriter
	control *http.ResponseController
	begun   bool
}

// Unwrap lets an [http.ResponseController] flush.
func (a *response) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *response) WriteHeader(status int) {
	a.begin()
	a.ResponseWriter.WriteHeader(status)
}

func (a *response) Write(b []byte) (int, error) {
	written := 0
	for {
		a.begin()
		n, err := a.ResponseWriter.Write(b[written:min(len(b), written+maxPiece)])
		if written += n; err != nil || written == len(b) {
			return written, err
		}
	}
}

func (a *response) begin() {
	a.begun = true
	_ = a.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // a recorder in a test has none
}

// begun holds for an answer that can become no other any more.
func begun(w http.ResponseWriter) bool {
	a, ok := w.(*response)
	return ok && a.begun
}
