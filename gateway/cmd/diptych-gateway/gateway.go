package main

// The gateway as a value: opened from flags, served until its context ends, closed in the order in which its parts need
// each other.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/meter"
	"github.com/diptych-mcp/diptych/gateway/store"
	"github.com/diptych-mcp/diptych/gateway/store/sqlite"
	"github.com/diptych-mcp/diptych/gateway/web"
	"github.com/diptych-mcp/diptych/internal/loopback"
)

type gateway struct {
	listener net.Listener
	server   *http.Server
	chat     *chat.Chat
	close    []func() error // in the order in which they were opened
}

func open(ctx context.Context, c settings) (_ *gateway, err error) {
	g := &gateway{}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.shut())
		}
	}()
	if g.listener, err = listen(ctx, c.Listen); err != nil {
		return nil, err
	}
	g.close = append(g.close, func() error { return ignoreClosed(g.listener.Close()) })

	speaker, err := openModel(c)
	if err != nil {
		return nil, err
	}
	var servers []host.Server
	var questions map[string][]string
	if c.Config != "" {
		if servers, err = host.ReadServers(c.Config); err != nil {
			return nil, err
		}
		if questions, err = readQuestions(c.Config); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return nil, err
	}
	unlock, err := lock(filepath.Join(c.Data, "lock"))
	if err != nil {
		return nil, err
	}
	g.close = append(g.close, unlock)
	kept, err := sqlite.Open(ctx, filepath.Join(c.Data, "gateway.db"))
	if err != nil {
		return nil, err
	}
	g.close = append(g.close, kept.Close)

	tracer, flush, err := openTraces(ctx, c.Traces)
	if err != nil {
		return nil, err
	}
	g.close = append(g.close, flush)
	m := meter.New(version(), tracer)
	watched := m.Store(kept)
	tools, err := host.Open(servers, host.Options{Version: version(), Header: m.Header})
	if err != nil {
		return nil, err
	}
	m.Servers(tools.Health)
	g.close = append(g.close, func() error { tools.Close(); return nil })
	// A page that opens at once should have its tools; one slow server does not delay it for long.
	first, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if tools.Ready(first) != nil {
		slog.Warn("not every server was reached yet; the gateway goes on trying")
	}
	g.chat, err = chat.New(ctx, chat.Config{Store: watched, Tools: m.Tools(tools), Model: m.Model(speaker), Context: c.Context, ToolsMax: c.ToolsMax, Numbers: checkNumbers, Begin: logged(m.Begin)})
	if err != nil {
		return nil, err
	}
	g.close = append(g.close, func() error { g.chat.Close(); return nil })
	page, err := web.New(web.Config{Chat: g.chat, Tools: tools, Store: watched, Health: tools.Health, Quota: c.Limit.quota(kept), Scripted: c.Model == scriptedModel, Share: c.Share, Questions: questions})
	if err != nil {
		return nil, err
	}
	g.server = &http.Server{
		Handler:           m.HTTP(routes(page, m.Handler(), kept.Ready)),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       requestTimeout, // a body too; once it is there, its answer may take longer
		WriteTimeout:      answerTimeout,  // the page's own answers renew it
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
	return g, nil
}

// routes puts what machines ask for beside the page.
func routes(page, metrics http.Handler, ready func(context.Context) error) http.Handler {
	m := http.NewServeMux()
	m.Handle("/", page)
	m.Handle("GET /metrics", local(metrics))
	m.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	m.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := ready(r.Context()); err != nil {
			slog.Error("not ready", "err", err)
			text := "not ready"
			for _, known := range []error{store.ErrFull, store.ErrExchanged} {
				if errors.Is(err, known) {
					text += ": " + known.Error()
				}
			}
			http.Error(w, text, http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return m
}

// local answers this machine alone, asked for by a name of the loopback: a page elsewhere can have its own name lead here.
func local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !loopback.Is(loopback.Host(r.RemoteAddr)) || !loopback.Is(loopback.Host(r.Host)) {
			http.Error(w, "ask for this on the machine itself, as 127.0.0.1", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// listen takes an address of this machine alone: there is no login yet.
func listen(ctx context.Context, address string) (net.Listener, error) {
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen %q is no address; write it as 127.0.0.1:8321", address)
	}
	if !loopback.Is(name) {
		return nil, fmt.Errorf("--listen %q is not on the loopback; use 127.0.0.1 until a login exists", address)
	}
	if name == "localhost" { // which may be looked up
		name = "127.0.0.1"
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(name, port))
}

func (g *gateway) url() string { return "http://" + g.listener.Addr().String() + "/" }

// serve returns when ctx has ended and everything is closed. Runs that go on are ended with an event that says so.
func (g *gateway) serve(ctx context.Context) error {
	failed := make(chan error, 1)
	go func() { failed <- g.server.Serve(g.listener) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		g.chat.Close() // ends the streams that watch a run
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		if g.server.Shutdown(late) != nil {
			err = g.server.Close()
		}
	}
	return errors.Join(err, g.shut())
}

// shut closes what was opened, the last first.
func (g *gateway) shut() error {
	var errs []error
	for i := len(g.close) - 1; i >= 0; i-- {
		errs = append(errs, g.close[i]())
	}
	g.close = nil
	return errors.Join(errs...)
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
