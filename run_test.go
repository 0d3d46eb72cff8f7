package diptych_test

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// TestRunSendsWhatWasChecked looks at the bytes of a large answer on a line.
func TestRunSendsWhatWasChecked(t *testing.T) {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- diptych.Run(t.Context(), largeServer(t), &mcp.IOTransport{Reader: fromClient, Writer: toClient})
	}()
	if _, err := io.WriteString(toServer, call+"\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := bufio.NewReader(fromServer).ReadString('\n')
	if err != nil || !strings.Contains(answer, `"structuredContent":{"html":"<b>"`) {
		t.Errorf("%.300s, %v", answer, err)
	}
	toServer.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestRunOfNothing refuses what the SDK would fail on.
func TestRunOfNothing(t *testing.T) {
	if err := diptych.Run(context.Background(), nil, &mcp.StdioTransport{}); err == nil || !strings.Contains(err.Error(), "mcp.NewServer") {
		t.Error(err)
	}
	if err := diptych.Run(context.Background(), newServer(), nil); err == nil || !strings.Contains(err.Error(), "mcp.StdioTransport") {
		t.Error(err)
	}
}
