//go:build unix

package sqlite

import (
	"os"
	"path/filepath"
	"testing"
)

// modes tells who may use a database and what is beside it.
func modes(t *testing.T, file string) (found map[string]os.FileMode) {
	t.Helper()
	found = make(map[string]os.FileMode)
	for _, beside := range []string{"", "-wal", "-shm"} {
		about, err := os.Stat(file + beside)
		if err != nil {
			t.Fatal(err)
		}
		found[beside] = about.Mode().Perm()
	}
	return found
}

// TestOpenTakesFromOthers opens what others may read: a database that was copied, and what a gateway that broke off left
// beside it; by its name and by a link to it.
func TestOpenTakesFromOthers(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "x.db")
	running, err := Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	if _, err := running.CreateConversation(t.Context(), "ann", "kept"); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, link} {
		for beside := range modes(t, file) {
			if err := os.Chmod(file+beside, 0o664); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		for beside, mode := range modes(t, file) {
			if mode != 0o600 {
				t.Errorf("%s%s: %v", filepath.Base(name), beside, mode)
			}
		}
		if kept, err := s.Conversations(t.Context(), "ann", "", 0, 2); err != nil || len(kept) != 1 {
			t.Errorf("%+v, %v", kept, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
