package meter

// Tool servers, asked how they are whenever somebody reads the metrics.

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/diptych-mcp/diptych/gateway/host"
)

type servers struct {
	health                        func() []host.Health
	up, reached, offered, refused *prometheus.Desc
}

// Servers exports metrics of the servers that health returns.
func (m *Meter) Servers(health func() []host.Health) {
	describe := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc("diptych_server_"+name, help, []string{"server"}, nil)
	}
	m.registry.MustRegister(&servers{
		health:  health,
		up:      describe("up", "1 while the tool server is connected."),
		reached: describe("connections_total", "How often the tool server was reached; more than once is a reconnect."),
		offered: describe("tools_offered", "Tools that can be called."),
		refused: describe("tools_refused", "Tools that are not offered."),
	})
}

func (s *servers) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.up, s.reached, s.offered, s.refused} {
		to <- d
	}
}

func (s *servers) Collect(to chan<- prometheus.Metric) {
	for _, h := range s.health() {
		up := 0.0
		if h.State == host.Up {
			up = 1
		}
		to <- prometheus.MustNewConstMetric(s.up, prometheus.GaugeValue, up, h.Server)
		to <- prometheus.MustNewConstMetric(s.reached, prometheus.CounterValue, float64(h.Reached), h.Server)
		to <- prometheus.MustNewConstMetric(s.offered, prometheus.GaugeValue, float64(h.Tools), h.Server)
		to <- prometheus.MustNewConstMetric(s.refused, prometheus.GaugeValue, float64(len(h.Refused)), h.Server)
	}
}
