package chat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/host"
)

func TestForModel(t *testing.T) {
	long := strings.Repeat("é", maxRead)
	for name, c := range map[string]struct {
		content []host.Block
		want    string
	}{
		"in order": {[]host.Block{{Kind: host.Text, Text: "a"}, {Kind: host.Image, MIMEType: "image/png", Data: make([]byte, 40_000)}, {Kind: host.Text, Text: "b"},
			{Kind: host.Audio, MIMEType: "audio/wav", Data: make([]byte, 12)}, {Kind: host.Link, Name: "n", URI: "file:///x"},
			{Kind: host.Resource, URI: "r:1", Text: "inside"}, {Kind: host.Resource, URI: "r:2", MIMEType: "a/b", Data: make([]byte, 3)}},
			"a\n[image: image/png, 40 KB]\nb\n[audio: audio/wav, 12 bytes]\n[resource: n, file:///x]\ninside\n[resource: r:2, a/b, 3 bytes]"},
		"nothing": {nil, "[the tool answered without content]"},
		"unknown": {[]host.Block{{Kind: "new", Text: "x"}}, "[the tool answered without content]"},
		"too long": {[]host.Block{{Kind: host.Text, Text: "a"}, {Kind: host.Text, Text: long}, {Kind: host.Text, Text: "b"}},
			"a\n" + strings.Repeat("é", maxRead/2-1) + fmt.Sprintf("\n[cut here: %d bytes more]", 2*maxRead-(maxRead-1))},
	} {
		if diff := cmp.Diff(c.want, reading(forModel(c.content))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestLists(t *testing.T) {
	for doc, want := range map[string][][]string{
		`{"table":[["city","n"],["a",12345678901234567890],["b",1.10]]}`: {{"city", "a", "b"}, {"n", "12345678901234567890", "1.10"}, {"3", "2"}},
		`{"d":[{"v":[1,2]},{"v":[3]}]}`:                                  {{"1", "2"}, {"3"}, {"2", "2", "1"}},
		`{"rows":[{"a":1,"b":"x"},{"a":2,"b":null}],"t":true}`:           {{"1", "2"}, {"x"}, {"2"}},
		`{"d":[{"x":1,"y":2},{"x":3,"y":4}]}`:                            {{"1", "3"}, {"2", "4"}, {"2"}},
		`{"sources":["https://example.org/2024"],"table":[["zip","n","when"],["90210",1.10,"2024-05-01"],["00501",null,"2024-05-02"]],"columns":[{},{"unit":"km 7"},{"kind":"date"}],"force":"8"}`: {
			{"zip"}, {"n", "1.10", ""}, {"when"}, {"90210"}, {"00501"}, {"2024-05-01"}, {"2024-05-02"}, {"2"}, {"3"}},
		`{"sources":["https://example.org/2024"],"charts":[{"type":"bubble","data":{"datasets":[{"label":"s","data":[{"x":1,"y":2,"r":3}]}]},"options":{"scales":{"x":{"max":9}}}},` +
			`{"type":"bar","data":{"labels":[1999,"b"],"datasets":[{"label":"t","data":[5,null]}]}}]}`: {{"s", "1"}, {"s", "2"}, {"1999"}, {"b"}, {"t", "5", ""}},
		`7`: {{"7"}, nil},
		`{`: nil,
	} {
		if diff := cmp.Diff(want, lists(json.RawMessage(doc))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", doc, diff)
		}
	}
}
