package host

// One call: sent within its time, and its answer checked before anybody sees it.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/data"
	"github.com/diptych-mcp/diptych/internal/connect"
	"github.com/diptych-mcp/diptych/internal/countdown"
	"github.com/diptych-mcp/diptych/internal/exact"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// Call calls a tool. Whatever goes wrong on the way is a Result with IsError and a text that a model can act on; an error
// means that ctx ended. The callbacks are not called any more once Call has returned.
func (h *Host) Call(ctx context.Context, tool string, arguments json.RawMessage, callbacks Callbacks) (Result, error) {
	l, t := h.find(tool)
	if t == nil {
		return failed("There is no tool of this name.", ""), ctx.Err()
	}
	return l.call(ctx, *t, arguments, callbacks)
}

func (l *link) call(ctx context.Context, t Tool, arguments json.RawMessage, callbacks Callbacks) (Result, error) {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	c := countdown.New(l.timeout(t), cancel)
	c.Resume()
	defer c.Stop()
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-limited.Done():
		return l.tooLate(t), ctx.Err()
	}
	s, fault := l.current()
	if s == nil {
		return failed("The server of this tool cannot be reached at the moment.", fault), ctx.Err()
	}
	res, forgotten, err := l.callOn(ctx, limited, s, t, arguments, callbacks, c)
	if !forgotten {
		return res, err
	}
	// The server was restarted and does not know the session: the call was not made, and is made once more in a new one.
	if s = l.renew(limited, s); s == nil {
		return res, ctx.Err()
	}
	res, _, err = l.callOn(ctx, limited, s, t, arguments, callbacks, c)
	return res, err
}

// timeout is the time of a call, in which waiting for the user does not count.
func (l *link) timeout(t Tool) time.Duration {
	return or(l.Timeouts[t.Original], or(l.Server.Timeout, l.Options.Timeout))
}

func (l *link) tooLate(t Tool) Result {
	return failed(fmt.Sprintf("The tool did not answer within %v.", l.timeout(t)), "")
}

// callOn makes a call in a session. Forgotten says that the server does not know the session, and so made no call.
func (l *link) callOn(ctx, limited context.Context, s *session, t Tool, arguments json.RawMessage, callbacks Callbacks, c *countdown.Timer) (_ Result, forgotten bool, _ error) {
	x := s.exchange(limited, l.ID, callbacks, c)
	defer x.end()
	params := mcp.CallToolParams{Name: t.Original, Arguments: arguments}
	if callbacks.Progress != nil {
		params.Meta = mcp.Meta{}
		params.SetProgressToken(x.id)
	}
	for range maxRounds {
		res, err := within(x.ctx, func() (*mcp.CallToolResult, error) { return s.CallTool(x.ctx, &params) })
		peer, refused := connect.Refused(err)
		unasked := ""
		switch {
		case ctx.Err() != nil:
			return Result{}, false, ctx.Err()
		case limited.Err() != nil && err != nil:
			s.unanswered(true)
			return l.tooLate(t), false, nil
		case l.URL != "" && forgets(err):
			return failed("The connection to the server of this tool broke before it answered.", cut(err.Error(), maxFault)), true, nil
		case refused && peer.Code == mcp.CodeURLElicitationRequired:
			unasked = x.visit(peer)
		case connect.TooLarge(err):
			return failed(tooLarge(maxMessage), ""), false, nil
		case refused:
			return failed("The server of this tool refused the call: "+cut(peer.Message, maxFault), ""), false, nil
		case err != nil:
			signal(s.doubted) // one call that broke need not be the end of the others
			return failed("The connection to the server of this tool broke before it answered.", cut(err.Error(), maxFault)), false, nil
		case res == nil || !res.NeedsInput():
			s.unanswered(false)
			return t.read(res, l.MaxResult), false, nil
		case len(res.InputRequests) == 0: // the server is busy
			select {
			case <-time.After(l.Retry):
			case <-limited.Done():
			}
			params.RequestState = res.RequestState
		default:
			params.RequestState = res.RequestState
			params.InputResponses, unasked = x.answers(res.InputRequests)
		}
		switch {
		case ctx.Err() != nil:
			return Result{}, false, ctx.Err()
		case unasked != "":
			return failed(unasked, ""), false, nil
		}
	}
	return failed("The tool asked again and again and was stopped.", ""), false, ctx.Err()
}

var unknownSession = regexp.MustCompile(`(?i)session.{0,40}(not found|unknown|expired|terminated|invalid|does not exist)|(unknown|invalid|expired|no valid|missing) session|session id`)

