package splice

import (
	"bytes"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// A batch is a line of several messages, of which only older revisions know. Its answers are one line.
type batch struct {
	open    map[jsonrpc.ID]int // calls without an answer, and where it goes
	answers [][]byte           // in the order of the calls
}

func (b *batch) json() []byte {
	return append(append([]byte("["), bytes.Join(b.answers, []byte(","))...), ']')
}

// firstWithoutBatches is the revision from which on there are none.
const firstWithoutBatches = "2025-06-18"

// batch takes a line that is a JSON array.
func (l *lines) batch(session *mcp.ServerSession, doc []byte) {
	if params := session.InitializeParams(); params != nil && params.ProtocolVersion >= firstWithoutBatches {
		l.refuse(nil, jsonrpc.CodeInvalidRequest, "revision "+params.ProtocolVersion+" has no batches; send each message on a line of its own")
		return
	}
	var msgs []jsonrpc.Message
	var invalid error
	b := &batch{open: make(map[jsonrpc.ID]int)}
	n := 0
	jsontext.Items(doc, 0, jsontext.MaxDepth, func(item jsontext.Span) {
		if n++; n > maxBatch || invalid != nil {
			return
		}
		msg, err := jsonrpc.DecodeMessage(item.Of(doc))
		if err != nil {
			invalid = err
			return
		}
		msgs = append(msgs, msg)
		if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
			if _, twice := b.open[req.ID]; twice {
				invalid = fmt.Errorf("the id %v is there twice", req.ID.Raw())
			}
			b.open[req.ID] = len(b.open)
		}
	})
	switch {
	case n == 0:
		invalid = fmt.Errorf("a batch of no messages")
	case n > maxBatch:
		invalid = fmt.Errorf("a batch of more than %d messages", maxBatch)
	case invalid == nil:
		invalid = l.open(b)
	}
	if invalid != nil {
		l.refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: "+invalid.Error())
		return
	}
	for _, msg := range msgs {
		l.give(msg)
	}
}

// open expects the answers to the calls of a batch.
func (l *lines) open(b *batch) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	b.answers = make([][]byte, len(b.open))
	for id := range b.open {
		if l.batches[id] != nil {
			return fmt.Errorf("the id %v is in use", id.Raw())
		}
	}
	if l.batches == nil {
		l.batches = make(map[jsonrpc.ID]*batch)
	}
	for id := range b.open {
		l.batches[id] = b
	}
	return nil
}
