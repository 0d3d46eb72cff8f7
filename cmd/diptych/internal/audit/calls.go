package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/arguments"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
)

// This file calls tools: rightly, and then once with an argument of the wrong type.

// exercise calls a tool if it may and if there are arguments for it.
func (a *auditor) exercise(ctx context.Context, t peer.Tool) {
	switch {
	case a.Call == "none":
		a.now.Called = "not called"
		return
	case a.Call != "all" && !readOnly(t.Tool):
		a.now.Called = "not called: it is not marked readOnlyHint"
		return
	case a.silent >= maxSilent:
		a.now.Called = "not called: the server no longer answers"
		return
	case slices.ContainsFunc(a.now.Findings, func(f Finding) bool { return f.Rule == "input-refused" }):
		a.now.Called = "not called: its input schema cannot be used"
		return
	}
	examples, how := a.Examples[t.Name], "called with an example"
	if len(examples) > 1 {
		how = fmt.Sprintf("called with %d examples", len(examples))
	}
	guessed := len(examples) == 0
	if guessed {
		made, err := arguments.Example(t.Input)
		if err != nil {
			a.now.Called = "not called: " + err.Error() + "; give --example"
			return
		}
		examples, how = []json.RawMessage{made}, "called with generated arguments"
		if string(made) == "{}" {
			how, guessed = "called without arguments", false
		}
	}
	failed, refused := 0, false
	for _, args := range examples {
		result, ok := a.call(ctx, t, args, "call")
		switch {
		case !ok:
		case result.IsError:
			failed++
			text := errorText(result)
			a.told(args, text, func() {
				a.errorText(t, result, args, "error text")
				switch {
				case brokenPromise.MatchString(text):
					a.found("call-failed", "call", "the tool's answer breaks its own output schema", "return what the schema says; the server's log may name the remedy")
				case !guessed:
					a.found("call-failed", "call", "the tool fails when it is called as its schema allows")
				case aboutArguments(t.Name, text, args):
					refused = true
					a.found("call-refused", "call", "the tool refuses the generated arguments")
				default:
					a.found("call-guessed", "call", "the tool fails on generated arguments, and does not say that they are the reason")
				}
			})
		case looksFailed(result) && !askedFor.Match(args):
			failed++
			a.told(args, errorText(result), func() {
				a.found("error-unmarked", "call", "the answer reads like a failure, and isError is not set")
				a.errorText(t, result, args, "error text")
			})
		default:
			a.now.seen = true
			a.result(t, args, result)
		}
	}
	switch {
	case a.now.asks:
		how += "; it asks the user first, and check declines"
	case failed == 0:
	case refused:
		how += ", which it refused; give --example"
	case len(examples) > 1:
		how += fmt.Sprintf(", %d of which failed", failed)
	default:
		how += ", and it failed"
	}
	a.now.Called = how
	a.wrongly(ctx, t, examples[0])
	if a.now.seen && failed == 0 {
		a.nulls(ctx, t, examples[0])
	}
}

// nulls calls a tool with null for every argument that may be left out, as several frameworks do.
func (a *auditor) nulls(ctx context.Context, t peer.Tool, good json.RawMessage) {
	args, names := arguments.Nulls(t.Input, good)
	if args == nil || a.silent >= maxSilent {
		return
	}
	before := len(a.now.Findings)
	result, ok := a.call(ctx, t, args, "call with null")
	refused := ok && (result.IsError || looksFailed(result))
	text := errorText(result)
	if !ok && len(a.now.Findings) > before && a.now.Findings[before].Rule == "protocol-error" {
		refused, text = true, a.now.Findings[before].Said
		a.now.Findings = a.now.Findings[:before]
	}
	if refused {
		a.told(args, text, func() {
			a.found("null-refused", "arguments", "null is refused for "+several(names))
			a.leaks(text, args, "error text for null")
		})
	}
}

