package diptych_test

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// TestAllocations checks a handler's call against a fixed number of allocations, from the request to the result: times differ
// between machines, these do not. Most of them are the call's own context, goroutine and channel; they do not grow with
// the value.
func TestAllocations(t *testing.T) {
	type row struct {
		ID     int     `json:"id"`
		Name   string  `json:"name"`
		Price  float64 `json:"price"`
		Active bool    `json:"active"`
		Note   string  `json:"note" maxLength:"200"`
	}
	list := make([]row, 100)
	for i := range list {
		list[i] = row{i, "Station", 12.5, i%2 == 0, "measured twice a day"}
	}
	holdAllocations(t, "int", 17, 10)
	holdAllocations(t, "3 fields", struct {
		Temperature float64 `json:"temperature"`
		Condition   string  `json:"condition"`
		Humidity    int     `json:"humidity"`
	}{21.5, "partly cloudy", 60}, 10)
	holdAllocations(t, "100 rows", list, 13)
}

func holdAllocations[Out any](t *testing.T, name string, value Out, most float64) {
	t.Helper()
	_, handler, err := diptych.New(&mcp.Tool{Name: "held"}, func(context.Context, struct{}) (Out, error) { return value, nil })
	if err != nil {
		t.Fatal(err)
	}
	req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: json.RawMessage("{}")}}
	ctx := t.Context()
	// The collector, and at random the race detector, empty pools between calls. What a call needs is the least it used.
	least := math.Inf(1)
	for range 100 {
		least = min(least, testing.AllocsPerRun(1, func() {
			if res, err := handler(ctx, req); err != nil || res.IsError {
				t.Fatal(name, "failed")
			}
		}))
	}
	if least > most {
		t.Errorf("%s: %v allocations, want at most %v", name, least, most)
	}
}
