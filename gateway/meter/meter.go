// Package meter counts, times and traces what the gateway does, for Prometheus and OpenTelemetry. Nothing in it is text of
// a user, a model or a tool: labels and attributes are ids, names that the operator configured or admitted, kinds, states
// and codes, and there is a bound on how many of them there are.
package meter

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// A Meter watches the parts of a gateway that are wrapped by it.
type Meter struct {
	registry *prometheus.Registry
	tracer   trace.Tracer
	names    names

	started prometheus.Counter
	ended   *prometheus.CounterVec
	live    prometheus.Gauge

	calls       *prometheus.CounterVec
	callSeconds *prometheus.HistogramVec
	callBytes   *prometheus.HistogramVec

	turnSeconds *prometheus.HistogramVec
	firstSecond *prometheus.HistogramVec
	tokens      *prometheus.CounterVec
	modelErrors *prometheus.CounterVec

	requests *prometheus.HistogramVec
	streams  prometheus.Gauge

	storeSeconds *prometheus.HistogramVec
	storeErrors  *prometheus.CounterVec
}

var (
	quick = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5} // of a store and of a request
	slow  = []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300}           // of a tool and of a model
	sizes = prometheus.ExponentialBuckets(256, 4, 8)                               // to 4 MiB, the most that a host takes
)

// New returns a Meter that traces with tracer; nil for no traces.
func New(version string, tracer trace.Tracer) *Meter {
	if tracer == nil {
		tracer = noop.Tracer{}
	}
	r := prometheus.NewRegistry()
	m := &Meter{registry: r, tracer: tracer}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "diptych_" + name, Help: help}, labels)
		r.MustRegister(c)
		return c
	}
	gauge := func(name, help string) prometheus.Gauge {
		g := prometheus.NewGauge(prometheus.GaugeOpts{Name: "diptych_" + name, Help: help})
		r.MustRegister(g)
		return g
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "diptych_" + name, Help: help, Buckets: buckets}, labels)
		r.MustRegister(h)
		return h
	}
	m.started = counter("runs_started_total", "Runs that were started.").WithLabelValues()
	m.ended = counter("runs_ended_total", "Runs that ended, by reason; those that an earlier process left open are among them.", "reason")
	m.live = gauge("runs_live", "Runs that go on in this process.")

	m.calls = counter("tool_calls_total", "Tool calls by how they ended; declined and rejected ones were never sent.", "server", "tool", "state")
	m.callSeconds = histogram("tool_call_duration_seconds", "Time until a tool answered.", slow, "server", "tool")
	m.callBytes = histogram("tool_result_bytes", "Size of a tool's answer: content and structured content.", sizes, "server", "tool")

	m.turnSeconds = histogram("model_turn_duration_seconds", "Time until a model had finished a turn.", slow, "model")
	m.firstSecond = histogram("model_first_text_seconds", "Time until the first text of a turn came.", slow, "model")
	m.tokens = counter("model_tokens_total", "Tokens, where the model's server reports them.", "model", "direction")
	m.modelErrors = counter("model_errors_total", "Turns that did not finish, by kind; those that a user stopped are not among them.", "model", "kind")

	m.requests = histogram("http_request_duration_seconds", "HTTP requests by route and status; an event stream lasts as long as its reader stays.", quick, "route", "status")
	m.streams = gauge("event_streams_open", "Event streams that are being read.")

	m.storeSeconds = histogram("store_operation_duration_seconds", "Time that the store took.", quick, "operation")
	m.storeErrors = counter("store_errors_total", "Operations of the store that failed.", "operation")

	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "diptych_build_info", Help: "Always 1.", ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	r.MustRegister(build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler tells the metrics in Prometheus' formats.
func (m *Meter) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry, MaxRequestsInFlight: 4, EnableOpenMetrics: true})
}
