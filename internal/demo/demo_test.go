//go:build demo

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDemo does what the README says: it starts `make demo` in a process group of its own, as a terminal does, uses what it
// finds there, and interrupts it. Nothing may stay behind.
func TestDemo(t *testing.T) {
	for name, end := range map[string]func(pid int) error{
		"Ctrl-C":    func(pid int) error { return syscall.Kill(-pid, syscall.SIGINT) },
		"terminate": func(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			temporary := t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			demo := exec.CommandContext(ctx, "make", "demo")
			demo.Dir = filepath.Join("..", "..")
			demo.Env = append(os.Environ(), "TMPDIR="+temporary)
			demo.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			demo.Stderr = os.Stderr
			out, err := demo.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := demo.Start(); err != nil {
				t.Fatal(err)
			}
			g := gateway{t, printed(t, bufio.NewScanner(out))}
			g.isReady()
			g.listsTools()
			g.comparesByHand()
			for question, figure := range answered {
				g.answers(question, figure)
			}

			family := descendants(t, demo.Process.Pid)
			if len(family) < 5 { // the demo, the gateway and three servers
				t.Errorf("only %v run", family)
			}
			if err := end(demo.Process.Pid); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(out)
			if err != nil {
				t.Error(err)
			}
			_ = demo.Wait() // make says that it was interrupted
			t.Logf("at the end: %s", rest)
			for pid, name := range family {
				if err := syscall.Kill(pid, 0); err == nil {
					t.Errorf("%s is still there", name)
				}
			}
			left, err := os.ReadDir(temporary)
			if err != nil || len(left) > 0 {
				t.Errorf("left in the temporary folder: %v, %v", left, err)
			}
		})
	}
}

// printed reads the greeting and returns the URL in it.
func printed(t *testing.T, lines *bufio.Scanner) (url string) {
	for lines.Scan() {
		if _, after, ok := strings.Cut(lines.Text(), "Diptych is at "); ok {
			url = after
		}
		if strings.Contains(lines.Text(), "Ctrl-C ends it") {
			return url
		}
	}
	t.Fatalf("the demo ended before it said where it is: %v", lines.Err())
	return ""
}

// descendants are the processes that a process has started, with their names.
func descendants(t *testing.T, root int) map[int]string {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || stats == nil {
		t.Fatal("no processes in /proc", err)
	}
	parents, names := map[int]int{}, map[int]string{}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		_, behind, _ := strings.Cut(string(text), ") ")
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		parents[pid], _ = strconv.Atoi(strings.Fields(behind)[1])
		names[pid] = strings.TrimSuffix(strings.TrimSuffix(string(text), behind), " ")
	}
	all := map[int]string{}
	for pid := range parents {
		for up := pid; up != 0; up = parents[up] {
			if parents[up] == root {
				all[pid] = names[pid]
			}
		}
	}
	return all
}

// A gateway is a running one, by its URL.
type gateway struct {
	*testing.T
	url string
}

func (g gateway) get(path string) string {
	res, err := http.Get(g.url + path)
	if err != nil {
		g.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		g.Fatalf("/%s: status %d, error %v, %.500s", path, res.StatusCode, err, body)
	}
	return string(body)
}

func (g gateway) isReady() {
	if got := g.get("readyz"); got != "ok\n" {
		g.Errorf("readyz says %q", got)
	}
	if page := g.get(""); !strings.Contains(page, "/assets/app.js") || !strings.Contains(page, "scripted") {
		g.Errorf("the page loads no script or does not say that its model is scripted: %s", page)
	}
	if len(g.get("assets/app.js")) < 10_000 {
		g.Error("the page's script is not the built one")
	}
}

func (g gateway) listsTools() {
	var tools []struct {
		Server, Original, Title, Note string
		Data                          bool
	}
	if err := json.Unmarshal([]byte(g.get("tools")), &tools); err != nil {
		g.Fatal(err)
	}
	got := map[string][]string{}
	for _, tool := range tools {
		got[tool.Server] = append(got[tool.Server], tool.Original)
		if sourced := tool.Server == "cities"; sourced != tool.Data || sourced != (tool.Note == "") {
			g.Errorf("%s: data %t, note %q", tool.Original, tool.Data, tool.Note)
		}
		if tool.Title == "" || strings.Contains(tool.Title, "_") {
			g.Errorf("%s is called %q, which is no title", tool.Original, tool.Title)
		}
	}
	for _, names := range got {
		slices.Sort(names)
	}
	if diff := cmp.Diff(map[string][]string{
		"cities":  {"cities_by_region", "compare_cities", "find_cities", "list_cities", "urban_countries"},
		"rooms":   {"broken", "find_slots", "floor_summary", "room_count", "utilisation"},
		"weather": {"get_forecast", "get_temperature", "get_temperatures", "get_weather", "get_weather_plain", "get_weather_upstream", "weather_report"},
	}, got); diff != "" {
		g.Errorf("tools (-want +got):\n%s", diff)
	}
}

