package exact

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rows is a result with a list of n rows.
func rows(n int) []byte {
	row := []byte(`{"id":12345,"name":"Amsterdam Centraal","delay":1.25,"tags":["a","b"],"cancelled":false}`)
	list := bytes.Repeat(append(row, ','), n)
	return []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[` + string(list[:len(list)-1]) + `]}}}`)
}

// BenchmarkRows is the whole way of a large result through the decoder, with raw bytes kept and without.
func BenchmarkRows(b *testing.B) {
	message := rows(10_000)
	for _, kept := range []bool{true, false} {
		name := map[bool]string{true: "exact", false: "plain"}[kept]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(message)))
			b.ReportAllocs()
			for b.Loop() {
				m := message
				if kept {
					m, _ = rewriteMessage(m, "")
				}
				var r struct{ Result mcp.CallToolResult }
				if err := json.Unmarshal(m, &r); err != nil {
					b.Fatal(err)
				}
				if _, exact := Structured(&r.Result); exact != kept {
					b.Fatal("wrong way")
				}
			}
		})
	}
}