// forgets reports whether a server says that it does not know the session: as the protocol has it, or in the words of one of
// the implementations, in an error of JSON-RPC.
func forgets(err error) bool {
	if errors.Is(err, mcp.ErrSessionMissing) {
		return true
	}
	peer, refused := connect.Refused(err)
	return refused && unknownSession.MatchString(peer.Message)
}

// failed is a call without an answer of the tool's. Text is for the model and the screen, note for the screen alone.
func failed(text, note string) Result {
	block, err := json.Marshal([]map[string]string{{"type": "text", "text": text}})
	if err != nil {
		block = nil
	}
	return Result{Blocks: []Block{{Kind: Text, Text: text}}, Content: block, IsError: true, Note: note}
}

// withheld is an answer that breaks what its tool published. What is wrong is for the screen only: names of fields are the
// tool's, and in structured content, which no model reads.
func withheld(note string) Result {
	return failed("The answer of this tool broke the tool's own rules and was withheld. This is a fault of the tool: calling it again the same way will not help.", cut(note, maxNote))
}

func tooLarge(most int) string {
	return fmt.Sprintf("The answer of the tool is larger than the gateway takes (%d KiB, %d blocks).", most>>10, maxBlocks)
}

// read checks an answer.
func (t Tool) read(res *mcp.CallToolResult, most int) Result {
	if res == nil {
		return withheld("no result")
	}
	structured, kept := exact.Structured(res)
	if !kept && res.StructuredContent != nil {
		structured = encoded(res.StructuredContent)
	}
	content, err := json.Marshal(res.Content)
	if err != nil {
		return withheld("its content cannot be written as JSON")
	}
	if len(content)+len(structured) > most || len(res.Content) > maxBlocks {
		return failed(tooLarge(most), "")
	}
	r := Result{Blocks: blocks(res.Content), Content: content, Structured: structured, IsError: res.IsError}
	if r.IsError {
		return r // what comes along with an error promises nothing
	}
	var notes []string
	drawable := data.Check(structured)
	if drawable != nil && structured != nil { // as servers in other languages write it
		if plain := withoutNulls(structured); data.Check(plain) == nil {
			drawable, r.Panel = nil, plain
		}
	}
	switch {
	case t.Data && drawable != nil:
		return withheld(drawable.Error())
	case structured != nil && t.out != nil && !t.out.Check(structured):
		return withheld(faults(t.out, structured))
	case structured == nil && t.Output != nil:
		notes = append(notes, "no structured content, though its output schema promises some")
	case structured != nil && t.out == nil:
		notes = append(notes, "not verified: it publishes no output schema that can be used")
	}
	r.Drawable = drawable == nil
	if t.TextFromStructured && len(r.Blocks) == 0 && structured != nil {
		r.Blocks = []Block{{Kind: Text, Text: string(structured)}}
		notes = append(notes, "the model read the structured content, as the operator has set for this server")
	}
	r.Verified = structured != nil && t.out != nil
	if !t.Data && !r.Drawable {
		notes = append([]string{noSource}, notes...)
	}
	r.Note = strings.Join(notes, "; ")
	return r
}

// faults are the rules that a document breaks, a line for each.
func faults(c *validate.Checker, doc []byte) string {
	var lines []string
	for _, f := range c.Explain(doc) {
		if len(lines) == maxFaults {
			lines = append(lines, "and more")
			break
		}
		lines = append(lines, strings.TrimPrefix(f.Path+": "+f.Rule, ": "))
	}
	return strings.Join(lines, "\n")
}

// blocks takes from content what a model may read. What MCP does not allow in a result is left out.
func blocks(content []mcp.Content) []Block {
	var out []Block
	for _, c := range content {
		switch c := c.(type) {
		case *mcp.TextContent:
			out = append(out, Block{Kind: Text, Text: c.Text})
		case *mcp.ImageContent:
			out = append(out, Block{Kind: Image, MIMEType: c.MIMEType, Data: c.Data})
		case *mcp.AudioContent:
			out = append(out, Block{Kind: Audio, MIMEType: c.MIMEType, Data: c.Data})
		case *mcp.ResourceLink:
			out = append(out, Block{Kind: Link, Name: c.Name, URI: c.URI, MIMEType: c.MIMEType})
		case *mcp.EmbeddedResource:
			if c.Resource != nil {
				out = append(out, Block{Kind: Resource, Text: c.Resource.Text, MIMEType: c.Resource.MIMEType, Data: c.Resource.Blob, URI: c.Resource.URI})
			}
		}
	}
	return out
}
