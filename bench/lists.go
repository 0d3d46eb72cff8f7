package main

import (
	"fmt"

	"github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// many is how many tools a large server has.
const many = 1000

// fills publish many tools on one server of each peer, the way each derives schemas from types.
var fills = []struct {
	name string
	fill func(h *candidates, kinds []kind) error
}{
	{typed, func(h *candidates, kinds []kind) error { return fillTyped(h, kinds, nil) }},
	{ours, func(h *candidates, kinds []kind) error {
		h.ours = newOfficial(&mcp.ServerOptions{PageSize: many})
		for i, k := range kinds {
			if err := k.ours(h.ours, toolName(i)); err != nil {
				return err
			}
		}
		return nil
	}},
	{typed + " with its cache", func(h *candidates, kinds []kind) error { return fillTyped(h, kinds, mcp.NewSchemaCache()) }},
	{mark, func(h *candidates, kinds []kind) error {
		h.mark = server.NewMCPServer("bench", "1.0.0", server.WithToolCapabilities(false))
		for i, k := range kinds {
			k.mark(h.mark, toolName(i))
		}
		return nil
	}},
	{tencent, func(h *candidates, kinds []kind) error {
		h.tencent = newTencent()
		for i, k := range kinds {
			k.tencent(h.tencent, toolName(i))
		}
		return nil
	}},
}

func fillTyped(h *candidates, kinds []kind, cache *mcp.SchemaCache) error {
	h.typed = newOfficial(&mcp.ServerOptions{SchemaCache: cache, PageSize: many})
	for i, k := range kinds {
		k.typed(h.typed, toolName(i))
	}
	return nil
}

const description = "Report the weather of one city for the coming days."

func toolName(i int) string { return fmt.Sprintf("tool_%04d", i) }

// lists measures tools/list of all of them over HTTP.
func (b *bench) lists() error {
	h := newCandidates()
	for _, f := range fills {
		if err := f.fill(h, alike()); err != nil {
			return err
		}
	}
	endpoints, err := h.listen()
	if err != nil {
		return err
	}
	defer closeEndpoints(endpoints)
	var entrants []entrant
	for _, name := range []string{typed, ours, mark, tencent} {
		for _, d := range endpoints {
			if d.name == name {
				entrants = append(entrants, entrant{d.name, post(d.url, "tools/list", "", listBody, nil)})
			}
		}
	}
	scores, err := contest(b.rounds, entrants...)
	if err != nil {
		return err
	}
	t := table{head: []string{"tools/list"}}
	t.compare(scores, "ratio")
	t.count(scores, "allocations")
	b.title("Listing 1,000 tools", "The same tools, `tools/list` over HTTP in one page, the body thrown away. The official SDK's typed path = 1.")
	t.print(b.out)
	return nil
}
