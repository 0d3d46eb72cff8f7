package sqlite

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A start of a run forgets the days that no limit looks at, everybody's, and no other; one that fails forgets nothing.
func TestOldDaysAreForgotten(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	talk, err := s.CreateConversation(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	today := day(time.Now())
	for _, owner := range []string{"ann", "ben"} {
		for _, ago := range []int64{400, keptDays + 1, keptDays, 1, 0} {
			if _, err := s.write.Exec(`INSERT INTO days (owner, day, runs) VALUES (?, ?, 7)`, owner, today-ago); err != nil {
				t.Fatal(err)
			}
		}
	}
	days := func() (found []string) {
		rows, err := s.read.Query(`SELECT owner, ? - day, runs FROM days ORDER BY owner, day`, today)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var owner string
			var ago, runs int
			if err := rows.Scan(&owner, &ago, &runs); err != nil {
				t.Fatal(err)
			}
			found = append(found, fmt.Sprint(owner, " ", ago, " ", runs))
		}
		return found
	}
	if _, err := s.StartRun(t.Context(), "ben", talk.ID, json.RawMessage(`1`)); err == nil || len(days()) != 10 {
		t.Errorf("a start that failed: %v, %q", err, days())
	}
	if _, err := s.StartRun(t.Context(), "ann", talk.ID, json.RawMessage(`1`)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"ann 40 7", "ann 1 7", "ann 0 8", "ben 40 7", "ben 1 7", "ben 0 7"}, days()); diff != "" {
		t.Errorf("owner, days ago, runs (-want +got):\n%s", diff)
	}
	if u, err := s.Usage(t.Context(), "ann", time.Now()); err != nil || u.Runs != 8 {
		t.Errorf("today: %+v, %v", u, err)
	}
	var plan string
	if err := s.read.QueryRow(`EXPLAIN QUERY PLAN DELETE FROM days WHERE day < 1`).Scan(new(int), new(int), new(int), &plan); err != nil {
		t.Fatal(err)
	}
	if want := "SEARCH days USING INDEX days_day (day<?)"; plan != want {
		t.Errorf("what is forgotten is found by %q, want %q", plan, want)
	}
}
