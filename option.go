package diptych

import (
	"encoding/json"
	"log/slog"
	"maps"
	"reflect"
	"time"

	"github.com/diptych-mcp/diptych/internal/write"
)

// An Option changes how one tool is published. The options are those of this package; callers cannot invent one.
type Option interface{ apply(*config) }

// config is what the options of one tool add up to.
type config struct {
	unstructured  bool
	requireSchema bool
	logger        *slog.Logger // nil: slog.Default() at the time of the call
	timeout       time.Duration
	style         write.Style
	docs          []Docs
	schemas       map[reflect.Type]json.RawMessage // of types that do not say their own
	reveal        func(error) (string, bool)
}

type optionFunc func(*config)

func (f optionFunc) apply(c *config) { f(c) }

func newConfig(opts []Option) config {
	c := config{style: write.Style{Most: maxResult}}
	for _, o := range opts {
		if o != nil {
			o.apply(&c)
		}
	}
	return c
}

// log returns the logger for the tool's failures.
func (c *config) log() *slog.Logger {
	if c.logger != nil {
		return c.logger
	}
	return slog.Default()
}

// doc finds what the generator read about a type or a field.
func (c *config) doc(key string) (Doc, bool) {
	for _, d := range c.docs {
		if doc, ok := d[key]; ok {
			return doc, true
		}
	}
	return Doc{}, false
}

// Unstructured publishes a tool that answers with text alone: no output schema, no wrapper, no validation, and no
// structured content. By default a tool has both panels.
func Unstructured() Option { return optionFunc(func(c *config) { c.unstructured = true }) }

// RequireSchema makes it an error from [Add] when the return type has no schema, and makes content blocks publish
// their wire shape. By default content blocks, *mcp.CallToolResult, any and json.RawMessage publish none.
func RequireSchema() Option { return optionFunc(func(c *config) { c.requireSchema = true }) }

// Logger sets where the tool's failures are written, one record for each failed call. The default is [slog.Default].
func Logger(l *slog.Logger) Option { return optionFunc(func(c *config) { c.logger = l }) }

// Timeout cancels the function's context after d and answers the caller with a tool error as soon as the function
// returns. One that has not returned 50 ms later is abandoned: the caller is answered all the same, and the log says
// how many of the tool's calls still run. Zero, the default, sets no limit: a tool may take as long as its caller waits.
func Timeout(d time.Duration) Option { return optionFunc(func(c *config) { c.timeout = d }) }

// Schema says what values of T, or pointers to them, look like as JSON. It is for types of other modules whose marshaler hides
// what it writes, such as decimal.Decimal; a type of your own says it with a method JSONSchema() json.RawMessage. Passed to a
// generated AddTools it holds for all tools. The schema may have no $ref; it is bounded like one from the network, and what
// the type's encoder really writes is checked against it in every answer.
//
//	diptych.Schema[decimal.Decimal](json.RawMessage(`{"type":"string","pattern":"^-?[0-9]+(\\.[0-9]+)?$"}`))
func Schema[T any](schema json.RawMessage) Option {
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	return optionFunc(func(c *config) {
		c.schemas = maps.Clone(c.schemas)
		if c.schemas == nil {
			c.schemas = map[reflect.Type]json.RawMessage{}
		}
		c.schemas[t] = schema
	})
}

// given is the schema that an option gave for a type.
func (c *config) given(t reflect.Type) (json.RawMessage, bool) {
	schema, ok := c.schemas[t]
	return schema, ok
}

// Reveal decides which unexpected errors the caller may read: text is what it reads, where ok is true. By default every error
// but an [*Error] is masked, because the texts of errors hold addresses, queries and paths. Use it while you port a server, or
// for one whose callers may know all of it. The log keeps the whole error either way. A panic is always masked.
func Reveal(f func(error) (text string, ok bool)) Option {
	return optionFunc(func(c *config) { c.reveal = f })
}

// MaxResult is how many bytes an answer may have, its structured content and its content together. A larger one is a tool
// error and a record in the log; it is not written further than that. The default is 64 MiB, which a number below one leaves
// as it is.
func MaxResult(bytes int) Option {
	return optionFunc(func(c *config) {
		if c.style.Most = bytes; bytes < 1 {
			c.style.Most = maxResult
		}
	})
}

// OneBlock writes a list as one text block. By default each item is a block of its own, of which some clients show the
// first alone. A list with content blocks in it stays as it is.
func OneBlock() Option { return optionFunc(func(c *config) { c.style.OneBlock = true }) }

// Compact writes the text of a value on one line. By default it is indented by two spaces.
func Compact() Option { return optionFunc(func(c *config) { c.style.Compact = true }) }

// Docs is an [Option] that carries what Go forgets at run time: comments, the values of constants, defaults. The
// generator writes it. Keys are the import path and name of a type, "example.com/weather.Data", or of a field by its Go
// name, "example.com/weather.Data.Humidity". A struct tag wins over an entry; of several Docs the first that has the
// key wins.
type Docs map[string]Doc

// A Doc is what the source says about one type or field.
type Doc struct {
	Text    string          // the description
	Enum    []Constant      // of a type: the values it may take, in the order of their declaration
	Default json.RawMessage // of a field of arguments: the value of a missing argument
}

// A Constant is one declared value of a type, with its comment.
type Constant struct {
	Value any
	Text  string
}

func (d Docs) apply(c *config) { c.docs = append(c.docs, d) }
