package wire

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/model"
)

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// zeros is a body without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
func (zeros) Close() error               { return nil }

func TestBodyLimit(t *testing.T) {
	c := Client{Transport: transport(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: zeros{}}, nil
	})}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:1/", bytes.NewReader(nil))
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if n, err := io.CopyN(io.Discard, res.Body, 2*maxBody); n != maxBody || err == nil || !strings.Contains(err.Error(), "more than 64 MiB") {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestTextLimits(t *testing.T) {
	long := strings.Repeat("é", 5000)
	if got := Failed("c", errors.New(long), "").Error(); len([]rune(got)) != maxFault+len("c: ")+1 {
		t.Errorf("a fault of %d characters", len([]rune(got)))
	}
	res := &http.Response{StatusCode: 500, Header: http.Header{}, Body: zeros{}}
	if got := Fault(res, "").Error(); len(got) > 200 {
		t.Errorf("%.200s", got)
	}
	if got := StandIn(model.Part{MIMEType: long}); len([]rune(got)) > 120 {
		t.Errorf("a stand-in of %d characters", len([]rune(got)))
	}
}
