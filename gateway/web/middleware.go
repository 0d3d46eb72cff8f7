package web

// What runs before a handler, and how a handler answers: headers, hosts, owners, errors, JSON.

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/quota"
	"github.com/diptych-mcp/diptych/gateway/store"
	"github.com/diptych-mcp/diptych/internal/loopback"
)

// The page has one script and one style, fetches from its own origin alone and has no policy that could make markup of text.
// Images of tools come in data: URLs.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// guard sets the headers of every answer, and refuses names that are not ours (a foreign name that resolves to this
// machine would be let in by the browser) and requests that another site makes.
func (s *server) guard(next http.Handler) http.Handler {
	next = http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w = &response{ResponseWriter: w, control: http.NewResponseController(w)}
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-DNS-Prefetch-Control", "off") // a link's host would be looked up before anybody follows it
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		h.Set("Cache-Control", "no-store")
		if !s.answersTo(strings.ToLower(loopback.Host(r.Host))) {
			http.Error(w, "this gateway does not answer to that name", http.StatusMisdirectedRequest)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		defer s.survive(w, r)
		next.ServeHTTP(w, r)
	})
}

// answersTo reports whether the page may be asked for under this name.
func (s *server) answersTo(host string) bool {
	if len(s.Hosts) == 0 {
		return loopback.Is(host)
	}
	return slices.Contains(s.Hosts, host)
}

// survive ends a request whose handler panicked. The server's own way would log the panic's text, which may be a user's.
func (s *server) survive(w http.ResponseWriter, r *http.Request) {
	switch p := recover(); p {
	case nil:
	case http.ErrAbortHandler:
		panic(p)
	default:
		s.Logger.Error("panic in a handler", "route", r.Pattern, "panic", p, "stack", string(debug.Stack()))
		if begun(w) {
			panic(http.ErrAbortHandler)
		}
		sendJSON(w, http.StatusInternalServerError, internal)
	}
}

type handler func(w http.ResponseWriter, r *http.Request, owner string) error

// owned runs a handler for a known user, within their quota.
func (s *server) owned(do handler) http.Handler {
	return s.known(func(w http.ResponseWriter, r *http.Request, owner string) error {
		if err := s.Quota.Request(owner); err != nil {
			return err
		}
		return do(w, r, owner)
	})
}

// watched runs a handler that sends what tools made, of which one user gets so many at once: a slow reader holds one for long.
func (s *server) watched(do handler) http.Handler {
	return s.owned(func(w http.ResponseWriter, r *http.Request, owner string) error {
		done, err := s.Quota.Stream(owner)
		if err != nil {
			return err
		}
		defer done()
		return do(w, r, owner)
	})
}

// known runs a handler for a known user, without a limit. What it returns as an error becomes the answer. Another site could not
// read it, but it could have searches made and a user's quota spent.
func (s *server) known(do handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
			sendJSON(w, http.StatusForbidden, fault{"foreign", "another site asks for this; open the gateway's own page"})
			return
		}
		owner, ok := s.Owner(r)
		if !ok {
			sendJSON(w, http.StatusUnauthorized, fault{"login", "log in first"})
			return
		}
		if err := do(w, r, owner); err != nil {
			s.sendError(w, r, err)
		}
	})
}

type fault struct {
	Code    string `json:"error"`
	Message string `json:"message"`
}

var internal = fault{"internal", "something went wrong in the gateway; its log has the details"}

// invalid is a request that the page would not make.
type invalid string

func (e invalid) Error() string { return string(e) }

var (
	errSharing  = errors.New("sharing is not allowed here")
	errNotBuilt = errors.New("the page's script is not built, and a record needs it")
	errSearch   = errors.New("the search took too long; delete conversations that you do not need")
)

