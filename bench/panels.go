package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
	"github.com/diptych-mcp/diptych/internal/write"
)

// A filler does what a handler of this library does with the value that the function returned, and nothing else: no
// arguments, no goroutine, no function.
type filler struct {
	value  reflect.Value
	filler *write.Writer
	result *mcp.CallToolResult // the last
}

func newFiller(schema json.RawMessage, value any) (*filler, error) {
	none := func(reflect.Type) (shape.Form, bool) { return shape.Form{}, false }
	v := reflect.ValueOf(value).Elem()
	check, err := validate.Compile(schema)
	if err != nil {
		return nil, err
	}
	return &filler{value: v, filler: write.Compile(shape.NewReader(none).Read(v.Type()), none, check, v.Kind() != reflect.Struct)}, nil
}

func (f *filler) run() error {
	a := new(write.Answer)
	if refused, err := f.filler.Fill(a, f.value, write.Style{}); refused != nil || err != nil {
		return fmt.Errorf("the value was refused: %v", err)
	}
	f.result = &a.Result
	return nil
}

// same says whether the last result is, byte for byte, the handler's.
func (f *filler) same(h mcp.ToolHandler, arguments string) error {
	res, err := h(context.Background(), request(arguments))
	if err != nil {
		return err
	}
	want, err := json.Marshal(res)
	if err != nil {
		return err
	}
	if got, err := json.Marshal(f.result); err != nil || !bytes.Equal(got, want) {
		return fmt.Errorf("the panels alone are not those of the handler")
	}
	return nil
}
