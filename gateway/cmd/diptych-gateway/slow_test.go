package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// A client that sends the head of a request and never its body is left, whatever it asks for.
func TestSlowClientIsLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g, err := open(ctx, settings{Listen: "127.0.0.1:0", Data: t.TempDir(), Model: "none"})
	if err != nil {
		t.Fatal(err)
	}
	if g.server.WriteTimeout == 0 {
		t.Error("who reads nothing is never left")
	}
	g.server.ReadTimeout = min(g.server.ReadTimeout, 50*time.Millisecond)
	ended := make(chan error, 1)
	go func() { ended <- g.serve(ctx) }()
	conn, err := net.Dial("tcp", g.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("it is still waited for")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
