package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// region production-stop

// settle is for requests that arrive on connections that were just taken: Shutdown would close those without an answer.
const settle = time.Second

// serve serves until ctx is done. Then it says that it is not ready, waits until the proxy has noticed, takes no more connections, and
// answers what it has begun.
func (w *web) serve(ctx context.Context, c *config) error {
	listener, err := listen(c.listen)
	if err != nil {
		return err
	}
	internal, err := net.Listen("tcp", c.metrics)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	slog.Info("listening", "address", listener.Addr().String(), "metrics", internal.Addr().String(), "url", c.url.String())
	failed := make(chan error, 2)
	go func() { failed <- w.server.Serve(listener) }()
	go func() { failed <- w.internal.Serve(internal) }()
	select {
	case err := <-failed:
		return errors.Join(err, w.server.Close(), w.internal.Close())
	case <-ctx.Done():
	}

	w.stopping.Store(true)
	slog.Info("stopping", "drain", c.drain, "grace", c.grace)
	time.Sleep(c.drain)
	err = listener.Close()
	time.Sleep(settle)
	last, cancel := context.WithTimeout(context.Background(), c.grace)
	defer cancel()
	err = errors.Join(err, w.server.Shutdown(last))
	return errors.Join(err, w.server.Close(), w.internal.Close())
}

// leaving ends connections after their next answer once the server stops, so that a client sends nothing on one that is about to close.
func (w *web) leaving(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		if w.stopping.Load() {
			rw.Header().Set("Connection", "close")
		}
		next.ServeHTTP(rw, req)
	})
}

// endregion
