package storetest

// A writer in a process of its own, killed without warning. The writer says each number that the store acknowledged; what
// it said must be there afterwards, once.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/gateway/store"
)

const variable = "DIPTYCH_STORETEST_WRITER"

// Main is what an implementation's TestMain returns through: where the process is the writer of a crash test it writes
// until it is killed, and else it runs the tests.
func Main(m *testing.M, open Open) int {
	place, run, ok := strings.Cut(os.Getenv(variable), "\n")
	if !ok {
		return m.Run()
	}
	fmt.Fprintln(os.Stderr, write(open, place, run))
	return 1
}

// write appends two events at a time and prints their numbers, until it fails.
func write(open Open, place, run string) error {
	ctx := context.Background()
	s, err := open(ctx, place)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		data, err := json.Marshal(fmt.Sprintf("%d of %d", i, os.Getpid()))
		if err != nil {
			return err
		}
		events, err := s.AppendEvents(ctx, run, store.Event{Type: "first", Data: data}, store.Event{Type: "second", Data: data})
		if err != nil {
			return err
		}
		fmt.Printf("%d %s\n%d %s\n", events[0].Seq, data, events[1].Seq, data)
	}
}

func crash(t *testing.T, open Open, place string) {
	ctx := t.Context()
	s := must[store.Store](t)(open(ctx, place))
	r := opened(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	said := make(map[string]bool)
	for round := range 8 {
		writer := exec.CommandContext(ctx, os.Args[0])
		writer.Env = append(os.Environ(), variable+"="+place+"\n"+r.ID)
		writer.Stderr = os.Stderr
		out := must[interface{ Read([]byte) (int, error) }](t)(writer.StdoutPipe())
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			if n == 3+11*round { // in the middle of what it does next
				if err := writer.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
			said[lines.Text()] = true
		}
		if err := writer.Wait(); err == nil || writer.ProcessState.ExitCode() != -1 {
			t.Fatalf("the writer ended by itself: %v", err)
		}
	}
	if len(said) < 8*3 {
		t.Fatalf("only %d events were acknowledged", len(said))
	}
	s = must[store.Store](t)(open(ctx, place))
	defer s.Close()
	events := All(t, store.AllEvents(ctx, s, r.Owner, r.ID))
	kept := make(map[string]bool)
	for i, e := range events {
		if e.Seq != int64(i)+1 {
			t.Fatalf("event %d has number %d", i, e.Seq)
		}
		if key := e.Type + string(e.Data); kept[key] {
			t.Errorf("%s is there twice", key)
		} else {
			kept[key] = true
		}
		delete(said, fmt.Sprintf("%d %s", e.Seq, e.Data))
	}
	if len(events)%2 != 0 {
		t.Error("half of a call is there")
	}
	for lost := range said {
		t.Errorf("acknowledged and lost: %s", lost)
	}
	if got := must[[]store.Event](t)(s.AppendEvents(ctx, r.ID, store.Event{Type: store.EventDone, Data: json.RawMessage(`{}`)})); got[0].Seq != int64(len(events))+1 {
		t.Errorf("the next number is %d behind %d", got[0].Seq, len(events))
	}
}
