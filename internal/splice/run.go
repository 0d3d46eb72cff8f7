package splice

import (
	"context"
	"io"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Run is s.Run with calls answered by this package, on those of the SDK's transports that are one session on lines.
func Run(ctx context.Context, s *mcp.Server, t mcp.Transport) error {
	switch t := t.(type) {
	case *mcp.StdioTransport:
		return run(ctx, newServer(s), mcp.IOTransport{Reader: os.Stdin, Writer: unclosed{os.Stdout}, MaxLineLength: t.MaxLineLength})
	case *mcp.IOTransport:
		if t.Reader != nil && t.Writer != nil {
			return run(ctx, newServer(s), *t)
		}
	}
	return s.Run(ctx, t)
}

// An unclosed writer stays open: standard output belongs to the process.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

func run(ctx context.Context, s *server, t mcp.IOTransport) error {
	c := newLines(ctx, s, t)
	session, err := s.Connect(ctx, c, nil)
	if err != nil {
		return err
	}
	go c.listen(session)
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case <-ctx.Done():
		c.shutDown()
		_ = session.Close()
		<-ended
		return ctx.Err()
	case err := <-ended:
		c.cancelCalls(io.EOF)
		c.shutDown()
		return err
	}
}
