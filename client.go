package diptych

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/exact"
)

// Exact returns t with the raw structured content kept: the SDK's client decodes it to floats and maps, which rounds
// integers past 2^53, forgets the order of keys and fails on numbers past a float's range. Without it [Call] refuses
// such integers rather than round them.
//
// Over an Exact transport the SDK's own CallTool returns StructuredContent as a string of raw JSON; Call takes it from
// there. A message over HTTP may have 64 MiB, or what the transport's MaxEventSize says; the call that brings a larger
// one fails and its session goes on. Put Exact next to the SDK's transport: around a transport of your own that hides a
// streamable HTTP connection it changes nothing.
func Exact(t mcp.Transport) mcp.Transport { return exact.Transport(t) }

// Call calls a tool and decodes its structured content, which it first checks against the schema that Out publishes:
// the other side is not trusted. It never reads the text for data and sends no other request. Args is anything that
// JSON can carry as an object, nil for none; json.RawMessage is sent as it is.
//
// What is not an object is taken out of its {"result": …}. Out may be any, for tools whose structured content is not
// known or is missing, with json.Number for numbers; json.RawMessage, for the bytes unchecked, nil where there is no
// structured content; or JSON[T], for checked bytes. Keys that Out does not know are accepted.
//
// The error is an [*Error] when the tool said that it failed, and a [*Mismatch] when its answer lacks the structured
// content or breaks Out's schema; with both the Result carries the content and _meta. Every other error is the
// connection's.
func Call[Out any](ctx context.Context, s *mcp.ClientSession, name string, args any) (Result[Out], error) {
	var value Out
	res, err := call(ctx, s, name, args, reflect.TypeFor[Out](), &value)
	if res == nil {
		return Result[Out]{}, err
	}
	if err != nil {
		value = *new(Out)
	}
	return Result[Out]{value, res.Content, res.Meta}, err
}

// call is Call with the value decoded into dst, a pointer to an out.
func call(ctx context.Context, s *mcp.ClientSession, name string, args any, out reflect.Type, dst any) (*mcp.CallToolResult, error) {
	in := intakeOf(out)
	if in.err != nil {
		return nil, fmt.Errorf("tool %q: %w", name, in.err)
	}
	if s == nil {
		return nil, fmt.Errorf("tool %q: the session is nil; connect a client first", name)
	}
	params := &mcp.CallToolParams{Name: name}
	var err error
	if params.Arguments, err = arguments(args); err != nil {
		return nil, fmt.Errorf("tool %q: arguments: %w", name, err)
	}
	res, err := s.CallTool(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("tool %q: %w", name, err)
	}
	doc, isExact := exact.Structured(res)
	switch {
	case res.NeedsInput():
		return res, fmt.Errorf("tool %q: it asks for input that this client did not give; set handlers for it in mcp.ClientOptions", name)
	case res.IsError:
		return res, &Error{Content: res.Content, Meta: res.Meta}
	}
	m := in.decode(res.StructuredContent, doc, isExact, dst)
	if m == nil {
		return res, nil
	}
	m.Tool, m.Schema, m.Result = name, in.title, res
	if in.named {
		m.Schema = name + in.title
	}
	for i, f := range m.Faults {
		m.Faults[i] = cut(f)
	}
	return res, m
}

func cut(fault string) string {
	if len(fault) <= maxFault {
		return fault
	}
	const half = maxFault / 2
	return strings.ToValidUTF8(fault[:half], "") + "…" + strings.ToValidUTF8(fault[len(fault)-half:], "")
}

// arguments encodes what a tool is called with.
func arguments(args any) (json.RawMessage, error) {
	raw, err := structuredBytes(args)
	if err != nil {
		return nil, err
	}
	if text := string(bytes.TrimSpace(raw)); text == "" || text == "null" {
		return json.RawMessage("{}"), nil
	}
	if !json.Valid(raw) {
		return nil, errors.New("not valid JSON; give finite numbers and UTF-8 text")
	}
	if bytes.TrimSpace(raw)[0] != '{' {
		return nil, fmt.Errorf("%T is no JSON object; give a struct, a map or json.RawMessage", args)
	}
	return raw, nil
}
