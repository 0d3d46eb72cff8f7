package audit

import (
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/tree"
)

// This file reads the texts of errors, which go to the model and from there anywhere.

func (a *auditor) errorText(t peer.Tool, r peer.Result, args []byte, place string) {
	if r.IsError && r.Structured != nil && len(t.Output) > 0 && len(t.Output) <= maxSchema {
		if checker, err := t.Checker(); err == nil && !checker.Check(r.Structured) {
			a.found("error-structured", place, "the structured content of the error breaks the output schema")
		}
	}
	text := errorText(r)
	if strings.TrimSpace(text) == "" {
		a.found("error-empty", place, "the error has no text")
		return
	}
	a.leaks(text, args, place)
}

// errorText is what the model reads of an error, one line for each block.
func errorText(r peer.Result) string {
	var all strings.Builder
	for _, block := range r.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			all.WriteString(text.Text + "\n")
		}
	}
	return all.String()
}

// failure is how tools tell a failure in words. It looks at how a text begins: an answer may speak of errors further on.
var failure = regexp.MustCompile(`(?i)^\W{0,4}(` +
	`(an? |the |an unexpected |unexpected |internal |unknown |fatal |server |api |http |request |runtime )?\w*(error|exception|failure)\b *([:!(\[,-]|–|—|$|\d|(executing|calling|while|during|occurred|in|on|at|when|from|with|code|status|(fetch|read|gett|load|process|runn|connect|pars|open|writ|creat|search|list|query|retriev|delet|updat|sav|send|mak|access)ing)\b)` +
	`|(failed|unable) to\b|(could not|couldn't|cannot|can't) (be )?\w+|(request|call|query|operation|command|tool|connection|login|authentication)( \w+){0,2} failed\b` +
	`|traceback \(most recent|fatal: |panic: |(http|status)( code)?:? ?[45]\d\d\b|only \w+ (queries|statements|requests) are (allowed|supported)` +
	`|(invalid|missing|unknown|unsupported|required) (argument|parameter|input|request|value|field|api key)|(access|permission) denied|unauthorized\b|forbidden\b|not found\b|no such \w+)`)

// askedFor are arguments that ask for a text about failures, as of a log.
var askedFor = regexp.MustCompile(`(?i)error|fail|exception`)

// looksFailed reports whether a result that is no error reads like one: by how its first text begins, or by the one member that
// tells a failure.
func looksFailed(r peer.Result) bool {
	if r.CallToolResult == nil || r.IsError || r.InputRequests != nil {
		return false
	}
	for _, block := range r.Content {
		text, ok := block.(*mcp.TextContent)
		if !ok || strings.TrimSpace(text.Text) == "" {
			continue
		}
		if n := parsed(text.Text[:min(len(text.Text), maxErrorText)]); n != nil {
			return saysFailed(n)
		}
		return failure.MatchString(text.Text[:min(len(text.Text), maxErrorText)])
	}
	return false
}

// saysFailed reports whether JSON tells a failure: {"error": "…"}, {"success": false}, {"isError": true}.
func saysFailed(n *tree.Node) bool {
	if !n.Is(tree.Object) {
		return n.Is(tree.String) && failure.MatchString(n.Text)
	}
	for _, name := range []string{"error", "Error", "errorMessage"} {
		if e := n.Get(name); e.Is(tree.String) && e.Text != "" && len(n.Members) <= 4 || e.Is(tree.Object) && e.Get("message") != nil {
			return true
		}
	}
	for name, bad := range map[string]string{"success": "false", "ok": "false", "isError": "true", "is_error": "true"} {
		if v := n.Get(name); v.Is(tree.Boolean) && string(v.Raw) == bad {
			return true
		}
	}
	return n.Str("status") == "error" || n.Str("status") == "failed" && n.Get("message") != nil
}

// brokenPromise is how this library and the official ones tell that a tool ran, and answered what its schema does not allow.
var brokenPromise = regexp.MustCompile(`(?i)the tool ran, but its result|output validation error|validating tool output`)

// blame is how an error speaks of arguments without naming them.
var blame = regexp.MustCompile(`(?i)\b(arguments?|parameters?|invalid|unknown|not found|no such|must|required)\b`)

