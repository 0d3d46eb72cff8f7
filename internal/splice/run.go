package splice

import (
	"context"
	"io"
	"os"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Run is s.Run with results spliced in, on those of the SDK's transports that are one session on lines.
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
		c := pipe(known)
		if c == nil {
			return s.Run(ctx, t)
		}
		t = &lines{mcp.IOTransport{Reader: c, Writer: c}, s, h}
	default:
		return s.Run(ctx, t)
	}
	return s.Run(context.WithValue(ctx, shelfKey{}, h), t)
}

// pipe is what t writes lines to and reads them from, or nil where the SDK no longer keeps it there.
func pipe(t *mcp.InMemoryTransport) io.ReadWriteCloser {
	f := reflect.ValueOf(t).Elem().FieldByName("rwc")
	if !f.IsValid() || f.Type() != reflect.TypeFor[io.ReadWriteCloser]() {
		return nil
	}
	return *(*io.ReadWriteCloser)(f.Addr().UnsafePointer())
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
