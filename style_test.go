package diptych_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// answer is what a tool that returns out answers.
func answer[Out any](t *testing.T, out Out, opts ...diptych.Option) *mcp.CallToolResult {
	t.Helper()
	_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, struct{}) (Out, error) { return out, nil }, append([]diptych.Option{quiet}, opts...)...)
	must(t, err)
	res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}})
	must(t, err)
	return res
}

type Pair struct {
	A int            `json:"a"`
	B map[string]any `json:"b"`
}

// TestStyle writes values of every kind that splits into blocks, or has lines, under each of the options.
func TestStyle(t *testing.T) {
	type (
		blocks  = []string
		answers struct{ plain, oneBlock, compact, both blocks }
	)
	pair := Pair{1, map[string]any{"x": []any{1, map[string]any{"y": nil}}}}
	lines := "{\n  \"a\": 1,\n  \"b\": {\n    \"x\": [\n      1,\n      {\n        \"y\": null\n      }\n    ]\n  }\n}"
	line := `{"a":1,"b":{"x":[1,{"y":null}]}}`
	image := &mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png"}
	check := func(name string, run func(...diptych.Option) *mcp.CallToolResult, want answers) {
		t.Helper()
		one, compact := diptych.OneBlock(), diptych.Compact()
		for _, tt := range []struct {
			name string
			opts []diptych.Option
			want blocks
		}{{"", nil, want.plain}, {" in one block", []diptych.Option{one}, want.oneBlock}, {" compact", []diptych.Option{compact}, want.compact}, {" both", []diptych.Option{one, compact}, want.both}} {
			got := blocks{}
			for _, c := range run(tt.opts...).Content {
				if text, ok := c.(*mcp.TextContent); ok {
					got = append(got, text.Text)
				} else {
					got = append(got, "block")
				}
			}
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("%s%s:\n got %q\nwant %q", name, tt.name, got, tt.want)
			}
		}
	}
	of := func(out any) func(...diptych.Option) *mcp.CallToolResult {
		return func(opts ...diptych.Option) *mcp.CallToolResult { return answer(t, out, opts...) }
	}
	same := func(text ...string) answers { return answers{text, text, text, text} }

	check("string", func(o ...diptych.Option) *mcp.CallToolResult { return answer(t, "a\nb", o...) }, same("a\nb"))
	check("struct", func(o ...diptych.Option) *mcp.CallToolResult { return answer(t, pair, o...) },
		answers{blocks{lines}, blocks{lines}, blocks{line}, blocks{line}})
	check("list", func(o ...diptych.Option) *mcp.CallToolResult { return answer(t, []string{"a", "b"}, o...) },
		answers{blocks{"a", "b"}, blocks{"[\n  \"a\",\n  \"b\"\n]"}, blocks{"a", "b"}, blocks{`["a","b"]`}})
	check("empty list", func(o ...diptych.Option) *mcp.CallToolResult { return answer(t, []string{}, o...) }, same("[]"))
	check("list of structs", func(o ...diptych.Option) *mcp.CallToolResult { return answer(t, []Pair{pair, pair}, o...) },
		answers{blocks{lines, lines}, blocks{"[\n  " + strings.ReplaceAll(lines+",\n"+lines, "\n", "\n  ") + "\n]"}, blocks{line, line}, blocks{"[" + line + "," + line + "]"}})
	check("nested list", func(o ...diptych.Option) *mcp.CallToolResult { return answer(t, [][]int{{1}, {2}}, o...) },
		answers{blocks{"1", "2"}, blocks{"[\n  [\n    1\n  ],\n  [\n    2\n  ]\n]"}, blocks{"1", "2"}, blocks{"[[1],[2]]"}})
	check("tuple", func(o ...diptych.Option) *mcp.CallToolResult {
		return answer(t, diptych.Tuple2[string, int]{A: "a", B: 2}, o...)
	}, answers{blocks{"a", "2"}, blocks{"[\n  \"a\",\n  2\n]"}, blocks{"a", "2"}, blocks{`["a",2]`}})
	check("optional list", func(o ...diptych.Option) *mcp.CallToolResult {
		return answer(t, diptych.Some([]int{1, 2}), o...)
	}, answers{blocks{"1", "2"}, blocks{"[\n  1,\n  2\n]"}, blocks{"1", "2"}, blocks{"[1,2]"}})
	check("raw list", func(o ...diptych.Option) *mcp.CallToolResult {
		return answer(t, diptych.JSON[[]string](` [ "a" , "b" ] `), o...)
	}, answers{blocks{"a", "b"}, blocks{"[\n  \"a\",\n  \"b\"\n]"}, blocks{"a", "b"}, blocks{`["a","b"]`}})
	check("raw object", func(o ...diptych.Option) *mcp.CallToolResult {
		return answer(t, diptych.JSON[Pair](` {"a": 1, "b":{"x":[1,{"y":null}]}}`), o...)
	}, answers{blocks{lines}, blocks{lines}, blocks{line}, blocks{line}})
	check("raw nested list", func(o ...diptych.Option) *mcp.CallToolResult {
		return answer(t, diptych.JSON[[][]int](`[[1],[2]]`), o...)
	}, answers{blocks{"1", "2"}, blocks{"[\n  [\n    1\n  ],\n  [\n    2\n  ]\n]"}, blocks{"1", "2"}, blocks{"[[1],[2]]"}})
	check("raw string", func(o ...diptych.Option) *mcp.CallToolResult {
		return answer(t, diptych.JSON[diptych.AnyOf[string, int]](`"a"`), o...)
	}, same("a"))
	check("raw JSON", func(o ...diptych.Option) *mcp.CallToolResult {
		return answer(t, json.RawMessage(`[1, {"a":[2]}]`), o...)
	}, answers{blocks{"[\n  1,\n  {\n    \"a\": [\n      2\n    ]\n  }\n]"}, blocks{"[\n  1,\n  {\n    \"a\": [\n      2\n    ]\n  }\n]"}, blocks{`[1,{"a":[2]}]`}, blocks{`[1,{"a":[2]}]`}})
	check("any", of([]any{"a", []any{1}}), answers{blocks{"a", "1"}, blocks{"[\n  \"a\",\n  [\n    1\n  ]\n]"}, blocks{"a", "1"}, blocks{`["a",[1]]`}})
	check("blocks", func(o ...diptych.Option) *mcp.CallToolResult { return answer(t, []mcp.Content{image, image}, o...) }, same("block", "block"))
	check("text and block", func(o ...diptych.Option) *mcp.CallToolResult {
		return answer(t, diptych.Tuple2[string, *mcp.ImageContent]{A: "a", B: image}, o...)
	}, same("a", "block"))
	check("blocks in any", of([]any{"a", image}), same("a", "block"))
}

