// Package storetest is what every store must do. An implementation's own test calls [Run] and, in its TestMain, [Main].
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/gateway/store"
)

// An Open opens the store that place names, made where there is none. Opening a place again finds what was kept.
type Open func(ctx context.Context, place string) (store.Store, error)

// Run tests an implementation against the contract. Place returns a name that no other test has.
func Run(t *testing.T, open Open, place func(*testing.T) string) {
	for name, test := range map[string]func(*testing.T, store.Store){
		"conversations belong to their owner":          conversations,
		"runs belong to the owner of the conversation": runs,
		"search finds text in titles and events":       search,
		"sharing is a token that ends":                 sharing,
		"events are numbered from 1 without a gap":     numbering,
		"concurrent events are numbered without a gap": concurrent,
		"nothing comes after the end":                  finished,
		"all events of one call are stored or none":    together,
		"one read brings a bounded number of bytes":    pages,
		"results keep every byte":                      results,
		"deleting takes everything along":              deleting,
		"usage counts what an owner has":               usage,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := open(t.Context(), place(t))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			test(t, s)
		})
	}
	t.Run("what was acknowledged survives", func(t *testing.T) { t.Parallel(); reopened(t, open, place(t)) })
	t.Run("a killed process loses and doubles nothing", func(t *testing.T) { t.Parallel(); crash(t, open, place(t)) })
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func wantErr(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got error %v, want %v", what, err, want)
	}
}

func conversations(t *testing.T, s store.Store) {
	ctx := t.Context()
	mine := must[store.Conversation](t)(s.CreateConversation(ctx, "ann", "Fish & <chips>"))
	if mine.ID == "" || mine.Owner != "ann" || mine.Title != "Fish & <chips>" || mine.ShareToken != "" || mine.Created.IsZero() {
		t.Errorf("created %+v", mine)
	}
	same(t, "read back", must[store.Conversation](t)(s.Conversation(ctx, "ann", mine.ID)), mine)
	_, err := s.Conversation(ctx, "bob", mine.ID)
	wantErr(t, "another's conversation", err, store.ErrNotFound)
	wantErr(t, "renaming another's", s.RenameConversation(ctx, "bob", mine.ID, "x"), store.ErrNotFound)
	wantErr(t, "deleting another's", s.DeleteConversation(ctx, "bob", mine.ID), store.ErrNotFound)
	_, err = s.ShareConversation(ctx, "bob", mine.ID, true)
	wantErr(t, "sharing another's", err, store.ErrNotFound)
	wantErr(t, "renaming", s.RenameConversation(ctx, "ann", mine.ID, "Other"), nil)
	if got := must[store.Conversation](t)(s.Conversation(ctx, "ann", mine.ID)); got.Title != "Other" {
		t.Errorf("renamed to %q", got.Title)
	}
	second := must[store.Conversation](t)(s.CreateConversation(ctx, "ann", "second"))
	must[store.Conversation](t)(s.CreateConversation(ctx, "bob", "his"))
	list := func(offset, limit int) (ids []string) {
		for _, c := range must[[]store.Conversation](t)(s.Conversations(ctx, "ann", "", offset, limit)) {
			ids = append(ids, c.ID)
		}
		return ids
	}
	same(t, "newest first", list(0, 10), []string{second.ID, mine.ID})
	same(t, "one, from the second on", list(1, 1), []string{mine.ID})
	must[store.Run](t)(s.StartRun(ctx, "ann", mine.ID, json.RawMessage(`{}`)))
	same(t, "a run makes it the newest", list(0, 10), []string{mine.ID, second.ID})
}

