package main

import (
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// Limits of foreign input.
const (
	maxBody   = 1 << 20          // bytes of a request
	maxHeader = 64 << 10         // bytes of its headers
	maxCalls  = 1000             // requests at once
	slack     = 30 * time.Second // for a slow network, to send a request or to read an answer
)

// A web is the HTTP side of the server.
type web struct {
	server   *http.Server
	internal *http.Server // for those who operate it
	stopping atomic.Bool
}

func newWeb(c *config, signIn *signIn, handler http.Handler, metrics *metrics) *web {
	w := &web{}
	// region production-routes
	mux := http.NewServeMux()
	mux.Handle("OPTIONS "+c.url.Path, handler) // preflights have no token
	mux.Handle(c.url.Path, readable(c.origins, signIn.guard(signIn.stepUp(handler))))
	mux.Handle(wellKnown+c.url.Path, auth.ProtectedResourceMetadataHandler(&signIn.resource))
	// endregion
	// region production-health
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {}) // the process lives
	mux.HandleFunc("GET /readyz", func(rw http.ResponseWriter, _ *http.Request) {
		if w.stopping.Load() {
			http.Error(rw, "stopping", http.StatusServiceUnavailable)
		}
	})
	// endregion

	internal := http.NewServeMux()
	internal.Handle("GET /metrics", metrics.handler())
	w.internal = &http.Server{Handler: internal, ReadHeaderTimeout: 10 * time.Second}
	// region production-limits
	w.server = &http.Server{
		Handler:           w.leaving(atMost(maxCalls, mux)),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       slack,
		WriteTimeout:      c.callTimeout + slack,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeader,
	}
	// endregion
	return w
}

// region production-readable

// readable lets pages read why they were refused before AllowOrigins has seen the request.
func readable(origins []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if origin := req.Header.Get("Origin"); slices.Contains(origins, origin) {
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Expose-Headers", "WWW-Authenticate")
		}
		next.ServeHTTP(w, req)
	})
}

// endregion

// region production-at-most

// atMost answers 503 while n requests are being answered.
func atMost(n int, next http.Handler) http.Handler {
	places := make(chan struct{}, n)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
			next.ServeHTTP(w, req)
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "too many requests at once", http.StatusServiceUnavailable)
		}
	})
}

// endregion
