package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"
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
	if err := s.exchanged(); err != nil {
		return store.Run{}, err
	}
	now := s.now()
	r := store.Run{ID: newID(), Conversation: conversation, Owner: owner, Input: input, Started: now.UTC().Round(0)}
	err := s.change(ctx, func(tx *sql.Tx) error {
		err := one(tx.Exec(`UPDATE conversations SET updated = ? WHERE id = ? AND owner = ?`, now.UnixNano(), conversation, owner))
		if err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO runs (id, conversation, input, started, bytes) VALUES (?, ?, ?, ?, ?)`,
			r.ID, conversation, string(input), now.UnixNano(), len(input))
		if err != nil {
			return err
		}
		if _, err = tx.Exec(`DELETE FROM days WHERE day < ?`, day(now)-keptDays); err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO days (owner, day, runs) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET runs = runs + 1`, owner, day(now))
		return err
	})
	return r, err
}

// day counts the days since 1970.
func day(t time.Time) int64 { return t.Unix() / int64(24*time.Hour/time.Second) }

// Usage implements [store.Store].
func (s *Store) Usage(ctx context.Context, owner string, since time.Time) (store.Usage, error) {
	var u store.Usage
	err := s.read.QueryRowContext(ctx, `SELECT coalesce(sum(conversations), 0), coalesce(sum(live), 0), coalesce(sum(bytes), 0),
		(SELECT coalesce(sum(runs), 0) FROM days WHERE owner = ?1 AND day BETWEEN ?2 AND ?3)
		FROM owners WHERE owner = ?1`, owner, day(since), day(s.now())).Scan(&u.Conversations, &u.Live, &u.Bytes, &u.Runs)
	return u, err
}

// Run implements [store.Store].
func (s *Store) Run(ctx context.Context, owner, id string) (store.Run, error) {
	return scanRun(s.read.QueryRowContext(ctx, run+`WHERE r.id = ? AND c.owner = ?`, id, owner))
}

// Runs implements [store.Store].
func (s *Store) Runs(ctx context.Context, owner, conversation, after string, limit int) ([]store.Run, error) {
	if _, err := s.Conversation(ctx, owner, conversation); err != nil {
		return nil, err
	}
	return s.runs(ctx, store.PageBytes, `WHERE r.conversation = ? AND r.number > coalesce((SELECT number FROM runs WHERE id = ?), 0)
		ORDER BY r.number LIMIT ?`, conversation, after, limit)
}

// OpenRuns implements [store.Store].
func (s *Store) OpenRuns(ctx context.Context) ([]store.Run, error) {
	return s.runs(ctx, math.MaxInt, `WHERE r.ended IS NULL ORDER BY r.number`)
}

// runs reads until the inputs reach enough bytes.
func (s *Store) runs(ctx context.Context, enough int, where string, args ...any) ([]store.Run, error) {
	rows, err := s.read.QueryContext(ctx, run+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []store.Run
	for size := 0; size < enough && rows.Next(); {
		r, err := scanRun(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, r)
		size += len(r.Input)
	}
	return found, rows.Err()
}
