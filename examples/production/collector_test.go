package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	collect "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A collector receives spans as an OpenTelemetry collector does.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*spans.Span
}

func newCollector(t *testing.T) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		var sent collect.ExportTraceServiceRequest
		if err != nil || req.URL.Path != "/v1/traces" || proto.Unmarshal(body, &sent) != nil {
			http.Error(w, "no spans", http.StatusBadRequest)
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, resource := range sent.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

// named are the spans of this name.
func (c *collector) named(name string) []*spans.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []*spans.Span
	for _, s := range c.spans {
		if s.Name == name {
			found = append(found, s)
		}
	}
	return found
}

func valueOf(s *spans.Span, key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}
