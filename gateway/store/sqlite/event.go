package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/diptych-mcp/diptych/gateway/store"
)

// AppendEvents implements [store.Store]. The time of an event is now, whatever it came with.
func (s *Store) AppendEvents(ctx context.Context, id string, events ...store.Event) ([]store.Event, error) {
	if len(events) == 0 {
		return nil, nil
	}
	appended := make([]store.Event, len(events))
	change := s.change
	if events[len(events)-1].Type == store.EventDone { // a run that ends makes room for another, and is waited for
		change = s.urgent
	}
	err := change(ctx, func(tx *sql.Tx) error {
		var number, last, size int64
		var ended sql.NullInt64
		err := missing(tx.Stmt(s.last).QueryRow(id).Scan(&number, &last, &ended))
		if err != nil {
			return err
		}
		insert := tx.Stmt(s.insert)
		now := time.Now()
		for i, e := range events {
			if ended.Valid {
				return store.ErrFinished
			}
			last++
			e.Seq, e.Time = last, now.UTC().Round(0)
			if _, err := insert.Exec(number, e.Seq, e.Type, now.UnixNano(), string(e.Data)); err != nil {
				return err
			}
			size += int64(len(e.Data))
			if e.Type == store.EventDone {
				ended = sql.NullInt64{Int64: now.UnixNano(), Valid: true}
			}
			appended[i] = e
		}
		_, err = tx.Stmt(s.count).Exec(last, ended, size, number)
		return err
	})
	if err != nil {
		return nil, err
	}
	return appended, nil
}

// Events implements [store.Store].
func (s *Store) Events(ctx context.Context, id string, after int64, limit int) ([]store.Event, error) {
	rows, err := s.events.QueryContext(ctx, id, after, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []store.Event
	for size := 0; size < store.PageBytes && rows.Next(); {
		var e store.Event
		var at sql.NullInt64
		var data string
		if err := rows.Scan(&e.Seq, &e.Type, &at, &data); err != nil {
			return nil, err
		}
		e.Time, e.Data = moment(at), json.RawMessage(data)
		found = append(found, e)
		size += len(data)
	}
	return found, rows.Err()
}

// SaveResult implements [store.Store].
func (s *Store) SaveResult(ctx context.Context, id, call string, r store.Result) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		size := len(r.Arguments) + len(r.Content) + len(r.Structured)
		if err := one(tx.Exec(`UPDATE runs SET bytes = bytes + ? WHERE id = ?`, size, id)); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO results (call, run, tool, arguments, content, structured, is_error, verified, note)
			SELECT ?, number, ?, ?, ?, ?, ?, ?, ? FROM runs WHERE id = ?`,
			call, r.Tool, blob(r.Arguments), blob(r.Content), blob(r.Structured), r.IsError, r.Verified, r.Note, id)
		return err
	})
}

// blob keeps the difference between nothing and empty.
func blob(raw json.RawMessage) any {
	if raw == nil {
		return nil
	}
	return []byte(raw)
}

// Result implements [store.Store].
func (s *Store) Result(ctx context.Context, owner, call string) (store.Result, error) {
	var r store.Result
	var arguments, content, structured []byte
	err := s.read.QueryRowContext(ctx, `SELECT t.tool, t.arguments, t.content, t.structured, t.is_error, t.verified, t.note
		FROM results t JOIN runs r ON r.number = t.run JOIN conversations c ON c.id = r.conversation WHERE t.call = ? AND c.owner = ?`, call, owner).
		Scan(&r.Tool, &arguments, &content, &structured, &r.IsError, &r.Verified, &r.Note)
	r.Arguments, r.Content, r.Structured = arguments, content, structured
	return r, missing(err)
}
