package web

// A table as a file: what the reader filtered and sorted, under a name that says what it holds.

import (
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode"

	"github.com/diptych-mcp/diptych/gateway/chat"
	"github.com/diptych-mcp/diptych/gateway/store"
)

// A tableFile is a table on its way into a file.
type tableFile struct {
	table          // what is selected
	title   string // of the call that gave it
	filter  string // what was typed to select rows
	sources []chat.Source
	run     store.Run
}

// tableFile reads the table that the path names, and what belongs to it in a file.
func (s *server) tableFile(r *http.Request, owner string) (tableFile, error) {
	sel, err := readSelection(r.URL.Query())
	if err != nil {
		return tableFile{}, err
	}
	file := tableFile{filter: sel.filter[0]}
	var call string
	err = s.table(r, owner, func(run store.Run, drawn *chat.Table, t table) error {
		file.run, file.table, call = run, t.selected(sel), drawn.Call
		return nil
	})
	if err != nil {
		return tableFile{}, err
	}
	// A source that an earlier call gave is not given again by a later one, so the file has those of the whole answer.
	for e, err := range store.AllEvents(r.Context(), s.Store, owner, file.run.ID) {
		if err != nil {
			return tableFile{}, err
		}
		if e.Type != (*chat.ToolCall)(nil).Type() && e.Type != (*chat.Sources)(nil).Type() {
			continue
		}
		event, err := chat.Decode(e)
		if err != nil {
			continue // a newer gateway may have written it
		}
		switch event := event.(type) {
		case *chat.ToolCall:
			if event.ID == call {
				file.title = event.Title
			}
		case *chat.Sources:
			file.sources = append(file.sources, event.Sources...)
		}
	}
	return file, nil
}

// name is the title of the call and the filter, as a name of a file.
func (f tableFile) name(extension string) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range f.title + " " + f.filter {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '-' && r != '_' {
			space = n > 0
			continue
		}
		if n++; n > maxFileName {
			break
		}
		if space {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	if n == 0 {
		b.WriteString("table")
	}
	return b.String() + extension
}

func (f tableFile) send(w http.ResponseWriter, kind, extension string, write func(io.Writer) error) error {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.name(extension)}))
	return write(w)
}

func (s *server) sendCSV(w http.ResponseWriter, r *http.Request, owner string) error {
	f, err := s.tableFile(r, owner)
	if err != nil {
		return err
	}
	return f.send(w, "text/csv; charset=utf-8", ".csv", func(w io.Writer) error {
		text := f.exactCSV
		if r.URL.Query().Has("spreadsheet") {
			text = f.spreadsheetCSV
		}
		_, err := io.WriteString(w, text())
		return err
	})
}

func (s *server) sendWorkbook(w http.ResponseWriter, r *http.Request, owner string) error {
	f, err := s.tableFile(r, owner)
	if err != nil {
		return err
	}
	return f.send(w, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx", f.writeWorkbook)
}
