package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// A point is what one row costs in an answer of so many.
type point struct {
	rows          int
	marshal, ours time.Duration
}

// linear measures the panels of ever more rows.
func (b *bench) linear() error {
	tool, _, err := diptych.New(&mcp.Tool{Name: "rows"}, func(context.Context, struct{}) ([]row, error) { return nil, nil })
	if err != nil {
		return err
	}
	t := table{head: []string{"rows", "json.Marshal, per row", "panels alone, per row", "ratio"}}
	var points []point
	for n := 10; n <= 1_000_000; n *= 10 {
		list := rows(n)
		p, err := newFiller(tool.OutputSchema.(json.RawMessage), &list)
		if err != nil {
			return err
		}
		rounds := b.rounds
		if n >= 100_000 {
			rounds = min(rounds, 3)
		}
		scores, err := contest(rounds,
			entrant{"json.Marshal", func() error { _, err := json.Marshal(list); return err }},
			entrant{"panels alone", func() error { err := p.run(); p.result = nil; return err }},
		)
		if err != nil {
			return err
		}
		at := point{n, scores[0].cpu / time.Duration(n), scores[1].cpu / time.Duration(n)}
		points = append(points, at)
		t.add(fmt.Sprint(n), duration(at.marshal), duration(at.ours), figure(scores[1].ratio))
	}
	b.title("Cost as work grows", "Rows of 8 fields; what one of them costs. Linear is what stays level.")
	t.print(b.out)
	if b.plot == "" {
		return nil
	}
	return os.WriteFile(b.plot, plot(points), 0o644)
}
