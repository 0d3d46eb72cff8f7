package main

import (
	"context"
	"fmt"

	markmcp "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	trpc "trpc.group/trpc-go/trpc-mcp-go"

	"github.com/diptych-mcp/diptych"
)

// many is how many tools a large server has.
const many = 1000

// An order is what the tools of the large server take.
type order struct {
	City  string `json:"city" jsonschema:"the city to report on"`
	Days  int    `json:"days,omitempty" jsonschema:"how many days"`
	Units string `json:"units,omitempty" jsonschema:"metric or imperial"`
}

// fill publishes many tools on one server of each peer, the way each derives schemas from types.
var fills = []struct {
	name string
	fill func(h *house) error
}{
	{typed, func(h *house) error { return fillTyped(h, nil) }},
	{ours, func(h *house) error {
		h.ours = newOfficial(&mcp.ServerOptions{PageSize: many})
		for i := range many {
			err := diptych.Add(h.ours, &mcp.Tool{Name: toolName(i), Description: description},
				func(context.Context, order) (reading, error) { return reading{}, nil })
			if err != nil {
				return err
			}
		}
		return nil
	}},
	{typed + " with its cache", func(h *house) error { return fillTyped(h, mcp.NewSchemaCache()) }},
	{mark, func(h *house) error {
		h.mark = server.NewMCPServer("bench", "1.0.0", server.WithToolCapabilities(false))
		for i := range many {
			h.mark.AddTool(
				markmcp.NewTool(toolName(i), markmcp.WithDescription(description), markmcp.WithInputSchema[order](), markmcp.WithOutputSchema[reading]()),
				markmcp.NewStructuredToolHandler(func(context.Context, markmcp.CallToolRequest, order) (reading, error) { return reading{}, nil }),
			)
		}
		return nil
	}},
	{tencent, func(h *house) error {
		h.tencent = newTencent()
		for i := range many {
			h.tencent.RegisterTool(
				trpc.NewTool(toolName(i), trpc.WithDescription(description), trpc.WithInputStruct[order](), trpc.WithOutputStruct[reading]()),
				trpc.NewTypedToolHandler(func(context.Context, *trpc.CallToolRequest, order) (reading, error) { return reading{}, nil }),
			)
		}
		return nil
	}},
}

func fillTyped(h *house, cache *mcp.SchemaCache) error {
	h.typed = newOfficial(&mcp.ServerOptions{SchemaCache: cache, PageSize: many})
	for i := range many {
		mcp.AddTool(h.typed, &mcp.Tool{Name: toolName(i), Description: description},
			func(context.Context, *mcp.CallToolRequest, order) (*mcp.CallToolResult, reading, error) {
				return nil, reading{}, nil
			})
	}
	return nil
}

const description = "Report the weather of one city for the coming days."

func toolName(i int) string { return fmt.Sprintf("tool_%04d", i) }

// registration measures publishing all of them on a new server.
func (b *bench) registration() error {
	t := table{head: []string{"1,000 tools"}}
	entrants := make([]entrant, len(fills))
	for i, f := range fills {
		entrants[i] = entrant{f.name, func() error { return f.fill(new(house)) }}
	}
	scores, err := contest(b.rounds, entrants...)
	if err != nil {
		return err
	}
	row, counts := []string{"ratio"}, []string{"allocations"}
	for i, s := range scores {
		t.head = append(t.head, s.name)
		counts = append(counts, allocations(s))
		if i == 0 {
			row = append(row, "1 ("+duration(s.cpu)+")")
			continue
		}
		row = append(row, figure(s.ratio))
	}
	t.add(row...)
	t.add(counts...)
	b.title("Registering 1,000 tools", "Three arguments, three fields in the answer, schemas derived from the types. The official SDK's `AddTool` without a cache = 1.")
	t.print(b.out)
	return nil
}

// lists measures tools/list of all of them over HTTP.
func (b *bench) lists() error {
	h := newHouse()
	for _, f := range fills {
		if err := f.fill(h); err != nil {
			return err
		}
	}
	doors, err := h.doors()
	if err != nil {
		return err
	}
	defer closeDoors(doors)
	var entrants []entrant
	for _, name := range []string{typed, ours, mark, tencent} {
		for _, d := range doors {
			if d.name == name {
				entrants = append(entrants, entrant{d.name, post(d.url, "tools/list", "", listBody)})
			}
		}
	}
	scores, err := contest(b.rounds, entrants...)
	if err != nil {
		return err
	}
	t := table{head: []string{"tools/list"}}
	row, counts := []string{"ratio", "1 (" + duration(scores[0].cpu) + ")"}, []string{"allocations"}
	for i, s := range scores {
		t.head = append(t.head, s.name)
		counts = append(counts, allocations(s))
		if i > 0 {
			row = append(row, figure(s.ratio))
		}
	}
	t.add(row...)
	t.add(counts...)
	b.title("Listing 1,000 tools", "The same tools, `tools/list` over HTTP in one page, the body thrown away. The official SDK's typed path = 1.")
	t.print(b.out)
	return nil
}
