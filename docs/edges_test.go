package docs

import (
	"context"
	"testing"
)

// The code of rough-edges.md.

// region edge-pattern
type Plate struct {
	Number string `json:"number" pattern:"^(?!00)[0-9]+$"`
}

// endregion

func plate(context.Context, Plate) (string, error) { return "", nil }

// Chain is a list that the encoder follows to its end.
type Chain struct {
	Next *Chain `json:"next,omitempty"`
}

func deep(context.Context, none) (Chain, error) {
	var c Chain
	for range 1001 {
		c = Chain{Next: &Chain{Next: c.Next}}
	}
	return c, nil
}

func cycle(context.Context, none) (Chain, error) {
	c := &Chain{}
	c.Next = c
	return *c, nil
}

func lineSeparator(context.Context, none) (string, error) { return "a\u2028b <b>", nil }

func edgesAnswers(t *testing.T) map[string]string {
	s := newShow(t)
	refused(s, "edge-pattern", "plate", plate)
	add(s, "edge-deep", "deep", `{}`, deep)
	add(s, "edge-cycle", "cycle", `{}`, cycle)
	add(s, "edge-separator", "text", `{}`, lineSeparator)
	return s.said
}