func runs(t *testing.T, s store.Store) {
	ctx := t.Context()
	c := must[store.Conversation](t)(s.CreateConversation(ctx, "ann", ""))
	_, err := s.StartRun(ctx, "bob", c.ID, json.RawMessage(`{}`))
	wantErr(t, "a run in another's conversation", err, store.ErrNotFound)
	_, err = s.StartRun(ctx, "ann", "nowhere", json.RawMessage(`{}`))
	wantErr(t, "a run in no conversation", err, store.ErrNotFound)
	var started []store.Run
	for i := range 12 {
		input := json.RawMessage(fmt.Sprintf(`{"n":12345678901234567890,"i":%d}`, i))
		started = append(started, must[store.Run](t)(s.StartRun(ctx, "ann", c.ID, input)))
	}
	same(t, "runs in order", must[[]store.Run](t)(s.Runs(ctx, "ann", c.ID, "", 100)), started)
	same(t, "runs 4 to 6", must[[]store.Run](t)(s.Runs(ctx, "ann", c.ID, started[2].ID, 3)), started[3:6])
	same(t, "behind the last run", len(must[[]store.Run](t)(s.Runs(ctx, "ann", c.ID, started[11].ID, 3))), 0)
	same(t, "one run", must[store.Run](t)(s.Run(ctx, "ann", started[3].ID)), started[3])
	_, err = s.Run(ctx, "bob", started[3].ID)
	wantErr(t, "another's run", err, store.ErrNotFound)
	_, err = s.Runs(ctx, "bob", c.ID, "", 100)
	wantErr(t, "another's runs", err, store.ErrNotFound)
	must[[]store.Event](t)(s.AppendEvents(ctx, started[0].ID, store.Event{Type: store.EventDone, Data: json.RawMessage(`{}`)}))
	same(t, "open runs", must[[]store.Run](t)(s.OpenRuns(ctx)), started[1:])
	if r := must[store.Run](t)(s.Run(ctx, "ann", started[0].ID)); r.Ended.IsZero() {
		t.Error("an ended run has no end")
	}
}

func search(t *testing.T, s store.Store) {
	ctx := t.Context()
	byTitle := must[store.Conversation](t)(s.CreateConversation(ctx, "ann", "About 100% of Otters"))
	byEvent := must[store.Conversation](t)(s.CreateConversation(ctx, "ann", "other"))
	r := must[store.Run](t)(s.StartRun(ctx, "ann", byEvent.ID, json.RawMessage(`{"text":"a question of herons"}`)))
	must[[]store.Event](t)(s.AppendEvents(ctx, r.ID, store.Event{Type: "text", Data: json.RawMessage(`{"fieldname":"He said \"otters\" — 1,5 Straße"}`)}))
	must[store.Conversation](t)(s.CreateConversation(ctx, "bob", "otters"))
	for query, want := range map[string][]string{
		"OTTERS":         {byEvent.ID, byTitle.ID},
		`said "otters"`:  {byEvent.ID},
		"1,5 Straße":     {byEvent.ID},
		"of herons":      {byEvent.ID},
		"100%":           {byTitle.ID},
		"%":              {byTitle.ID},
		"100_":           nil,
		"fieldname":      nil,
		"' OR 1=1 --":    nil,
		"nothing of it ": nil,
		"\x00":           nil,
	} {
		var got []string
		for _, c := range must[[]store.Conversation](t)(s.Conversations(ctx, "ann", query, 0, 10)) {
			got = append(got, c.ID)
		}
		same(t, "search for "+query, got, want)
	}
}

func sharing(t *testing.T, s store.Store) {
	ctx := t.Context()
	c := must[store.Conversation](t)(s.CreateConversation(ctx, "ann", "open"))
	other := must[store.Conversation](t)(s.CreateConversation(ctx, "ann", "closed"))
	token := must[string](t)(s.ShareConversation(ctx, "ann", c.ID, true))
	if len(token) < 20 || token == c.ID {
		t.Errorf("token %q can be guessed", token)
	}
	if got := must[store.Conversation](t)(s.SharedConversation(ctx, token)); got.ID != c.ID || got.ShareToken != token {
		t.Errorf("shared %+v", got)
	}
	same(t, "shared again", must[string](t)(s.ShareConversation(ctx, "ann", c.ID, true)), token)
	same(t, "no longer shared", must[string](t)(s.ShareConversation(ctx, "ann", c.ID, false)), "")
	for _, token := range []string{token, "", other.ID, other.ShareToken} {
		_, err := s.SharedConversation(ctx, token)
		wantErr(t, "token "+token, err, store.ErrNotFound)
	}
	if again := must[string](t)(s.ShareConversation(ctx, "ann", c.ID, true)); again == token {
		t.Error("an old token works again")
	}
}

