package openai

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

// events calls each with the data of every server-sent event in r. Lines end with LF, CR or CRLF; comments and unknown
// fields are skipped. Two deviations are taken: an event without the empty line after it at the end of the stream, and
// errors in a line of their own, with or without the name "error" before them.
func events(r io.Reader, each func(data []byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 16<<10), wire.MaxKept)
	lines.Split(splitter())
	var data []byte
	flush := func() error {
		if len(data) == 0 {
			return nil
		}
		event := data
		data = nil
		return each(event)
	}
	for first := true; lines.Scan(); first = false {
		line := lines.Bytes()
		if first {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if len(line) == 0 {
			if err := flush(); err != nil {
				return err
			}
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case string(name) == "data", string(name) == "error":
			value = bytes.TrimPrefix(value, []byte(" "))
		case line[0] == '{':
			value = line
		default:
			continue
		}
		if len(data)+len(value) > wire.MaxKept {
			return wire.ErrTooLong
		}
		data = append(append(data, value...), '\n')
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return wire.ErrTooLong
	}
	if lines.Err() != nil {
		return wire.Cut(lines.Err())
	}
	return flush()
}

// splitter splits lines at LF, CR and CRLF without waiting for what follows a CR.
func splitter() bufio.SplitFunc {
	skip := false // the LF of a CRLF
	return func(b []byte, atEOF bool) (int, []byte, error) {
		from := 0
		if skip && len(b) > 0 {
			skip = false
			if b[0] == '\n' {
				from = 1
			}
		}
		if i := bytes.IndexAny(b[from:], "\r\n"); i >= 0 {
			skip = b[from+i] == '\r'
			return from + i + 1, b[from : from+i : from+i], nil
		}
		if atEOF && len(b) > from {
			return len(b), b[from:], nil
		}
		return from, nil, nil
	}
}
