package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// region production-scopes

// scopes are what a token needs for each tool. A tool that is not here cannot be called.
var scopes = map[string]string{
	"list_rooms": "rooms:read",
	"await_room": "rooms:read",
	"book_room":  "rooms:write",
}

// tool declares a tool, and its scope to clients that sign in for each tool (ChatGPT).
func tool(name, description string) *mcp.Tool {
	return &mcp.Tool{Name: name, Description: description, Meta: mcp.Meta{
		"securitySchemes": []any{map[string]any{"type": "oauth2", "scopes": []string{scopes[name]}}},
	}}
}

// scopes refuses calls of tools for which the token lacks the scope. It is called for every call, over HTTP and in all revisions.
func (s *signIn) scopes(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		params, ok := req.GetParams().(*mcp.CallToolParamsRaw)
		if !ok {
			return next(ctx, method, req)
		}
		if !isTool(params.Name) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown tool"}
		}
		if extra := req.GetExtra(); extra != nil && allowed(extra.TokenInfo, params.Name) {
			return next(ctx, method, req)
		}
		return &mcp.CallToolResult{
			IsError: true,
			Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("%s needs the scope %s; sign in again and allow it", params.Name, scopes[params.Name])}},
			Meta:    mcp.Meta{"mcp/www_authenticate": []string{s.challenge(params.Name)}}, // ChatGPT asks the user again
		}, nil
	}
}

// stepUp answers such calls with 403, at which clients of the newest revision sign in again. They name the tool in a header, which
// is compared with the body later.
func (s *signIn) stepUp(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		tool := req.Header.Get("Mcp-Name")
		if req.Header.Get("Mcp-Method") == "tools/call" && isTool(tool) && !allowed(auth.TokenInfoFromContext(req.Context()), tool) {
			w.Header().Set("WWW-Authenticate", s.challenge(tool))
			http.Error(w, "insufficient scope", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, req)
	})
}

func (s *signIn) challenge(tool string) string {
	return fmt.Sprintf("Bearer error=%q, error_description=%q, scope=%q, resource_metadata=%q",
		"insufficient_scope", tool+" needs the scope "+scopes[tool], scopes[tool], s.metadata)
}

// endregion

func allowed(token *auth.TokenInfo, tool string) bool {
	return token != nil && slices.Contains(token.Scopes, scopes[tool])
}

// isTool reports whether there is such a tool. Names that clients make up are not in metrics and traces.
func isTool(name string) bool { _, ok := scopes[name]; return ok }

func allScopes() []string { return slices.Compact(slices.Sorted(maps.Values(scopes))) }
