package peer

import (
	"fmt"

	"github.com/diptych-mcp/diptych/internal/validate"
)

// A Verdict is what a result is worth against the schema that its tool published.
type Verdict struct {
	Schema     bool     // there is one
	Checked    bool     // and the result was held against it
	Missing    bool     // structured content was promised and did not come
	Faults     []string // fields and rules; never values
	Unverified error    // the schema is none that can be used
}

// Broken reports whether the result is not what the tool promised.
func (v Verdict) Broken() bool { return len(v.Faults) > 0 }

func (v Verdict) String() string {
	switch {
	case !v.Schema:
		return "no schema"
	case v.Unverified != nil:
		return "unverified"
	case v.Missing:
		return "promised, but missing"
	case v.Broken():
		return "breaks its schema"
	case v.Checked:
		return "as published"
	}
	return "not checked"
}

// Judge holds a result against the tool's published schema. An error of the tool's is never held against it.
func (t Tool) Judge(r Result) Verdict {
	v := Verdict{Schema: t.Output != nil}
	if !v.Schema || r.IsError {
		return v
	}
	if r.Structured == nil {
		v.Missing = true
		v.Faults = []string{"structured content: required but missing"}
		return v
	}
	checker, err := t.Checker()
	if err != nil {
		v.Unverified = err
		return v
	}
	v.Checked = true
	faults := checker.Explain(r.Structured)
	for i, f := range faults {
		if i == maxFaults {
			v.Faults = append(v.Faults, fmt.Sprintf("and %d more", len(faults)-i))
			break
		}
		v.Faults = append(v.Faults, Fault(f))
	}
	return v
}

// Fault is a fault in words.
func Fault(f validate.Fault) string {
	if f.Path == "" {
		return f.Rule
	}
	return f.Path + ": " + f.Rule
}

// Checker compiles the output schema, which is screened first: it is foreign.
func (t Tool) Checker() (*validate.Checker, error) {
	if err := validate.Screen(t.Output); err != nil {
		return nil, err
	}
	return validate.Compile(t.Output)
}
