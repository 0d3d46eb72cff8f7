package audit

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Each line of the table names a rule of the catalogue, hosts that are in it, a source and a day.
func TestHostTable(t *testing.T) {
	var read table
	d := json.NewDecoder(bytes.NewReader(hostTable))
	d.DisallowUnknownFields()
	if err := d.Decode(&read); err != nil {
		t.Fatal(err)
	}
	known, met := map[string]bool{}, map[string]bool{}
	for _, h := range read.Hosts {
		if known[h.ID] || h.Name == "" || h.Family == "" {
			t.Errorf("%+v", h)
		}
		known[h.ID] = true
	}
	source := regexp.MustCompile(`^(measured|reports|github\.com/\S+/\d+)$`)
	for _, l := range read.Losses {
		if rule(l.Rule).Remedy == "" || !source.MatchString(l.Source) || l.What == "" || len(l.Hosts) == 0 {
			t.Errorf("%+v", l)
		}
		if _, err := time.Parse(time.DateOnly, l.Date); err != nil {
			t.Errorf("%s: %v", l.Rule, err)
		}
		for _, id := range l.Hosts {
			met[id] = true
			if !known[id] {
				t.Errorf("%s: unknown host %s", l.Rule, id)
			}
		}
	}
	for id := range known {
		if !met[id] {
			t.Errorf("%s loses nothing", id)
		}
	}
}

func TestHosts(t *testing.T) {
	chosen, err := Hosts([]string{"Claude", " gemini-cli"})
	if err != nil || len(chosen) != 4 || !chosen["anthropic-api"] || !chosen["gemini-cli"] || chosen["gemini-api"] {
		t.Errorf("%v, %v", chosen, err)
	}
	if _, err := Hosts([]string{"netscape"}); err == nil || !strings.HasPrefix(err.Error(), `unknown host "netscape"; there is claude, claude-code, `) {
		t.Errorf("%v", err)
	}
	if got := losers("answer-long", 60_000); !slices.Equal(got, []string{"codex", "opencode"}) {
		t.Errorf("%v", got)
	}
}

// A finding is reported to those who asked for one of its hosts, and names no others.
func TestFor(t *testing.T) {
	for word, want := range map[string]string{"": "Codex CLI, CrewAI", "openai": "Codex CLI", "crewai": "CrewAI", "gemini": "none"} {
		var words []string
		if word != "" {
			words = []string{word}
		}
		chosen, err := Hosts(words)
		if err != nil {
			t.Fatal(err)
		}
		a := &auditor{now: &Tool{}, Options: Options{For: chosen}}
		a.found("host-hidden", "place", "fault")
		a.found("text-empty", "place", "fault")
		got := "none"
		for _, f := range a.now.Findings {
			if f.Rule == "host-hidden" {
				got = strings.Join(f.Hosts, ", ")
			}
		}
		if got != want || a.now.Findings[len(a.now.Findings)-1].Rule != "text-empty" {
			t.Errorf("%q: got %s, want %s", word, got, want)
		}
	}
}
