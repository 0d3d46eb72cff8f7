package splice

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A slot is the response to one request of the SDK's, with room for one result. It writes what it is given until a result
// is kept.
type slot struct {
	http.ResponseWriter
	place
	done bool  // the kept result was written
	err  error // why nothing more is written
}

// Unwrap lets http.ResponseController find what else the writer can do.
func (s *slot) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// errLayout is a message that does not carry the mark where this package put it.
var errLayout = errors.New("a result is not where it was put; the message was not sent")

// Write writes p, a message or a part of the stream around messages, with the kept result in place of its mark. A mark
// anywhere else never leaves: the caller gets an error instead.
func (s *slot) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	k := s.kept.Load()
	if k == nil {
		return s.ResponseWriter.Write(p)
	}
	member := k.member()
	at := bytes.Index(p, []byte(member))
	switch {
	case at < 0 && !bytes.Contains(p, []byte(k.mark)) && !torn(p, member):
		return s.ResponseWriter.Write(p) // a notification
	case at < 0 || s.done || bytes.Count(p, []byte(k.mark)) > 1:
		s.err = errLayout
		return s.refuse(p)
	}
	s.done = true
	o := s.keeper.out(s.ResponseWriter)
	defer s.keeper.free(o)
	o.raw(p[:at])
	k.body.write(o)
	o.raw(p[at+len(member):])
	if s.err = o.flush(); s.err != nil {
		return 0, s.err
	}
	return len(p), nil
}

// torn says whether p ends inside of member.
func torn(p []byte, member string) bool {
	for n := min(len(p), len(member)-1); n > 0; n-- {
		if strings.HasPrefix(member, string(p[len(p)-n:])) {
			return true
		}
	}
	return false
}

// refuse answers the call that p is the answer to with an error, if it can be made out.
func (s *slot) refuse(p []byte) (int, error) {
	frame, message, streamed := bytes.Cut(p, []byte("data: "))
	if !streamed {
		frame, message = nil, p
	}
	refusal, err := refusal(message)
	if err != nil {
		return 0, err
	}
	if streamed {
		refusal = append(append(append(frame, "data: "...), refusal...), "\n\n"...)
	}
	if _, err := s.ResponseWriter.Write(refusal); err != nil {
		return 0, err
	}
	return len(p), nil
}

// refusal is the error that is sent instead of a message that cannot be.
func refusal(message []byte) ([]byte, error) {
	var answer struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(message, &answer) != nil {
		return nil, errLayout
	}
	id, err := jsonrpc.MakeID(answer.ID)
	if err != nil || !id.IsValid() {
		return nil, errLayout
	}
	refusal, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: errLayout.Error()}})
	if err != nil {
		return nil, errLayout
	}
	return refusal, nil
}
