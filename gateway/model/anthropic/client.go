// Package anthropic speaks to Anthropic's models through the official SDK.
package anthropic

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

// Config says which model to speak to, and where.
type Config struct {
	Model     string
	BaseURL   string            // up to and without /v1/messages; "": Anthropic's own
	Key       string            // from the environment; "": none is sent
	Idle      time.Duration     // how long the server may send nothing; 0: two minutes
	Transport http.RoundTripper // nil: http.DefaultTransport
}

// A Client is a model of Anthropic's.
type Client struct {
	config Config
	sdk    sdk.Client
	line   *wire.Client
}

var _ model.Model = (*Client)(nil)

// New checks the configuration and sends nothing.
func New(c Config) (*Client, error) {
	if c.Model == "" {
		return nil, errors.New("anthropic: no model is named; name one as anthropic:NAME")
	}
	line := &wire.Client{Transport: c.Transport, Idle: c.Idle}
	// The SDK would look for keys in the environment and in files, wait as long as a server asks, and trace.
	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithoutOpenTelemetry(),
		option.WithHTTPClient(line),
		option.WithMaxRetries(0),
	}
	if c.Key != "" {
		options = append(options, option.WithAPIKey(c.Key))
	}
	if c.BaseURL != "" {
		address, err := wire.Address("anthropic", c.BaseURL)
		if err != nil {
			return nil, err
		}
		options = append(options, option.WithBaseURL(address))
	}
	return &Client{config: c, sdk: sdk.NewClient(options...), line: line}, nil
}

// Name is "anthropic:" and the model's name.
func (c *Client) Name() string { return "anthropic:" + c.config.Model }

// Stream implements [model.Model]. What the model thinks before it answers is not part of the answer.
func (c *Client) Stream(ctx context.Context, req model.Request, emit func(model.Delta) error) (model.Turn, error) {
	names := wire.NewNames(req.Tools)
	t := &turn{emit: emit, key: c.config.Key}
	err := c.ask(ctx, params(c.config.Model, req, names), t)
	switch {
	case err == nil:
		return t.finished(req, names), nil
	case t.refused != nil: // by emit
		return model.Turn{}, t.refused
	case ctx.Err() != nil:
		return model.Turn{}, ctx.Err()
	}
	// An SDK error holds the request, and that the key: only cleaned text leaves.
	return model.Turn{}, wire.Failed(c.Name(), err, c.config.Key)
}

// ask sends the request and reads the answer into t.
func (c *Client) ask(ctx context.Context, p sdk.MessageNewParams, t *turn) error {
	var whole []byte // of a server that does not stream
	stream := c.sdk.Messages.NewStreaming(ctx, p, option.WithMiddleware(func(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		res, err := next(req)
		switch {
		case err != nil:
		case res.StatusCode == http.StatusOK:
			whole, err = unstreamed(res)
		case res.StatusCode < 400: // which the SDK would take for an answer
			defer res.Body.Close()
			err = wire.Fault(res, c.config.Key)
		}
		return res, err
	}))
	defer stream.Close()
	for stream.Next() {
		if err := t.take(stream.Current()); err != nil {
			return err
		}
		if t.stopped {
			return nil
		}
	}
	if err := stream.Err(); err != nil {
		return t.fault(err)
	}
	if whole != nil {
		return t.whole(whole)
	}
	return t.end()
}

// unstreamed takes the body of an answer that is no stream of events, which the SDK would read as an empty one.
func unstreamed(res *http.Response) ([]byte, error) {
	first := make([]byte, 1)
	n, err := io.ReadFull(res.Body, first)
	if err != nil && err != io.EOF {
		return nil, wire.Cut(err)
	}
	body := res.Body
	if n == 0 || first[0] != '{' && first[0] != '<' {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(first[:n]), body), body}
		return nil, nil
	}
	defer body.Close()
	res.Body = http.NoBody
	if first[0] == '<' {
		return nil, wire.ErrWebPage
	}
	rest, err := io.ReadAll(io.LimitReader(body, wire.MaxKept))
	if err != nil {
		return nil, wire.Cut(err)
	}
	if len(rest) == wire.MaxKept {
		return nil, wire.ErrTooLong
	}
	return append(first, rest...), nil
}
