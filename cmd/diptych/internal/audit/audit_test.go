package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// The catalogue has each rule once, in words that fit a report.
func TestRules(t *testing.T) {
	seen := make(map[string]bool)
	for _, r := range Rules() {
		if seen[r.ID] || r.Summary == "" || r.Remedy == "" || strings.HasSuffix(r.Summary, ".") || !slices.Contains([]Severity{Error, Warning, Note}, r.Severity) {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
	}
}

func TestFinish(t *testing.T) {
	tool := Tool{Findings: []Finding{{Rule: "n", Severity: Note}, {Rule: "e", Severity: Error, Place: "b"}, {Rule: "e", Severity: Error, Place: "a"}, {Rule: "e", Severity: Error, Place: "a"}}}
	finish(&tool)
	if got := tool.Findings; len(got) != 3 || got[0].Place != "a" || got[2].Rule != "n" || tool.Verdict != Broken {
		t.Errorf("%+v", tool)
	}
	many := Tool{}
	for i := range 12 {
		many.Findings = append(many.Findings, Finding{Rule: "w", Severity: Warning, Place: string(rune('a' + i)), Fault: "f"})
	}
	finish(&many)
	if got := many.Findings; len(got) != maxPerRule || got[4].Fault != "f; and 7 more" || many.Verdict != Flawed {
		t.Errorf("%+v", many)
	}
}

// What leaks is found, and what only looks like it is not.
func TestLeaks(t *testing.T) {
	for text, want := range map[string]string{
		"room A is closed":                          "",
		"see https://example.com/home/docs":         "",
		"the ratio a/b of /usr is fine":             "",
		"use /rooms/3 instead":                      "",
		"the password must have 8 characters":       "",
		"token: expected string, got integer":       "",
		"at least: 3":                               "",
		"open /home/ann/.config/x: no such file":    "error-path",
		`cannot read C:\Users\ann\keys.txt`:         "error-path",
		"File '/usr/lib/python3/x.py' failed":       "error-path",
		"postgres://ann:hunter22@db:5432/x failed":  "error-secret",
		"bad key AKIAIOSFODNN7EXAMPLE":              "error-secret",
		"password=correct-horse":                    "error-secret",
		"-----BEGIN RSA PRIVATE KEY-----":           "error-secret",
		"the known one: s3cr3t-value":               "error-secret",
		"panic\n\ngoroutine 1 [running]:\nmain.f()": "error-trace",
		"Error: x\n    at Object.f (index.js:3:4)":  "error-trace",
		"  File \"x.py\", line 3, in f":             "error-trace",
		"java.lang.X\n\tat com.x.Y.z(Y.java:12)":    "error-trace",
	} {
		a := &auditor{now: &Tool{Name: "t"}, Options: Options{Secrets: []string{"s3cr3t-value"}}}
		a.leaks(text, nil, "place")
		got := ""
		for _, f := range a.now.Findings {
			got += f.Rule
			if strings.Contains(f.Fault, "ann") || strings.Contains(f.Fault, "horse") {
				t.Errorf("%q: the finding shows it: %s", text, f.Fault)
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	a := &auditor{now: &Tool{}}
	a.leaks("no such file: /home/ann/x", []byte(`{"path":"/home/ann/x"}`), "place")
	if len(a.now.Findings) > 0 {
		t.Error("the caller's own path is no leak")
	}
}

func TestAboutArguments(t *testing.T) {
	for text, want := range map[string]bool{
		"Error executing tool sell_book":                          false,
		"Error executing tool sell_book: connection reset":        false,
		"Error calling tool 'sell_book': disk full":               false,
		"Error executing tool sell_book: no book with the id B-1": true,
		"Error executing tool sell_book: price: too low":          true,
		"Error executing tool sell_book: 1 invalid argument":      true,
		"nothing is called EXAMPLE":                               true,
	} {
		if got := aboutArguments("sell_book", text, []byte(`{"book_id":"example","tool_price":1}`)); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
	for _, c := range []struct {
		tool, text, args string
		want             bool
	}{
		{"get_temperatures", "unheard of: Nowhere", `{"cities":["Nowhere"]}`, true},
		{"f", "unheard of: Nowhere", `{"q":[{"city":"nowhere"}]}`, true},
		{"f", "12345 is past the end", `{"n":12345}`, true},
		{"f", "the city is past the end", `{"q":{"city":true}}`, true},
		{"f", "the disk is full", `{"cities":["Nowhere"],"q":{"city":"x"},"n":12345}`, false},
		{"id", "Error executing tool id: invalid value", `{}`, true},
		{"invalid", "Error executing tool invalid: disk full", `{}`, false},
		{"f", "runtime error: invalid memory address or nil pointer dereference", `{}`, false},
		{"f", "dial tcp: lookup db.internal: no such host", `{}`, false},
		{"f", `exec: "pdftotext": executable file not found in $PATH`, `{"path":"x"}`, false},
		{"f", "tls: failed to verify certificate: x509: certificate signed by unknown authority", `{}`, false},
		{"f", "a required service: connect: connection refused", `{}`, false},
		{"f", "dial tcp: lookup example.com: no such host", `{"from":"example.com"}`, true},
	} {
		if got := aboutArguments(c.tool, c.text, []byte(c.args)); got != c.want {
			t.Errorf("%s: %q of %s: got %v", c.tool, c.text, c.args, got)
		}
	}
}

func TestPrints(t *testing.T) {
	of := func(doc string) (print, print) {
		n, err := tree.Parse([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		return prints(n, nil)
	}
	for _, c := range []struct {
		a, b           string
		exact, rounded bool
	}{
		{`{"a":1,"b":[2]}`, `{ "b" : [2.0], "a": 10e-1 }`, true, true},
		{`1.10`, `1.1`, true, true},
		{`9007199254740993`, `9007199254740992`, false, true},
		{`0`, `-0.0`, true, false},
		{`"1"`, `1`, false, false},
		{`[]`, `{}`, false, false},
		{`["a","b"]`, `["ab"]`, false, false},
		{`[[1],[2]]`, `[[1,2]]`, false, false},
		{`1e400`, `1e400`, true, true},
		{`1e99999999999999999999`, `1e99999999999999999999`, true, true},
		{`null`, `false`, false, false},
	} {
		ae, ar := of(c.a)
		be, br := of(c.b)
		if (ae == be) != c.exact || (ar == br) != c.rounded && c.a != "0" {
			t.Errorf("%s and %s: exact %v, rounded %v", c.a, c.b, ae == be, ar == br)
		}
	}
}

// A failure that looks like an answer is one that its first words tell. An answer may speak of errors.
func TestLooksFailed(t *testing.T) {
	for text, want := range map[string]bool{
		"Error: Only SELECT queries are allowed":                        true,
		"❌ Error executing query: syntax error":                         true,
		"An error occurred while fetching the page":                     true,
		"ValueError: bad id":                                            true,
		"Failed to fetch https://example.org: status code 404":          true,
		"Request failed with status code 500":                           true,
		"Could not find the file":                                       true,
		"Unable to connect to the database":                             true,
		"Traceback (most recent call last):":                            true,
		"HTTP 404 Not Found":                                            true,
		"Access denied - path outside allowed directories":              true,
		"Only SELECT queries are allowed":                               true,
		"Not found: room 7":                                             true,
		`{"error":"no such room"}`:                                      true,
		`{"success":false,"message":"x"}`:                               true,
		`{"isError": true}`:                                             true,
		`{"status":"error"}`:                                            true,
		`"Error: x"`:                                                    true,
		"3 errors were found in the log":                                false,
		"Errors and exceptions in Go are values":                        false,
		"Error handling in Go":                                          false,
		"The error rate is 3 %":                                         false,
		"Failure modes of bridges":                                      false,
		"The request was processed. Error: none":                        false,
		"Rooms: A, B":                                                   false,
		`{"error":null,"rooms":[]}`:                                     false,
		`{"success":true}`:                                              false,
		`{"errors":0,"rooms":3}`:                                        false,
		`[{"error":"old entry of a log"}]`:                              false,
		`{"status":"failed","job":"nightly build"}`:                     false,
		`{"a":1,"b":2,"c":3,"d":4,"error":"the last one of five runs"}`: false,
		"": false,
	} {
		if got := looksFailed(peer.Result{CallToolResult: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}}); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func TestFigures(t *testing.T) {
	for _, tt := range []struct {
		text, structured string
		want             bool
	}{
		{"There are 4711 people.", `{"a":1}`, true},
		{"There are 4,711 people.", `{"people":4711}`, false},
		{"The share is 12.3 %.", `{"share":0.1234}`, false},
		{"The share is 12.4 %.", `{"share":0.1234}`, true},
		{"12 rooms.", `{"rooms":[1,2,3,4,5,6,7,8,9,10,11,12]}`, false},
		{"On 2026-03-02 at 09:00.", `{"start":"2026-03-02T09:00"}`, false},
		{"A fall of 42.", `{"change":-42}`, false},
		{"Two of 3.", `{"a":"x"}`, false},
		{`{"n":4711}`, `{"a":1}`, false},
	} {
		root, err := tree.Parse([]byte(tt.structured))
		if err != nil {
			t.Fatal(err)
		}
		a := &auditor{now: &Tool{}}
		a.figures(root, []mcp.Content{&mcp.TextContent{Text: tt.text}})
		if got := len(a.now.Findings) > 0; got != tt.want {
			t.Errorf("%q beside %s: got %v", tt.text, tt.structured, got)
		}
	}
}

func TestRecursion(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"properties":{"a":{"$ref":"#"}}}`: true,
		`{"$defs":{"A":{"properties":{"k":{"items":{"$ref":"#/$defs/A"}}}}},"properties":{"a":{"$ref":"#/$defs/A"}}}`:                 true,
		`{"$defs":{"A":{"items":{"$ref":"#/$defs/B"}},"B":{"anyOf":[{"$ref":"#/$defs/A"}]}},"properties":{"a":{"$ref":"#/$defs/A"}}}`: true,
		`{"$defs":{"A":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/$defs/A"}}}`:                          false,
		`{"$defs":{"A":{"items":{"$ref":"#/$defs/A"}}},"properties":{"a":{"type":"string"}}}`:                                         false,
	} {
		root, err := tree.Parse([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		if _, got := recursion(root); got != want {
			t.Errorf("%s: got %v", schema, got)
		}
	}
}