// sendError answers with the error. Once an answer has begun, it cannot hold an error, so the connection is aborted.
func (s *server) sendError(w http.ResponseWriter, r *http.Request, err error) {
	if begun(w) {
		if r.Context().Err() == nil {
			s.Logger.Error("breaking off an answer", "route", r.Pattern, "err", err)
		}
		panic(http.ErrAbortHandler)
	}
	var bad invalid
	var arguments *chat.ArgumentsError
	var large *http.MaxBytesError
	var exceeded *quota.Exceeded
	switch {
	case errors.As(err, &exceeded):
		if seconds := exceeded.Seconds(); seconds > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(seconds))
		}
		sendJSON(w, http.StatusTooManyRequests, fault{"quota_" + string(exceeded.Kind), err.Error()})
	case errors.As(err, &bad):
		sendJSON(w, http.StatusBadRequest, fault{"invalid", string(bad)})
	case errors.Is(err, os.ErrDeadlineExceeded):
		sendJSON(w, http.StatusRequestTimeout, fault{"slow", "the request took too long to arrive; send it again"})
	case errors.As(err, &large):
		sendJSON(w, http.StatusRequestEntityTooLarge, fault{"large", "the request is larger than 1 MiB"})
	case errors.As(err, &arguments):
		sendJSON(w, http.StatusUnprocessableEntity, fault{"arguments", arguments.Faults})
	case errors.Is(err, store.ErrNotFound):
		sendJSON(w, http.StatusNotFound, fault{"not_found", err.Error()})
	case errors.Is(err, store.ErrFull):
		s.Logger.Error("the disk is full", "route", r.Pattern, "err", err)
		sendJSON(w, http.StatusInsufficientStorage, fault{"full", store.ErrFull.Error()})
	case errors.Is(err, store.ErrExchanged):
		s.Logger.Error("the database was exchanged", "route", r.Pattern, "err", err)
		sendJSON(w, http.StatusServiceUnavailable, fault{"exchanged", store.ErrExchanged.Error()})
	case errors.Is(err, chat.ErrEmpty):
		sendJSON(w, http.StatusBadRequest, fault{"invalid", err.Error()})
	case errors.Is(err, chat.ErrLong):
		sendJSON(w, http.StatusRequestEntityTooLarge, fault{"large", err.Error()})
	case errors.Is(err, chat.ErrNoTool):
		sendJSON(w, http.StatusNotFound, fault{"no_tool", err.Error()})
	case errors.Is(err, chat.ErrNoModel):
		sendJSON(w, http.StatusConflict, fault{"no_model", err.Error()})
	case errors.Is(err, chat.ErrBusy):
		sendJSON(w, http.StatusConflict, fault{"busy", err.Error()})
	case errors.Is(err, chat.ErrNotWaiting), errors.Is(err, store.ErrFinished):
		sendJSON(w, http.StatusConflict, fault{"not_waiting", err.Error()})
	case errors.Is(err, chat.ErrClosed):
		sendJSON(w, http.StatusServiceUnavailable, fault{"closed", err.Error()})
	case errors.Is(err, errSharing):
		sendJSON(w, http.StatusForbidden, fault{"sharing", err.Error()})
	case errors.Is(err, errNotBuilt):
		sendJSON(w, http.StatusServiceUnavailable, fault{"not_built", err.Error()})
	case errors.Is(err, errSearch):
		sendJSON(w, http.StatusServiceUnavailable, fault{"search", err.Error()})
	case r.Context().Err() != nil: // the client has gone
	default:
		s.Logger.Error("answering a request", "route", r.Pattern, "err", err)
		sendJSON(w, http.StatusInternalServerError, internal)
	}
}

func sendJSON(w http.ResponseWriter, status int, v any) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Security-Policy", contentPolicy) // and not that of a record which could not be sent
	h.Del("Content-Disposition")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the status is out; a browser that left needs no answer
}

func readJSON(r *http.Request, v any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return invalid("the body is not application/json")
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	wrong := invalid("the body is not the JSON that is expected here")
	err := d.Decode(v)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return nil
		}
		wrong = "the body has something after its JSON"
	}
	if errors.As(err, new(*http.MaxBytesError)) || errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return wrong
}
