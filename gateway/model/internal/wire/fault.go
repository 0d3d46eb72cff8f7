package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"unicode"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// Fault is the error for an answer that is no answer: its status, what the server says about it, and what to do.
// Nothing of the request is in it.
func Fault(res *http.Response, key string) error {
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxError))
	return FaultOf(res.StatusCode, res.Header, body, key)
}

// FaultOf is [Fault] with the body already read.
func FaultOf(status int, header http.Header, body []byte, key string) error {
	text := fmt.Sprintf("the server answered %d", status)
	if name := http.StatusText(status); name != "" {
		text += " " + name
	}
	if said := Said(body, key); said != "" {
		text += ": " + said
	}
	remedy := ""
	switch {
	case status >= 300 && status < 400:
		remedy = "give the address that it redirects to as base URL"
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		remedy = "check the key in the environment"
	case status == http.StatusNotFound:
		remedy = "check the base URL and the model's name"
	case status == http.StatusRequestEntityTooLarge:
		remedy = "start a new conversation"
	case status == http.StatusTooManyRequests, status >= 500:
		remedy = "try again later"
		if d, ok := retryAfter(header); ok && d > 0 {
			remedy = fmt.Sprintf("try again in %v", d.Round(1e9))
		}
	}
	if remedy != "" {
		text += "; " + remedy
	}
	return &statusError{status, text, string(body)}
}

// A statusError is an answer that is no answer.
type statusError struct {
	status int
	text   string
	body   string // for looking, not for showing
}

// Refuses reports whether a server refused a request and names something of it as the reason.
func Refuses(err error, what string) bool {
	var refused *statusError
	return errors.As(err, &refused) && (refused.status == http.StatusBadRequest || refused.status == http.StatusUnprocessableEntity) && strings.Contains(refused.body, what)
}

func (e *statusError) Error() string { return e.text }

var title = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// Said is what an error body says to people, short and without the key: some servers repeat it.
func Said(body []byte, key string) string {
	if len(body) > maxError {
		return ""
	}
	return strings.TrimRight(clean(said(body, maxNested), maxSaid, key), ".")
}

// said knows the several shapes that servers give to an error, one in the other so many times.
func said(body []byte, nested int) string {
	body = bytes.TrimSpace(body)
	if len(body) == 0 || nested < 0 {
		return ""
	}
	if body[0] == '<' {
		if m := title.FindSubmatch(body); m != nil {
			return html.UnescapeString(string(m[1]))
		}
		return ""
	}
	if body[0] == '[' { // one provider wraps its error in a list
		var list []json.RawMessage
		if json.Unmarshal(body, &list) != nil || len(list) == 0 {
			return ""
		}
		body = list[0]
	}
	var text string
	if json.Unmarshal(body, &text) == nil {
		return text
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		if body[0] == '{' {
			return ""
		}
		return string(body)
	}
	for _, name := range []string{"error", "message", "detail"} {
		if raw, ok := fields[name]; ok && len(raw) < len(body) {
			if text := said(raw, nested-1); text != "" && text != "null" {
				return text
			}
		}
	}
	return ""
}

// Failed is err as it may be shown: under the client's name, one line, and without the key or anything that err wraps.
func Failed(client string, err error, key string) error {
	return &model.Error{Kind: kind(err), Text: client + ": " + clean(err.Error(), maxFault, key)}
}

func kind(err error) model.Kind {
	var idle idleError
	var status *statusError
	var network net.Error
	switch {
	case errors.As(err, &idle):
		return model.Silent
	case errors.As(err, &status):
		switch s := status.status; {
		case s == http.StatusUnauthorized, s == http.StatusForbidden:
			return model.Denied
		case s == http.StatusTooManyRequests, s == http.StatusServiceUnavailable, s == 529:
			return model.Busy
		case s >= 500:
			return model.Broken
		}
		return model.Refused
	case errors.Is(err, errCut):
		return model.Cut
	case errors.Is(err, ErrUnspoken), errors.Is(err, ErrSaid):
		return model.Broken
	case errors.As(err, &network), errors.Is(err, io.EOF): // hung up before it answered
		return model.Unreachable
	}
	return model.Unreadable
}

// ErrSaid is wrapped by the error that a server reports in the middle of an answer.
var ErrSaid = errors.New("the server reports an error")

var errCut = errors.New("the answer was cut off before its end; ask again")

// Cut is the error for an answer that broke off with err, which may be nil. A server that fell silent explains itself.
func Cut(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return errCut
	}
	return err
}

// clean makes one line of foreign text. The key goes before the text is shortened, lest half of it stays.
func clean(s string, limit int, key string) string {
	if key != "" {
		s = strings.ReplaceAll(s, key, "[key]")
	}
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}), " ")
	if r := []rune(s); len(r) > limit {
		s = string(r[:limit]) + "…"
	}
	return s
}
