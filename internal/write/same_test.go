//lint:file-ignore SA5008 the tags that encoding/json reads in an unexpected way are what is tested

package write_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"testing"
	"time"
)

type (
	valueJSON   struct{ N int }
	pointerJSON struct{ N int }
	valueText   struct{ N int }
	pointerText struct{ N int }
	// textThenJSON is written by MarshalText where it has no address, by MarshalJSON where it has one.
	textThenJSON struct{ N int }

	flag   bool
	word   string
	count  int16
	ratio  float32
	letter uint8
	loud   string
	octet  uint8
	zeroed struct{ N int }
	unset  struct{ N int }
)

func (v valueJSON) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, " { \"n\" : [ %d , \"a b\\\" \u2028<\" ] } ", v.N), nil
}
func (v *pointerJSON) MarshalJSON() ([]byte, error)  { return fmt.Appendf(nil, "[%d]", v.N), nil }
func (v valueText) MarshalText() ([]byte, error)     { return fmt.Appendf(nil, "t<%d\u2028\"", v.N), nil }
func (v *pointerText) MarshalText() ([]byte, error)  { return fmt.Appendf(nil, "p%d", v.N), nil }
func (v textThenJSON) MarshalText() ([]byte, error)  { return fmt.Appendf(nil, "t%d", v.N), nil }
func (v *textThenJSON) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "[%d]", v.N), nil }
func (l loud) MarshalText() ([]byte, error)          { return []byte(l + "!"), nil }
func (o octet) MarshalText() ([]byte, error)         { return fmt.Appendf(nil, "%02x", uint8(o)), nil }
func (z zeroed) IsZero() bool                        { return z.N == 7 }
func (u *unset) IsZero() bool                        { return u.N == 7 }

type (
	base struct {
		ID   string `json:"id"`
		Name string
		X    int `json:"x"`
	}
	other struct {
		X    int `json:"x"`
		Y    int `json:"y,omitempty"`
		Name string
	}
	hidden struct{ Seen, Also int }
	// promoting meets every rule of embedding at once.
	promoting struct {
		base
		*other
		hidden `json:"hidden"`
		Name   string `json:"name"`
		time.Duration
		Note string `json:"Note"`
	}
	twice struct {
		left
		right
	}
	left  struct{ both }
	right struct{ both }
	both  struct{ Z int }
	shade struct {
		base
		ID int `json:"id"`
	}
	embedsMarshaler struct {
		valueJSON
		Other int
	}
	omitting struct {
		B   bool            `json:"b,omitempty"`
		I   int             `json:"i,omitempty"`
		F   float64         `json:"f,omitempty"`
		S   string          `json:"s,omitempty"`
		L   []int           `json:"l,omitempty"`
		M   map[string]int  `json:"m,omitempty"`
		P   *int            `json:"p,omitempty"`
		A   any             `json:"a,omitempty"`
		R   json.RawMessage `json:"r,omitempty"`
		T   time.Time       `json:"t,omitzero"`
		Z   zeroed          `json:"z,omitzero"`
		U   unset           `json:"u,omitzero"`
		ZP  *zeroed         `json:"zp,omitzero"`
		ZI  isZeroer        `json:"zi,omitzero"`
		St  base            `json:"st,omitzero"`
		Arr [2]int          `json:"arr,omitzero"`
		ISl []int           `json:"isl,omitzero"`
	}
	isZeroer interface{ IsZero() bool }
	quoting  struct {
		B  bool        `json:"b,string"`
		I  int         `json:"i,string"`
		U  uint8       `json:"u,string"`
		F  float64     `json:"f,string"`
		F3 float32     `json:"f3,string,omitempty"`
		S  string      `json:"s,string"`
		N  json.Number `json:"n,string"`
		P  *int        `json:"p,string"`
		PS *string     `json:"ps,string"`
		PP **int       `json:"pp,string"`
		M  valueJSON   `json:"m,string"`
		O  octet       `json:"o,string"`
		L  loud        `json:"l,string"`
		E  []int       `json:"e,string"`
		A  any         `json:"a,string"`
	}
	names struct {
		A int `json:"a<&>b"`
		B int `json:"-,"`
		C int `json:"-"`
		D int `json:"sp ace"`
		É int
		F int `json:",omitempty,string"`
		g int
	}
	// within holds itself in a field whose omitempty has no effect, which only an interface may hold.
	within struct {
		Kids []struct {
			Within within `json:"within,omitempty"`
		} `json:"kids,omitempty"`
	}
	tree struct {
		Value int              `json:"value"`
		Left  *tree            `json:"left,omitempty"`
		Kids  []tree           `json:"kids,omitempty"`
		Named map[string]*tree `json:"named,omitempty"`
		Any   any              `json:"any,omitempty"`
	}
	receivers struct {
		VJ  valueJSON
		PJ  pointerJSON
		VT  valueText
		PT  pointerText
		TJ  textThenJSON
		VJP *valueJSON
		PJP *pointerJSON
		Arr [1]pointerJSON
		L   []pointerText
		M   map[string]*pointerJSON
		MV  map[string]valueText
		J   json.Marshaler
		E   fmt.Stringer
	}
)