// opened returns a fresh run.
func opened(t *testing.T, s store.Store) store.Run {
	t.Helper()
	c := must[store.Conversation](t)(s.CreateConversation(t.Context(), "ann", ""))
	return must[store.Run](t)(s.StartRun(t.Context(), "ann", c.ID, json.RawMessage(`{}`)))
}

func numbering(t *testing.T, s store.Store) {
	ctx := t.Context()
	r := opened(t, s)
	var want []store.Event
	for i := range 30 {
		var batch []store.Event
		for j := range i % 4 {
			batch = append(batch, store.Event{Type: "text", Seq: 99, Data: json.RawMessage(fmt.Sprintf(`{"n":1.10,"i":%d,"j":%d,"s":"<é\u0000>"}`, i, j))})
		}
		want = append(want, must[[]store.Event](t)(s.AppendEvents(ctx, r.ID, batch...))...)
	}
	for i, e := range want {
		if e.Seq != int64(i)+1 || e.Time.IsZero() {
			t.Fatalf("event %d has number %d and time %v", i, e.Seq, e.Time)
		}
	}
	same(t, "events", must[[]store.Event](t)(s.Events(ctx, r.ID, 0, 1000)), want)
	same(t, "events 11 to 15", must[[]store.Event](t)(s.Events(ctx, r.ID, 10, 5)), want[10:15])
	if got := must[[]store.Event](t)(s.Events(ctx, r.ID, int64(len(want)), 5)); len(got) != 0 {
		t.Errorf("behind the last: %v", got)
	}
	_, err := s.AppendEvents(ctx, "nowhere", store.Event{Type: "text", Data: json.RawMessage(`{}`)})
	wantErr(t, "an event in no run", err, store.ErrNotFound)
}

func concurrent(t *testing.T, s store.Store) {
	ctx := t.Context()
	const writers, each = 8, 25
	rs := []store.Run{opened(t, s), opened(t, s)}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				data := json.RawMessage(fmt.Sprintf(`"%d.%d"`, w, i))
				got, err := s.AppendEvents(ctx, rs[w%2].ID, store.Event{Type: "a", Data: data}, store.Event{Type: "b", Data: data})
				if err != nil {
					t.Error(err)
					return
				}
				if got[1].Seq != got[0].Seq+1 {
					t.Errorf("one call got numbers %d and %d", got[0].Seq, got[1].Seq)
				}
			}
		})
	}
	wg.Wait()
	for _, r := range rs {
		events := All(t, store.AllEvents(ctx, s, "ann", r.ID))
		if len(events) != writers*each {
			t.Fatalf("%d events, want %d", len(events), writers*each)
		}
		for i, e := range events {
			if e.Seq != int64(i)+1 || i%2 == 1 && string(e.Data) != string(events[i-1].Data) {
				t.Fatalf("event %d: number %d, data %s behind %s", i, e.Seq, e.Data, events[max(i-1, 0)].Data)
			}
		}
	}
}

func finished(t *testing.T, s store.Store) {
	ctx := t.Context()
	r := opened(t, s)
	text, done := store.Event{Type: "text", Data: json.RawMessage(`{}`)}, store.Event{Type: store.EventDone, Data: json.RawMessage(`{}`)}
	must[[]store.Event](t)(s.AppendEvents(ctx, r.ID, text, done))
	for _, late := range []store.Event{text, done} {
		_, err := s.AppendEvents(ctx, r.ID, late)
		wantErr(t, "behind the end", err, store.ErrFinished)
	}
	if got := must[[]store.Event](t)(s.Events(ctx, r.ID, 0, 10)); len(got) != 2 {
		t.Errorf("%d events, want 2", len(got))
	}
}

func together(t *testing.T, s store.Store) {
	ctx := t.Context()
	r := opened(t, s)
	text, done := store.Event{Type: "text", Data: json.RawMessage(`{}`)}, store.Event{Type: store.EventDone, Data: json.RawMessage(`{}`)}
	_, err := s.AppendEvents(ctx, r.ID, text, done, text)
	wantErr(t, "an event behind the end in one call", err, store.ErrFinished)
	if got := must[[]store.Event](t)(s.Events(ctx, r.ID, 0, 10)); len(got) != 0 {
		t.Errorf("a part was stored: %v", got)
	}
	if got := must[store.Run](t)(s.Run(ctx, "ann", r.ID)); !got.Ended.IsZero() {
		t.Error("the run was ended by a call that failed")
	}
}

