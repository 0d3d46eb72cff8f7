package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// sessions measures what stays open between calls: the SDK's client in memory, and lines of JSON as on stdio.
func (b *bench) sessions() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	official := []struct {
		name   string
		server *mcp.Server
		run    runner
	}{{raw, b.candidates.raw, runOfficial}, {ours, b.candidates.ours, diptych.Run}, {ready, b.candidates.ready, runOfficial}, {typed, b.candidates.typed, runOfficial}}

	memory := table{head: []string{"answer"}}
	clients := map[string]*mcp.ClientSession{}
	for _, p := range official {
		session, err := connect(ctx, p.server, p.run)
		if err != nil {
			return err
		}
		defer session.Close()
		clients[p.name] = session
	}
	lines := table{head: []string{"answer"}}
	pipes := map[string]*pipe{}
	for _, p := range official {
		pipes[p.name] = newPipe(func(in io.ReadCloser, out io.WriteCloser) error {
			go func() { _ = p.run(ctx, p.server, &mcp.IOTransport{Reader: in, Writer: out}) }()
			return nil
		})
	}
	for name, s := range map[string]*server.MCPServer{mark: b.candidates.mark, checked: b.candidates.checked} {
		pipes[name] = newPipe(func(in io.ReadCloser, out io.WriteCloser) error {
			go func() { _ = server.NewStdioServer(s).Listen(ctx, in, out) }()
			return nil
		})
	}
	for _, p := range pipes {
		defer p.close()
		if err := p.open(); err != nil {
			return err
		}
	}
	for _, w := range b.works() {
		if strings.HasSuffix(w.name, ", tags") {
			continue // the wire is what differs here
		}
		var inMemory, overLines []entrant
		for _, p := range official {
			inMemory = append(inMemory, entrant{p.name, func() error {
				res, err := clients[p.name].CallTool(ctx, &mcp.CallToolParams{Name: w.tool})
				if err == nil && (res.IsError || res.StructuredContent == nil) {
					err = fmt.Errorf("the call failed: %.300v", res)
				}
				return err
			}})
		}
		for _, name := range []string{raw, ours, typed, mark, checked} {
			overLines = append(overLines, entrant{name, func() error { return pipes[name].call(w.tool) }})
		}
		for _, part := range []struct {
			t        *table
			entrants []entrant
		}{{&memory, inMemory}, {&lines, overLines}} {
			scores, err := contest(b.rounds, part.entrants...)
			if err != nil {
				return err
			}
			part.t.compare(scores, w.name)
		}
	}
	b.title("In memory", "The SDK's in-memory transport and its own client, which decodes the answer. The official raw path = 1, with compact text in one block. "+
		"In the column beside ours it sends the very panels that ours makes, indented and with a block for each row, and makes nothing.")
	memory.print(b.out)
	b.title("stdio", "One line of JSON there and one back through pipes of this process; nothing decodes the answer. The official raw path = 1.")
	lines.print(b.out)
	return nil
}

// A pipe is a client of a server that reads and writes lines.
type pipe struct {
	in    io.WriteCloser
	out   *bufio.Reader
	ends  []io.Closer
	fault error
}

func newPipe(serve func(in io.ReadCloser, out io.WriteCloser) error) *pipe {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	p := &pipe{in: toServer, out: bufio.NewReaderSize(fromServer, 64<<10), ends: []io.Closer{toServer, fromServer}}
	p.fault = serve(fromClient, toClient)
	return p
}

func (p *pipe) close() {
	for _, c := range p.ends {
		c.Close()
	}
}

// open does the handshake of the revision that stdio servers of all peers speak.
func (p *pipe) open() error {
	if p.fault != nil {
		return p.fault
	}
	err := p.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}`, `"serverInfo"`)
	if err == nil {
		_, err = io.WriteString(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	return err
}

func (p *pipe) call(tool string) error {
	return p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":{}}}`, `"result"`)
}

// send writes a line and reads the one that answers it, of which it looks at the beginning and the end.
func (p *pipe) send(line, want string) error {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		return err
	}
	for {
		var ends []byte // of the line: enough to know it by
		for {
			part, err := p.out.ReadSlice('\n')
			ends = append(ends[:min(len(ends), 1000)], part...)
			if err == nil {
				break
			}
			if err != bufio.ErrBufferFull {
				return err
			}
		}
		if bytes.Contains(ends, []byte(`"id":`)) {
			if !bytes.Contains(ends, []byte(want)) || bytes.Contains(ends, []byte(`"isError":true`)) {
				return fmt.Errorf("the answer is %.300s", ends)
			}
			return nil
		}
	}
}
