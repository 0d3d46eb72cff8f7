package write_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/internal/write"
)

var errBoom = errors.New("boom")

type (
	failJSON  struct{}
	failText  struct{}
	wroteJSON string
	ring      struct {
		Next *ring
	}
	chain struct {
		Next *chain `json:",omitempty"`
		N    int
	}
	ringList []ringList
	ringMap  map[string]ringMap
	ringOpt  struct{ Next opt[*ringOpt] }
	ringAny  struct{ Next any }
	//lint:ignore U1000 it makes MarshalJSON ambiguous in shut
	otherJSON struct{}
	// shut embeds a marshaler in a field that no reflection may open.
	shut struct {
		valueJSON `json:"shut"`
		//lint:ignore U1000 it makes MarshalJSON ambiguous
		otherJSON `json:"other"` // two of them, so that shut itself has no MarshalJSON
	}
)

func (failJSON) MarshalJSON() ([]byte, error)    { return nil, errBoom }
func (failText) MarshalText() ([]byte, error)    { return nil, errBoom }
func (otherJSON) MarshalJSON() ([]byte, error)   { return nil, nil }
func (w wroteJSON) MarshalJSON() ([]byte, error) { return []byte(w), nil }

func TestFaults(t *testing.T) {
	type inner struct {
		When time.Time `json:"when"`
		Odd  any       `json:"odd key"`
	}
	loop, list, dict, opts, anys := &ring{}, ringList{nil}, ringMap{}, &ringOpt{}, &ringAny{}
	loop.Next, list[0], dict["a"], opts.Next, anys.Next = &ring{loop}, list, dict, write.Some(opts), []any{anys}
	var deep *chain
	for range 1001 {
		deep = &chain{Next: deep}
	}
	loops := []any{nil}
	loops[0] = map[string]any{"x": loops}
	year10000 := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		value      any
		path, rule string
		cause      string
	}{
		"root":            {failJSON{}, "", "its MarshalJSON failed", "boom"},
		"text":            {[]failText{{}}, "[0]", "its MarshalText failed", "boom"},
		"field":           {struct{ A failJSON }{}, "A", "its MarshalJSON failed", "boom"},
		"path":            {map[string]any{"rows": []inner{{}, {When: year10000}}}, "rows[1].when", "its MarshalJSON failed", "Time.MarshalJSON: year outside of range [0,9999]"},
		"odd key":         {map[string]inner{"a.b": {Odd: failText{}}}, `["a.b"]["odd key"]`, "its MarshalText failed", "boom"},
		"empty key":       {map[string]failJSON{"": {}}, `[""]`, "its MarshalJSON failed", "boom"},
		"digits":          {map[int]failJSON{1: {}}, `["1"]`, "its MarshalJSON failed", "boom"},
		"key":             {map[failText]int{{}: 1}, "", "its MarshalText failed", "boom"},
		"year":            {year10000, "", "its MarshalJSON failed", "Time.MarshalJSON: year outside of range [0,9999]"},
		"year below":      {time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC), "", "its MarshalJSON failed", "Time.MarshalJSON: year outside of range [0,9999]"},
		"zone":            {time.Unix(0, 0).In(time.FixedZone("", 24*3600)), "", "its MarshalJSON failed", "Time.MarshalJSON: timezone hour outside of range [0,23]"},
		"zone of 3":       {time.Unix(0, 0).In(time.FixedZone("", -100*3600)), "", "its MarshalJSON failed", "Time.MarshalJSON: timezone hour outside of range [0,23]"},
		"no value":        {[]wroteJSON{""}, "[0]", "its MarshalJSON wrote no valid JSON", ""},
		"two values":      {[]wroteJSON{"1 2"}, "[0]", "its MarshalJSON wrote no valid JSON", ""},
		"closes":          {[]wroteJSON{`1]`}, "[0]", "its MarshalJSON wrote no valid JSON", ""},
		"smuggles":        {struct{ A wroteJSON }{`1,"b":2`}, "A", "its MarshalJSON wrote no valid JSON", ""},
		"raw nothing":     {json.RawMessage{}, "", "holds no JSON", ""},
		"raw space":       {json.RawMessage(" \n"), "", "holds no JSON", ""},
		"raw two":         {json.RawMessage("1,2"), "", "not valid JSON", ""},
		"raw too deep":    {json.RawMessage(nested(10_001, "[", "", "]")), "", "not valid JSON", ""},
		"promise nil":     {pair[int, raw[int]]{}, "[1]", "holds no JSON", ""},
		"promise closes":  {[]raw[[]int]{raw[[]int]("[1]]")}, "[0]", "not valid JSON", ""},
		"no form":         {[]either[int, int]{{}}, "[0]", "exactly one form must be set", ""},
		"both forms":      {either[int, string]{A: ptr(1), B: ptr("")}, "", "exactly one form must be set", ""},
		"inside optional": {struct{ O opt[failJSON] }{write.Some(failJSON{})}, "O", "its MarshalJSON failed", "boom"},
		"channel":         {[]any{make(chan int)}, "[0]", "type chan int has no JSON form; use a type that JSON can carry", ""},
		"key type":        {map[string]any{"k": map[float64]int{1: 1}}, "k", "map key type float64 has no JSON form; use a string, an integer or a type with MarshalText as the key", ""},
		"shut":            {shut{}, "shut", "its methods cannot be called in an unexported embedded field", ""},
		"ring":            {loop, strings.Repeat("Next.", 39) + "Next…", "refers to itself", ""},
		"list ring":       {list, strings.Repeat("[0]", 66) + "…", "refers to itself", ""},
		"map ring":        {dict, strings.Repeat("a.", 99) + "a…", "refers to itself", ""},
		"optional ring":   {opts, strings.Repeat("Next.", 39) + "Next…", "refers to itself", ""},
		"any ring":        {anys, strings.Repeat("Next[0].", 24) + "Next[0]…", "refers to itself", ""},
		"untyped ring":    {loops, strings.Repeat("[0].x", 40) + "…", "refers to itself", ""},
		"deep":            {deep, strings.Repeat("Next.", 39) + "Next…", "nested deeper than 1,000 levels", ""},
	} {
		v := addressed(reflect.ValueOf(tt.value))
		e := compile(v.Type())
		dst, err := e.Append([]byte("before"), v)
		var fault *write.Fault
		if !errors.As(err, &fault) {
			t.Errorf("%s: %s, %v, want a fault", name, dst, err)
			continue
		}
		cause := ""
		if fault.Err != nil {
			cause = fault.Err.Error()
		}
		if fault.Path != tt.path || fault.Rule != tt.rule || cause != tt.cause || string(dst) != "before" {
			t.Errorf("%s:\n got %q %q %q, dst %s\nwant %q %q %q", name, fault.Path, fault.Rule, cause, dst, tt.path, tt.rule, tt.cause)
		}
		text := tt.rule
		if tt.path != "" {
			text = tt.path + ": " + tt.rule
		}
		if err.Error() != text {
			t.Errorf("%s: got %q, want %q", name, err, text)
		}
		if tt.cause == "boom" && !errors.Is(err, errBoom) {
			t.Errorf("%s: the cause is lost", name)
		}
		if _, err := e.Walk(v); err == nil || err.Error() != fault.Error() {
			t.Errorf("%s: with text %v, want %v", name, err, fault)
		}
	}
}

// TestRefusedRaw has raw JSON that no schema accepts: its document is kept for an explanation.
func TestRefusedRaw(t *testing.T) {
	for name, src := range map[string]string{
		"deep":          nested(10_000, "[", "", "]"),
		"too deep":      nested(1001, "[", "", "]"),
		"UTF-8":         "[\"\xff\"]",
		"half a pair":   `"\ud800"`,
		"duplicate key": `{"a":1,"a":2}`,
	} {
		v := addressed(reflect.ValueOf(json.RawMessage(" " + src + " ")))
		w, err := compile(v.Type()).Walk(v)
		if err != nil || w.Accepted || w.Proven || string(w.Doc) != src {
			t.Errorf("%s: accepted %t, %v, %.80s", name, w.Accepted, err, w.Doc)
		}
	}
}
