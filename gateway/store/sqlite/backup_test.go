package sqlite

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A backup of a database in use has everything that was acknowledged, and its owner alone can read it.
func TestBackup(t *testing.T) {
	s := openTest(t)
	c, err := s.CreateConversation(t.Context(), "ann", "kept")
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.StartRun(t.Context(), "ann", c.ID, json.RawMessage(`{"text":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "copy 'a'.db")
	if err := Backup(t.Context(), s.file, to); err != nil {
		t.Fatal(err)
	}
	about, err := os.Stat(to)
	if err != nil || runtime.GOOS != "windows" && about.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", about.Mode(), err)
	}
	if err := Backup(t.Context(), s.file, to); err == nil {
		t.Error("a backup was written over")
	}
	if _, err := s.CreateConversation(t.Context(), "ann", "later"); err != nil {
		t.Fatal(err)
	}
	restored, err := Open(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	if got, err := restored.Run(t.Context(), "ann", run.ID); err != nil || string(got.Input) != `{"text":"x"}` {
		t.Errorf("%+v, %v", got, err)
	}
	if list, err := restored.Conversations(t.Context(), "ann", "", 0, 10); err != nil || len(list) != 1 {
		t.Errorf("%d conversations, %v", len(list), err)
	}
	missing := filepath.Join(t.TempDir(), "none.db")
	if err := Backup(t.Context(), missing, filepath.Join(t.TempDir(), "b.db")); err == nil {
		t.Error("a backup of nothing was made")
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("the database was made")
	}
}
