package wiretest

import (
	"bufio"
	"context"
	"encoding/json"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Pipe is a peer of s in this process, with the framing of stdio. The server ends with ctx.
func Pipe(ctx context.Context, s *mcp.Server, revision string) (*Peer, error) {
	fromPeer, toServer := io.Pipe()
	fromServer, toPeer := io.Pipe()
	session, err := s.Connect(ctx, &mcp.IOTransport{Reader: fromPeer, Writer: toPeer}, nil)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() {
		toServer.Close()
		fromServer.Close()
		session.Close()
	})
	lines := bufio.NewReader(fromServer)
	p := &Peer{revision: revision, carry: func(ctx context.Context, m message) (json.RawMessage, error) {
		if _, err := toServer.Write(append(m.body, '\n')); err != nil || m.id == 0 {
			return nil, err
		}
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return nil, err
			}
			if raw, ok, err := answer(line, m.id); ok {
				return raw, err
			}
		}
	}}
	return p, p.open(ctx)
}
