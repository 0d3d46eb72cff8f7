// Package openai speaks to servers with an OpenAI-compatible chat endpoint: OpenAI, Ollama, vLLM, llama.cpp, Gemini and
// many more. Each deviates from the others, so the client takes what it can make sense of and refuses what it cannot:
// an answer that was cut is an error and never a finished turn.
package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

const home = "https://api.openai.com/v1"

// Config says which model to speak to, and where.
type Config struct {
	Model     string
	BaseURL   string            // up to and without /chat/completions; "": OpenAI's own
	Key       string            // from the environment; "": none is sent
	Images    bool              // the model takes images
	Audio     bool              // the model takes WAV and MP3
	Idle      time.Duration     // how long the server may send nothing; 0: two minutes
	Transport http.RoundTripper // nil: http.DefaultTransport
}

// A Client is a model on an OpenAI-compatible server.
type Client struct {
	config   Config
	provider provider
	url      string
	line     wire.Client

	// What the server was found to refuse or to send.
	noUsage   atomic.Bool  // it refuses stream_options
	reasoning atomic.Value // the field, a string, in which it sends reasoning
}

var _ model.Model = (*Client)(nil)

// New checks the configuration and sends nothing.
func New(c Config) (*Client, error) {
	if c.Model == "" {
		return nil, errors.New("openai: no model is named; name one as openai:NAME")
	}
	if c.BaseURL == "" {
		c.BaseURL = home
	}
	address, err := wire.Address("openai", c.BaseURL)
	if err != nil {
		return nil, err
	}
	client := &Client{
		config:   c,
		provider: providerOf(address, c.Model),
		url:      address + "/chat/completions",
		line:     wire.Client{Transport: c.Transport, Idle: c.Idle},
	}
	client.noUsage.Store(client.provider.noUsage)
	return client, nil
}

// Name is "openai:" and the model's name.
func (c *Client) Name() string { return "openai:" + c.config.Model }

// Stream implements [model.Model]. Text that a server marks as reasoning is not part of the answer.
func (c *Client) Stream(ctx context.Context, req model.Request, emit func(model.Delta) error) (model.Turn, error) {
	names := wire.NewNames(req.Tools)
	t := &turn{names: names, emit: emit, key: c.config.Key, calls: calls{names: names}}
	err := c.ask(ctx, req, t)
	if err != nil && !t.heard && ctx.Err() == nil && wire.Refuses(err, "stream_options") && c.noUsage.CompareAndSwap(false, true) {
		err = c.ask(ctx, req, t)
	}
	if t.field != "" {
		c.reasoning.Store(t.field)
	}
	switch {
	case err == nil:
		return t.finished(req), nil
	case t.refused != nil: // by emit
		return model.Turn{}, t.refused
	case ctx.Err() != nil:
		return model.Turn{}, ctx.Err()
	}
	return model.Turn{}, wire.Failed(c.Name(), err, c.config.Key)
}

// ask sends the request and reads the answer into t.
func (c *Client) ask(ctx context.Context, r model.Request, t *turn) error {
	body, err := json.Marshal(c.body(r, t.names))
	if err != nil {
		return errors.New("the request cannot be written as JSON; check the parameters of the tools")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	if c.config.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.config.Key)
	}
	line := c.line
	line.Waits = func(why string, d time.Duration) error {
		return t.emit(model.Delta{Wait: &model.Wait{Why: why, For: d}})
	}
	res, err := line.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return wire.Fault(res, c.config.Key)
	}
	return t.read(res.Body)
}
