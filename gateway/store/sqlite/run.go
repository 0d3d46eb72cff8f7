package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/diptych-mcp/diptych/gateway/store"
)

const run = `SELECT r.id, r.conversation, c.owner, r.input, r.started, r.ended FROM runs r JOIN conversations c ON c.id = r.conversation `

func scanRun(row scanner) (store.Run, error) {
	var r store.Run
	var input string
	var started, ended sql.NullInt64
	err := row.Scan(&r.ID, &r.Conversation, &r.Owner, &input, &started, &ended)
	r.Input, r.Started, r.Ended = json.RawMessage(input), moment(started), moment(ended)
	return r, missing(err)
}

// StartRun implements [store.Store].
func (s *Store) StartRun(ctx context.Context, owner, conversation string, input json.RawMessage) (store.Run, error) {
	now := time.Now()
	r := store.Run{ID: newID(), Conversation: conversation, Owner: owner, Input: input, Started: now.UTC().Round(0)}
	err := s.change(ctx, func(tx *sql.Tx) error {
		err := one(tx.ExecContext(ctx, `UPDATE conversations SET updated = ? WHERE id = ? AND owner = ?`, now.UnixNano(), conversation, owner))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO runs (id, conversation, input, started) VALUES (?, ?, ?, ?)`,
			r.ID, conversation, string(input), now.UnixNano())
		return err
	})
	return r, err
}

// Run implements [store.Store].
func (s *Store) Run(ctx context.Context, owner, id string) (store.Run, error) {
	return scanRun(s.read.QueryRowContext(ctx, run+`WHERE r.id = ? AND c.owner = ?`, id, owner))
}

// Runs implements [store.Store].
func (s *Store) Runs(ctx context.Context, owner, conversation string) ([]store.Run, error) {
	if _, err := s.Conversation(ctx, owner, conversation); err != nil {
		return nil, err
	}
	return s.runs(ctx, `WHERE r.conversation = ? ORDER BY r.number`, conversation)
}

// OpenRuns implements [store.Store].
func (s *Store) OpenRuns(ctx context.Context) ([]store.Run, error) {
	return s.runs(ctx, `WHERE r.ended IS NULL ORDER BY r.number`)
}

func (s *Store) runs(ctx context.Context, where string, args ...any) ([]store.Run, error) {
	rows, err := s.read.QueryContext(ctx, run+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []store.Run
	for rows.Next() {
		r, err := scanRun(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, r)
	}
	return found, rows.Err()
}