// hostFault is what goes wrong on the server's side in words that would blame the arguments.
var hostFault = regexp.MustCompile(`(?i)invalid memory address|no such host|executable file not found( in \$path)?|(command|module) not found|` +
	`certificate signed by unknown authority|connection re(fused|set)|host unreachable|no route to host|network is unreachable|i/o timeout`)

// opening is what libraries put before the name of the tool that failed.
var opening = regexp.MustCompile(`^(?i)error (executing|calling) tool`)

// aboutArguments reports whether an error text speaks of what the tool was called with: in general, by a name or by a value.
// It goes by words, so it may be wrong either way.
func aboutArguments(tool, text string, args []byte) bool {
	text = opening.ReplaceAllString(text[:min(len(text), maxErrorText)], "")
	if name, err := regexp.Compile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(tool) + `($|[^\pL\pN_])`); err == nil {
		text = name.ReplaceAllString(text, "$1$2")
	}
	if hostFault.MatchString(text) {
		text = hostFault.ReplaceAllString(text, "")
	} else if blame.MatchString(text) {
		return true
	}
	given, err := tree.Parse(args)
	return err == nil && mentions(strings.ToLower(text), given)
}

// mentions reports whether a text has a name, a string or a number from anywhere in a value.
func mentions(text string, given *tree.Node) bool {
	has := func(word string) bool { return len(word) > 2 && strings.Contains(text, strings.ToLower(word)) }
	for _, m := range given.Members {
		words := strings.FieldsFunc(m.Name, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
		if slices.ContainsFunc(words, has) || mentions(text, m.Value) {
			return true
		}
	}
	return has(given.Text) || slices.ContainsFunc(given.Items, func(item *tree.Node) bool { return mentions(text, item) })
}

// leaks looks for what should have stayed on the server. A finding says what kind of thing was seen, and never shows it.
func (a *auditor) leaks(text string, args []byte, place string) {
	text = text[:min(len(text), maxErrorText)]
	for _, secret := range a.Secrets {
		if strings.Contains(text, secret) {
			a.found("error-secret", place, "it holds a value from the server's own environment or headers")
			break
		}
	}
	for _, s := range []struct{ pattern, what string }{
		{`-----BEGIN [A-Z ]*PRIVATE KEY-----`, "a private key"},
		{`\b(AKIA|ASIA)[0-9A-Z]{16}\b`, "an AWS access key"},
		{`\bgh[pousr]_[A-Za-z0-9]{30,}`, "a GitHub token"},
		{`\bsk-[A-Za-z0-9_-]{20,}`, "an API key"},
		{`\bxox[abprs]-[A-Za-z0-9-]{10,}`, "a Slack token"},
		{`\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}`, "a signed token"},
		{`[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/:@]+@`, "a URL with a password"},
		{`(?i)\b(password|passwd|secret|api[_-]?key|access[_-]?token)["']?\s*[:=]\s*["']?[^\s"',;]{6,}`, "a password or key"},
	} {
		if regexp.MustCompile(s.pattern).MatchString(text) {
			a.found("error-secret", place, "it looks as if it holds "+s.what)
			break
		}
	}
	for _, s := range []string{`Traceback \(most recent call last\)`, `(?m)^\s+at .+[(:].+:\d+:\d+\)?$`, `goroutine \d+ \[`, `(?m)^\s+File ".+", line \d+`, `(?m)^\s*at [\w.$]+\([\w.]+:\d+\)`} {
		if regexp.MustCompile(s).MatchString(text) {
			a.found("error-trace", place, "it shows a stack trace")
			break
		}
	}
	for _, match := range regexp.MustCompile(hostPath).FindAllStringSubmatch(text, maxPaths) {
		path := match[1] + match[2]
		// A path that the caller sent is no news to the caller.
		if !strings.Contains(string(args), strings.ReplaceAll(path, `\`, `\\`)) {
			a.found("error-path", place, "it shows a path of the host")
			break
		}
	}
}

// hostPath is an absolute path below a folder that only a host has.
const hostPath = `(?:^|[\s"'(=:\[])(/(?:home|root|Users|usr|var|opt|etc|srv|app|tmp|mnt|workspace|private|proc)/[^\s"'<>|:;,)\]]+)|\b([A-Za-z]:\\[^\s"'<>|:;,)]+)`
