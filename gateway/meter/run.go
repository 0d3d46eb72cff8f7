package meter

// Runs: how many go on, and the span that their turns and calls belong to.

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// Begin is what [chat.Config] calls so.
func (m *Meter) Begin(ctx context.Context, r store.Run) (context.Context, func(chat.Reason)) {
	m.live.Inc()
	ctx, span := m.tracer.Start(ctx, "run", trace.WithNewRoot(), trace.WithAttributes(
		attribute.String("diptych.run.id", r.ID), attribute.String("gen_ai.conversation.id", r.Conversation)))
	return ctx, func(reason chat.Reason) {
		m.live.Dec()
		span.SetAttributes(attribute.String("diptych.run.reason", string(reason)))
		if reason == chat.ByError || reason == chat.ByCrash {
			span.SetStatus(codes.Error, string(reason))
		}
		span.End()
	}
}
