// Package wiretest is a client for tests, which speaks the protocol byte by byte and shows what a server really sent: the order
// of keys, every digit, what is absent and what is null.
package wiretest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
)

// The protocol revisions that servers are tested with.
const (
	Modern = "2026-07-28" // stateless: every request carries what it needs
	Legacy = "2025-11-25" // opened by a handshake
)

// A Peer is a client without opinions. Its requests go one at a time.
type Peer struct {
	revision string
	last     int // id of the last request
	carry    func(ctx context.Context, m message) (json.RawMessage, error)
}

// A message is a request on its way.
type message struct {
	method, name string // name: the tool that is called
	id           int    // 0: a notification
	body         []byte
}

// A Tool is an entry of tools/list.
type Tool struct {
	Name, Description         string
	InputSchema, OutputSchema json.RawMessage
	Annotations               map[string]bool
}

// A Result is the answer of tools/call. Structured content that is absent is nil.
type Result struct {
	Content           []Block
	StructuredContent json.RawMessage
	IsError           bool
}

// A Block is a part of the text panel.
type Block struct{ Type, Text string }

// Tools lists the server's tools.
func (p *Peer) Tools(ctx context.Context) ([]Tool, error) {
	raw, err := p.Request(ctx, "tools/list", map[string]any{})
	if err != nil {
		return nil, err
	}
	var list struct{ Tools []Tool }
	err = json.Unmarshal(raw, &list)
	return list.Tools, err
}

// Call calls a tool. Nil arguments are none.
func (p *Peer) Call(ctx context.Context, tool string, args json.RawMessage) (Result, error) {
	if args == nil {
		args = json.RawMessage("{}")
	}
	raw, err := p.Request(ctx, "tools/call", map[string]any{"name": tool, "arguments": args})
	if err != nil {
		return Result{}, err
	}
	var res Result
	err = json.Unmarshal(raw, &res)
	return res, err
}

// Request sends any request and returns its result. Params is modified.
func (p *Peer) Request(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	if p.revision >= Modern {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    p.revision,
			"io.modelcontextprotocol/clientInfo":         self,
			"io.modelcontextprotocol/clientCapabilities": struct{}{},
		}
	}
	p.last++
	name, _ := params["name"].(string)
	m := message{method: method, name: name, id: p.last}
	var err error
	if m.body, err = json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	raw, err := p.carry(ctx, m)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, name, err)
	}
	return raw, nil
}

var self = map[string]string{"name": "wire", "version": "1.0.0"}

// open does the handshake that older revisions begin with.
func (p *Peer) open(ctx context.Context) error {
	if p.revision >= Modern {
		return nil
	}
	if _, err := p.Request(ctx, "initialize", map[string]any{
		"protocolVersion": p.revision, "capabilities": struct{}{}, "clientInfo": self,
	}); err != nil {
		return err
	}
	const method = "notifications/initialized"
	_, err := p.carry(ctx, message{method: method, body: []byte(`{"jsonrpc":"2.0","method":"` + method + `"}`)})
	return err
}

// answer reads a response. It says false for everything that is not the answer to id: notifications, comments.
func answer(line []byte, id int) (json.RawMessage, bool, error) {
	var r struct {
		ID     json.RawMessage
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, true, fmt.Errorf("the server sent no JSON: %w", err)
	}
	if !bytes.Equal(r.ID, fmt.Append(nil, id)) {
		return nil, false, nil
	}
	if r.Error != nil {
		return nil, true, fmt.Errorf("protocol error %d: %s", r.Error.Code, r.Error.Message)
	}
	return r.Result, true, nil
}
