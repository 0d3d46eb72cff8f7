package exact

import (
	"context"
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
	return &connection{c}, nil
}

// streamable says whether c is the SDK's streamable HTTP connection, whose type has no name outside the SDK.
func streamable(c mcp.Connection) bool {
	// Connecting dials nothing: the first message does.
	own, err := (&mcp.StreamableClientTransport{}).Connect(context.Background())
	if err != nil {
		return false
	}
	defer own.Close()
	return reflect.TypeOf(c) == reflect.TypeOf(own)
}

type connection struct{ mcp.Connection }

func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	// Copies, because a connection in memory may hand out what its other end still holds.
	switch m := m.(type) {
	case *jsonrpc.Response:
		if m != nil && len(m.Result) > 0 {
			rewritten := *m
			rewritten.Result = rewriteResult(m.Result)
			return &rewritten, err
		}
	case *jsonrpc.Request:
		if m != nil && m.Method == methodElicit {
			rewritten := *m
			rewritten.Params = rewriteQuestion(m.Params)
			return &rewritten, err
		}
	}
	return m, err
}