func ptr[T any](v T) *T { return &v }

// TestSame compares the document with encoding/json's, byte for byte, for values in which nothing is nil but pointers and
// interfaces.
func TestSame(t *testing.T) {
	when := time.Date(2026, 7, 28, 12, 34, 56, 780_000_000, time.FixedZone("", -9000))
	for i, v := range []any{
		true, flag(false), int8(-128), int64(math.MinInt64), uint64(math.MaxUint64), uintptr(7), letter(255), count(-3),
		0.0, math.Copysign(0, -1), 1e21, 1e20, 999999999999999999999.0, 1e-6, 9.99e-7, 1e-9, 1e-10, 1e100, 5e-324, math.MaxFloat64, 100.0, 0.1, 1.0 / 3,
		float32(0.1), float32(1e-6), float32(1e21), float32(3.4e38), ratio(16777216), float32(1e-7),
		"", "plain", word("kind"), "\x00\x1f \"\\/\b\f\n\r\t<>&\u007f é\u2027\u2028\u2029\u202a\U0001F600", "12345678\"", "1234567\u2028",
		json.Number(""), json.Number("-0.50e+10"), json.Number("12345678901234567890"),
		[]byte{}, []byte("bytes"), [3]byte{1, 2, 3}, []letter{1, 2}, []octet{1, 255}, [2]octet{}, [0]int{},
		[]int{}, []string{"a", "b"}, [][]int{{1}, {}}, [2][]bool{{true}, {}},
		map[string]int{}, map[string]int{"b": 1, "a": 2, "é\n": 3, "": 4}, map[int]string{10: "a", 9: "b", -1: "c"}, map[uint8]bool{200: true, 3: false},
		map[loud]int{"x": 1, "a": 2}, map[octet]int{255: 1, 9: 2}, map[netip.Addr]int{netip.MustParseAddr("::1"): 1, netip.MustParseAddr("1.2.3.4"): 2},
		map[*valueText]int{nil: 1}, map[*valueText]int{{3}: 1}, map[string]any{"z": 1, "a": []any{nil, 1.5, "x", true, map[string]any{}}},
		map[valueText][]map[string]int{{1}: {{"a": 1}}}, map[string][2]valueText{"a": {}}, map[string]map[string]any{"a": {"b": json.Number("1")}},
		when, &when, time.Time{}, when.UTC(), time.Unix(0, 1).UTC(), time.Date(9999, 1, 1, 0, 0, 0, 0, time.FixedZone("", 86399)), struct{ time.Time }{when},
		struct{ T *time.Time }{&when}, struct{ T *time.Time }{}, []any{when, &when}, map[string]time.Time{"a": when}, time.Minute, time.March,
		json.RawMessage(" { \"a\" : [ 1 , \"x y\" ] , \"b\" : { } , \"c\" : [ ] }\n"), json.RawMessage(nil), struct{ R *json.RawMessage }{}, ptr(json.RawMessage("1")),
		json.RawMessage("-0.1E-5"), json.RawMessage("\"\\u00Ff\\n\u2028<\""), []json.RawMessage{json.RawMessage("null"), json.RawMessage(" true")},
		big.NewInt(7), *new(big.Int).Exp(big.NewInt(7), big.NewInt(99), nil), big.NewFloat(1.5), netip.MustParsePrefix("10.0.0.0/8"),
		valueJSON{1}, &valueJSON{2}, pointerJSON{3}, valueText{4}, &pointerText{5}, textThenJSON{6}, []textThenJSON{{7}},
		any(textThenJSON{1}), []any{textThenJSON{1}, &textThenJSON{2}, pointerJSON{3}, &pointerJSON{4}, [1]pointerText{{5}}, []pointerText{{6}}},
		[]any{struct{ P pointerJSON }{}, &struct{ P pointerJSON }{}, map[string]pointerJSON{"a": {1}}, loud("x"), octet(1), flag(true), ptr(ptr(1)), (*int)(nil), (*valueJSON)(nil)},
		[]any{struct {
			T time.Time      `json:"t,omitempty"`
			P [1]pointerJSON `json:"p,omitempty"`
		}{}, &struct {
			P [1]pointerJSON `json:"p,omitempty"`
		}{}},
		base{"1", "n", 2}, promoting{}, promoting{other: &other{1, 2, "o"}, base: base{ID: "<"}, hidden: hidden{1, 2}, Duration: 3}, &promoting{},
		twice{}, shade{base{"1", "2", 3}, 4}, embedsMarshaler{valueJSON{1}, 2},
		omitting{}, omitting{true, 1, 1, "s", []int{0}, map[string]int{"": 0}, ptr(0), 0, json.RawMessage("0"), when, zeroed{1}, unset{1}, &zeroed{2}, zeroed{3}, base{X: 1}, [2]int{1}, []int{}},
		omitting{Z: zeroed{7}, U: unset{7}, ZP: &zeroed{7}, ZI: &zeroed{7}, L: []int{}, M: map[string]int{}, A: ""}, []any{omitting{U: unset{7}}, omitting{U: unset{6}, ZI: (*zeroed)(nil)}},
		quoting{E: []int{}}, quoting{true, -5, 6, 1e-9, 2.5, "a\"b\\\u2028<é", "1.50", ptr(8), ptr("x\n"), ptr(ptr(9)), valueJSON{1}, 2, "l", []int{1}, "a"},
		names{}, names{F: 1, g: 2},
		tree{}, tree{1, &tree{Value: 2}, []tree{{Value: 3, Any: tree{Value: 4}}}, map[string]*tree{"x": nil, "a": {Value: 5}}, &tree{Any: []tree{{}}}},
		receivers{L: []pointerText{}, M: map[string]*pointerJSON{}, MV: map[string]valueText{}},
		receivers{L: []pointerText{{1}}, M: map[string]*pointerJSON{"a": {1}, "b": nil}, MV: map[string]valueText{"v": {1}}, J: when, E: big.NewInt(6), VJP: &valueJSON{}, PJP: &pointerJSON{}},
		receivers{L: []pointerText{}, M: map[string]*pointerJSON{}, MV: map[string]valueText{}, J: json.RawMessage("1"), E: time.Second},
		[]json.Marshaler{&pointerJSON{1}}, []any{nil}, []any{within{make([]struct {
			Within within `json:"within,omitempty"`
		}, 1)}}, struct{}{}, []struct{}{{}},
	} {
		rv := reflect.ValueOf(v)
		want, err := standard(rv)
		if err != nil {
			t.Fatalf("case %d (%T): encoding/json: %v", i, v, err)
		}
		e := compile(rv.Type())
		got, err := e.Append(nil, addressed(rv))
		if string(got) != want || err != nil {
			t.Errorf("case %d: %T\n got %s, %v\nwant %s", i, v, got, err, want)
		}
	}
}