// all reads to the end.
func All[T any](t *testing.T, seq iter.Seq2[T, error]) (list []T) {
	t.Helper()
	for v, err := range seq {
		list = append(list, must[T](t)(v, err))
	}
	return list
}

// pages reads more than fits, of which one is larger than all that fits.
func pages(t *testing.T, s store.Store) {
	ctx := t.Context()
	c := must[store.Conversation](t)(s.CreateConversation(ctx, "ann", ""))
	const some = store.PageBytes/2 + 1
	var events []store.Event
	var runs []store.Run
	for _, size := range []int{some, some, some, 2 * store.PageBytes, 10, 10} {
		data := json.RawMessage(`"` + strings.Repeat("x", size-2) + `"`)
		runs = append(runs, must[store.Run](t)(s.StartRun(ctx, "ann", c.ID, data)))
		events = append(events, must[[]store.Event](t)(s.AppendEvents(ctx, runs[0].ID, store.Event{Type: "text", Data: data}))...)
	}
	for after, want := range map[int][]int{0: {0, 1}, 1: {1, 2}, 2: {2, 3}, 3: {3}, 4: {4, 5}, 6: nil} {
		var gotEvents, gotRuns []int
		for _, e := range must[[]store.Event](t)(s.Events(ctx, runs[0].ID, int64(after), 100)) {
			gotEvents = append(gotEvents, int(e.Seq)-1)
		}
		behind := ""
		if after > 0 {
			behind = runs[after-1].ID
		}
		for _, r := range must[[]store.Run](t)(s.Runs(ctx, "ann", c.ID, behind, 100)) {
			gotRuns = append(gotRuns, slices.IndexFunc(runs, func(one store.Run) bool { return one.ID == r.ID }))
		}
		if !slices.Equal(gotEvents, want) || !slices.Equal(gotRuns, want) {
			t.Errorf("behind %d: events %v and runs %v, want %v", after, gotEvents, gotRuns, want)
		}
	}
	if !reflect.DeepEqual(All(t, store.AllEvents(ctx, s, "ann", runs[0].ID)), events) || !reflect.DeepEqual(All(t, store.AllRuns(ctx, s, "ann", c.ID)), runs) {
		t.Error("page by page, not everything comes as it was stored")
	}
}

func results(t *testing.T, s store.Store) {
	ctx := t.Context()
	r := opened(t, s)
	full := store.Result{
		Tool: "a__b", Arguments: json.RawMessage(` {"x" : 1.0}`), Content: json.RawMessage(`[{"type":"text","text":"<\u0000é>"}]`),
		Structured: json.RawMessage("{\"b\":12345678901234567890,\n \"a\":1.10,\"a\":-0}"), IsError: true, Verified: true, Note: "ok",
	}
	empty := store.Result{Tool: "a__c", Content: json.RawMessage(`[]`)}
	wantErr(t, "saving", s.SaveResult(ctx, r.ID, "call-1", full), nil)
	wantErr(t, "saving nothing", s.SaveResult(ctx, r.ID, "call-2", empty), nil)
	wantErr(t, "saving in no run", s.SaveResult(ctx, "nowhere", "call-3", empty), store.ErrNotFound)
	if err := s.SaveResult(ctx, r.ID, "call-1", empty); err == nil {
		t.Error("a call was answered twice")
	}
	same(t, "result", must[store.Result](t)(s.Result(ctx, "ann", "call-1")), full)
	same(t, "result without structured content", must[store.Result](t)(s.Result(ctx, "ann", "call-2")), empty)
	_, err := s.Result(ctx, "bob", "call-1")
	wantErr(t, "another's result", err, store.ErrNotFound)
}

