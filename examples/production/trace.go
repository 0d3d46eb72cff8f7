package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// traces are the spans of this process, which go to the address in OTEL_EXPORTER_OTLP_ENDPOINT. Without it there are none.
type traces struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

func newTraces(ctx context.Context) (*traces, error) {
	var options []sdk.TracerProviderOption
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" {
		exporter, err := otlptracehttp.New(ctx)
		if err != nil {
			return nil, err
		}
		options = append(options, sdk.WithBatcher(exporter), sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", name), attribute.String("service.version", version))))
	}
	provider := sdk.NewTracerProvider(options...)
	return &traces{provider, provider.Tracer(name)}, nil
}

// flush sends the last spans, after the last answer.
func (t *traces) flush(err error) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return errors.Join(err, t.provider.Shutdown(ctx))
}

// region production-trace

// middleware makes a span of each request, as OpenTelemetry's conventions for MCP name it. Its parent is the caller's span.
func (t *traces) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		op := operationOf(method, req)
		spanName, attributes := op.method, []attribute.KeyValue{
			attribute.String("mcp.method.name", op.method), attribute.String("network.transport", "tcp"),
		}
		if op.tool != "" {
			spanName += " " + op.tool
			attributes = append(attributes,
				attribute.String("gen_ai.operation.name", "execute_tool"), attribute.String("gen_ai.tool.name", op.tool))
		}
		ctx, span := t.tracer.Start(propagation.TraceContext{}.Extract(ctx, parent(req)), spanName,
			trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attributes...))
		defer span.End()
		res, err := next(ctx, method, req)
		if kind := errorType(res, err); kind != "" {
			span.SetAttributes(attribute.String("error.type", kind))
			span.SetStatus(codes.Error, "") // the text of an error may hold what a user wrote
		}
		return res, err
	}
}

// parent is where the caller names its span: in _meta of the request, or in the headers of a client that traces HTTP alone.
func parent(req mcp.Request) propagation.TextMapCarrier {
	carrier := propagation.MapCarrier{}
	for _, key := range []string{"traceparent", "tracestate"} {
		if params := req.GetParams(); params != nil {
			if value, ok := params.GetMeta()[key].(string); ok {
				carrier[key] = value
			}
		}
	}
	if extra := req.GetExtra(); len(carrier) == 0 && extra != nil {
		return propagation.HeaderCarrier(extra.Header)
	}
	return carrier
}

// endregion
