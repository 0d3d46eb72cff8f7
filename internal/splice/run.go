package splice

import (
	"bytes"
	"context"
	"io"
	"os"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Run is s.Run with results spliced in, on those of the SDK's transports that have one session: lines, and in memory.
func Run(ctx context.Context, s *mcp.Server, t mcp.Transport) error {
	h := newShelf()
	switch known := t.(type) {
	case *mcp.StdioTransport:
		t = &lines{mcp.IOTransport{Reader: os.Stdin, Writer: open{os.Stdout}, MaxLineLength: known.MaxLineLength}, s, h}
	case *mcp.IOTransport:
		if known.Reader == nil || known.Writer == nil {
			return s.Run(ctx, t)
		}
		t = &lines{*known, s, h}
	case *mcp.InMemoryTransport:
		t = parcels{known, s, h}
	default:
		return s.Run(ctx, t)
	}
	return s.Run(context.WithValue(ctx, shelfKey{}, h), t)
}

// An open writer stays open: standard output belongs to the process.
type open struct{ io.Writer }

func (open) Close() error { return nil }

// Lines are a transport that reads plain requests itself, and writes results where their marks stand. The SDK reads every
// request four times, each time into a fresh buffer of 32 KiB, before the session does. From the first line on that is no
// message of its own, such as a batch, the SDK does all.
type lines struct {
	io     mcp.IOTransport
	server *mcp.Server
	shelf  *shelf
}

// Connect makes lines a transport.
func (l *lines) Connect(ctx context.Context) (mcp.Connection, error) {
	in, rest := io.Pipe()
	sdk, err := (&mcp.IOTransport{Reader: in, Writer: line{l.io.Writer, l.shelf}, MaxLineLength: l.io.MaxLineLength}).Connect(ctx)
	if err != nil {
		return nil, err
	}
	t := &talk{Connection: sdk, lines: l, heard: make(chan heard), rest: rest, closed: make(chan struct{})}
	go t.listen()
	return t, nil
}

// A line is the output of a session that writes each message at once, on a line of its own.
type line struct {
	io.WriteCloser
	shelf *shelf
}

// Write writes p, a message and its end.
func (l line) Write(p []byte) (int, error) {
	k, ok := l.shelf.result(p)
	switch {
	case !ok:
		refusal, err := refusal(p)
		if err != nil {
			return 0, err
		}
		if _, err := l.WriteCloser.Write(append(refusal, '\n')); err != nil {
			return 0, err
		}
	case k == nil:
		return l.WriteCloser.Write(p)
	default:
		if err := l.shelf.write(l.WriteCloser, p, k); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// Parcels are a transport whose output is out of reach. It is given each result in one piece, which the SDK reads once and
// not three times.
type parcels struct {
	mcp.Transport
	server *mcp.Server
	shelf  *shelf
}

// Connect makes parcels a transport.
func (p parcels) Connect(ctx context.Context) (mcp.Connection, error) {
	sdk, err := p.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return parcel{sdk, p}, nil
}

type parcel struct {
	mcp.Connection
	from parcels
}

// Read returns the next message.
func (p parcel) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := p.Connection.Read(ctx)
	join(p.from.server)
	return msg, err
}

// Write sends a message.
func (p parcel) Write(ctx context.Context, msg jsonrpc.Message) error {
	if r, ok := msg.(*jsonrpc.Response); ok && r.Error == nil {
		k, ok := p.from.shelf.result(r.Result)
		switch {
		case !ok:
			msg = &jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: errLayout.Error()}}
		case k != nil:
			var whole bytes.Buffer
			if err := p.from.shelf.write(&whole, r.Result, k); err != nil {
				return err
			}
			msg = &jsonrpc.Response{ID: r.ID, Result: whole.Bytes()}
		}
	}
	return p.Connection.Write(ctx, msg)
}
