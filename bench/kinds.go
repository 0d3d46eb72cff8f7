package main

import (
	"context"
	"slices"

	markmcp "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	trpc "trpc.group/trpc-go/trpc-mcp-go"

	"github.com/diptych-mcp/diptych"
)

// The types of a large server's tools: three arguments and three fields in the answer. T tells them apart.
type (
	order[T any] struct {
		City  string `json:"city" jsonschema:"the city to report on"`
		Days  int    `json:"days,omitempty" jsonschema:"how many days"`
		Units string `json:"units,omitempty" jsonschema:"metric or imperial"`
	}
	forecast[T any] struct {
		Temperature float64 `json:"temperature"`
		Condition   string  `json:"condition"`
		Humidity    int     `json:"humidity"`
	}
)

// A kind of tool publishes itself on each peer.
type kind struct {
	ours    func(*mcp.Server, string) error
	typed   func(*mcp.Server, string)
	mark    func(*server.MCPServer, string)
	tencent func(*trpc.Server, string)
}

func kindOf[T any]() kind {
	type (
		in  = order[T]
		out = forecast[T]
	)
	return kind{
		ours: func(s *mcp.Server, name string) error {
			return diptych.Add(s, &mcp.Tool{Name: name, Description: description}, func(context.Context, in) (out, error) { return out{}, nil })
		},
		typed: func(s *mcp.Server, name string) {
			mcp.AddTool(s, &mcp.Tool{Name: name, Description: description}, func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, out, error) {
				return nil, out{}, nil
			})
		},
		mark: func(s *server.MCPServer, name string) {
			s.AddTool(
				markmcp.NewTool(name, markmcp.WithDescription(description), markmcp.WithInputSchema[in](), markmcp.WithOutputSchema[out]()),
				markmcp.NewStructuredToolHandler(func(context.Context, markmcp.CallToolRequest, in) (out, error) { return out{}, nil }),
			)
		},
		tencent: func(s *trpc.Server, name string) {
			s.RegisterTool(
				trpc.NewTool(name, trpc.WithDescription(description), trpc.WithInputStruct[in](), trpc.WithOutputStruct[out]()),
				trpc.NewTypedToolHandler(func(context.Context, *trpc.CallToolRequest, in) (out, error) { return out{}, nil }),
			)
		},
	}
}

// alike are many tools of the same types.
func alike() []kind { return slices.Repeat([]kind{kindOf[none]()}, many) }

// distinct are many tools of which no two share a type: their numbers are spelled in types.
func distinct() []kind {
	return slices.Concat(hundred[d0[none]](), hundred[d1[none]](), hundred[d2[none]](), hundred[d3[none]](), hundred[d4[none]](),
		hundred[d5[none]](), hundred[d6[none]](), hundred[d7[none]](), hundred[d8[none]](), hundred[d9[none]]())
}

func hundred[T any]() []kind {
	return slices.Concat(ten[d0[T]](), ten[d1[T]](), ten[d2[T]](), ten[d3[T]](), ten[d4[T]](), ten[d5[T]](), ten[d6[T]](), ten[d7[T]](), ten[d8[T]](), ten[d9[T]]())
}

func ten[T any]() []kind {
	return []kind{kindOf[d0[T]](), kindOf[d1[T]](), kindOf[d2[T]](), kindOf[d3[T]](), kindOf[d4[T]](), kindOf[d5[T]](), kindOf[d6[T]](), kindOf[d7[T]](), kindOf[d8[T]](), kindOf[d9[T]]()}
}

// The digits.
type (
	none      struct{}
	d0[T any] struct{}
	d1[T any] struct{}
	d2[T any] struct{}
	d3[T any] struct{}
	d4[T any] struct{}
	d5[T any] struct{}
	d6[T any] struct{}
	d7[T any] struct{}
	d8[T any] struct{}
	d9[T any] struct{}
)
