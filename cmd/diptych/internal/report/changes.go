package report

import (
	"io"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/audit"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/contract"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

// Changes writes what changed between two versions for a person to read. Width 0 wraps nothing.
func Changes(out io.Writer, old, now string, changes []contract.Change, width int, style terminal.Style) error {
	h := human{out: out, width: width, style: style}
	if h.width == 0 {
		h.width = 1 << 20
	}
	h.line("%s%s%s", style.Bold(terminal.Short(old, 60)), style.Dim(" → "), style.Bold(terminal.Short(now, 60)))
	tool := ""
	for i, c := range changes {
		if i == 0 || c.Tool != tool {
			tool = c.Tool
			h.line("")
			h.line("%s", style.Bold(terminal.Line(tool)))
		}
		h.change(c)
	}
	h.line("")
	var parts []string
	for _, k := range []struct {
		kind  contract.Kind
		paint func(string) string
	}{{contract.Breaking, style.Red}, {contract.Unsure, style.Yellow}, {contract.Safe, style.Green}} {
		if n := counted(changes, k.kind); n > 0 {
			parts = append(parts, k.paint(strings.TrimSuffix(count(n, string(k.kind)), "s")))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "nothing changed")
	}
	h.line("%s", strings.Join(parts, ", "))
	return h.err
}

func counted(changes []contract.Change, kind contract.Kind) int {
	n := 0
	for _, c := range changes {
		if c.Kind == kind {
			n++
		}
	}
	return n
}

func (h *human) change(c contract.Change) {
	paint := h.style.Dim
	switch c.Kind {
	case contract.Breaking:
		paint = h.style.Red
	case contract.Unsure:
		paint = h.style.Yellow
	}
	width := h.labelled(string(c.Kind), paint, c.Place+": "+c.What)
	if c.Evidence != "" {
		h.line("%s%s", strings.Repeat(" ", indent), h.style.Dim(terminal.Short(c.Evidence+" is refused: "+c.Fault, max(min(width, 160), 20))))
	}
}

// ChangesJSON writes what changed for a program.
func ChangesJSON(out io.Writer, old, now string, changes []contract.Change) error {
	if changes == nil {
		changes = []contract.Change{}
	}
	return write(out, struct {
		Old      string            `json:"old"`
		New      string            `json:"new"`
		Changes  []contract.Change `json:"changes"`
		Breaking int               `json:"breaking"`
		Unsure   int               `json:"unsure"`
		Safe     int               `json:"safe"`
	}{old, now, changes, counted(changes, contract.Breaking), counted(changes, contract.Unsure), counted(changes, contract.Safe)})
}

// changeRules are the kinds of change as rules of SARIF.
var changeRules = []audit.Rule{
	{ID: string(contract.Breaking), Severity: audit.Error, Summary: "clients of the old version fail", Remedy: "keep what they rely on, or give the new tool another name"},
	{ID: string(contract.Unsure), Severity: audit.Warning, Summary: "no rule decides whether clients of the old version fail", Remedy: "look at it"},
	{ID: string(contract.Safe), Severity: audit.Note, Summary: "clients of the old version do not notice", Remedy: "nothing to do"},
}

// ChangesSARIF writes what changed as SARIF. Artifact, a path or "", is the saved contract.
func ChangesSARIF(out io.Writer, changes []contract.Change, version, artifact string) error {
	var findings []audit.Finding
	for _, c := range changes {
		f := audit.Finding{Rule: string(c.Kind), Tool: c.Tool, Place: c.Place, Fault: c.What, Sent: c.Evidence}
		for _, r := range changeRules {
			if r.ID == f.Rule {
				f.Severity, f.Remedy = r.Severity, r.Remedy
			}
		}
		if c.Fault != "" {
			f.Fault += " (" + c.Fault + ")"
		}
		findings = append(findings, f)
	}
	return writeSARIF(out, changeRules, findings, version, artifact)
}
