package exact

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A transport wraps the connection of a transport that hands over whole messages: stdio, a command, memory, or one of
// someone else's.
type transport struct{ inner mcp.Transport }

func (t *transport) Connect(ctx context.Context) (mcp.Connection, error) {
	if t.inner == nil {
		return nil, errors.New("the transport is nil; give one of the SDK's")
	}
	c, err := t.inner.Connect(ctx)
	if err != nil || c == nil || streamable(c) {
		return c, err
	}
	return &connection{Connection: c}, nil
}

// streamable reports whether c is the SDK's streamable HTTP connection, whose type has no name outside the SDK.
func streamable(c mcp.Connection) bool {
	// Connecting dials nothing: the first message does.
	own, err := (&mcp.StreamableClientTransport{}).Connect(context.Background())
	if err != nil {
		return false
	}
	defer own.Close()
	return reflect.TypeOf(c) == reflect.TypeOf(own)
}

type connection struct {
	mcp.Connection
	open requests // of the server
}

func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	// Copies, because a connection in memory may hand out what its other end still uses.
	switch m := m.(type) {
	case *jsonrpc.Response:
		if m != nil && len(m.Result) > 0 {
			rewritten := *m
			rewritten.Result = rewriteResult(m.Result)
			return &rewritten, err
		}
	case *jsonrpc.Request:
		if m == nil || err != nil {
			return m, err
		}
		if m.IsCall() {
			if err := c.open.asked(); err != nil {
				// Answers may be blocked, because the server does not read them: that ends too.
				_ = c.Connection.Close()
				return nil, err
			}
		}
		rewritten := *m
		switch {
		case m.Method == methodElicit:
			rewritten.Params = rewriteQuestion(m.Params)
		case m.Method == methodComplete && (len(m.Params) == 0 || string(m.Params) == "null"):
			rewritten.Params = json.RawMessage("{}")
		}
		return &rewritten, err
	}
	return m, err
}

func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	if _, answer := m.(*jsonrpc.Response); answer {
		defer c.open.answered()
	}
	return c.Connection.Write(ctx, m)
}
