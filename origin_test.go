package diptych_test

//lint:file-ignore SA1019 a server may still set the SDK's CrossOriginProtection

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

const page = "https://app.example"

// trusting are the ways to let a page of another origin in.
var trusting = map[string][]diptych.HandlerOption{
	"AllowOrigins": {diptych.AllowOrigins(page, "https://other.example:8443")},
	"every":        {diptych.AllowOrigins("*")},
	"of the SDK": {diptych.StreamableHTTP(func(o *mcp.StreamableHTTPOptions) {
		o.CrossOriginProtection = http.NewCrossOriginProtection()
		_ = o.CrossOriginProtection.AddTrustedOrigin(page)
	})},
	"both": {diptych.AllowOrigins("https://other.example"), diptych.StreamableHTTP(func(o *mcp.StreamableHTTPOptions) {
		o.CrossOriginProtection = http.NewCrossOriginProtection()
		_ = o.CrossOriginProtection.AddTrustedOrigin(page)
	})},
	"with sessions":     {diptych.Sessions(0), diptych.AllowOrigins(page)},
	"the SDK transport": {diptych.SDKTransport(), diptych.AllowOrigins(page)},
}

// TestTrustedOrigin calls a tool from a page of another origin, as a browser does.
func TestTrustedOrigin(t *testing.T) {
	for name, opts := range trusting {
		t.Run(name, func(t *testing.T) {
			h := diptych.Handler(largeServer(t), opts...)
			w := preflight(h, page)
			methods := "POST"
			if name == "with sessions" {
				methods = "POST, GET, DELETE"
			}
			want := http.Header{
				"Vary": {"Origin", "Access-Control-Request-Headers"}, "Access-Control-Allow-Origin": {page}, "Access-Control-Allow-Methods": {methods},
				"Access-Control-Allow-Headers": {"content-type,mcp-protocol-version,mcp-param-city,authorization"}, "Access-Control-Max-Age": {"7200"},
			}
			if d := cmp.Diff(want, w.Header()); w.Code != http.StatusNoContent || d != "" {
				t.Errorf("the preflight: %d\n%s", w.Code, d)
			}
			w = ask(h, modern, call, "Mcp-Method", "tools/call", "Mcp-Name", "f", "Origin", page, "Sec-Fetch-Site", "cross-site")
			if status := map[bool]int{true: http.StatusBadRequest, false: http.StatusOK}[name == "with sessions"]; w.Code != status {
				t.Errorf("the call: %d %.200s", w.Code, w.Body)
			}
			got := w.Header()
			if got.Get("Access-Control-Allow-Origin") != page || got.Get("Vary") != "Origin" || got.Get("Access-Control-Allow-Credentials") != "" ||
				!strings.Contains(got.Get("Access-Control-Expose-Headers"), "Mcp-Session-Id") {
				t.Errorf("the headers of the call: %v", got)
			}
		})
	}
}

func preflight(h http.Handler, origin string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodOptions, "http://localhost/", nil)
	req.Header.Set("Origin", origin)
	req.Header.Set("Access-Control-Request-Method", "POST")
	req.Header.Set("Access-Control-Request-Headers", "content-type,mcp-protocol-version,mcp-param-city,authorization")
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

// TestOtherOrigins refuses pages that the server does not allow, with and without a list, and shares nothing with them.
func TestOtherOrigins(t *testing.T) {
	for name, opts := range map[string][]diptych.HandlerOption{"no option": nil, "AllowOrigins": trusting["AllowOrigins"], "of the SDK": trusting["of the SDK"], "both": trusting["both"]} {
		h := diptych.Handler(largeServer(t), opts...)
		for _, origin := range []string{"https://elsewhere.example", "http://app.example", "https://app.example:444", "https://app.example.elsewhere.example", "null"} {
			w := ask(h, modern, call, "Mcp-Method", "tools/call", "Mcp-Name", "f", "Origin", origin)
			if w.Code != http.StatusForbidden || w.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s, %s: %d %v", name, origin, w.Code, w.Header())
			}
			if w := preflight(h, origin); w.Code == http.StatusNoContent || w.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s, %s: the preflight: %d %v", name, origin, w.Code, w.Header())
			}
		}
		if w := ask(h, modern, call, "Mcp-Method", "tools/call", "Mcp-Name", "f"); w.Code != http.StatusOK {
			t.Errorf("%s: without an origin: %d", name, w.Code)
		}
		if w := ask(h, modern, call, "Mcp-Method", "tools/call", "Mcp-Name", "f", "Origin", "http://localhost"); w.Code != http.StatusOK {
			t.Errorf("%s: the same origin: %d", name, w.Code)
		}
	}
}

// TestBehindProxy reaches a server at a loopback address under several names.
func TestBehindProxy(t *testing.T) {
	loopback := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}
	outside := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: 80}
	proxied := diptych.BehindProxy("app.example", "Other.Example:8443")
	for _, c := range []struct {
		opt    diptych.HandlerOption
		local  net.Addr
		host   string
		status int
	}{
		{nil, loopback, "localhost:80", http.StatusOK},
		{nil, loopback, "app.example", http.StatusForbidden},
		{nil, outside, "app.example", http.StatusOK},
		{proxied, loopback, "app.example", http.StatusOK},
		{proxied, loopback, "APP.example:443", http.StatusOK},
		{proxied, loopback, "other.example", http.StatusOK},
		{proxied, loopback, "localhost", http.StatusOK},
		{proxied, loopback, "[::1]:80", http.StatusOK},
		{proxied, loopback, "elsewhere.example", http.StatusForbidden},
		{proxied, loopback, "app.example.elsewhere.example", http.StatusForbidden},
		{proxied, &net.TCPAddr{IP: net.IPv6loopback}, "elsewhere.example", http.StatusForbidden},
		{proxied, outside, "elsewhere.example", http.StatusOK},
	} {
		for _, sdk := range []diptych.HandlerOption{nil, diptych.SDKTransport()} {
			h := diptych.Handler(largeServer(t), c.opt, sdk)
			at := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				req.Host = c.host
				h.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), http.LocalAddrContextKey, c.local)))
			})
			if w := ask(at, modern, call, "Mcp-Method", "tools/call", "Mcp-Name", "f"); w.Code != c.status {
				t.Errorf("%s at %s: status %d, want %d (%s)", c.host, c.local, w.Code, c.status, w.Body)
			}
		}
	}
}

// TestOptionsThatCannotBeFollowed tests that a server with such an option refuses every request.
func TestOptionsThatCannotBeFollowed(t *testing.T) {
	for _, c := range []struct {
		opt  diptych.HandlerOption
		want string
	}{
		{diptych.AllowOrigins("app.example"), "AllowOrigins"},
		{diptych.AllowOrigins("https://app.example/path"), "AllowOrigins"},
		{diptych.AllowOrigins(""), "AllowOrigins"},
		{diptych.BehindProxy("https://app.example"), "BehindProxy"},
		{diptych.BehindProxy("*"), "BehindProxy"},
		{diptych.BehindProxy(""), "BehindProxy"},
	} {
		if w := ask(diptych.Handler(largeServer(t), c.opt), modern, call); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%d %s, want %s", w.Code, w.Body, c.want)
		}
	}
}
