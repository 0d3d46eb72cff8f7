package connect

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestSkippedLines reads past lines that are longer than the limit, up to a multiple of it.
func TestSkippedLines(t *testing.T) {
	const limit = 128 << 10
	line := func(size int) string { return `{"id":7,"result":"` + strings.Repeat("x", size) + "\"}\n" }
	for size, want := range map[int]error{
		(maxSkipped - 1) * limit: nil,
		(maxSkipped + 1) * limit: errTooLong,
	} {
		got, err := io.ReadAll(newLines(io.NopCloser(strings.NewReader(line(size)+"{}\n")), limit, false))
		if err != want || (want == nil) != (bytes.Contains(got, []byte(`"id":7,"error"`)) && bytes.HasSuffix(got, []byte("\n{}\n"))) {
			t.Errorf("a line of %d limits: %q, %v; want error %v", size/limit, got, err, want)
		}
	}
}

// TestEnvelope keeps little of a message that is too long, whatever is long in it.
func TestEnvelope(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, message := range []string{`{"id":"` + long + `"}`, `{"` + long + `":1,"id":2}`, `{"id":` + long} {
		var e envelope
		most := 0
		for _, c := range []byte(message) {
			e.read([]byte{c})
			most = max(most, len(e.id), len(e.name))
		}
		if most != maxID {
			t.Errorf("%.20s…: keeps %d bytes, want %d", message, most, maxID)
		}
	}
	for size, want := range map[int]bool{maxID - 1: true, maxID: false, maxID + 1: false} {
		id := `"` + strings.Repeat("i", size-2) + `"`
		var e envelope
		e.read([]byte(`{"id":` + id + `,"result":{}}`))
		if got := string(e.answers()); got != id && want || got != "" && !want {
			t.Errorf("an id of %d bytes: %q", size, got)
		}
	}
}

// TestKeptMemory lets the memory of a large message go with the next one.
func TestKeptMemory(t *testing.T) {
	for size, kept := range map[int]bool{largestKept / 4: true, 2 * largestKept: false} {
		l := newLines(io.NopCloser(strings.NewReader(strings.Repeat("x", size)+"\n{}\n")), 4*largestKept, false)
		l.next()
		l.next()
		if got := cap(l.kept) >= size; got != kept {
			t.Errorf("after a message of %d bytes %d are kept", size, cap(l.kept))
		}
	}
}

func TestHead(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		"Hello.\nthere\n":                     `"Hello."`,
		"{}\nHello.\n":                        "",
		"\nHello.\n":                          `""`,
		strings.Repeat("x", maxHead):          `"` + strings.Repeat("x", maxHead) + `"`,
		strings.Repeat("x", maxHead+1):        `"` + strings.Repeat("x", maxHead) + `"`,
		strings.Repeat("x", 3*maxHead) + "\n": `"` + strings.Repeat("x", maxHead) + `"`,
	} {
		h := &head{ReadCloser: io.NopCloser(pieces{strings.NewReader(text)})}
		if got, err := io.ReadAll(h); string(got) != text || err != nil {
			t.Errorf("read %d bytes of %d, %v", len(got), len(text), err)
		}
		if got := h.noise(); got != want {
			t.Errorf("%.20q: %q, want %q", text, got, want)
		}
	}
}

// pieces reads 150 bytes at a time.
type pieces struct{ io.Reader }

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), 150)]) }

func TestTail(t *testing.T) {
	long := strings.Repeat("a", 9*maxTail) + strings.Repeat("b", maxTail/2)
	for _, piece := range []int{1, 1000, maxTail, len(long)} {
		var also bytes.Buffer
		last := &tail{also: &also}
		for rest := long; rest != ""; {
			n, err := last.Write([]byte(rest[:min(piece, len(rest))]))
			if err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
			if cap(last.kept) > 4*maxTail {
				t.Fatalf("%d bytes are kept", cap(last.kept))
			}
		}
		if got := last.String(); got != long[len(long)-maxTail:] || also.String() != long {
			t.Errorf("in pieces of %d: the end has %d bytes, all of it %d", piece, len(got), also.Len())
		}
	}
	failing := &tail{also: broken{}}
	if n, err := failing.Write([]byte("x")); n != 1 || err != nil || failing.String() != "x" {
		t.Errorf("with a writer that fails: %d, %v, %q", n, err, failing.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }
