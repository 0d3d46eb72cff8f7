// Package web is what a browser sees of the gateway: one page, its script and style, and the JSON and event streams that
// they read. What a model or a tool wrote reaches the page as text and never as markup.
package web

import (
	"context"
	"encoding/json"
	"errors"
	"html/template"
	"iter"
	"log/slog"
	"net/http"
	"runtime"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/quota"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// Chat is what the page does with conversations. A *chat.Chat is one.
type Chat interface {
	Ask(ctx context.Context, owner, conversation, text string) (store.Run, error)
	RunTool(ctx context.Context, owner, conversation, tool string, arguments json.RawMessage) (store.Run, error)
	Stop(ctx context.Context, owner, run string) error
	Delete(ctx context.Context, owner, conversation string) error
	Answer(ctx context.Context, owner, run, call string, allow bool) error
	Reply(ctx context.Context, owner, run, question string, a host.Answer) error
	Follow(ctx context.Context, owner, run string, after int64) iter.Seq2[store.Event, error]
	ModelName() string
}

var _ Chat = (*chat.Chat)(nil)

// Tools lists what can be called. A *host.Host is one.
type Tools interface{ Tools() []host.Tool }

// Config says what a page is made of.
type Config struct {
	Chat      Chat
	Tools     Tools
	Store     store.Store
	Health    func() []host.Health               // of the tool servers; nil: there are none
	Quota     *quota.Quota                       // what each owner may take; nil: anything
	Scripted  bool                               // the model is the scripted one, and the page says so
	Share     bool                               // conversations may be shared by link
	Hosts     []string                           // names under which the page may be asked for, in lower case; none: those of the loopback
	Owner     func(*http.Request) (string, bool) // who asks, and whether they may; nil: one user, "local"
	Logger    *slog.Logger                       // nil for slog.Default()
	Questions map[string][]string                // by language, what the page offers to ask first
}

type server struct {
	Config
	assets  assets
	page    *template.Template
	record  recordPage
	render  *proseRenderer
	drawing chan struct{} // at which events are drawn: more than there are processors would only hold more memory
}

// New returns the handler of everything that a browser asks for.
func New(cfg Config) (http.Handler, error) {
	s, err := newServer(cfg)
	if err != nil {
		return nil, err
	}
	return s.guard(s.routes()), nil
}

func newServer(cfg Config) (*server, error) {
	if cfg.Chat == nil || cfg.Tools == nil || cfg.Store == nil {
		return nil, errors.New("web: Chat, Tools and Store are all needed")
	}
	if cfg.Owner == nil {
		cfg.Owner = func(*http.Request) (string, bool) { return "local", true }
	}
	if cfg.Quota == nil {
		cfg.Quota = quota.New(quota.Limits{}, cfg.Store)
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	s := &server{Config: cfg, render: newProseRenderer(), drawing: make(chan struct{}, runtime.GOMAXPROCS(0))}
	var err error
	if s.assets, err = readAssets(); err != nil {
		return nil, err
	}
	if s.page, err = template.New("page").Parse(pageSource); err != nil {
		return nil, err
	}
	s.record = newRecordPage(s.assets)
	return s, nil
}

func (s *server) routes() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", s.showPage)
	m.HandleFunc("GET /c/{conversation}", s.showPage)
	m.HandleFunc("GET /servers", s.showPage)
	m.HandleFunc("GET /assets/{name}", s.sendAsset)

	m.Handle("GET /tools", s.owned(s.listTools))
	m.Handle("GET /servers/health", s.owned(s.showHealth))
	m.Handle("GET /conversations", s.owned(s.listConversations))
	m.Handle("GET /conversations/{conversation}", s.owned(s.showConversation))
	m.Handle("GET /conversations/{conversation}/answers", s.watched(s.showAnswers))
	m.Handle("DELETE /conversations/{conversation}", s.owned(s.deleteConversation))
	m.Handle("POST /conversations/{conversation}/title", s.owned(s.renameConversation))

	m.Handle("GET /conversations/{conversation}/export", s.watched(s.exportConversation))
	m.Handle("POST /conversations/{conversation}/share", s.owned(s.shareConversation))
	m.HandleFunc("GET /s/{token}", s.showShared)

	m.Handle("POST /runs", s.owned(s.startRun))
	m.Handle("GET /runs/{run}", s.watched(s.showRun))
	m.Handle("GET /runs/{run}/events", s.watched(s.streamRun))
	m.Handle("POST /runs/{run}/stop", s.known(s.stopRun))
	m.Handle("POST /runs/{run}/calls/{call}", s.owned(s.answerCall))
	m.Handle("POST /runs/{run}/questions/{question}", s.owned(s.answerQuestion))
	m.Handle("GET /runs/{run}/tables/{seq}", s.watched(s.showTable))
	m.Handle("GET /runs/{run}/tables/{seq}/csv", s.watched(s.sendCSV))
	m.Handle("GET /runs/{run}/tables/{seq}/xlsx", s.watched(s.sendWorkbook))
	m.Handle("GET /calls/{call}", s.watched(s.showCall))
	return m
}
