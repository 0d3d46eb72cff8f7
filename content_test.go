package diptych_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// TestContentInside has content blocks in places where the type does not say that there are any.
func TestContentInside(t *testing.T) {
	image := &mcp.ImageContent{Data: []byte("pixels"), MIMEType: "image/png"}
	blocks := func(texts ...string) (all []mcp.Content) {
		for _, text := range texts {
			if text == "image" {
				all = append(all, image)
				continue
			}
			all = append(all, &mcp.TextContent{Text: text})
		}
		return all
	}
	type (
		both   = diptych.Tuple2[string, *mcp.ImageContent]
		either = diptych.AnyOf[string, *mcp.ImageContent]
	)
	for name, tt := range map[string]struct {
		result     func(*testing.T, ...diptych.Option) (*mcp.CallToolResult, error)
		opts       []diptych.Option
		want       []mcp.Content
		structured string
	}{
		"any":                   {result: calling[any](image, nil), want: blocks("image")},
		"any, by value":         {result: calling[any](*image, nil), want: blocks("image")},
		"any that is a list":    {result: calling[any]([]any{"a", image, 1, []any{image, ""}}, nil), want: blocks("a", "image", "1", "image", `""`)},
		"any that lists blocks": {result: calling[any]([]mcp.Content{image, &mcp.TextContent{Text: "b"}}, nil), want: blocks("image", "b")},
		"any, unstructured":     {result: calling[any](image, nil), opts: []diptych.Option{diptych.Unstructured()}, want: blocks("image")},
		"list, unstructured":    {result: calling([]any{image, map[string]any{"a": 1}}, nil), opts: []diptych.Option{diptych.Unstructured()}, want: blocks("image", "{\n  \"a\": 1\n}")},
		"list":                  {result: calling([]any{"a", image}, nil), want: blocks("a", "image"), structured: `{"result":["a",{"type":"image","mimeType":"image/png","data":"cGl4ZWxz"}]}`},
		"optional in any":       {result: calling[any](diptych.Some(image), nil), want: blocks("image")},
		"no text":               {result: calling("", nil), want: blocks(`""`), structured: `{"result":""}`},
		"no text in a list":     {result: calling([]string{"", "a"}, nil), want: blocks(`""`, "a"), structured: `{"result":["","a"]}`},
		"no text in any":        {result: calling[any]("", nil), want: blocks(`""`)},
		"no text of raw JSON":   {result: calling(diptych.JSON[string](` "" `), nil), want: blocks(`""`), structured: `{"result":""}`},
		"text and image":        {result: calling(both{A: "caption", B: image}, nil), want: blocks("caption", "image")},
		"text and image, required": {result: calling(both{A: "caption", B: image}, nil), opts: []diptych.Option{diptych.RequireSchema()}, want: blocks("caption", "image"),
			structured: `{"result":["caption",{"type":"image","mimeType":"image/png","data":"cGl4ZWxz"}]}`},
		"text in a choice, required":  {result: calling(either{A: new("a")}, nil), opts: []diptych.Option{diptych.RequireSchema()}, want: blocks("a"), structured: `{"result":"a"}`},
		"image in a choice, required": {result: calling(either{B: &image}, nil), opts: []diptych.Option{diptych.RequireSchema()}, want: blocks("image"), structured: `{"result":{"type":"image","mimeType":"image/png","data":"cGl4ZWxz"}}`},
		"list of choices, required": {result: calling([]either{{A: new("a")}, {B: &image}}, nil), opts: []diptych.Option{diptych.RequireSchema()}, want: blocks("a", "image"),
			structured: `{"result":["a",{"type":"image","mimeType":"image/png","data":"cGl4ZWxz"}]}`},
		"data and image, required": {result: calling(diptych.Tuple2[[]int, *mcp.ImageContent]{A: []int{1}, B: image}, nil), opts: []diptych.Option{diptych.RequireSchema()}, want: blocks("1", "image"),
			structured: `{"result":[[1],{"type":"image","mimeType":"image/png","data":"cGl4ZWxz"}]}`},
		"no image, required": {result: calling(diptych.Optional[*mcp.ImageContent]{}, nil), opts: []diptych.Option{diptych.RequireSchema()}, want: blocks("null"), structured: `{"result":null}`},
	} {
		res, err := tt.result(t, tt.opts...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, res.Content); diff != "" || res.IsError {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		structured, _ := res.StructuredContent.(json.RawMessage)
		if string(structured) != tt.structured {
			t.Errorf("%s: structured content %s, want %s", name, structured, tt.structured)
		}
	}
}

// TestInvalidUTF8 has text that is not UTF-8 at every place of a value where it would be replaced without a word.
func TestInvalidUTF8(t *testing.T) {
	const bad = "caf\xe9"
	type field struct {
		Name string `json:"name"`
	}
	for name, call := range map[string]func(*testing.T, ...diptych.Option) (*mcp.CallToolResult, error){
		"string":          calling(bad, nil),
		"field":           calling(field{bad}, nil),
		"key":             calling(map[string]int{bad: 1}, nil),
		"any":             calling[any](bad, nil),
		"key in any":      calling[any](map[string]any{bad: 1}, nil),
		"raw":             calling[any](json.RawMessage(`"`+bad+`"`), nil),
		"promise":         calling(diptych.JSON[string](`"`+bad+`"`), nil),
		"half a pair":     calling(diptych.JSON[string](`"\ud800"`), nil),
		"text marshaler":  calling(shout(bad), nil),
		"block":           calling(&mcp.TextContent{Text: bad}, nil),
		"block in a list": calling([]mcp.Content{&mcp.TextContent{Text: bad}}, nil),
		"block in any":    calling[any]([]any{mcp.TextContent{Text: bad}}, nil),
	} {
		res, err := call(t)
		if err != nil {
			t.Fatal(name, err)
		}
		text := res.Content[0].(*mcp.TextContent).Text
		if !res.IsError || !strings.Contains(text, "not valid UTF-8") || strings.Contains(text, "caf") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// shout is written by a MarshalText.
type shout string

func (s shout) MarshalText() ([]byte, error) { return []byte(s + "!"), nil }

// TestErrorsAreNoData says that an error inside of a value is a mismatch, and its text is private.
func TestErrorsAreNoData(t *testing.T) {
	full := errors.New("disk full")
	for name, call := range map[string]func(*testing.T, ...diptych.Option) (*mcp.CallToolResult, error){
		"any":   calling[any](full, nil),
		"map":   calling(map[string]any{"status": full}, nil),
		"list":  calling([]any{full}, nil),
		"field": calling(struct{ Status any }{full}, nil),
		"unstructured": func(t *testing.T, _ ...diptych.Option) (*mcp.CallToolResult, error) {
			return calling[any](full, nil)(t, diptych.Unstructured())
		},
	} {
		res, err := call(t)
		if err != nil {
			t.Fatal(name, err)
		}
		text := res.Content[0].(*mcp.TextContent).Text
		if !res.IsError || !strings.Contains(text, "an error is not data") || strings.Contains(text, "disk") || strings.Contains(text, ";") {
			t.Errorf("%s: %q", name, text)
		}
	}
}