// TestMaxResult crosses the limit of an answer, wherever its size comes from.
func TestMaxResult(t *testing.T) {
	const most = 4096
	text := strings.Repeat("x", most/2-40)
	long := strings.Repeat("x", most)
	deep := strings.Repeat("[", 12) + strings.Repeat("1,", 300) + "1" + strings.Repeat("]", 12)
	check := func(name string, tooLarge bool, res *mcp.CallToolResult) {
		t.Helper()
		want := "Error executing tool f: the tool ran, but its result is larger than 4 KiB; ask for less"
		if (texts(res) == want && res.IsError && res.StructuredContent == nil) != tooLarge {
			t.Errorf("%s: %.100s", name, texts(res))
		}
	}
	limit := diptych.MaxResult(most)
	check("string below", false, answer(t, text, limit))
	check("string", true, answer(t, long, limit))
	check("list below", false, answer(t, make([]int, 1000), limit))
	check("list", true, answer(t, make([]int, 3000), limit))
	check("list in one block", true, answer(t, make([]int, 3000), limit, diptych.OneBlock()))
	check("list inside", true, answer(t, struct{ X []int }{make([]int, 3000)}, limit))
	check("map", true, answer(t, map[string]string{"a": text, "b": text, "c": text}, limit))
	check("struct", true, answer(t, struct{ A, B, C string }{text, text, text}, limit))
	check("any", true, answer[any](t, map[string]any{"a": []any{text, text, text}}, limit))
	check("raw below", false, answer(t, diptych.JSON[[]int]("["+strings.Repeat("1,", 900)+"1]"), limit))
	check("raw", true, answer(t, diptych.JSON[[]int]("["+strings.Repeat("1,", 3000)+"1]"), limit))
	check("raw with lines", true, answer(t, json.RawMessage(deep), limit))
	check("raw compact", false, answer(t, json.RawMessage(deep), limit, diptych.Compact()))
	check("whole", true, answer(t, &mcp.CallToolResult{StructuredContent: map[string]any{"x": long}}, limit))
	check("whole text", true, answer(t, &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: long + "x"}}}, limit))
	check("block", true, answer(t, &mcp.ImageContent{Data: []byte(long), MIMEType: "image/png"}, limit))
	check("words", true, answer(t, diptych.Result[int]{Content: []mcp.Content{&mcp.TextContent{Text: long}}}, limit))
	check("default", false, answer(t, long))
	check("no number", false, answer(t, long, diptych.MaxResult(0)))

	var log bytes.Buffer
	answer(t, long, limit, diptych.Logger(slog.New(slog.NewTextHandler(&log, nil))))
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `level=ERROR msg="tool result is too large" tool=f`) || !strings.Contains(got, "limit=4096") {
		t.Errorf("log: %s", got)
	}
	_, h, err := diptych.New(&mcp.Tool{Name: "f"}, func(context.Context, struct{}) (int, error) { return 0, diptych.Errorf("%s", long) }, quiet, limit)
	must(t, err)
	res, err := h(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}})
	must(t, err)
	check("error", true, res)
}

