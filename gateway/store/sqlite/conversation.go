package sqlite

import (
	"context"
	"database/sql"
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

// Conversations implements [store.Store]. Only letters of ASCII are found in either case. Names of fields are not found:
// the text of an event is what its JSON strings hold.
func (s *Store) Conversations(ctx context.Context, owner, query string, offset, limit int) ([]store.Conversation, error) {
	if strings.ContainsRune(query, 0) { // ends a pattern of SQLite's, which then finds everything; no text has it
		return nil, nil
	}
	text := conversation + `WHERE owner = ? `
	args := []any{owner}
	if query != "" {
		like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(query) + "%"
		text += `AND (title LIKE ? ESCAPE '\'
			OR EXISTS (SELECT 1 FROM runs r, json_tree(r.input) t
				WHERE r.conversation = conversations.id AND t.type = 'text' AND t.atom LIKE ? ESCAPE '\')
			OR EXISTS (SELECT 1 FROM runs r JOIN events e ON e.run = r.number, json_tree(e.data) t
				WHERE r.conversation = conversations.id AND t.type = 'text' AND t.atom LIKE ? ESCAPE '\')) `
		args = append(args, like, like, like)
	}
	db := s.read
	if query != "" {
		db = s.search
	}
	rows, err := db.QueryContext(ctx, text+`ORDER BY updated DESC, id LIMIT ? OFFSET ?`, append(args, limit, offset)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []store.Conversation
	for rows.Next() {
		c, err := scanConversation(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, c)
	}
	return found, rows.Err()
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
