package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	trpc "trpc.group/trpc-go/trpc-mcp-go"
)

// trpc-mcp-go, which never validates.

func newTencent() *trpc.Server {
	return trpc.NewServer("bench", "1.0.0", trpc.WithStatelessMode(true), trpc.WithServerPath("/"), trpc.WithServerLogger(silent{}))
}

// addTencent returns a call of the handler. Its result still holds the Go value: the wire encodes it.
func addTencent[Whole any](s *trpc.Server, tool string, schema json.RawMessage, v Whole) (func() error, error) {
	var out openapi3.Schema
	if err := out.UnmarshalJSON(schema); err != nil {
		return nil, err
	}
	handler := trpc.NewTypedToolHandler(func(context.Context, *trpc.CallToolRequest, struct{}) (Whole, error) { return v, nil })
	s.RegisterTool(trpc.NewTool(tool, trpc.WithOutputSchema(&out)), handler)
	req := &trpc.CallToolRequest{}
	ctx := context.Background()
	return func() error {
		res, err := handler(ctx, req)
		if err == nil && res.IsError {
			err = fmt.Errorf("the call failed: %.300v", res.Content)
		}
		return err
	}, nil
}

func tencentHTTP(s *trpc.Server) http.Handler { return s.HTTPHandler() }

// silent is a logger that writes nothing.
type silent struct{}

func (silent) Debug(...any)          {}
func (silent) Debugf(string, ...any) {}
func (silent) Info(...any)           {}
func (silent) Infof(string, ...any)  {}
func (silent) Warn(...any)           {}
func (silent) Warnf(string, ...any)  {}
func (silent) Error(...any)          {}
func (silent) Errorf(string, ...any) {}
func (silent) Fatal(...any)          {}
func (silent) Fatalf(string, ...any) {}