// An event is one of a run. Data is as the page reads it.
type event struct {
	Type string
	Data json.RawMessage
}

// run starts a run, waits until it has ended, and returns what is stored of it by type.
func (g gateway) run(asked string) map[string][]event {
	res, err := http.Post(g.url+"runs", "application/json", strings.NewReader(asked))
	if err != nil {
		g.Fatal(err)
	}
	defer res.Body.Close()
	var run struct{ ID string }
	if err := json.NewDecoder(res.Body).Decode(&run); err != nil || res.StatusCode != http.StatusCreated {
		g.Fatalf("%s: status %d, error %v", asked, res.StatusCode, err)
	}
	g.get("runs/" + run.ID + "/events") // ends with the run
	var stored struct {
		Ended  bool
		Events []event
	}
	if err := json.Unmarshal([]byte(g.get("runs/"+run.ID)), &stored); err != nil || !stored.Ended {
		g.Fatalf("%s: ended %t, error %v", asked, stored.Ended, err)
	}
	byType := map[string][]event{}
	for _, e := range stored.Events {
		byType[e.Type] = append(byType[e.Type], e)
	}
	return byType
}

// comparesByHand calls a tool without a model: the text is one panel, the data with its sources the other.
func (g gateway) comparesByHand() {
	told := g.run(`{"tool":"cities__compare_cities","arguments":{"cities":["Tokyo","New Delhi"]}}`)
	var call struct{ ID, State, Read string }
	if calls := told["tool_call"]; len(calls) == 0 || json.Unmarshal(calls[len(calls)-1].Data, &call) != nil || call.State != "answered" {
		g.Fatalf("the call did not answer: %s", calls)
	}
	for _, words := range []string{"Tokyo | Japan | ", "37,194,000"} {
		if !strings.Contains(call.Read, words) {
			g.Errorf("the model's panel lacks %q: %s", words, call.Read)
		}
	}
	var screen struct{ Structured string }
	if err := json.Unmarshal([]byte(g.get("calls/"+call.ID)), &screen); err != nil {
		g.Fatal(err)
	}
	var structured struct {
		Sources []struct{ URL string }
		Table   [][]any
		Charts  []json.RawMessage
		Force   string
	}
	d := json.NewDecoder(strings.NewReader(screen.Structured))
	d.UseNumber()
	if err := d.Decode(&structured); err != nil {
		g.Fatal(err)
	}
	if len(structured.Sources) != 2 || len(structured.Charts) != 1 || structured.Force == "" || len(structured.Table) != 3 ||
		structured.Table[1][3] != json.Number("37194000") {
		g.Errorf("the screen's panel is %s", screen.Structured)
	}
	for _, kind := range []string{"table", "chart", "sources", "force"} {
		if len(told[kind]) != 1 {
			g.Errorf("%d events of type %s", len(told[kind]), kind)
		}
	}
	for _, s := range structured.Sources {
		if !bytes.Contains(told["sources"][0].Data, []byte(s.URL)) || strings.Contains(call.Read, s.URL) {
			g.Errorf("%s stands in the wrong panel", s.URL)
		}
	}
}

// answered has every question that the page offers, with a figure of its answer.
var answered = map[string]string{
	"Compare Tokyo, New Delhi and Mexico City":        "37,194,000",
	"How many large cities does each region have?":    "South America",
	"What is the temperature in London?":              "17",
	"Compare Tóquio e a Cidade do México":             "22,281,000",
	"Quais são as maiores cidades do Brasil?":         "22,620,000",
	"Qual é a temperatura em Londres?":                "17",
	"¿Cuáles son las ciudades más grandes de México?": "22,281,000",
	"¿Cuántas ciudades grandes hay en cada región?":   "South America",
	"¿Qué temperatura hace en Londres?":               "17",
}

func TestQuestionsAreAnswered(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	offered, err := readQuestions()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, list := range offered {
		for _, q := range list {
			got[q] = true
		}
	}
	want := map[string]bool{}
	for q := range answered {
		want[q] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("asked, and offered on the page (-want +got):\n%s", diff)
	}
}

// answers asks the scripted model, which has to call a tool, tell its figures and add none.
func (g gateway) answers(question, figure string) {
	body, err := json.Marshal(map[string]string{"text": question})
	if err != nil {
		g.Fatal(err)
	}
	told := g.run(string(body))
	texts := fmt.Sprintf("%s", told["text"])
	if len(told["tool_call"]) == 0 || len(told["error"]) > 0 || !strings.Contains(texts, figure) {
		g.Errorf("%s: %d calls, errors %s, said %s", question, len(told["tool_call"]), told["error"], texts)
	}
	if strings.Contains(texts, `"mark"`) {
		g.Errorf("%s: a figure is in no source: %s", question, texts)
	}
}