func deleting(t *testing.T, s store.Store) {
	ctx := t.Context()
	r := opened(t, s)
	must[[]store.Event](t)(s.AppendEvents(ctx, r.ID, store.Event{Type: "text", Data: json.RawMessage(`{}`)}))
	wantErr(t, "saving", s.SaveResult(ctx, r.ID, "call", store.Result{Tool: "a__b"}), nil)
	var err error
	for _, err = range store.AllEvents(ctx, s, "ann", r.ID) {
		if err == nil {
			wantErr(t, "deleting", s.DeleteConversation(ctx, "ann", r.Conversation), nil)
		}
	}
	wantErr(t, "the rest of its events", err, store.ErrNotFound)
	_, err = s.Run(ctx, "ann", r.ID)
	wantErr(t, "its run", err, store.ErrNotFound)
	_, err = s.Result(ctx, "ann", "call")
	wantErr(t, "its result", err, store.ErrNotFound)
	if got := must[[]store.Event](t)(s.Events(ctx, r.ID, 0, 10)); len(got) != 0 {
		t.Errorf("its events are left: %v", got)
	}
	if got := must[[]store.Run](t)(s.OpenRuns(ctx)); len(got) != 0 {
		t.Errorf("its run is open: %v", got)
	}
	_, err = s.AppendEvents(ctx, r.ID, store.Event{Type: "text", Data: json.RawMessage(`{}`)})
	wantErr(t, "an event in its run", err, store.ErrNotFound)
}

func reopened(t *testing.T, open Open, place string) {
	ctx := t.Context()
	s := must[store.Store](t)(open(ctx, place))
	r := opened(t, s)
	events := must[[]store.Event](t)(s.AppendEvents(ctx, r.ID, store.Event{Type: "text", Data: json.RawMessage(`{"a":1.10}`)}))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = must[store.Store](t)(open(ctx, place))
	defer s.Close()
	same(t, "events", must[[]store.Event](t)(s.Events(ctx, r.ID, 0, 10)), events)
	same(t, "open runs", must[[]store.Run](t)(s.OpenRuns(ctx)), []store.Run{r})
}

func usage(t *testing.T, s store.Store) {
	ctx := t.Context()
	today := time.Now().UTC().Truncate(24 * time.Hour)
	count := func(what, owner string, want store.Usage) {
		t.Helper()
		same(t, what, must[store.Usage](t)(s.Usage(ctx, owner, today)), want)
	}
	count("nobody", "ann", store.Usage{})
	talk := must[store.Conversation](t)(s.CreateConversation(ctx, "ann", "x"))
	must[store.Conversation](t)(s.CreateConversation(ctx, "ben", "x"))
	count("an empty conversation", "ann", store.Usage{Conversations: 1})
	r := must[store.Run](t)(s.StartRun(ctx, "ann", talk.ID, json.RawMessage(`{"a":1}`)))
	count("a run", "ann", store.Usage{Conversations: 1, Live: 1, Runs: 1, Bytes: 7})
	must[[]store.Event](t)(s.AppendEvents(ctx, r.ID, store.Event{Type: "text", Data: json.RawMessage(`{"b":12}`)}, store.Event{Type: "text", Data: json.RawMessage(`1`)}))
	if err := s.SaveResult(ctx, r.ID, "call", store.Result{Arguments: json.RawMessage(`{}`), Content: json.RawMessage(`[1]`), Structured: json.RawMessage(`{"c":3}`)}); err != nil {
		t.Fatal(err)
	}
	count("its events and results", "ann", store.Usage{Conversations: 1, Live: 1, Runs: 1, Bytes: 28})
	must[[]store.Event](t)(s.AppendEvents(ctx, r.ID, store.Event{Type: store.EventDone, Data: json.RawMessage(`{}`)}))
	must[store.Run](t)(s.StartRun(ctx, "ann", talk.ID, json.RawMessage(`2`)))
	count("an ended run and another", "ann", store.Usage{Conversations: 1, Live: 1, Runs: 2, Bytes: 31})
	count("somebody else", "ben", store.Usage{Conversations: 1})
	tomorrow := must[store.Usage](t)(s.Usage(ctx, "ann", today.Add(48*time.Hour)))
	same(t, "the days after tomorrow", tomorrow, store.Usage{Conversations: 1, Live: 1, Bytes: 31})
	if err := s.DeleteConversation(ctx, "ann", talk.ID); err != nil {
		t.Fatal(err)
	}
	count("deleting takes no run of today back", "ann", store.Usage{Runs: 2})
}
