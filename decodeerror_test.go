package diptych_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// What a schema accepts and a Go type does not: every answer names the argument and the rule, and never the value.

// Picky reads texts of even length.
type Picky string

func (p *Picky) UnmarshalText(b []byte) error {
	if len(b)%2 != 0 {
		return fmt.Errorf("bad text %s", b)
	}
	*p = Picky(strings.ToLower(string(b)))
	return nil
}

// Frank tells the model what it wants.
type Frank struct{}

func (f Frank) MarshalText() ([]byte, error) { return []byte("frank"), nil }
func (f *Frank) UnmarshalText(b []byte) error {
	if string(b) != "frank" {
		return diptych.Errorf("must be frank")
	}
	return nil
}

// Own reads its JSON itself.
type Own struct{}

func (Own) MarshalJSON() ([]byte, error)    { return []byte("{}"), nil }
func (Own) JSONSchema() json.RawMessage     { return json.RawMessage(`{"type":"object"}`) }
func (o *Own) UnmarshalJSON(b []byte) error { return errors.New("cannot read " + string(b)) }

type Oak struct {
	At   time.Time     `json:"at"`
	Kids map[int8]*Oak `json:"kids,omitempty"`
}

const leap = `"2016-12-31T23:59:60Z"`

func TestMisfits(t *testing.T) {
	for _, tt := range []struct {
		handle mcp.ToolHandler
		value  string // of v
		want   string // the faults, or nothing
	}{
		{taking[time.Time](t), leap, "v: must be a date-time with capital T and Z, and without a leap second"},
		{taking[time.Time](t), `"2016-12-31t23:59:59z"`, "v: must be a date-time with capital T and Z, and without a leap second"},
		{taking[*time.Time](t), leap, "v: must be a date-time with capital T and Z, and without a leap second"},
		{taking[[]time.Time](t), `["2016-12-31T23:59:59Z",` + leap + `]`, "v[1]: must be a date-time with capital T and Z, and without a leap second"},
		{taking[[2]diptych.Optional[time.Time]](t), `[null,` + leap + `]`, "v[1]: must be a date-time with capital T and Z, and without a leap second"},
		{taking[map[string]time.Time](t), `{"a b":` + leap + `,"c":` + leap + `}`, "v[\"a b\"]: must be a date-time with capital T and Z, and without a leap second\nv.c: must be a date-time with capital T and Z, and without a leap second"},
		{taking[diptych.AnyOf[int, time.Time]](t), leap, "v: must be a date-time with capital T and Z, and without a leap second"},
		{taking[diptych.Tuple2[int, time.Time]](t), `[1,` + leap + `]`, "v[1]: must be a date-time with capital T and Z, and without a leap second"},
		{taking[Oak](t), `{"at":"2016-12-31T23:59:59Z","kids":{"-7":{"at":` + leap + `}}}`, "v.kids[\"-7\"].at: must be a date-time with capital T and Z, and without a leap second"},
		{taking[time.Duration](t), `9223372036854775808`, "v: must be at most 9223372036854775807"},
		{taking[int8](t), `128`, "v: must be at most 127"},
		{taking[uint64](t), `18446744073709551616`, "v: must be at most 18446744073709551615"},
		{taking[float64](t), `1e309`, "v: out of range for float64"},
		{taking[[]float32](t), `[1,1e39]`, "v[1]: out of range for float32"},
		{taking[any](t), `1e309`, ""},
		{taking[big.Int](t), `1e500`, "v: cannot be read as big.Int"},
		{taking[big.Float](t), `"12x45"`, "v: cannot be read as big.Float"},
		{taking[net.IP](t), `"1.2.3.4"`, ""},
		{taking[netip.Addr](t), `"::ffff:1.2.3.4"`, ""},
		{taking[netip.Prefix](t), `"12345/99"`, "v: cannot be read as netip.Prefix"},
		{taking[regexp.Regexp](t), `"(12345"`, "v: cannot be read as regexp.Regexp"},
		{taking[Picky](t), `"12345"`, "v: cannot be read as diptych_test.Picky"},
		{taking[Frank](t), `"12345"`, "v: must be frank"},
		{taking[[]Own](t), `[{"12345":1}]`, "v[0]: cannot be read as diptych_test.Own"},
		{taking[[]byte](t), "\"YQ==\\n\"", ""},
		{taking[[]byte](t), `"12345"`, "v: must be base64"},
		{taking[string](t), "\"12345\xff\"", "v: not valid UTF-8"},
		{taking[string](t), `"12345\ud800"`, "v: not valid UTF-8"},
		{taking[map[int]bool](t), `{"1":true,"01":true}`, `v["01"]: the key must be an integer in plain digits, such as 7 or -7`},
		{taking[map[int]bool](t), `{"+1":true,"-0":true}`, "v[\"+1\"]: the key must be an integer in plain digits, such as 7 or -7\nv[\"-0\"]: the key must be an integer in plain digits, such as 7 or -7"},
		{taking[map[uint8]bool](t), `{"-1":true,"255":true}`, `v["-1"]: the key must be an integer from 0 on in plain digits, such as 7`},
		{taking[map[uint8]bool](t), `{"255":true,"256":true}`, `v["256"]: key out of range for uint8`},
		{taking[map[netip.Addr]bool](t), `{"::1":true,"0:0:0:0:0:0:0:1":true}`, `v["::1"]: key means the same as another one`},
		{taking[map[Picky]bool](t), `{"ab":true,"AB":true}`, `v.ab: key means the same as another one`},
		{taking[map[Picky]bool](t), `{"abc":true}`, `v.abc: key cannot be read as diptych_test.Picky`},
		{taking[map[Picky]bool](t), `{"ab":true,"cd":true}`, ""},
		{taking[quotedFields](t), `{"n":"9223372036854775808","f":"1e999"}`, "v.n: cannot be read as int64 in a string\nv.f: cannot be read as float64 in a string"},
		{taking[quotedFields](t), `{"n":"9223372036854775807","f":"1e9"}`, ""},
	} {
		res, err := tt.handle(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: json.RawMessage(`{"v":` + tt.value + `}`)}})
		must(t, err)
		if tt.want == "" {
			if res.IsError {
				t.Errorf("%s: %s", tt.value, texts(res))
			}
			continue
		}
		_, got, _ := strings.Cut(texts(res), "\n")
		if !res.IsError || got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.value, texts(res), tt.want)
		}
		if strings.Contains(texts(res), "12345") {
			t.Errorf("%s: a value is told: %s", tt.value, texts(res))
		}
	}
}

type quotedFields struct {
	N int64   `json:"n,string"`
	F float64 `json:"f,string"`
}

// taking is a tool with one argument.
func taking[T any](t *testing.T) mcp.ToolHandler {
	_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, struct {
		V T `json:"v"`
	}) (bool, error) {
		return true, nil
	}, quiet)
	must(t, err)
	return h
}
