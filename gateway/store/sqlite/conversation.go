package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/diptych-mcp/diptych/gateway/store"
)

const conversation = `SELECT id, owner, title, coalesce(share, ''), created, updated FROM conversations `

func scanConversation(row scanner) (store.Conversation, error) {
	var c store.Conversation
	var created, updated sql.NullInt64
	err := row.Scan(&c.ID, &c.Owner, &c.Title, &c.ShareToken, &created, &updated)
	c.Created, c.Updated = moment(created), moment(updated)
	return c, missing(err)
}

// CreateConversation implements [store.Store].
func (s *Store) CreateConversation(ctx context.Context, owner, title string) (store.Conversation, error) {
	now := time.Now()
	c := store.Conversation{ID: newID(), Owner: owner, Title: title, Created: now.UTC().Round(0), Updated: now.UTC().Round(0)}
	return c, s.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO conversations (id, owner, title, created, updated) VALUES (?, ?, ?, ?, ?)`,
			c.ID, owner, title, now.UnixNano(), now.UnixNano())
		return err
	})
}

// Conversation implements [store.Store].
func (s *Store) Conversation(ctx context.Context, owner, id string) (store.Conversation, error) {
	return scanConversation(s.read.QueryRowContext(ctx, conversation+`WHERE id = ? AND owner = ?`, id, owner))
}

// SharedConversation implements [store.Store].
func (s *Store) SharedConversation(ctx context.Context, token string) (store.Conversation, error) {
	if token == "" {
		return store.Conversation{}, store.ErrNotFound
	}
	return scanConversation(s.read.QueryRowContext(ctx, conversation+`WHERE share = ?`, token))
}

// Conversations implements [store.Store].
func (s *Store) Conversations(ctx context.Context, owner, query string, offset, limit int) ([]store.Conversation, error) {
	if strings.ContainsRune(query, 0) { // ends a pattern of SQLite's, which then finds everything; no text has it
		return nil, nil
	}
	text := conversation + `WHERE `
	var args []any
	if query != "" {
		var where string
		where, args = found(query)
		text += where + ` AND `
	}
	n := len(args)
	text += fmt.Sprintf(`owner = ?%d ORDER BY updated DESC, id LIMIT ?%d OFFSET ?%d`, n+1, n+2, n+3)
	db := s.read
	if query != "" {
		db = s.search
	}
	rows, err := db.QueryContext(ctx, text, append(args, owner, limit, offset)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []store.Conversation
	for rows.Next() {
		c, err := scanConversation(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, rows.Err()
}

// RenameConversation implements [store.Store].
func (s *Store) RenameConversation(ctx context.Context, owner, id, title string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		return one(tx.Exec(`UPDATE conversations SET title = ? WHERE id = ? AND owner = ?`, title, id, owner))
	})
}

// DeleteConversation implements [store.Store].
func (s *Store) DeleteConversation(ctx context.Context, owner, id string) error {
	return s.urgent(ctx, func(tx *sql.Tx) error {
		return one(tx.Exec(`DELETE FROM conversations WHERE id = ? AND owner = ?`, id, owner))
	})
}

// ShareConversation implements [store.Store]. Sharing again keeps the token.
func (s *Store) ShareConversation(ctx context.Context, owner, id string, share bool) (string, error) {
	var fresh any
	if share {
		fresh = newID()
	}
	var token string
	err := s.change(ctx, func(tx *sql.Tx) error {
		return missing(tx.QueryRow(`UPDATE conversations SET share = CASE WHEN ?1 IS NULL THEN NULL ELSE coalesce(share, ?1) END
			WHERE id = ?2 AND owner = ?3 RETURNING coalesce(share, '')`, fresh, id, owner).Scan(&token))
	})
	return token, err
}
