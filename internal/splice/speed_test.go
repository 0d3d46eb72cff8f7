package splice

import (
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkSmallCall is a call without a connection: what this package and the SDK's transport cost.
func BenchmarkSmallCall(b *testing.B) {
	s := toolServer(nil)
	ours, _ := handlerOf(s, mcp.StreamableHTTPOptions{})
	for _, e := range []struct {
		name string
		h    http.Handler
	}{{"official", official(toolServer(nil), mcp.StreamableHTTPOptions{PropagateRequestCancellation: true})}, {"ours", ours}} {
		b.Run(e.name, func(b *testing.B) {
			b.ReportAllocs()
			l := callOf("plain_small")
			for b.Loop() {
				if w := l.send(e.h); w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
		})
	}
}
