package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
			a.errorText(result, args, "error text")
			failed++
			switch text := errorText(result); {
			case brokenPromise.MatchString(text):
				a.found("call-failed", "call", "the tool's answer breaks its own output schema", "return what the schema says; the server's log may name the remedy")
			case !guessed:
				a.found("call-failed", "call", "the tool fails when it is called as its schema allows")
			case aboutArguments(t.Name, text, args):
				refused = true
			default:
				a.found("call-guessed", "call", "the tool fails on generated arguments, and does not say that they are the reason")
			}
		default:
			a.now.seen = true
			a.result(t, result)
		}
	}
	switch {
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
	case !result.IsError:
		a.found("error-accepted", "argument "+name, "a wrong type for "+name+" is taken without a word")
	default:
		a.errorText(result, bad, "error text for a wrong type of "+name)
	}
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
	result, err := a.session.Call(limited, t.Name, args, "")
	if err == nil {
		a.silent = 0
		return result, true
	}
	if e, ok := peer.Refused(err); ok {
		a.silent = 0
		a.found("protocol-error", place, fmt.Sprintf("the call is refused with the protocol error %d", e.Code))
		a.leaks(e.Message, args, place+", protocol error")
		return result, false
	}
	if ctx.Err() != nil {
		return result, false
	}
	a.silent++
	how := ""
	if limited.Err() == nil {
		how, _ = a.session.Ended()
	}
	switch {
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		a.found("no-answer", place, fmt.Sprintf("no answer within %s", a.Timeout))
	case strings.Contains(err.Error(), "maximum line length"), strings.Contains(err.Error(), "larger than"):
		a.found("no-answer", place, "the answer is larger than 16 MiB", "send a link to what is large")
	case how != "" && !strings.Contains(err.Error(), "invalid character"):
		a.found("server-ended", place, "the server ended ("+how+")")
	default:
		a.found("no-answer", place, "the answer is not readable as JSON-RPC", "write nothing but JSON-RPC to standard output")
	}
	a.hangUp() // what comes next needs a fresh start
	return result, false
}
