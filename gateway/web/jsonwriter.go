package web

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// A jsonWriter writes an answer that may be long as it is read, so that little of it is held at once. One that fits into a
// buffer is whole or an error; a longer one that fails is broken off.
type jsonWriter struct {
	*bufio.Writer
	first bool
}

func newJSONWriter(w io.Writer) *jsonWriter {
	return &jsonWriter{Writer: bufio.NewWriterSize(w, maxPiece)}
}

// open begins a JSON object with what head has and, last, a list.
func (p *jsonWriter) open(head any, list string) error {
	fields, err := json.Marshal(head)
	if err != nil {
		return err
	}
	_, _ = p.Write(bytes.TrimSuffix(fields, []byte("}")))
	return p.list(`,"` + list + `":[`)
}

// list begins a list that has no item yet.
func (p *jsonWriter) list(begin string) error {
	p.first = true
	_, err := p.WriteString(begin)
	return err
}

// item writes the JSON of one more in the list.
func (p *jsonWriter) item(b []byte) error {
	if !p.first {
		_ = p.WriteByte(',') // what fails fails again
	}
	p.first = false
	_, err := p.Write(b)
	return err
}
