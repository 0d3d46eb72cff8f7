package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addResources publishes what the suite reads: a text, an image, a template, and a resource to subscribe to.
func addResources(s *mcp.Server) {
	for _, r := range []struct {
		resource mcp.Resource
		text     string
		blob     []byte
	}{
		{mcp.Resource{URI: "test://static-text", Name: "static-text", MIMEType: "text/plain"}, "This is the content of the static text resource.", nil},
		{mcp.Resource{URI: "test://static-binary", Name: "static-binary", MIMEType: "image/png"}, "", pixel},
		{mcp.Resource{URI: "test://watched-resource", Name: "watched-resource", MIMEType: "text/plain"}, "This resource never changes.", nil},
	} {
		r.resource.Description = "Always the same."
		s.AddResource(&r.resource, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return contents(r.resource.URI, r.resource.MIMEType, r.text, r.blob), nil
		})
	}
	const before, after = "test://template/", "/data"
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: before + "{id}" + after, Name: "template", MIMEType: "application/json", Description: "Says its id.",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, before), after)
		text, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
		return contents(req.Params.URI, "application/json", string(text), nil), err
	})
}

func contents(uri, kind, text string, blob []byte) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: kind, Text: text, Blob: blob}}}
}
