package sqlite

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/gateway/store"
)

func openTest(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// On a full disk nothing is added, and the error says why; conversations can be deleted, and there is room again.
func TestFullDisk(t *testing.T) {
	s := openTest(t)
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	var ids []string
	large := json.RawMessage(`"` + strings.Repeat("x", 100_000) + `"`)
	if _, err := s.write.Exec(`PRAGMA max_page_count = 400`); err != nil {
		t.Fatal(err)
	}
	err := error(nil)
	for len(ids) < 100 && err == nil {
		var c store.Conversation
		if c, err = s.CreateConversation(t.Context(), "ann", ""); err == nil {
			ids = append(ids, c.ID)
			_, err = s.StartRun(t.Context(), "ann", c.ID, large)
		}
	}
	if !errors.Is(err, store.ErrFull) {
		t.Fatalf("after %d conversations: %v", len(ids), err)
	}
	if err := s.Ready(t.Context()); !errors.Is(err, store.ErrFull) {
		t.Errorf("ready on a full disk: %v", err)
	}
	if _, err := os.Stat(s.reserveFile()); err != nil {
		t.Errorf("the reserve was given for what is not urgent: %v", err)
	}
	for _, id := range ids {
		if err := s.DeleteConversation(t.Context(), "ann", id); err != nil {
			t.Errorf("deleting: %v", err)
		}
	}
	if c, err := s.CreateConversation(t.Context(), "ann", ""); err != nil {
		t.Error(err)
	} else if _, err := s.StartRun(t.Context(), "ann", c.ID, large); err != nil {
		t.Error(err)
	}
	if err := s.Ready(t.Context()); err != nil {
		t.Errorf("there is room again: %v", err)
	}
}

// A file that is put in the place of the database, by name or over its content, is noticed, and no run starts in it.
func TestExchangedDatabase(t *testing.T) {
	for name, exchange := range map[string]func(file, other string) error{
		"moved there": func(file, other string) error { return os.Rename(other, file) },
		"copied over it": func(file, other string) error {
			from, err := os.ReadFile(other)
			if err != nil {
				return err
			}
			to, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
			if err != nil {
				return err
			}
			_, err = io.Copy(to, bytes.NewReader(from))
			return errors.Join(err, to.Close())
		},
		"removed": func(file, _ string) error { return os.Remove(file) },
	} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			c, err := s.CreateConversation(t.Context(), "ann", "")
			if err != nil {
				t.Fatal(err)
			}
			other := filepath.Join(t.TempDir(), "backup.db")
			if _, err := s.write.Exec(`VACUUM INTO ?`, other); err != nil {
				t.Fatal(err)
			}
			restarted, err := Open(t.Context(), other)
			if err != nil {
				t.Fatal(err)
			}
			restarted.Close()
			if err := s.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := exchange(s.file, other); err != nil {
				t.Fatal(err)
			}
			if err := s.Ready(t.Context()); !errors.Is(err, store.ErrExchanged) {
				t.Errorf("ready: %v", err)
			}
			if _, err := s.StartRun(t.Context(), "ann", c.ID, json.RawMessage(`{}`)); !errors.Is(err, store.ErrExchanged) {
				t.Errorf("a run starts: %v", err)
			}
		})
	}
}

// A damaged database is not served.
func TestDamagedDatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.db")
	s, err := Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if _, err := s.CreateConversation(t.Context(), "ann", strings.Repeat("x", 1000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096 * 3; i < len(raw); i += 512 {
		copy(raw[i:], "damaged damaged damaged")
	}
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(t.Context(), file); err == nil {
		s.Close()
		t.Error("it was opened")
	}
}

// The limit of a day is neither freed nor used up by a clock that is set forward and back.
func TestClockSetForwardAndBack(t *testing.T) {
	s := openTest(t)
	c, err := s.CreateConversation(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	today := time.Now().UTC().Truncate(24 * time.Hour)
	start := func(at time.Time, n int) {
		t.Helper()
		s.now = func() time.Time { return at.Add(time.Hour) }
		for range n {
			if _, err := s.StartRun(t.Context(), "ann", c.ID, json.RawMessage(`{}`)); err != nil {
				t.Fatal(err)
			}
		}
	}
	runs := func(want int) {
		t.Helper()
		if u, err := s.Usage(t.Context(), "ann", today); err != nil || u.Runs != want {
			t.Errorf("%d runs today, want %d; %v", u.Runs, want, err)
		}
	}
	start(today, 3)
	start(today.AddDate(0, 0, 5), 4)
	start(today, 1)
	runs(4)
}

// A log that grew while readers held it up is cut afterwards.
func TestLogIsBounded(t *testing.T) {
	s := openTest(t)
	c, err := s.CreateConversation(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.read.Query(`SELECT id FROM conversations`)
	if err != nil {
		t.Fatal(err)
	}
	rows.Next() // a reader that stays
	large := json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)
	for range 24 {
		if _, err := s.StartRun(t.Context(), "ann", c.ID, large); err != nil {
			t.Fatal(err)
		}
	}
	size := func() int64 {
		about, err := os.Stat(s.file + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return about.Size()
	}
	if size() <= walBytes {
		t.Fatalf("the log has %d bytes: nothing held it up", size())
	}
	rows.Close()
	if _, err := s.StartRun(t.Context(), "ann", c.ID, json.RawMessage(`{}`)); err != nil {
		t.Fatal(err)
	}
	if size() > walBytes {
		t.Errorf("the log has %d bytes", size())
	}
}

// Searches that take all their connections leave those of the others.
func TestSearchesHaveTheirOwnConnections(t *testing.T) {
	s := openTest(t)
	for range maxSearches {
		rows, err := s.search.QueryContext(t.Context(), `SELECT 1`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
	}
	if _, err := s.Conversations(t.Context(), "ann", "", 0, 10); err != nil {
		t.Error(err)
	}
	if got, err := s.Conversations(t.Context(), "ann", "\x00", 0, 10); err != nil || len(got) != 0 {
		t.Errorf("a search for what no text has: %v, %v", got, err)
	}
}
