package data_test

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/data"
)

const (
	page       = "<!doctype html><title>Data</title>"
	pageURI    = "ui://diptych/data-b9090d2a77ed6b22.html"
	noNetwork  = `{"baseUriDomains":[],"connectDomains":[],"frameDomains":[],"resourceDomains":[]}`
	appsUI     = "io.modelcontextprotocol/ui"
	appsHTML   = "text/html;profile=mcp-app"
	viewAbsent = "no data view"
)

// metas are the _meta of the tools that a client sees.
func metas(t *testing.T, session *mcp.ClientSession) map[string]string {
	t.Helper()
	all := map[string]string{}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		all[tool.Name] = jsonOf(t, tool.Meta)
	}
	return all
}

// uris are the resources that a client sees.
func uris(t *testing.T, session *mcp.ClientSession) []string {
	t.Helper()
	if session.InitializeResult().Capabilities.Resources == nil {
		return nil
	}
	var all []string
	for resource, err := range session.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, resource.URI)
	}
	return all
}

func TestView(t *testing.T) {
	for _, era := range eras {
		s := newServer()
		var log bytes.Buffer
		r := data.NewRegistry(s, data.View([]byte(page)), data.Logger(slog.New(slog.NewTextHandler(&log, nil))))
		given := mcp.Meta{"k": "v", "ui": map[string]any{"visibility": []string{"model"}}}
		for name, meta := range map[string]mcp.Meta{
			"bare":     nil,
			"seen":     given,
			"own_page": {"ui": map[string]any{"resourceUri": "ui://mine"}},
			"odd":      {"ui": "text"},
		} {
			if err := data.Add(r, &mcp.Tool{Name: name, Meta: meta}, good); err != nil {
				t.Fatal(err)
			}
		}
		other := tool("foreign", demanding)
		other.Meta = mcp.Meta{"k": "v"}
		if err := r.AddTool(other, foreign(sourced)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(`{"k":"v","ui":{"visibility":["model"]}}`, jsonOf(t, given)); diff != "" {
			t.Errorf("the author's _meta was modified (-want +got)\n%s", diff)
		}

		session := connected(t, s, era)
		if settings, ok := session.InitializeResult().Capabilities.Extensions[appsUI]; !ok || jsonOf(t, settings) != "{}" {
			t.Errorf("%s: advertises %v", era, session.InitializeResult().Capabilities.Extensions)
		}
		if diff := cmp.Diff([]string{pageURI}, uris(t, session)); diff != "" {
			t.Fatalf("%s: resources (-want +got)\n%s", era, diff)
		}
		want := map[string]string{
			"bare":     `{"ui":{"resourceUri":"` + pageURI + `"}}`,
			"seen":     `{"k":"v","ui":{"resourceUri":"` + pageURI + `","visibility":["model"]}}`,
			"own_page": `{"ui":{"resourceUri":"ui://mine"}}`,
			"odd":      `{"ui":"text"}`,
			"foreign":  `{"k":"v","ui":{"resourceUri":"` + pageURI + `"}}`,
		}
		if diff := cmp.Diff(want, metas(t, session)); diff != "" {
			t.Errorf("%s: _meta of the tools (-want +got)\n%s", era, diff)
		}
		for range 2 { // what one reader got is not changed by the next
			res, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: pageURI})
			if err != nil || len(res.Contents) != 1 {
				t.Fatalf("%s: read %v, %v", era, res, err)
			}
			got := res.Contents[0]
			if got.URI != pageURI || got.MIMEType != appsHTML || got.Text != page ||
				jsonOf(t, got.Meta) != `{"ui":{"csp":`+noNetwork+`,"prefersBorder":true}}` {
				t.Errorf("%s: read %s", era, jsonOf(t, got))
			}
		}
		if log.Len() > 0 {
			t.Errorf("%s: logged %s", era, &log)
		}
	}
}

// The address of a page follows from its content.
func TestViewAddress(t *testing.T) {
	s := newServer()
	data.NewRegistry(s, data.View([]byte(page+"\n")))
	got := uris(t, connected(t, s, eras[0]))
	if len(got) != 1 || got[0] == pageURI || len(got[0]) != len(pageURI) {
		t.Errorf("got %v", got)
	}
}

// A registry has the page that was built into the package, or says once that there is none. One that is told to have none
// is silent about it.
func TestWithoutView(t *testing.T) {
	_, err := os.Stat("assets/view.html")
	built := !errors.Is(err, fs.ErrNotExist)
	for _, era := range eras {
		for name, tt := range map[string]struct {
			opts    []data.RegistryOption
			visible bool
			said    int
		}{
			"by default": {nil, built, map[bool]int{true: 0, false: 1}[built]},
			"refused":    {[]data.RegistryOption{data.View(nil)}, false, 0},
			"last wins":  {[]data.RegistryOption{data.View(nil), data.View([]byte(page))}, true, 0},
		} {
			s := newServer()
			var log bytes.Buffer
			r := data.NewRegistry(s, append(tt.opts, data.Logger(slog.New(slog.NewTextHandler(&log, nil))))...)
			for _, tool := range []string{"a", "b"} {
				if err := data.Add(r, &mcp.Tool{Name: tool}, good); err != nil {
					t.Fatal(err)
				}
			}
			session := connected(t, s, era)
			_, advertised := session.InitializeResult().Capabilities.Extensions[appsUI]
			linked := strings.Contains(metas(t, session)["a"], "resourceUri")
			listed := len(uris(t, session)) == 1
			if advertised != tt.visible || linked != tt.visible || listed != tt.visible {
				t.Errorf("%s, %s: advertised %v, linked %v, listed %v, want %v", era, name, advertised, linked, listed, tt.visible)
			}
			if n := strings.Count(log.String(), viewAbsent); n != tt.said || strings.Count(log.String(), "\n") != tt.said {
				t.Errorf("%s, %s: said %d times, want %d:\n%s", era, name, n, tt.said, &log)
			}
		}
	}
}
