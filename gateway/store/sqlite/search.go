package sqlite

// Searching. A run that has ended is put into an index, one at a time, after the writer's other work; those that go on are
// read as they are.

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/gateway/store"
)

// unindexed finds text in what is not in the index yet. Names of fields are not found: the text of an event is what its JSON
// strings hold.
const unindexed = `id IN (SELECT r.conversation FROM runs r WHERE r.indexed = 0 AND (
	EXISTS (SELECT 1 FROM json_tree(r.input) t WHERE t.type = 'text' AND t.atom LIKE ?1 ESCAPE '\')
	OR EXISTS (SELECT 1 FROM events e, json_tree(e.data) t WHERE e.run = r.number AND t.type = 'text' AND t.atom LIKE ?1 ESCAPE '\')))`

// everything finds text in all runs, for what is too short for the index.
var everything = strings.Replace(unindexed, "r.indexed = 0 AND", "r.conversation = conversations.id AND", 1)

// found is the condition for conversations that have a text, and its arguments, numbered from 1.
func found(query string) (where string, args []any) {
	like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(query) + "%"
	if utf8.RuneCountInString(query) < minIndexed {
		return `(title LIKE ?1 ESCAPE '\' OR ` + everything + `)`, []any{like}
	}
	return `(title LIKE ?1 ESCAPE '\' OR ` + unindexed + `
		OR id IN (SELECT r.conversation FROM texts JOIN runs r ON r.number = texts.rowid WHERE texts MATCH ?2))`,
		[]any{like, `"` + strings.ReplaceAll(query, `"`, `""`) + `"`}
}

// index puts runs that have ended into the index until ctx ends.
func (s *Store) index(ctx context.Context) {
	defer close(s.indexed)
	for {
		wait := indexInterval
		if n, err := s.indexSome(ctx); err != nil {
			wait = indexRetry // a full disk, perhaps: a search reads what is not in the index
		} else if n > 0 {
			wait = 0
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

func (s *Store) indexSome(ctx context.Context) (n int, _ error) {
	rows, err := s.search.QueryContext(ctx, `SELECT number, id, input FROM runs WHERE indexed = 0 AND ended IS NOT NULL ORDER BY number LIMIT ?`, indexBatch)
	if err != nil {
		return 0, err
	}
	type run struct {
		number    int64
		id, input string
	}
	var ended []run
	for rows.Next() {
		var r run
		if err := rows.Scan(&r.number, &r.id, &r.input); err != nil {
			rows.Close()
			return 0, err
		}
		ended = append(ended, r)
	}
	if err := rows.Close(); err != nil {
		return 0, err
	}
	for _, r := range ended {
		text, err := s.textOf(ctx, r.id, r.input)
		if err != nil {
			return n, err
		}
		err = s.change(ctx, func(tx *sql.Tx) error {
			err := one(tx.Exec(`UPDATE runs SET indexed = 1 WHERE number = ? AND indexed = 0`, r.number))
			if err == store.ErrNotFound { // deleted meanwhile
				return nil
			}
			if err == nil {
				_, err = tx.Exec(`INSERT INTO texts (rowid, text) VALUES (?, ?)`, r.number, text)
			}
			return err
		})
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// textOf is all text of a run: of the pieces of an answer, those that no later event has whole.
func (s *Store) textOf(ctx context.Context, id, input string) (string, error) {
	var b strings.Builder
	add := func(raw []byte) {
		for _, text := range stringsIn(raw) {
			if b.Len()+len(text) < maxIndexed {
				b.WriteString(text + "\n")
			}
		}
	}
	add([]byte(input))
	pieces := map[int][]byte{} // by turn
	for after := int64(0); ; {
		events, err := s.Events(ctx, id, after, 256)
		if err != nil {
			return "", err
		}
		for _, e := range events {
			after = e.Seq
			var piece struct {
				Turn  int
				Text  string
				Final bool
			}
			if e.Type != "text" || json.Unmarshal(e.Data, &piece) != nil || piece.Text == "" {
				add(e.Data)
				continue
			}
			if piece.Final {
				delete(pieces, piece.Turn)
				b.WriteString(piece.Text[:min(len(piece.Text), max(0, maxIndexed-b.Len()))] + "\n")
			} else if len(pieces[piece.Turn]) < maxIndexed {
				pieces[piece.Turn] = append(pieces[piece.Turn], piece.Text...)
			}
		}
		if len(events) == 0 {
			break
		}
	}
	for _, text := range pieces {
		b.Write(append(text, '\n'))
	}
	return strings.ToValidUTF8(b.String(), ""), nil
}

// stringsIn are the strings of a JSON document but for the names of members.
func stringsIn(raw []byte) (out []string) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(v)
	return out
}
