// Demo shows the main job on a terminal: it builds the weather server, starts it on a free port of the loopback
// interface, calls some of its tools over HTTP and prints what was published and both panels of each answer.
//
//	make demo
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/internal/serve"
	"github.com/diptych-mcp/diptych/internal/wire"
)

// The scenes, in the order of the guide: a scalar, an object, a list, a map, text alone, a document that lies.
var scenes = []scene{
	{"get_temperature", "int", `{"city":"London"}`, "A number is no object, so it is wrapped."},
	{"get_weather", "WeatherData", `{"city":"London"}`, "A struct is its own schema; its comments describe the fields."},
	{"get_forecast", "[]plain.WeatherData", `{"city":"London","days":2}`, "A list is wrapped; the model reads one block for each item."},
	{"get_temperatures", "map[string]float64", `{"cities":["London","Reykjavik"]}`, "A map with string keys is an object already."},
	{"weather_report", "string", `{"city":"London"}`, "Published as Unstructured: text alone."},
	{"get_temperature", "int", `{"city":"Atlantis"}`, "Errorf speaks to the model. It is no zero degrees."},
	{"get_weather_upstream", "diptych.JSON[plain.WeatherData]", `{"city":"London"}`, "The document from upstream lacks a field, so it never leaves. No value does."},
}

// A scene is one call. Returns is what the Go function returns beside its error.
type scene struct{ tool, returns, arguments, remark string }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, coloured(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, colour bool) error {
	dir, err := os.MkdirTemp("", "diptych-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := serve.Build(ctx, "github.com/diptych-mcp/diptych/examples/weather", dir)
	if err != nil {
		return err
	}
	var log bytes.Buffer
	server, err := serve.Start(ctx, &log, program)
	if err != nil {
		return err
	}
	peer := wire.HTTP(server.URL, wire.Modern)
	tools, err := peer.Tools(ctx)
	if err != nil {
		return err
	}
	p := &page{out: out, colour: colour, shown: map[string]bool{}}
	p.title(server.URL, len(tools))
	for _, s := range scenes {
		i := slices.IndexFunc(tools, func(t wire.Tool) bool { return t.Name == s.tool })
		if i < 0 {
			return fmt.Errorf("the server does not publish %s", s.tool)
		}
		res, err := peer.Call(ctx, s.tool, json.RawMessage(s.arguments))
		if err != nil {
			return err
		}
		p.scene(s, tools[i], res)
	}
	if err := server.Stop(); err != nil {
		return fmt.Errorf("the server ended badly: %w", err)
	}
	p.log(strings.TrimSpace(log.String()))
	return p.err
}

// coloured says whether f is a terminal whose owner did not ask for plain text.
func coloured(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
