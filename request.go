package diptych

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type requestKey struct{}

// Request returns the call that a tool is answering: its session, its metadata, the caller's authorisation, the answers
// to [NeedInput]. Outside a tool it is nil.
func Request(ctx context.Context) *mcp.CallToolRequest {
	req, _ := ctx.Value(requestKey{}).(*mcp.CallToolRequest)
	return req
}

// Progress tells the caller how far a tool has come: done of total, in the tool's own unit, with a message for people.
// A total of 0 says that it is not known. It does nothing where the caller did not ask for progress, or has gone.
func Progress(ctx context.Context, done, total float64, message string) {
	req := Request(ctx)
	if req == nil || req.Session == nil || ctx.Err() != nil {
		return
	}
	token := req.Params.GetProgressToken()
	if token == nil {
		return
	}
	// The tool goes on when its caller cannot be told.
	_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: token, Progress: done, Total: total, Message: message,
	})
}
