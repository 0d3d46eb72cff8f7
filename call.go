package diptych

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/exact"
)

// Exact returns t with the raw structured content kept: the SDK's client decodes it to floats and maps, which rounds
// integers past 2^53 and forgets the order of keys. Without it [Call] refuses such integers rather than round them.
func Exact(t mcp.Transport) mcp.Transport { return exact.Transport(t) }

// Call calls a tool.
func Call[Out any](ctx context.Context, s *mcp.ClientSession, name string, args any) (Result[Out], error) {
	return Result[Out]{}, errors.New("not built yet")
}
