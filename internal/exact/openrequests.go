package exact

import (
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// Flooded is the code of the error that answers a call whose server has too many requests open.
const Flooded = -32052

// requests counts what a server has asked and was not answered yet. Above [maxOpen] the connection is of no use any more.
type requests struct {
	mu   sync.Mutex
	open int
	err  error // once there were too many
}

// asked notes a request of the server.
func (r *requests) asked() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open++; r.open > maxOpen && r.err == nil {
		r.err = fmt.Errorf("the server has more than %d requests open; it must wait for answers", maxOpen)
	}
	return r.err
}

// answered notes that the server has an answer.
func (r *requests) answered() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = max(0, r.open-1)
}

func (r *requests) flooded() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *requests) waiting() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.open > 0
}

// answers reports whether req brings the server an answer.
func answers(req *http.Request) bool {
	body, err := sent(req.GetBody)
	if err != nil {
		return false
	}
	var id, method bool
	jsontext.Members(body, 0, jsontext.MaxDepth, func(name []byte, _ jsontext.Span) {
		id = id || string(name) == "id"
		method = method || string(name) == "method"
	})
	return id && !method
}

// sent is the body of a request of ours, which may be empty.
func sent(get func() (io.ReadCloser, error)) ([]byte, error) {
	if get == nil {
		return nil, nil
	}
	body, err := get()
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(body)
}
