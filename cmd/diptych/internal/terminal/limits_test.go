package terminal

import (
	"bytes"
	"fmt"
	"testing"
)

func TestBarEnds(t *testing.T) {
	var out bytes.Buffer
	b := &Bar{out: &out}
	for i := range maxBarLines + 50 {
		b.Set(float64(i), 0, fmt.Sprint("step ", i))
	}
	if n := bytes.Count(out.Bytes(), []byte("\n")); n != maxBarLines {
		t.Errorf("%d lines, want %d", n, maxBarLines)
	}
}
