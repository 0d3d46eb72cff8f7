package connect

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	const limit = 100
	long := strings.Repeat("x", 3*limit)
	refusal := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32051,"message":"the message is larger than 100 bytes"}}` + "\n"
	}
	for _, c := range []struct {
		name, in, out string
		fault         error
	}{
		{"short", "{}\n[]\n", "{}\n[]\n", nil},
		{"without an end", "{", "{", nil},
		{"just long enough", "{" + long[:limit-2] + "\n", "{" + long[:limit-2] + "\n", nil},
		{"id first", `{"id":7,"result":"` + long + "\"}\n{}\n", refusal("7") + "{}\n", nil},
		{"id last", `{"result":{"id":1,"a":["` + long + `",{"id":2}]},"jsonrpc":"2.0" , "id" : "a,}b" }` + "\n{}\n", refusal(` "a,}b" `) + "{}\n", nil},
		{"id in text", `{"result":"\",\"id\":5,` + long + "\"}\n{}\n", "{}\n", nil},
		{"a request", `{"id":7,"method":"x","params":"` + long + "\"}\n{}\n", "{}\n", nil},
		{"a notification", `{"method":"x","params":"` + long + "\"}\n{}\n", "{}\n", nil},
		{"long and no JSON", long + "\n{}\n", "{}\n", nil},
		{"no message", "Hello.\n\n {\"a\":1}\n[]\n\"b\"\n7\n", " {\"a\":1}\n[]\n", nil},
		{"no good id", `{"id":{"a":1},"result":"` + long + "\"}\n{}\n", "{}\n", nil},
		{"an endless id", `{"id":"` + long + "\"}\n{}\n", "{}\n", nil},
		{"cut", `{"id":7,"result":"` + long, refusal("7"), nil},
		{"endless", strings.Repeat("x", limit*maxSkipped+limit+70<<10), "", errTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
				got, err := io.ReadAll(newLines(io.NopCloser(in), limit, true))
				if diff := cmp.Diff(c.out, string(got)); diff != "" || err != c.fault {
					t.Errorf("%v (-want +got):\n%s", err, diff)
				}
			}
		})
	}
}
