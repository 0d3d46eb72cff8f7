package main

// What an operator sees of the gateway: its log and its traces. Neither holds text of a user, a model or a tool, or a key.

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/trace"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/meter"
	"github.com/diptych-mcp/diptych/gateway/store"
)

func newLog(w io.Writer, format string, level slog.Level) slog.Handler {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: discreet}
	if format == "json" {
		return slog.NewJSONHandler(w, options)
	}
	return slog.NewTextHandler(w, options)
}

// discreet keeps what a panic says to itself, unless the language said it, and bounds what an error says.
func discreet(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case runtime.Error:
		return slog.String(a.Key, v.Error())
	case error:
		if text := v.Error(); len(text) > maxLogged {
			return slog.String(a.Key, strings.ToValidUTF8(text[:maxLogged], "")+"…")
		}
	}
	if a.Key == "panic" {
		return slog.String(a.Key, fmt.Sprintf("a %T", a.Value.Any()))
	}
	return a
}

// A begin is called when a run starts: see [chat.Config].
type begin func(context.Context, store.Run) (context.Context, func(chat.Reason))

// logged writes a line when a run starts and when it ends.
func logged(next begin) begin {
	return func(ctx context.Context, r store.Run) (context.Context, func(chat.Reason)) {
		ctx, end := next(ctx, r)
		log := slog.With("run", r.ID, "conversation", r.Conversation)
		if span := trace.SpanContextFromContext(ctx); span.IsValid() {
			log = log.With("trace", span.TraceID().String())
		}
		log.Info("run started")
		return ctx, func(reason chat.Reason) {
			log.Info("run ended", "reason", reason, "ms", time.Since(r.Started).Milliseconds())
			end(reason)
		}
	}
}

// openTraces returns nil where no endpoint is named.
func openTraces(ctx context.Context, endpoint string) (_ trace.Tracer, flush func() error, err error) {
	if endpoint == "" {
		return nil, func() error { return nil }, nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { slog.Warn("sending traces", "err", err) }))
	provider, err := meter.Traces(ctx, endpoint, version())
	if err != nil {
		return nil, nil, err
	}
	return provider.Tracer("github.com/diptych-mcp/diptych/gateway"), func() error {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		if err := provider.Shutdown(late); err != nil {
			slog.Warn("the last traces were not sent", "err", err)
		}
		return nil
	}, nil
}
