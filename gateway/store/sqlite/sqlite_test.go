package sqlite

import (
	"context"
	"os"
	"path/filepath"
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
