package main

import (
	"context"
	_ "embed"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed plan.txt
var plan string

// addPlan publishes the plan of the floor as a resource. This is the SDK alone: diptych adds tools to a server and
// leaves the rest of it as it is.
func addPlan(s *mcp.Server) {
	r := &mcp.Resource{
		URI: "floor://plan", Name: "floor_plan", Title: "Floor plan", MIMEType: "text/plain",
		Description: "Where the bookable rooms are.",
	}
	s.AddResource(r, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: r.URI, MIMEType: r.MIMEType, Text: plan},
		}}, nil
	})
}
