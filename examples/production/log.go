package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/trace"
)

// region production-log

// logged writes a line for each request: what, who, how long, how it ended, and its trace. Arguments and answers are not logged.
func logged(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		began := time.Now()
		res, err := next(ctx, method, req)
		op := operationOf(method, req)
		attrs := []slog.Attr{slog.String("method", op.method), slog.Duration("took", time.Since(began))}
		if op.tool != "" {
			attrs = append(attrs, slog.String("tool", op.tool))
		}
		if extra := req.GetExtra(); extra != nil && extra.TokenInfo != nil {
			attrs = append(attrs, slog.String("user", extra.TokenInfo.UserID))
		}
		if kind := errorType(res, err); kind != "" {
			attrs = append(attrs, slog.String("error", kind))
		}
		if span := trace.SpanContextFromContext(ctx); span.IsValid() {
			attrs = append(attrs, slog.String("trace", span.TraceID().String()))
		}
		slog.LogAttrs(ctx, slog.LevelInfo, "request", attrs...)
		return res, err
	}
}

// endregion
