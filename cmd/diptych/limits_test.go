package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
)

// spaces is a reader of n blanks.
func spaces(n int64) io.Reader { return io.LimitReader(blank{}, n) }

type blank struct{}

func (blank) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

func TestInputEnds(t *testing.T) {
	if _, err := readAll(spaces(maxInput)); err != nil {
		t.Error(err)
	}
	if _, err := readAll(spaces(maxInput + 1)); err == nil || !strings.HasPrefix(err.Error(), "larger than 16 MiB; ") {
		t.Errorf("got %v", err)
	}
	l := &callCommand{Words: []string{"-"}}
	if _, err := l.given(&console{stdin: io.MultiReader(strings.NewReader("{}"), spaces(maxInput))}); err == nil || !strings.HasPrefix(err.Error(), "standard input: larger than 16 MiB; ") {
		t.Errorf("arguments: got %v", err)
	}
}

func TestAnswersOfAPersonEnd(t *testing.T) {
	lines := strings.Repeat(strings.Repeat("x", 1023)+"\n", maxTyped/1024+10)
	a := &asker{c: &console{stdin: strings.NewReader(lines), stderr: io.Discard}}
	read := 0
	for {
		if _, err := a.read(t.Context(), ""); err != nil {
			break
		}
		read++
	}
	if read != maxTyped/1024 {
		t.Errorf("%d lines of 1 KiB were read, want %d", read, maxTyped/1024)
	}
}

func TestPanelsAreCut(t *testing.T) {
	const more = "\n… --content prints the rest"
	for name, tt := range map[string]struct {
		text string
		want int
		cut  bool
	}{
		"as many lines":  {strings.Repeat("x\n", maxLines), 2*maxLines - 1, false},
		"one line more":  {strings.Repeat("x\n", maxLines+1), 2*maxLines - 1, true},
		"as many bytes":  {strings.Repeat("x", maxBytes), maxBytes, false},
		"one byte more":  {strings.Repeat("x", maxBytes+1), maxBytes, true},
		"half a letter":  {strings.Repeat("x", maxBytes-1) + "é", maxBytes - 1, true},
		"nothing at all": {"", 0, false},
	} {
		got := clip(tt.text, "--content")
		kept, cut := strings.CutSuffix(got, more)
		if len(kept) != tt.want || cut != tt.cut {
			t.Errorf("%s: %d bytes, cut %v; want %d, %v", name, len(kept), cut, tt.want, tt.cut)
		}
	}
}

func TestFewNamesAreTold(t *testing.T) {
	var tools []peer.Tool
	for i := range maxNames + 5 {
		tools = append(tools, peer.Tool{Tool: &mcp.Tool{Name: fmt.Sprintf("t%02d", i)}})
	}
	_, err := find(tools, "something else")
	if err == nil || !strings.HasSuffix(err.Error(), "t18, t19, …") {
		t.Errorf("got %v", err)
	}
}

func TestFewLastWordsAreShown(t *testing.T) {
	var out bytes.Buffer
	c := &console{stderr: &out}
	var tail strings.Builder
	for i := range maxTail + 5 {
		fmt.Fprintf(&tail, "line %d\n", i)
	}
	c.report(&failure{code: 1, text: "x", tail: tail.String()})
	if got := strings.Count(out.String(), "  line "); got != maxTail {
		t.Errorf("%d lines, want %d", got, maxTail)
	}
}
