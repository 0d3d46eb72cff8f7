package meter

// Where spans go: to the endpoint that the operator names, and nowhere else.

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

// Traces sends spans to an OTLP endpoint over HTTP, its address without /v1/traces as in OTEL_EXPORTER_OTLP_ENDPOINT. The
// exporter takes headers and certificates from the other variables of that name.
func Traces(ctx context.Context, endpoint, version string) (*trace.TracerProvider, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the address for traces is no http or https address; write it as http://127.0.0.1:4318")
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(strings.TrimSuffix(endpoint, "/")+"/v1/traces"))
	if err != nil {
		return nil, err
	}
	return trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(resource.NewSchemaless(
		attribute.String("service.name", "diptych-gateway"), attribute.String("service.version", version)))), nil
}