// TestLargeAnswersStop returns small values that are large once written. Memory follows the limit, and not the answer.
func TestLargeAnswersStop(t *testing.T) {
	shared := strings.Repeat("x", 1<<20)
	list := make([]string, 4096)
	rows := make([][]string, 1024)
	for i := range list {
		list[i] = shared
	}
	for i := range rows {
		rows[i] = list
	}
	type Row struct{ Rows map[string]any }
	inside := map[string]any{}
	for i := range 16 {
		inside = map[string]any{"a": inside, "b": inside, string(rune('c' + i)): shared}
	}
	raw := []byte(strings.Repeat("[", 15) + strings.Repeat("1,", 6<<20) + "1" + strings.Repeat("]", 15))
	for name, run := range map[string]func() *mcp.CallToolResult{
		"list":         func() *mcp.CallToolResult { return answer(t, list) },
		"rows":         func() *mcp.CallToolResult { return answer(t, rows) },
		"one block":    func() *mcp.CallToolResult { return answer(t, rows, diptych.OneBlock()) },
		"any":          func() *mcp.CallToolResult { return answer[any](t, inside) },
		"struct":       func() *mcp.CallToolResult { return answer(t, Row{inside}) },
		"raw":          func() *mcp.CallToolResult { return answer(t, json.RawMessage(raw)) },
		"unstructured": func() *mcp.CallToolResult { return answer(t, rows, diptych.Unstructured()) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res := run()
		runtime.ReadMemStats(&after)
		if !res.IsError || !strings.Contains(texts(res), "larger than 64 MiB") {
			t.Errorf("%s: %.100s", name, texts(res))
		}
		// Growing to a size allocates a multiple of it on the way.
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 16*64<<20 {
			t.Errorf("%s: %d MiB are allocated", name, allocated>>20)
		}
	}
}
