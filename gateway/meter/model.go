package meter

// Turns of the model.

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/diptych-mcp/diptych/gateway/model"
)

type metered struct {
	model.Model
	m *Meter
}

// Model watches next; nil stays nil.
func (m *Meter) Model(next model.Model) model.Model {
	if next == nil {
		return nil
	}
	return metered{next, m}
}

func (w metered) Stream(ctx context.Context, req model.Request, emit func(model.Delta) error) (model.Turn, error) {
	name := w.Name()
	ctx, span := w.m.tracer.Start(ctx, "chat "+name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.request.model", name)))
	defer span.End()
	began := time.Now()
	spoke := false
	turn, err := w.Model.Stream(ctx, req, func(d model.Delta) error {
		if !spoke && d.Text != "" {
			spoke = true
			w.m.firstSecond.WithLabelValues(name).Observe(time.Since(began).Seconds())
			span.AddEvent("first text")
		}
		return emit(d)
	})
	if err != nil {
		kind := failure(ctx, err)
		if kind != stopped {
			w.m.modelErrors.WithLabelValues(name, kind).Inc()
		}
		span.SetStatus(codes.Error, kind)
		return turn, err
	}
	w.m.turnSeconds.WithLabelValues(name).Observe(time.Since(began).Seconds())
	w.m.tokens.WithLabelValues(name, "input").Add(float64(max(0, turn.Usage.Input)))
	w.m.tokens.WithLabelValues(name, "output").Add(float64(max(0, turn.Usage.Output)))
	span.SetAttributes(attribute.StringSlice("gen_ai.response.finish_reasons", []string{string(turn.Reason)}), attribute.Int("diptych.tool_calls", len(turn.Calls)))
	if turn.Usage != (model.Usage{}) {
		span.SetAttributes(attribute.Int("gen_ai.usage.input_tokens", turn.Usage.Input), attribute.Int("gen_ai.usage.output_tokens", turn.Usage.Output))
	}
	return turn, nil
}

// stopped is a turn that a user or the end of the gateway cut short.
const stopped = "stopped"

// failure is a kind for every error: its text may hold what somebody said.
func failure(ctx context.Context, err error) string {
	var known *model.Error
	switch {
	case ctx.Err() != nil:
		return stopped
	case errors.As(err, &known):
		return string(known.Kind)
	}
	return "other"
}
