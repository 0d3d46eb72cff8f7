package exact

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// sized is a body of so many bytes of JSON.
func sized(size int) io.ReadCloser {
	return io.NopCloser(io.MultiReader(strings.NewReader(`"`), io.LimitReader(letters{}, int64(size-2)), strings.NewReader(`"`)))
}

type letters struct{}

func (letters) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// TestMessageLimit reads messages over HTTP where the transport sets no limit, and where it says that there is none.
func TestMessageLimit(t *testing.T) {
	for _, c := range []struct {
		maxEventSize, size int
		fits               bool
	}{
		{0, maxMessage, true}, {0, maxMessage + 1, false}, {-1, maxMessage + 1, true}, {1000, 1000, true}, {1000, 1001, false},
	} {
		for kind, frame := range map[string]int{"application/json": 0, "text/event-stream": len("data: \n\n")} {
			wrapped, _ := client(&http.Client{Transport: tripFunc(func(*http.Request) (*http.Response, error) {
				body := sized(c.size - frame)
				if frame > 0 {
					body = io.NopCloser(io.MultiReader(strings.NewReader("data: "), body, strings.NewReader("\n\n")))
				}
				return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {kind}}, Body: body}, nil
			})}, c.maxEventSize)
			resp, err := wrapped.Get("http://server.example")
			if err != nil {
				t.Fatal(err)
			}
			n, err := io.Copy(io.Discard, resp.Body)
			if c.fits && (err != nil || int(n) != c.size) || !c.fits && (err == nil || !strings.Contains(err.Error(), "is larger than")) {
				t.Errorf("%s of %d bytes where MaxEventSize is %d: read %d, %v", kind, c.size, c.maxEventSize, n, err)
			}
		}
	}
}

// TestKeptMemory lets the memory of a large event go with the next one.
func TestKeptMemory(t *testing.T) {
	for size, kept := range map[int]bool{largestKept / 4: true, 2 * largestKept: false} {
		e := newEvents(io.NopCloser(strings.NewReader("data: "+strings.Repeat("x", size)+"\n\ndata: x\n\n")), unlimited(), "")
		e.next()
		e.next()
		if got := cap(e.event) >= size; got != kept || errors.Is(e.err, io.EOF) {
			t.Errorf("after an event of %d bytes %d are kept; %v", size, cap(e.event), e.err)
		}
	}
}

// TestReadNoFurther stops reading a document one byte after its limit.
func TestReadNoFurther(t *testing.T) {
	rest := &io.LimitedReader{R: letters{}, N: 1 << 20}
	d := &document{body: io.NopCloser(rest), bounds: &bounds{1000, new(requests), nil}}
	if _, err := io.ReadAll(d); err == nil || rest.N != 1<<20-1001 {
		t.Errorf("read %d bytes, %v; want 1001 and an error", 1<<20-rest.N, err)
	}
}
