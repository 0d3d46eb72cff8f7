package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/store"
	"github.com/diptych-mcp/diptych/gateway/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m, opened)) }

func opened(ctx context.Context, place string) (store.Store, error) {
	s, err := Open(ctx, place)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func TestContract(t *testing.T) {
	storetest.Run(t, opened, func(t *testing.T) string { return filepath.Join(t.TempDir(), "a %?#file.db") })
}

func TestOpenRefuses(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "garbage.db")
	if err := os.WriteFile(garbage, make([]byte, 10_000), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{garbage, filepath.Join(t.TempDir(), "no", "folder", "x.db")} {
		if s, err := Open(t.Context(), file); err == nil {
			t.Errorf("%s was opened", file)
			s.Close()
		}
	}
}

// TestOpenRefusesNewer opens what a newer gateway wrote: an older one would lose what it does not know.
func TestOpenRefusesNewer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.db")
	s, err := Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(t.Context(), file); err == nil {
		s.Close()
		t.Fatal("it was opened")
	}
	if !strings.Contains(err.Error(), "newer gateway") {
		t.Error(err)
	}
}

// TestPrivate tests that only their owner can read the conversations, in a folder that others may enter too.
func TestPrivate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.db")
	s, err := Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.CreateConversation(t.Context(), "ann", ""); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, file + "-wal", file + "-shm"} {
		about, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if others := about.Mode().Perm() & 0o077; runtime.GOOS != "windows" && others != 0 {
			t.Errorf("%s: %v", filepath.Base(name), about.Mode())
		}
	}
}
