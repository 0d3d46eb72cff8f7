package wiretest

import (
	"strings"
	"testing"
)

func TestEvents(t *testing.T) {
	for _, test := range []struct{ name, stream, want, fault string }{
		{name: "the answer keeps its bytes", stream: "event: message\ndata: {\"id\":7,\"result\":{\"b\":1.50,\"a\":9007199254740993}}\n\n",
			want: `{"b":1.50,"a":9007199254740993}`},
		{name: "others come first", stream: ": hello\ndata:\n\ndata: {\"method\":\"notifications/progress\"}\n\ndata: {\"id\":6,\"result\":1}\n\ndata: {\"id\":7,\"result\":2}\n\n",
			want: `2`},
		{name: "a protocol error", stream: "data: {\"id\":7,\"error\":{\"code\":-32602,\"message\":\"unknown tool\"}}\n\n",
			fault: "protocol error -32602: unknown tool"},
		{name: "no answer", stream: "data: {\"id\":6,\"result\":1}\n\n", fault: "the stream ended without an answer"},
		{name: "no JSON", stream: "data: oops\n\n", fault: "the server sent no JSON"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := events(strings.NewReader(test.stream), 7)
			if string(got) != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if (err != nil) != (test.fault != "") || err != nil && !strings.HasPrefix(err.Error(), test.fault) {
				t.Errorf("got error %v, want %q", err, test.fault)
			}
		})
	}
}
