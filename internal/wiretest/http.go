package wiretest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// HTTP is a peer of the stateless server at url.
func HTTP(url, revision string) *Peer {
	client := &http.Client{Transport: &http.Transport{}}
	return &Peer{revision: revision, carry: func(ctx context.Context, m message) (json.RawMessage, error) {
		return post(ctx, client, url, revision, m)
	}}
}

func post(ctx context.Context, client *http.Client, url, revision string, m message) (json.RawMessage, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(m.body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", revision)
	if revision >= Modern {
		req.Header.Set("Mcp-Method", m.method)
		if m.name != "" {
			req.Header.Set("Mcp-Name", m.name)
		}
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	defer io.Copy(io.Discard, resp.Body) // a body read to its end leaves the connection to the next request
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return events(resp.Body, m.id)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	raw, ok, err := answer(body, m.id)
	if err == nil && !ok || resp.StatusCode != http.StatusOK && raw == nil && err == nil {
		err = fmt.Errorf("http status %s", resp.Status)
	}
	return raw, err
}

// events reads a stream up to the answer.
func events(stream io.Reader, id int) (json.RawMessage, error) {
	r := bufio.NewReader(stream)
	for {
		line, err := r.ReadBytes('\n')
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok && len(bytes.TrimSpace(data)) > 0 {
			if raw, ok, err := answer(data, id); ok {
				return raw, err
			}
		}
		if err != nil {
			return nil, fmt.Errorf("the stream ended without an answer: %w", err)
		}
	}
}
