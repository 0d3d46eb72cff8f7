package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBatch makes changes together, of which one fails, one panics and one is given up: the others are made, and only they.
func TestBatch(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	begun, goOn := make(chan struct{}), make(chan struct{})
	blocked := make(chan error, 1)
	go func() {
		blocked <- s.change(t.Context(), func(*sql.Tx) error { close(begun); <-goOn; return nil })
	}()
	<-begun
	insert := func(id string, then func() error) func(*sql.Tx) error {
		return func(tx *sql.Tx) error {
			if _, err := tx.Exec(`INSERT INTO days (owner, day, runs) VALUES (?, 1, 1)`, id); err != nil {
				return err
			}
			return then()
		}
	}
	fine := func() error { return nil }
	broken := errors.New("broken")
	left, cancel := context.WithCancel(t.Context())
	ends := map[string]chan error{}
	for id, do := range map[string]func() error{"a": fine, "b": func() error { return broken }, "c": func() error { panic("secret") }, "d": fine, "e": fine} {
		ctx := t.Context()
		if id == "d" {
			ctx = left
		}
		end := make(chan error, 1)
		ends[id] = end
		go func() { end <- s.change(ctx, insert(id, do)) }()
	}
	for len(s.jobs) < 5 { // all wait for the first
	}
	cancel()
	errs := map[string]error{"d": <-ends["d"]}
	close(goOn)
	for _, id := range []string{"a", "b", "c", "e"} {
		errs[id] = <-ends[id]
	}
	if err := <-blocked; err != nil || errs["a"] != nil || errs["b"] != broken || errs["c"] == nil || strings.Contains(errs["c"].Error(), "secret") || errs["d"] != context.Canceled || errs["e"] != nil {
		t.Errorf("%v, %v", err, errs)
	}
	var made string
	if err := s.read.QueryRow(`SELECT group_concat(owner, '' ORDER BY owner) FROM days`).Scan(&made); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("ae", made); diff != "" {
		t.Errorf("made (-want +got):\n%s", diff)
	}
	s.Close()
	if err := s.change(t.Context(), insert("f", fine)); err == nil {
		t.Error("a closed store takes changes")
	}
}
