package meter

// Calls of tools, and the names by which they are counted.

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
)

type (
	callable = chat.Tools // so that the field and the method have names of their own
	tools    struct {
		callable
		m *Meter
	}
)

// Tools watches next. Tools are counted under the names that it offers.
func (m *Meter) Tools(next chat.Tools) chat.Tools {
	m.names.offered = next.Tools
	return tools{next, m}
}

func (w tools) Call(ctx context.Context, tool string, arguments json.RawMessage, callbacks host.Callbacks) (host.Result, error) {
	server, name := w.m.names.of(tool)
	ctx, span := w.m.tracer.Start(ctx, "execute_tool "+name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "execute_tool"), attribute.String("gen_ai.tool.name", name), attribute.String("diptych.server", server)))
	defer span.End()
	began := time.Now()
	res, err := w.callable.Call(ctx, tool, arguments, callbacks)
	if err != nil {
		span.SetStatus(codes.Error, stopped)
		return res, err
	}
	size := len(res.Content) + len(res.Structured)
	w.m.callSeconds.WithLabelValues(server, name).Observe(time.Since(began).Seconds())
	w.m.callBytes.WithLabelValues(server, name).Observe(float64(size))
	span.SetAttributes(attribute.Int("diptych.result.bytes", size), attribute.Bool("diptych.result.verified", res.Verified))
	if res.IsError {
		span.SetStatus(codes.Error, string(chat.Failed))
	}
	return res, nil
}

// Header hands the trace of ctx on, in W3C's traceparent. Without a trace it does nothing.
func (m *Meter) Header(ctx context.Context, h http.Header) {
	propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(h))
}

// names are the tools that were ever offered, as labels. A server that always has new tools, or a model that makes some
// up, gets no more of them than the bound.
type names struct {
	offered func() []host.Tool

	mu     sync.Mutex
	server map[string]string // by tool
	count  map[string]int    // by server
}

const (
	noServer = "none"    // the server of a tool that was never offered
	unknown  = "unknown" // the tool
	other    = "other"   // a tool above the bound
)

func (n *names) of(tool string) (server, name string) {
	n.mu.Lock()
	server, ok := n.server[tool]
	n.mu.Unlock()
	if ok {
		return server, tool
	}
	if n.offered == nil {
		return noServer, unknown
	}
	for _, t := range n.offered() {
		if t.Name != tool {
			continue
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.server == nil {
			n.server, n.count = make(map[string]string), make(map[string]int)
		}
		if _, known := n.server[tool]; !known {
			if n.count[t.Server] >= maxNames {
				return t.Server, other
			}
			n.count[t.Server]++
			n.server[tool] = t.Server
		}
		return t.Server, tool
	}
	return noServer, unknown
}
