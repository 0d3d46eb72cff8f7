package web

// A record is one conversation in one file: the page's own script and style and all that it draws, with nothing left to
// fetch. It is what export downloads and what a shared link shows.

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"regexp"

	"github.com/diptych-mcp/diptych/gateway/store"
)

// recordPage is what every record has in common.
type recordPage struct {
	policy        string
	script, style []byte // nil where they were not built
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

// unfinished is shown in a record until its script, which comes last, takes it away.
var unfinished = map[string]string{
	"en": "This is still on its way. Where nothing more comes it has broken off: open or download it again.",
	"pt": "Isto ainda está a caminho. Se nada mais vier, foi interrompido: abra ou baixe de novo.",
	"es": "Esto aún está en camino. Si no llega nada más, se ha interrumpido: ábralo o descárguelo de nuevo.",
}

// writeRecord writes the file, run by run. A run that goes on is in it as far as it is.
func (s *server) writeRecord(ctx context.Context, w io.Writer, language string, c store.Conversation) error {
	title, err := json.Marshal(struct {
		Title string `json:"title"`
	}{c.Title})
	if err != nil {
		return err
	}
	p := newJSONWriter(w)
	_, _ = p.WriteString(`<!doctype html>
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
	_, _ = p.Write(s.record.style)
	_, _ = p.WriteString("</style>\n</head>\n<body>\n<p id=\"unfinished\">" + unfinished[language] + "</p>\n" + recordPart)
	_, _ = p.Write(title)
	for run, err := range store.AllRuns(ctx, s.Store, c.Owner, c.ID) {
		if err == nil {
			err = s.writeRecordRun(ctx, p, run)
		}
		if err != nil {
			return err
		}
	}
	_, _ = p.WriteString("</script>\n<script type=\"module\">")
	_, _ = p.Write(s.record.script)
	_, _ = p.WriteString("</script>\n</body>\n</html>\n")
	return p.Flush()
}

// A record's parts are elements of their own, for a browser takes a text of half a gigabyte at most.
const recordPart = `<script type="application/json">`

// writeRecordRun writes a run, and after its events what the screen got of its calls.
func (s *server) writeRecordRun(ctx context.Context, p *jsonWriter, run store.Run) error {
	view := viewRun(run)
	view.Ended = true // for a record nothing goes on
	_, _ = p.WriteString("</script>\n" + recordPart)
	calls, err := s.writeRun(ctx, p, run.Owner, view, recordRows)
	if err != nil {
		return err
	}
	_ = p.list(`,"results":[`)
	for _, call := range calls {
		result, err := s.Store.Result(ctx, run.Owner, call)
		if err != nil {
			return err
		}
		text, err := json.Marshal(viewPanel(call, result))
		if err == nil {
			err = p.item(text)
		}
		if err != nil {
			return err
		}
	}
	_, err = p.WriteString("]}")
	return err
}

// sendRecord answers with the file.
func (s *server) sendRecord(w http.ResponseWriter, r *http.Request, c store.Conversation) error {
	if s.record.script == nil {
		return errNotBuilt
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.writeRecord(r.Context(), w, language(r), c)
}

func (s *server) exportConversation(w http.ResponseWriter, r *http.Request, owner string) error {
	c, err := s.Store.Conversation(r.Context(), owner, r.PathValue("conversation"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", `attachment; filename="conversation.html"`)
	return s.sendRecord(w, r, c)
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

// showShared shows the record of a shared conversation to everybody who has the link.
func (s *server) showShared(w http.ResponseWriter, r *http.Request) {
	if err := s.sendShared(w, r); err != nil {
		s.sendError(w, r, err)
	}
}

func (s *server) sendShared(w http.ResponseWriter, r *http.Request) error {
	if err := s.Quota.Request(strangers); err != nil {
		return err
	}
	done, err := s.Quota.Stream(strangers)
	if err != nil {
		return err
	}
	defer done()
	if !s.Share {
		return store.ErrNotFound
	}
	c, err := s.Store.SharedConversation(r.Context(), r.PathValue("token"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", s.record.policy+"; frame-ancestors 'none'")
	w.Header().Set("X-Robots-Tag", "noindex")
	return s.sendRecord(w, r, c)
}
