package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/anthropic"
	"github.com/diptych-mcp/diptych/gateway/model/openai"
	"github.com/diptych-mcp/diptych/gateway/model/scripted"
	"github.com/diptych-mcp/diptych/gateway/numbers"
)

const (
	noModel       = "none"
	scriptedModel = "scripted"

	openaiKey    = "OPENAI_API_KEY"
	anthropicKey = "ANTHROPIC_API_KEY"
)

// openModel returns the model that the flags name, nil for none.
func openModel(c settings) (model.Model, error) {
	kind, name, _ := strings.Cut(c.Model, ":")
	if missing := missingKey(c); missing != "" {
		slog.Warn("no key for the model is set, and its maker refuses questions without one; set it, or name another server with --base-url", "variable", missing)
	}
	switch {
	case c.IdleTimeout < 0:
		return nil, fmt.Errorf("--idle-timeout %v is no time to wait; write it as 10m", c.IdleTimeout)
	case c.Context != 0 && c.Context < minContext:
		return nil, fmt.Errorf("--context %d is less than a question with tools needs; write %d or more", c.Context, minContext)
	case c.ToolsMax < 0:
		return nil, fmt.Errorf("--tools-max %d is no number of tools; write 64", c.ToolsMax)
	case c.Model == noModel:
		return nil, nil
	case c.Model == scriptedModel:
		return scripted.Model{Pace: 25 * time.Millisecond}, nil
	case kind == "openai" && name != "":
		return opened(openai.New(openai.Config{Model: name, BaseURL: c.BaseURL, Key: os.Getenv(openaiKey), Images: c.Images, Idle: c.IdleTimeout}))
	case kind == "anthropic" && name != "":
		return opened(anthropic.New(anthropic.Config{Model: name, BaseURL: c.BaseURL, Key: os.Getenv(anthropicKey), Idle: c.IdleTimeout}))
	}
	return nil, fmt.Errorf("--model %q is no model; write openai:NAME, anthropic:NAME, scripted or none", c.Model)
}

// missingKey names the variable that a model needs and that is not set. Servers elsewhere may want no key.
func missingKey(c settings) string {
	kind, _, _ := strings.Cut(c.Model, ":")
	name := map[string]string{"openai": openaiKey, "anthropic": anthropicKey}[kind]
	if c.BaseURL != "" || os.Getenv(name) != "" {
		return ""
	}
	return name
}

// opened keeps a nil client from becoming a model.
func opened[M model.Model](m M, err error) (model.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// A figure is a [numbers.Figure] as the page reads it.
type figure struct {
	Start   int             `json:"start"`
	End     int             `json:"end"`
	Verdict numbers.Verdict `json:"verdict"`
	From    []string        `json:"from,omitempty"`
}

// checkNumbers is the number check that a chat asks for.
func checkNumbers(ctx context.Context, prose string, data ...[]string) any {
	figures := []figure{}
	for _, f := range numbers.Check(ctx, prose, data...) {
		figures = append(figures, figure(f))
	}
	return figures
}
