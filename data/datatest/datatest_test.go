package datatest

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/data"
)

var source = data.Source{URL: "https://example.org/d"}

type filter struct {
	Country string `json:"country"`
}

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
}

func TestRun(t *testing.T) {
	s := newServer()
	r := data.NewRegistry(s)
	table := data.NewTable([]string{"City", "Population"}, []any{"Tokyo", json.Number("12345678901234567890")})
	if err := data.Add(r, &mcp.Tool{Name: "good"}, func(context.Context, struct{}) (data.Result, error) {
		return data.NewResult(data.Text(table), source, table), nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := data.Add(r, &mcp.Tool{Name: "filtered"}, func(_ context.Context, f filter) (data.Result, error) {
		return data.NewResult("Nothing is known of "+f.Country+".", source, data.NewTable([]string{"City"})), nil
	}); err != nil {
		t.Fatal(err)
	}
	Run(t, s, Call{Tool: "filtered", Arguments: filter{"JP"}})
}

func TestProblems(t *testing.T) {
	s := newServer()
	r := data.NewRegistry(s, data.Logger(slog.New(slog.DiscardHandler)))
	table := data.NewTable([]string{"City", "Population"}, []any{"Tokyo", 37400068})
	add := func(name, content string, parts ...data.Part) {
		if err := data.Add(r, &mcp.Tool{Name: name}, func(context.Context, struct{}) (data.Result, error) {
			return data.NewResult(content, source, parts...), nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	add("blind", "See the table.", table)
	add("orphan", "Tokyo has 37,400,068 people, 12 more than before.", table)
	add("silent", "[]", data.NewTable([]string{"City"}))
	add("long", "Tokyo has 37,400,068 people.", table)
	add("breach", "words", data.Source{URL: "/d"})
	if err := data.Add(r, &mcp.Tool{Name: "filtered"}, func(context.Context, filter) (data.Result, error) {
		return data.Result{}, diptych.Errorf("unreachable")
	}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"filtered: requires [country] and was not called; give a datatest.Call",
		"long: long: the content has about 7 tokens, want at most 5; summarise, and leave the rows to the table",
		"absent: not listed, so no client can call it",
		"blind: blind: the content repeats nothing of what the screen shows; name the figures in it, or compose it with data.Text",
		"breach: [Error executing tool breach: the tool ran, but its result does not match DataToolOutput: sources[1]: not an http or https URL]",
		"orphan: orphan: 12 is in no cell, chart or source; put the figure on the screen or take it out of the content",
		"silent: silent: the result is empty and the content does not say so; say in words that nothing was found, and why",
	}
	got := problems(t.Context(), s, []Call{{Tool: "long", Budget: 5}, {Tool: "absent"}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A server without a registry is judged all the same.
func TestServerWithoutRegistry(t *testing.T) {
	s := newServer()
	if err := diptych.Add(s, &mcp.Tool{Name: "plain"}, func(context.Context, struct{}) (string, error) { return "42", nil }); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`plain: its output schema accepts no data tool's result; publish "sources" as a required list with minItems 1, or return data.Result`,
		"plain: contract: result: no part of a data tool's result; put what a view needs besides into _meta",
		"plain: contract: sources: required but missing",
	}
	got := problems(t.Context(), s, nil)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := problems(t.Context(), newServer(), nil); len(got) != 1 {
		t.Errorf("an empty server: %q", got)
	}
}