// wrongly provokes an error, to read what it says.
func (a *auditor) wrongly(ctx context.Context, t peer.Tool, good json.RawMessage) {
	bad, name := arguments.Wrong(t.Input, good)
	if bad == nil || a.silent >= maxSilent {
		return
	}
	result, ok := a.call(ctx, t, bad, "call with a wrong type for "+name)
	switch {
	case !ok:
	case looksFailed(result) && !askedFor.Match(good):
		a.told(bad, errorText(result), func() {
			a.found("error-unmarked", "argument "+name, "the refusal of a wrong type for "+name+" does not set isError")
			a.leaks(errorText(result), bad, "error text for a wrong type of "+name)
		})
	case !result.IsError:
		a.told(bad, "", func() {
			a.found("error-accepted", "argument "+name, "a wrong type for "+name+" is taken without a word")
		})
	default:
		a.told(bad, errorText(result), func() { a.errorText(t, result, bad, "error text for a wrong type of "+name) })
	}
}

// told adds to the findings of find what was sent and what the tool said. A text that may hold a secret is left out.
func (a *auditor) told(sent json.RawMessage, said string, find func()) {
	before := len(a.now.Findings)
	find()
	secret := slices.ContainsFunc(a.now.Findings[before:], func(f Finding) bool { return f.Rule == "error-secret" })
	for i := range a.now.Findings[before:] {
		f := &a.now.Findings[before+i]
		f.Sent, f.Said = shortened(string(sent)), shortened(strings.TrimSpace(said))
		if secret {
			f.Said = "(left out: it may hold a secret)"
		}
	}
}

// shortened is as much of a text as a finding has.
func shortened(text string) string {
	if len(text) <= maxTold {
		return text
	}
	return strings.ToValidUTF8(text[:maxTold], "") + "…"
}

// call calls a tool and notes it when no result comes back.
func (a *auditor) call(ctx context.Context, t peer.Tool, args json.RawMessage, place string) (peer.Result, bool) {
	if err := a.dialed(ctx); err != nil {
		a.silent = maxSilent
		a.found("no-answer", place, "the server could not be reached again")
		return peer.Result{}, false
	}
	limited, cancel := context.WithTimeout(ctx, a.Timeout)
	defer cancel()
	a.asked.Store(false)
	result, err := a.session.Call(limited, t.Name, args, "")
	if a.asked.Load() {
		a.now.asks, a.silent = true, 0
		return peer.Result{}, false // what it says to a refusal is no answer
	}
	if err == nil {
		a.silent = 0
		return result, true
	}
	if e, ok := peer.Refused(err); ok {
		a.silent = 0
		a.told(args, e.Message, func() {
			a.found("protocol-error", place, fmt.Sprintf("the call is refused with the protocol error %d", e.Code))
			a.leaks(e.Message, args, place+", protocol error")
		})
		return result, false
	}
	if ctx.Err() != nil {
		return result, false
	}
	a.silent++
	how, words := "", ""
	if limited.Err() == nil {
		how, words = a.session.Ended()
	}
	a.told(args, words, func() {
		switch text := err.Error(); {
		case errors.Is(limited.Err(), context.DeadlineExceeded):
			a.found("no-answer", place, fmt.Sprintf("no answer within %s", a.Timeout))
		case strings.Contains(text, "maximum line length"), strings.Contains(text, "larger than"):
			a.found("no-answer", place, "the answer is larger than 16 MiB", "send a link to what is large")
		case peer.TooDeep(err):
			a.found("no-answer", place, "the answer is nested deeper than 1000 levels", "send it flatter")
		case how != "" && !strings.Contains(text, "invalid character"):
			a.found("server-ended", place, "the server ended ("+how+")")
		default:
			a.found("no-answer", place, "the answer is not readable as JSON-RPC", "write nothing but JSON-RPC to standard output")
		}
		a.leaks(words, args, place)
	})
	a.hangUp() // what comes next needs a fresh start
	return result, false
}
