package report

import (
	"encoding/xml"
	"io"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/audit"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

// JUnit writes a report as a suite of tests, one for each tool. What fails decides fails; the rest is output.
func JUnit(out io.Writer, r *audit.Report, fails func(audit.Severity) bool) error {
	suite := junitSuite{Name: plain(r.Server), Tests: len(r.Tools)}
	for _, t := range r.Tools {
		c := junitCase{Name: plain(t.Name), Class: plain(r.Name)}
		var failing, rest []string
		first := ""
		for _, f := range t.Findings {
			text := plain(string(f.Severity) + " " + f.Rule + ": " + message(f))
			if fails(f.Severity) {
				failing = append(failing, text)
				if first == "" {
					first = f.Rule
				}
			} else {
				rest = append(rest, text)
			}
		}
		if len(failing) > 0 {
			suite.Failures++
			c.Failure = &junitFailure{Message: count(len(failing), "finding"), Type: first, Text: strings.Join(failing, "\n")}
		}
		c.Output = strings.Join(append([]string{plain(t.Called)}, rest...), "\n")
		suite.Cases = append(suite.Cases, c)
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(out)
	e.Indent("", "  ")
	if err := e.Encode(junitSuites{Suites: []junitSuite{suite}}); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

// plain is text that XML can carry and a log can show.
func plain(s string) string { return terminal.Line(s) }

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}
