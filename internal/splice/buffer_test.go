package splice

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestText compares text of any kind with encoding/json, in pieces of any size.
func TestText(t *testing.T) {
	k := new(server)
	rapid.Check(t, func(t *rapid.T) {
		var want string
		var b bytes.Buffer
		o := k.buffer(&b)
		o.string(`"`)
		for _, s := range rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.StringMatching(`[\x00-\x20"\\a-c]{0,9}`)), 0, 40).Draw(t, "texts") {
			for range rapid.SampledFrom([]int{1, 1, 1, 500}).Draw(t, "times") {
				want += s
				o.text(s)
			}
		}
		o.string(`"`)
		if err := k.send(o); err != nil {
			t.Fatal(err)
		}
		var got string
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || got != want && utf8.ValidString(want) {
			t.Fatalf("%v: %q is read as %q", err, want, got)
		}
		if bytes.ContainsAny(b.Bytes(), "\r\n") {
			t.Fatal("a line ended")
		}
	})
}

// TestBrokenConnection tests that the error of the connection is the error of sending, and that nothing is written after it.
func TestBrokenConnection(t *testing.T) {
	s := new(server)
	w := &brokenWriter{}
	b := s.buffer(w)
	b.raw(make([]byte, 2*bufferSize))
	b.text(string(make([]byte, 2*bufferSize)))
	if err := s.send(b); err != io.ErrClosedPipe || w.n != 1 {
		t.Errorf("wrote %d times, %v", w.n, err)
	}
}

type brokenWriter struct{ n int }

func (w *brokenWriter) Write([]byte) (int, error) { w.n++; return 0, io.ErrClosedPipe }
