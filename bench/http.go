package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/diptych-mcp/diptych"
)

// An endpoint is one peer's server at an address of the loopback interface.
type endpoint struct {
	name    string
	handler http.Handler
	url     string
	server  *http.Server
}

// handlers are the peers' handlers, each made as its own documentation says for a stateless server.
func (h *candidates) handlers() []endpoint {
	return []endpoint{
		{name: raw, handler: officialHTTP(h.raw)},
		{name: ours, handler: diptych.Handler(h.ours)},
		{name: typed, handler: officialHTTP(h.typed)},
		{name: mark, handler: markHTTP(h.mark)},
		{name: checked, handler: markHTTP(h.checked)},
		{name: tencent, handler: tencentHTTP(h.tencent)},
	}
}

// listen starts the server of every peer.
func (h *candidates) listen() ([]endpoint, error) {
	endpoints := h.handlers()
	for i := range endpoints {
		d := &endpoints[i]
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		d.url, d.server = "http://"+l.Addr().String()+"/", &http.Server{Handler: d.handler}
		go func() { _ = d.server.Serve(l) }()
	}
	return endpoints, nil
}

func closeEndpoints(endpoints []endpoint) {
	for _, d := range endpoints {
		d.server.Close()
	}
}

// The protocol revision of every request over HTTP: the stateless one, which all peers of this bench speak.
const revision = "2026-07-28"

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + revision +
	`","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}}`

const listBody = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`

// post sends one request over and over and throws the answers away; the first one it looks at, and at the structured
// content in it where doc says what that is.
func post(url, method, name, body string, doc []byte) func() error {
	looked := false
	return func() error {
		req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Mcp-Protocol-Version", revision)
		req.Header.Set("Mcp-Method", method)
		if name != "" {
			req.Header.Set("Mcp-Name", name)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if looked && resp.StatusCode == http.StatusOK {
			_, err := io.Copy(io.Discard, resp.Body)
			return err
		}
		looked = true
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			return err
		}
		var told struct {
			Result struct {
				IsError           bool
				StructuredContent json.RawMessage
				Tools             []any
			}
		}
		// Some peers send one event instead of the bare object.
		err = json.NewDecoder(bytes.NewReader(answer[max(0, bytes.IndexByte(answer, '{')):])).Decode(&told)
		if err != nil || resp.StatusCode != http.StatusOK || told.Result.IsError || told.Result.Tools == nil && doc == nil {
			return fmt.Errorf("%s of %q: status %s: %.300s", method, name, resp.Status, answer)
		}
		if doc == nil {
			return nil
		}
		return same(told.Result.StructuredContent, doc)
	}
}

// call is a call of the work's tool.
func (w work) call(url string) func() error {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + meta + `,"name":"` + w.tool + `","arguments":` + w.arguments + `}}`
	return post(url, "tools/call", w.tool, body, w.doc)
}

// calls are calls at each endpoint.
func (w work) calls(endpoints []endpoint) []entrant {
	entrants := make([]entrant, len(endpoints))
	for i, d := range endpoints {
		entrants[i] = entrant{d.name, w.call(d.url)}
	}
	return entrants
}

// http measures whole calls over HTTP: client, connection and server in one process.
func (b *bench) http() error {
	endpoints, err := b.candidates.listen()
	if err != nil {
		return err
	}
	defer closeEndpoints(endpoints)
	ratios := table{head: []string{"answer"}}
	allocs := table{head: []string{"answer"}}
	for _, w := range b.works() {
		scores, err := contest(b.rounds, w.calls(endpoints)...)
		if err != nil {
			return err
		}
		ratios.compare(scores, w.name)
		allocs.count(scores, w.name)
	}
	b.title("The whole call over HTTP", "Stateless, revision "+revision+", loopback; the client throws the body away and its own work counts. The official SDK's raw path, which checks nothing, = 1.")
	ratios.print(b.out)
	b.title("Allocations over HTTP", "Count and bytes of one call, client included.")
	allocs.print(b.out)
	return nil
}
