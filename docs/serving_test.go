package docs

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/internal/wiretest"
)

// The code of serving.md.

func stateful(server *mcp.Server) http.Handler {
	// region stateful
	handler := diptych.Handler(server, diptych.Sessions(30*time.Minute))
	// endregion
	return handler
}

func optioned(server *mcp.Server) http.Handler {
	// region options
	handler := diptych.Handler(server,
		diptych.AllowOrigins("https://app.example"), // pages of this origin may call the server from a browser
		diptych.BehindProxy("mcp.example"),          // a proxy on this machine passes on this Host header
		diptych.StreamableHTTP(func(o *mcp.StreamableHTTPOptions) {
			o.MaxRequestBodyBytes = 16 << 20 // everything else that the SDK's handler can do
		}),
	)
	// endregion
	return handler
}

func letPreflightsPass(server *mcp.Server, guard func(http.Handler) http.Handler) http.Handler {
	// region preflight
	handler := diptych.Handler(server, diptych.AllowOrigins("https://app.example"))
	mux := http.NewServeMux()
	mux.Handle("OPTIONS /mcp", handler)
	mux.Handle("/mcp", guard(handler))
	// endregion
	return mux
}

func addTools(server *mcp.Server) error {
	return diptych.Add(server, &mcp.Tool{Name: "count"}, countSlowly)
}

// region progress
func countSlowly(ctx context.Context, in Steps) (int, error) {
	for i := range in.Steps {
		if err := ctx.Err(); err != nil {
			return 0, err // the caller has gone: no answer is needed
		}
		diptych.Progress(ctx, float64(i+1), float64(in.Steps), "counting")
	}
	return in.Steps, nil
}

// endregion

// Steps is how far to count.
type Steps struct {
	Steps int `json:"steps" minimum:"1" maximum:"1000"`
}

func addBeside(server *mcp.Server) {
	// region beside
	server.AddResource(&mcp.Resource{URI: "floor://plan", Name: "floor_plan", MIMEType: "text/plain"},
		func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			plan := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: "text/plain", Text: "atrium | nook | studio-b"}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{plan}}, nil
		})
	server.AddPrompt(&mcp.Prompt{Name: "plan_day"},
		func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			words := &mcp.PromptMessage{Role: "user", Content: &mcp.TextContent{Text: "Plan my day around free rooms."}}
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{words}}, nil
		})
	// endregion
}

func addCaller(server *mcp.Server) error {
	// region request
	whoAmI := func(ctx context.Context, _ struct{}) (string, error) {
		if info := diptych.Request(ctx).Extra; info != nil && info.TokenInfo != nil {
			return info.TokenInfo.UserID, nil
		}
		return "", diptych.Errorf("sign in first")
	}
	// endregion
	return diptych.Add(server, &mcp.Tool{Name: "who_am_i"}, whoAmI)
}

// users are the tokens that were issued, with their users.
var users = map[string]string{"s3cret": "ada"}

func guarded(server *mcp.Server) http.Handler {
	// region auth
	verify := func(ctx context.Context, token string, req *http.Request) (*auth.TokenInfo, error) {
		user, ok := users[token] // ask the issuer here, or check the signature
		if !ok {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: user, Scopes: []string{"read"}, Expiration: time.Now().Add(time.Hour)}, nil
	}
	guard := auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{Scopes: []string{"read"}})
	mux := http.NewServeMux()
	mux.Handle("/mcp", guard(diptych.Handler(server)))
	// endregion
	return mux
}

// A bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(req)
}

// TestAuth calls a tool that asks who calls it, through the guard.
func TestAuth(t *testing.T) {
	server := newServer()
	if err := addCaller(server); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(guarded(server))
	t.Cleanup(web.Close)
	connect := func(token string) (*mcp.ClientSession, error) {
		client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, nil)
		return client.Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: web.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)},
		}, nil)
	}
	if _, err := connect("guess"); err == nil {
		t.Error("a token that was not issued is accepted")
	}
	session, err := connect("s3cret")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if res, err := diptych.Call[string](t.Context(), session, "who_am_i", nil); err != nil || res.Value != "ada" {
		t.Errorf("got %q, %v; want ada", res.Value, err)
	}
}

func privateLists(server *mcp.Server) {
	// region private
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if list, ok := res.(*mcp.ListToolsResult); ok {
				list.CacheScope = "private"
			}
			return res, err
		}
	})
	// endregion
}

func servingAnswers(t *testing.T) map[string]string {
	s := newShow(t)
	server := newServer()
	if err := addTools(server); err != nil {
		t.Fatal(err)
	}
	if err := addCaller(server); err != nil {
		t.Fatal(err)
	}
	addBeside(server)
	privateLists(server)
	s.call("who", server, "who_am_i", `{}`)

	for _, h := range []http.Handler{diptych.Handler(server), stateful(server), optioned(server)} {
		web := httptest.NewServer(h)
		client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, nil)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if res, err := diptych.Call[int](t.Context(), session, "count", Steps{3}); err != nil || res.Value != 3 {
			t.Errorf("counting got %d, %v", res.Value, err)
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		web.Close()
	}

	refuse := func(http.Handler) http.Handler { return http.NotFoundHandler() }
	preflight := httptest.NewRequest(http.MethodOptions, "http://localhost/mcp", nil)
	preflight.Header.Set("Origin", "https://app.example")
	preflight.Header.Set("Access-Control-Request-Method", http.MethodPost)
	answer := httptest.NewRecorder()
	if letPreflightsPass(server, refuse).ServeHTTP(answer, preflight); answer.Code != http.StatusNoContent {
		t.Errorf("a preflight is answered with %d", answer.Code)
	}

	// Another site's page is turned away.
	web := httptest.NewServer(diptych.Handler(server))
	defer web.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.URL, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", "https://elsewhere.example")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	s.said["origin"] = resp.Status

	session := connected(t, server)
	read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "floor://plan"})
	if err != nil || read.Contents[0].Text != "atrium | nook | studio-b" {
		t.Errorf("the plan is %v, %v", read, err)
	}
	peer, err := wiretest.Pipe(t.Context(), server, wiretest.Modern)
	if err != nil {
		t.Fatal(err)
	}
	list, err := peer.Request(t.Context(), "tools/list", map[string]any{})
	if err != nil || !bytes.Contains(list, []byte(`"cacheScope":"private"`)) {
		t.Errorf("the list is not private: %s, %v", list, err)
	}
	return s.said
}
