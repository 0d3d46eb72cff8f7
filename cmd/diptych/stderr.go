package main

import (
	"io"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

// A cleanWriter passes on what a server writes to its standard error, made safe for a terminal.
type cleanWriter struct{ out io.Writer }

func (w *cleanWriter) Write(b []byte) (int, error) {
	_, err := io.WriteString(w.out, terminal.Clean(string(b)))
	return len(b), err
}
