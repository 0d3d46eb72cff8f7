package diptych_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

type shared struct {
	Size size `json:"size"`
}

type size string

type changing string

var allowed = []changing{"a"}

func (changing) Enum() []changing { return allowed }

// schemas are what a tool of that name and these types publishes, as one text.
func schemas[In, Out any](t *testing.T, name string, opts ...diptych.Option) string {
	t.Helper()
	tool, _, err := diptych.New(&mcp.Tool{Name: name}, func(context.Context, In) (out Out, err error) { return out, nil }, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return string(tool.InputSchema.(json.RawMessage)) + string(tool.OutputSchema.(json.RawMessage))
}

// TestToolsOfOneType publishes several tools of the same types, which share what follows from the types alone.
func TestToolsOfOneType(t *testing.T) {
	first := schemas[shared, shared](t, "first")
	if again := schemas[shared, shared](t, "sec"); again != strings.Replace(first, "firstArguments", "secArguments", 1) {
		t.Errorf("the second tool publishes %s, the first %s", again, first)
	}
	if a, b := schemas[shared, []shared](t, "a"), schemas[shared, []shared](t, "b"); b != strings.NewReplacer("aArguments", "bArguments", "aOutput", "bOutput").Replace(a) {
		t.Errorf("a publishes %s, b %s", a, b)
	}
	for _, name := range []string{"shared", "size", "shared.Size"} {
		docs := diptych.Docs{"github.com/diptych-mcp/diptych_test." + name: {Text: "said here"}}
		if told := schemas[shared, shared](t, "told", docs); strings.Count(told, "said here") < 1 {
			t.Errorf("with Docs of %s: %s", name, told)
		}
	}
	if after := schemas[shared, shared](t, "first", diptych.Docs{"elsewhere.T": {Text: "x"}}); after != first {
		t.Errorf("after Docs: %s, before: %s", after, first)
	}
}

// TestToolsOfAChangingType asks a type's own method again for every tool.
func TestToolsOfAChangingType(t *testing.T) {
	type holder struct {
		Value changing `json:"value"`
	}
	for _, last := range []changing{"b", "c"} {
		allowed = append(allowed, last)
		if got := schemas[holder, holder](t, "f"); strings.Count(got, `"`+string(last)+`"]`) != 2 {
			t.Errorf("without %q: %s", last, got)
		}
	}
}

// TestRefusedAgain tests that the error is returned for every tool.
func TestRefusedAgain(t *testing.T) {
	type refused struct{ C chan int }
	var told []string
	for range 2 {
		_, _, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, refused) (string, error) { return "", nil })
		told = append(told, err.Error())
	}
	if told[0] != told[1] || !strings.Contains(told[0], "chan int") {
		t.Errorf("told %q", told)
	}
}
