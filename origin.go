package diptych

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/internal/loopback"
)

// AllowOrigins lets pages of these origins, such as "https://app.example", call the server from a browser: their requests are not
// refused, their preflights are answered, and they may read the headers of the protocol. "*" means every origin. Credentials
// (cookies) are not allowed; a page sends a token in the Authorization header. An origin that is none makes the handler answer
// every request with 500 Internal Server Error.
//
// A handler that checks tokens in front of this one sees a preflight first, which carries none: give it no OPTIONS requests.
func AllowOrigins(origins ...string) HandlerOption {
	return handlerOptionFunc(func(c *handlerConfig) { c.origins = append(c.origins, origins...) })
}

// BehindProxy names the hosts, such as "app.example", under which a proxy on the same machine reaches the server when it passes
// on the Host header. Without it such requests are refused, as those of a page that lets its own name lead to the loopback
// address (DNS rebinding). Requests under any other name still are.
func BehindProxy(hosts ...string) HandlerOption {
	return handlerOptionFunc(func(c *handlerConfig) {
		for _, h := range hosts {
			name := strings.ToLower(loopback.Host(h))
			if name == "" || strings.ContainsAny(h, "/* ") {
				c.fault = errors.Join(c.fault, fmt.Errorf("BehindProxy: %q is no host; give a name such as app.example", h))
			}
			c.hosts = append(c.hosts, name)
		}
	})
}

// A guard decides whose requests reach the server.
type guard struct {
	protection []*http.CrossOriginProtection // each alone suffices
	every      bool                          // every origin
	shares     bool                          // with pages of other origins
	hosts      []string                      // nil: the SDK looks at hosts
	methods    string
}

// guard takes over what the SDK's options say about origins and hosts, so that there is one guard.
func (c *handlerConfig) guard() *guard {
	g := &guard{shares: len(c.origins) > 0, hosts: c.hosts, methods: http.MethodPost}
	own := http.NewCrossOriginProtection()
	for _, origin := range c.origins {
		if origin == "*" {
			g.every = true
		} else if err := own.AddTrustedOrigin(origin); err != nil {
			c.fault = errors.Join(c.fault, fmt.Errorf("AllowOrigins: %w; give an origin such as https://app.example", err))
		}
	}
	//lint:ignore SA1019 a server may still set it
	if given := c.http.CrossOriginProtection; given != nil {
		g.protection = append(g.protection, given)
		g.shares = true
	}
	if len(g.protection) == 0 || len(c.origins) > 0 {
		g.protection = append(g.protection, own)
	}
	//lint:ignore SA1019 there is one guard
	c.http.CrossOriginProtection = nil
	if c.hosts != nil {
		c.http.DisableLocalhostProtection = true
	}
	if !c.http.Stateless {
		g.methods += ", " + http.MethodGet + ", " + http.MethodDelete
	}
	return g
}

// exposed are the headers of responses that pages of other origins may read.
const exposed = "Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate"

// preflightAge is for how many seconds a browser may remember a preflight. Browsers allow up to two hours.
const preflightAge = "7200"

func (g *guard) wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if g.hosts != nil && !g.knows(req) {
			http.Error(w, fmt.Sprintf("Forbidden: invalid Host header %q", req.Host), http.StatusForbidden)
			return
		}
		if g.shares {
			w.Header().Add("Vary", "Origin")
			if origin := req.Header.Get("Origin"); origin != "" && g.trusts(origin, req) {
				w.Header().Set("Access-Control-Allow-Origin", origin)
				w.Header().Set("Access-Control-Expose-Headers", exposed)
				if req.Method == http.MethodOptions && req.Header.Get("Access-Control-Request-Method") != "" {
					g.preflight(w, req)
					return
				}
			}
		}
		if err := g.check(req); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, req)
	})
}

// preflight answers a browser that asks what a page may send. The arguments of tools may be repeated in headers of any name.
func (g *guard) preflight(w http.ResponseWriter, req *http.Request) {
	h := w.Header()
	h.Del("Access-Control-Expose-Headers")
	h.Add("Vary", "Access-Control-Request-Headers")
	h.Set("Access-Control-Allow-Methods", g.methods)
	if asked := strings.Join(req.Header.Values("Access-Control-Request-Headers"), ","); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked)
	}
	h.Set("Access-Control-Max-Age", preflightAge)
	w.WriteHeader(http.StatusNoContent)
}

// check refuses a request that a page of another origin may have made.
func (g *guard) check(req *http.Request) (err error) {
	if g.every {
		return nil
	}
	for _, p := range g.protection {
		if err = p.Check(req); err == nil {
			return nil
		}
	}
	return err
}

// trusts reports whether a page of this origin may call the server.
func (g *guard) trusts(origin string, req *http.Request) bool {
	page := http.Header{"Origin": {origin}, "Sec-Fetch-Site": {"cross-site"}}
	return g.check(&http.Request{Method: http.MethodPost, URL: req.URL, Host: req.Host, Header: page}) == nil
}

// knows reports whether a request that arrived at a loopback address was made under a name of this machine or of the proxy.
func (g *guard) knows(req *http.Request) bool {
	local, ok := req.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || local == nil || !loopback.Is(loopback.Host(local.String())) {
		return true
	}
	host := loopback.Host(req.Host)
	return loopback.Is(host) || slices.Contains(g.hosts, strings.ToLower(host))
}
