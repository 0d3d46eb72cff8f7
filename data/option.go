package data

import (
	"log/slog"
	"slices"
	"time"

	"github.com/diptych-mcp/diptych"
)

// An Option changes how a data tool is published. Given to [NewRegistry] it holds for every tool of the registry. The options
// are those of this package; a data tool without structured content cannot be asked for.
type Option interface {
	RegistryOption
	tool()
}

// A RegistryOption changes a [Registry] as a whole.
type RegistryOption interface{ apply(*config) }

type config struct {
	strict bool
	logger *slog.Logger // nil: slog.Default() at the time of use
	tools  []diptych.Option
	view   *view
	plain  []string // tools that need no sources
}

func (c *config) log() *slog.Logger {
	if c.logger != nil {
		return c.logger
	}
	return slog.Default()
}

type toolOption func(*config)

func (f toolOption) apply(c *config) { f(c) }
func (toolOption) tool()             {}

type registryOption func(*config)

func (f registryOption) apply(c *config) { f(c) }

// Logger sets where refusals and failures are written. The default is [slog.Default].
func Logger(l *slog.Logger) Option {
	return toolOption(func(c *config) {
		c.logger = l
		c.tools = append(c.tools, diptych.Logger(l))
	})
}

// Timeout answers the caller with a tool error after d, as [diptych.Timeout] does.
func Timeout(d time.Duration) Option {
	return toolOption(func(c *config) { c.tools = append(c.tools, diptych.Timeout(d)) })
}

// Docs passes on what the generator read about a tool's arguments.
func Docs(d diptych.Docs) Option {
	return toolOption(func(c *config) { c.tools = append(c.tools, d) })
}

// Strict makes a refused tool fatal: a server that has one answers no client, and says why. By default it serves the rest.
func Strict() RegistryOption { return registryOption(func(c *config) { c.strict = true }) }

// AllowWithoutSources names tools that may stay on the server although they promise no sources, such as one that deletes an
// order. They are listed with a mark, "io.github.diptych-mcp/noSource" in their _meta, and their results are not checked. A tool
// that is neither a data tool nor named is hidden as before.
func AllowWithoutSources(tools ...string) RegistryOption {
	return registryOption(func(c *config) { c.plain = append(slices.Clip(c.plain), tools...) })
}

// noSource is the key in the _meta of a tool that is allowed without sources.
const noSource = "io.github.diptych-mcp/noSource"
