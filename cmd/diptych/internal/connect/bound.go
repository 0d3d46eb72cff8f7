package connect

import (
	"errors"
	"io"
	"net/http"
	"strings"
)

// MaxAnswer is the size of the largest answer that is read.
const MaxAnswer = 16 << 20

var errTooLarge = errors.New("the answer is larger than 16 MiB")

// bounded reads no more of an HTTP answer than MaxAnswer, and puts the person's headers on every request. Event streams
// are bounded event by event in the SDK's transport.
type bounded struct {
	next    http.RoundTripper
	headers map[string]string
}

func (b bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	for name, value := range b.headers {
		req.Header.Set(name, value)
	}
	resp, err := b.next.RoundTrip(req)
	if err == nil && !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		resp.Body = &limited{resp.Body, MaxAnswer}
	}
	return resp, err
}

type limited struct {
	io.ReadCloser
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLarge
	}
	n, err := l.ReadCloser.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}
