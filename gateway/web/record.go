package web

// A record is one conversation in one file: the page's own script and style and all that it draws, with nothing left to
// fetch. It is what export downloads and what a shared link shows.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"regexp"

	"github.com/diptych-mcp/diptych/gateway/store"
)

const recordRows = 1 << 20 // of a table: all

// recordPage is what every record has in common.
type recordPage struct {
	policy        string
	script, style []byte // nil where nobody built them
}

var endsScript = regexp.MustCompile(`(?i)<(/script|!--)`)

func newRecordPage(a assets) recordPage {
	if a.script == nil {
		return recordPage{}
	}
	script := endsScript.ReplaceAll(a.script, []byte(`\x3C$1`))
	return recordPage{
		policy: "default-src 'none'; script-src '" + hashSource(script) + "'; style-src '" + hashSource(a.style) + "'; img-src data:; base-uri 'none'; form-action 'none'; " +
			"require-trusted-types-for 'script'; trusted-types 'none'",
		script: script, style: a.style,
	}
}

func hashSource(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

type recordRun struct {
	runView
	Events []viewEvent `json:"events"`
}

type record struct {
	Title   string            `json:"title"`
	Runs    []recordRun       `json:"runs"`
	Results map[string]string `json:"results"` // structured content by call
}

// writeRecord makes the file. A run that goes on is in it as far as it is.
func (s *server) writeRecord(ctx context.Context, language string, c store.Conversation) ([]byte, error) {
	if s.record.script == nil {
		return nil, errNotBuilt
	}
	runs, err := s.Store.Runs(ctx, c.Owner, c.ID)
	if err != nil {
		return nil, err
	}
	kept := record{Title: c.Title, Runs: []recordRun{}, Results: map[string]string{}}
	for _, run := range runs {
		events, err := s.stored(ctx, run.ID, recordRows)
		if err != nil {
			return nil, err
		}
		view := viewRun(run)
		view.Ended = true // for a record nothing goes on
		kept.Runs = append(kept.Runs, recordRun{view, events})
		for _, e := range events {
			call, ok := e.Data.(callView)
			if !ok || !call.Screen {
				continue
			}
			result, err := s.Store.Result(ctx, c.Owner, call.ID)
			if err != nil {
				return nil, err
			}
			kept.Results[call.ID], _ = indented(result.Structured)
		}
	}
	data, err := json.Marshal(kept) // with <, > and & escaped, so that no text can end the element that it stands in
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(`<!doctype html>
<html lang="` + language + `">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="` + html.EscapeString(s.record.policy) + `">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="x-dns-prefetch-control" content="off">
<link rel="icon" href="data:,">
<title>` + html.EscapeString(c.Title) + `</title>
<style>`)
	b.Write(s.record.style)
	b.WriteString("</style>\n</head>\n<body>\n<script type=\"application/json\" id=\"record\">")
	b.Write(data)
	b.WriteString("</script>\n<script type=\"module\">")
	b.Write(s.record.script)
	b.WriteString("</script>\n</body>\n</html>\n")
	return b.Bytes(), nil
}

func (s *server) exportConversation(w http.ResponseWriter, r *http.Request, owner string) error {
	c, err := s.Store.Conversation(r.Context(), owner, r.PathValue("conversation"))
	if err != nil {
		return err
	}
	file, err := s.writeRecord(r.Context(), language(r), c)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="conversation.html"`)
	_, err = w.Write(file)
	return err
}

func (s *server) shareConversation(w http.ResponseWriter, r *http.Request, owner string) error {
	var asked struct {
		Share bool `json:"share"`
	}
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	if asked.Share && !s.Share {
		return errSharing
	}
	id := r.PathValue("conversation")
	if _, err := s.Store.ShareConversation(r.Context(), owner, id, asked.Share); err != nil {
		return err
	}
	c, err := s.Store.Conversation(r.Context(), owner, id)
	if err != nil {
		return err
	}
	sendJSON(w, http.StatusOK, s.viewConversation(c))
	return nil
}

// strangers, who read what is shared without being known, have one quota together.
const strangers = ""

// showShared shows the record of a shared conversation to whoever has the link.
func (s *server) showShared(w http.ResponseWriter, r *http.Request) {
	c, err := store.Conversation{}, store.ErrNotFound
	if over := s.Quota.Request(strangers); over != nil {
		err = over
	} else if s.Share {
		c, err = s.Store.SharedConversation(r.Context(), r.PathValue("token"))
	}
	var page []byte
	if err == nil {
		page, err = s.writeRecord(r.Context(), language(r), c)
	}
	if err != nil {
		s.sendError(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", s.record.policy+"; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("X-Robots-Tag", "noindex")
	_, _ = w.Write(page) // a reader who left needs none
}
