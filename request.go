package diptych

import (
	"context"
	"errors"
	"log/slog"
	"strings"

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
	// A caller that cannot be told is no reason to fail.
	_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: token, Progress: done, Total: total, Message: message,
	})
}

// firstInputRevision is the protocol revision from which a result may ask for input.
const firstInputRevision = "2026-07-28"

// needsInput answers with the questions alone. An older caller is asked over its session by the SDK where it can be
// asked, and told why not where it cannot.
func (p *plan) needsInput(req *mcp.CallToolRequest, e *inputNeeded) ending {
	if err := askable(e.requests); err != nil {
		return p.unexpected(err)
	}
	if len(e.requests) == 0 {
		return ending{p.refusal("it needs input, but asks no question", e), nil,
			record{slog.LevelError, "tool asked no question", errorAttrs(errNoQuestion)}}
	}
	if why := cannotAsk(req, e.requests); why != "" {
		return ending{p.refusal(why, e), nil, record{slog.LevelInfo, "tool failed", errorAttrs(e)}}
	}
	return ending{result: &mcp.CallToolResult{InputRequests: e.requests, RequestState: e.state}}
}

var errNoQuestion = errors.New("NeedInput was given no requests; give it one at least, or return an error")

// cannotAsk says why the caller cannot be asked, or nothing.
func cannotAsk(req *mcp.CallToolRequest, requests mcp.InputRequestMap) string {
	params := req.Session.InitializeParams()
	if params == nil || params.ProtocolVersion >= firstInputRevision {
		return ""
	}
	var lacking []string
	caps := params.Capabilities
	if caps == nil {
		caps = &mcp.ClientCapabilities{}
	}
	for _, r := range requests {
		switch r.(type) {
		case *mcp.ElicitParams:
			if caps.Elicitation == nil {
				lacking = append(lacking, "elicitation")
			}
		case *mcp.CreateMessageParams, *mcp.CreateMessageWithToolsParams:
			if caps.Sampling == nil {
				lacking = append(lacking, "sampling")
			}
		case *mcp.ListRootsParams:
			if caps.RootsV2 == nil {
				lacking = append(lacking, "roots")
			}
		}
	}
	if lacking == nil {
		return ""
	}
	return "it needs input from the user, and this client of revision " + params.ProtocolVersion + " cannot be asked (no " + strings.Join(lacking, ", ") + ")"
}
