package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/audit"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample has every verdict and severity, and a name that would like to be a control sequence and a tag.
func sample() *audit.Report {
	return &audit.Report{
		Server: "python server.py", Name: "rooms", Version: "1.2.0", Protocol: "2026-07-28",
		Tools: []audit.Tool{
			{Name: "add", Verdict: audit.Good, Called: "called with generated arguments", Findings: []audit.Finding{}},
			{Name: "evil\x1b[2J<b>", Verdict: audit.Broken, Called: "called without arguments", Findings: []audit.Finding{
				{Rule: "structured-invalid", Severity: audit.Error, Tool: "evil\x1b[2J<b>", Place: "structuredContent", Fault: "rooms[3].name: got integer, want string", Remedy: "return what the schema says, or publish what is returned", Sent: `{"room":"A\u001b"}`, Said: "no\x1b[2J room"},
				{Rule: "output-missing", Severity: audit.Warning, Tool: "evil\x1b[2J<b>", Place: "outputSchema", Fault: "there is no output schema", Hosts: []string{"Claude Code", "Codex CLI"}, Remedy: "publish an outputSchema and fill structuredContent"},
				{Rule: "parameter-undescribed", Severity: audit.Note, Tool: "evil\x1b[2J<b>", Place: "inputSchema", Fault: "no description for 部屋, minutes", Remedy: "describe each parameter: its meaning, unit and form"},
			}},
			{Name: "list", Verdict: audit.Good, Called: "called without arguments", Findings: []audit.Finding{}},
			{Name: "note", Verdict: audit.Untried, Called: "not called: it is not marked readOnlyHint", Findings: []audit.Finding{}},
		},
	}
}

func TestReports(t *testing.T) {
	human := func(width int, style terminal.Style) func(io.Writer) error {
		return func(out io.Writer) error { return Human(out, sample(), width, style) }
	}
	for name, write := range map[string]func(io.Writer) error{
		"plain.txt":    human(0, terminal.Style{}),
		"narrow.txt":   human(50, terminal.Style{}),
		"painted.txt":  human(100, terminal.NewStyle("always", nil)),
		"report.json":  func(out io.Writer) error { return JSON(out, sample()) },
		"report.sarif": func(out io.Writer) error { return SARIF(out, sample(), "diptych test", "server.py") },
		"junit.xml": func(out io.Writer) error {
			return JUnit(out, sample(), func(s audit.Severity) bool { return s == audit.Error })
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := write(&got); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Reports can be read back: each result names a rule of the catalogue by id and index, and the XML is well formed.
func TestReadBack(t *testing.T) {
	var out bytes.Buffer
	if err := SARIF(&out, sample(), "v", ""); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results) != 3 {
		t.Errorf("%d results", len(run.Results))
	}
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.Index].ID != r.Rule || r.Locations[0].Physical != nil {
			t.Errorf("%+v", r)
		}
	}
	out.Reset()
	if err := JUnit(&out, sample(), func(audit.Severity) bool { return true }); err != nil {
		t.Fatal(err)
	}
	var suites junitSuites
	if err := xml.Unmarshal(out.Bytes(), &suites); err != nil {
		t.Fatal(err)
	}
	if s := suites.Suites[0]; s.Tests != 4 || s.Failures != 1 || s.Cases[1].Failure == nil || s.Cases[0].Failure != nil {
		t.Errorf("%+v", s)
	}
}
