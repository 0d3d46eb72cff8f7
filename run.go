package diptych

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/splice"
)

// Run serves s on t until the client goes away or ctx is done, as s.Run does. On standard input and output, on other
// streams of lines (mcp.IOTransport) and in memory, results and lists of tools are sent as the bytes they were finished
// as, which the SDK would encode again, and plain requests are read once. For that, Run adds a receiving middleware to s,
// outside of those that s has and gets: they see the SDK's results as ever. Any other transport, and a session from its
// first batch on, is the SDK's alone.
func Run(ctx context.Context, s *mcp.Server, t mcp.Transport) error {
	if s == nil {
		return errors.New("the server is nil; make one with mcp.NewServer")
	}
	if t == nil {
		return errors.New("the transport is nil; give &mcp.StdioTransport{} for standard input and output")
	}
	return splice.Run(ctx, s, t)
}
