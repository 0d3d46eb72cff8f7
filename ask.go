//lint:file-ignore SA1019 clients of older revisions are asked by parts of the protocol that the newest deprecates

package diptych

import (
	"errors"
	"log/slog"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inputNeeded is the error that NeedInput returns.
type inputNeeded struct {
	requests mcp.InputRequestMap
	state    string
}

func (*inputNeeded) Error() string { return "the tool needs input from the user" }

// NeedInput asks the caller for input before the tool can answer: return it as the tool's error. The result is
// input_required and carries requests, such as an *mcp.ElicitParams, and state alone; the caller repeats the call with
// the answers, which are in [Request](ctx).Params.InputResponses and RequestState. State travels through the caller:
// do not trust it unless it is signed. Callers of an older protocol revision are asked over their session, which over HTTP a
// server has with the option [Sessions]; a caller that cannot be asked is told why.
func NeedInput(requests mcp.InputRequestMap, state string) error {
	return &inputNeeded{requests, state}
}

// firstInputRevision is the protocol revision from which a result may ask for input.
const firstInputRevision = "2026-07-28"

// needsInput answers with the questions alone. The SDK asks callers of an older revision over their session; one that cannot
// be asked is told why.
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
	if req.Session == nil {
		return ""
	}
	params := req.Session.InitializeParams()
	if params == nil || params.ProtocolVersion >= firstInputRevision {
		return ""
	}
	if isStateless(req) {
		return "it needs input from the user, and a server without sessions cannot ask a client of revision " + params.ProtocolVersion +
			"; serve with diptych.Handler(server, diptych.Sessions(idle)), or call with a client of revision " + firstInputRevision
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

// isStateless reports whether a request came over HTTP to a server that keeps no sessions. Nothing is known there of what a
// client of an older revision can do, and there is no way to send it a request.
func isStateless(req *mcp.CallToolRequest) bool {
	return req.Extra != nil && req.Extra.Header != nil && req.Session.ID() == ""
}
