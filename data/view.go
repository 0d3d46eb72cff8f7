package data

// The portable view: one page that draws a result in any host that speaks MCP Apps, published as a resource to which every
// data tool refers. https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// assets holds the page once it was built, and a README until then.
//
//go:embed assets
var assets embed.FS

const (
	appsExtension = "io.modelcontextprotocol/ui"
	appsMIME      = "text/html;profile=mcp-app"
)

// View brings the page that hosts draw results with: one self-contained HTML document. The default is the page that was
// built into this package; a package without one advertises no view and says so in the log. An empty document means that
// the registry shall have none.
func View(html []byte) RegistryOption {
	return registryOption(func(c *config) { c.view = &view{html: string(html), given: true} })
}

// A view is the page and its address. Without a page there is no address.
type view struct {
	html, uri string
	given     bool // by View, and not built in
}

// builtView is the page that was built into the package.
func builtView() *view {
	html, err := assets.ReadFile("assets/view.html")
	if err != nil {
		return &view{}
	}
	return &view{html: string(html)}
}

// publish puts the page on a server. Its address follows from its content, so that a host which keeps pages never draws
// with an old one.
func (v *view) publish(s *mcp.Server) {
	sum := sha256.Sum256([]byte(v.html))
	v.uri = "ui://diptych/data-" + hex.EncodeToString(sum[:8]) + ".html"
	// The page needs no network, and says so: a host can enforce that. It draws no frame around itself.
	meta := func() mcp.Meta {
		none := []string{}
		return mcp.Meta{"ui": map[string]any{
			"csp":           map[string]any{"connectDomains": none, "resourceDomains": none, "frameDomains": none, "baseUriDomains": none},
			"prefersBorder": true,
		}}
	}
	s.AddResource(&mcp.Resource{
		URI: v.uri, Name: "data_view", Title: "Data view", MIMEType: appsMIME, Size: int64(len(v.html)),
		Description: "Draws a data tool's sources, table and charts.", Meta: meta(),
	}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: v.uri, MIMEType: appsMIME, Text: v.html, Meta: meta()},
		}}, nil
	})
}

// on returns a tool's _meta with the page in it. A page that the tool brings stays.
func (v *view) on(meta mcp.Meta) mcp.Meta {
	if v.uri == "" {
		return meta
	}
	ui, ok := meta["ui"].(map[string]any)
	if _, own := ui["resourceUri"]; own || !ok && meta["ui"] != nil {
		return meta
	}
	if meta = maps.Clone(meta); meta == nil {
		meta = mcp.Meta{}
	}
	if ui = maps.Clone(ui); ui == nil {
		ui = map[string]any{}
	}
	ui["resourceUri"] = v.uri
	meta["ui"] = ui
	return meta
}

// advertise adds the extension to what a server says of itself when a client arrives.
func (v *view) advertise(res mcp.Result) {
	var can *mcp.ServerCapabilities
	switch res := res.(type) {
	case *mcp.InitializeResult:
		can = res.Capabilities
	case *mcp.DiscoverResult:
		can = res.Capabilities
	}
	if v.uri == "" || can == nil {
		return
	}
	if _, own := can.Extensions[appsExtension]; !own {
		can.AddExtension(appsExtension, nil)
	}
}
