package diptych

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/write"
)

// A Mismatch is an answer that breaks the contract: a result that does not match its schema, or that lacks the
// structured content the schema promised. For a tool the schema is the published one. [Call] checks an answer against
// the schema of its Out, and returns the Mismatch together with what could be used of the answer.
type Mismatch struct {
	Tool   string
	Schema string   // the title of the schema, or the name of the type
	Faults []string // "path: rule", one for each broken field up to ten, then the count of the rest; never a value
	// Result is the answer as it came. On the server's side it is nil.
	Result *mcp.CallToolResult

	part    []byte // the first offending part, for the server's own log
	cause   error  // what a marshaler said
	checked bool   // the faults are rules of a schema or a type, without a remedy
}

// Error names the fields and the rules, a line each where there are several.
func (m *Mismatch) Error() string { return "result of " + m.Tool + m.breach(m.Faults) }

func (m *Mismatch) breach(faults []string) string {
	separator := ": "
	if len(faults) > 1 {
		separator = ":\n"
	}
	return " does not match " + m.Schema + separator + strings.Join(faults, "\n")
}

// told is the breach as the caller reads it, who can do nothing with the author's remedies.
func (m *Mismatch) told() string {
	if m.checked {
		return m.breach(m.Faults)
	}
	faults := make([]string, len(m.Faults))
	for i, f := range m.Faults {
		faults[i] = withoutRemedy(f)
	}
	return m.breach(faults)
}

// withoutRemedy cuts what follows the first semicolon outside of quotes and of the braces of a type.
func withoutRemedy(fault string) string {
	quoted, braces := false, 0
	for i := 0; i < len(fault); i++ {
		switch {
		case quoted && fault[i] == '\\':
			i++
		case fault[i] == '"':
			quoted = !quoted
		case quoted:
		case fault[i] == '{':
			braces++
		case fault[i] == '}':
			braces--
		case braces == 0 && strings.HasPrefix(fault[i:], "; "):
			return fault[:i]
		}
	}
	return fault
}

// Unwrap returns what a marshaler said, if that is the cause.
func (m *Mismatch) Unwrap() error { return m.cause }

// attrs is what the log keeps of a mismatch, the offending part included, which never goes to the peer.
func (m *Mismatch) attrs() []slog.Attr {
	attrs := []slog.Attr{slog.String("type", m.Schema), fieldAttr(m.Faults)}
	if m.part != nil {
		attrs = append(attrs, slog.String("part", string(m.part)))
	}
	if m.cause != nil {
		attrs = append(attrs, slog.String("error", fmt.Sprint(m.cause)))
	}
	return attrs
}

// fieldAttr is what did not fit, in one text: slog writes a list without anything between its items.
func fieldAttr(faults []string) slog.Attr { return slog.String("field", strings.Join(faults, "; ")) }

// mismatch explains why the check refused doc.
func (o *output) mismatch(doc []byte) error {
	faults := o.check.Explain(doc)
	m := &Mismatch{Tool: o.tool, Schema: o.title, checked: true}
	if m.Schema == "" {
		m.Schema = "its type"
	}
	for i, f := range faults {
		if i == maxFaults {
			m.Faults = append(m.Faults, fmt.Sprintf("and %d more", len(faults)-maxFaults))
			break
		}
		m.Faults = append(m.Faults, line(f.Path, f.Rule, ""))
	}
	if len(faults) == 0 {
		m.Faults = []string{"refused without a reason; this is a fault of the library"}
	} else if f := faults[0]; f.Start < f.End && f.End <= len(doc) {
		m.part = slices.Clone(doc[f.Start:min(f.End, f.Start+maxPart)])
	}
	return m
}

// unwritable is a value that the encoder could not write.
func (o *output) unwritable(err error) error {
	if f, ok := errors.AsType[*write.Fault](err); ok {
		path := f.Path
		if o.wrapped {
			path = "result" + dot(path)
		}
		return o.broken(f.Rule, path, f.Err)
	}
	return o.broken("cannot be encoded", "", err)
}

// dot joins a path to a name before it.
func dot(path string) string {
	if path == "" || path[0] == '[' {
		return path
	}
	return "." + path
}

// broken is a mismatch with one fault.
func (o *output) broken(rule, path string, cause error) error {
	m := &Mismatch{Tool: o.tool, Schema: o.title, Faults: []string{rule}, cause: cause}
	if path != "" {
		m.Faults[0] = line(path, rule, "")
	}
	if o.title == "" {
		m.Schema = "its type"
	}
	return m
}
