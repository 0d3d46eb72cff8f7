// Command diptych-gateway is a chat with MCP servers and a language model that keeps them apart: the model reads content,
// the screen draws structured content.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/diptych-mcp/diptych/gateway/quota"
)

type commandLine struct {
	Settings settings         `embed:""`
	Version  kong.VersionFlag `help:"Print the version."`
}

type settings struct {
	Listen   string `default:"127.0.0.1:8321" placeholder:"HOST:PORT" help:"Address of the loopback to listen on; port 0 takes a free one. Default: ${default}."`
	Data     string `default:"diptych-data" type:"path" placeholder:"DIR" help:"Folder for conversations, made where there is none. Default: ${default}."`
	Config   string `type:"existingfile" placeholder:"FILE" help:"MCP servers in the mcpServers format, with allowWithoutSources and policy beside it."`
	Model    string `default:"none" placeholder:"MODEL" help:"openai:NAME, anthropic:NAME, scripted or none. Keys come from OPENAI_API_KEY and ANTHROPIC_API_KEY. Default: ${default}."`
	BaseURL  string `name:"base-url" placeholder:"URL" help:"Address of the model's server, for Ollama, vLLM, llama.cpp and others that speak like OpenAI."`
	Context  int    `default:"32768" placeholder:"TOKENS" help:"Tokens that the model takes, its answer included; as its server was started. Default: ${default}."`
	ToolsMax int    `name:"tools-max" default:"64" placeholder:"N" help:"Tools that the model gets at once; of more, those that fit the question, and a search for the others. Default: ${default}."`
	Images   bool   `help:"The OpenAI-compatible model takes images."`
	Share    bool   `help:"Conversations may be shared by link."`

	IdleTimeout time.Duration `default:"2m" placeholder:"TIME" help:"How long the model's server may send nothing, before its first word too; more for slow models on this machine. Default: ${default}."`

	Limit limits `embed:"" prefix:"limit-"`

	Log      string     `enum:"text,json" default:"text" placeholder:"FORMAT" help:"Log as text or json, to standard error. Default: ${default}."`
	LogLevel slog.Level `default:"info" placeholder:"LEVEL" help:"debug, info, warn or error. Default: ${default}."`
	Traces   string     `env:"OTEL_EXPORTER_OTLP_ENDPOINT" placeholder:"URL" help:"Send OpenTelemetry traces there, such as http://127.0.0.1:4318. Off by default."`
}

// limits are for one user each; 0 is none.
type limits struct {
	Requests      int `default:"600" placeholder:"N" help:"Requests of one user in a minute. Default: ${default}; 0 for no limit, here and below."`
	Streams       int `default:"100" placeholder:"N" help:"Answers that one user watches at once. Default: ${default}."`
	Live          int `default:"10" placeholder:"N" help:"Runs of one user that go on at once. Default: ${default}."`
	Daily         int `default:"2000" placeholder:"N" help:"Runs that one user starts in a day, which begins at midnight, UTC. Default: ${default}."`
	Conversations int `default:"5000" placeholder:"N" help:"Conversations that one user keeps. Default: ${default}."`
	MiB           int `name:"mib" default:"2048" placeholder:"N" help:"MiB that one user's conversations take up. Default: ${default}."`
}

// run serves until it is interrupted. A second interrupt ends it at once.
func (c *settings) run() error {
	slog.SetDefault(slog.New(newLog(os.Stderr, c.Log, c.LogLevel)))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	g, err := open(ctx, *c)
	if err != nil {
		return err
	}
	fmt.Printf("Listening on %s\n", g.url())
	context.AfterFunc(ctx, stop)
	return g.serve(ctx)
}

// wrongLine is the exit code of a command line that is not understood; what fails later ends with 1.
const wrongLine = 2

func main() {
	if len(os.Args) > 1 && os.Args[1] == "backup" {
		wrong, failed := backup(os.Args[2:])
		switch {
		case wrong != nil:
			fmt.Fprintln(os.Stderr, "diptych-gateway:", wrong)
			os.Exit(wrongLine)
		case failed != nil:
			fmt.Fprintln(os.Stderr, "diptych-gateway:", failed)
			os.Exit(1)
		}
		return
	}
	var c commandLine
	parser := kong.Must(&c, kong.Name("diptych-gateway"), kong.Vars{"version": version()},
		kong.Description("A chat with MCP servers and a language model that keeps them apart: the model reads content, the screen draws structured content. \"diptych-gateway backup FILE\" copies its database."))
	if _, err := parser.Parse(os.Args[1:]); err != nil {
		parser.Errorf("%s; see diptych-gateway --help", err)
		os.Exit(wrongLine)
	}
	parser.FatalIfErrorf(c.Settings.run())
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func (l limits) quota(usage quota.Usage) *quota.Quota {
	return quota.New(quota.Limits{Requests: l.Requests, Streams: l.Streams, Live: l.Live, Daily: l.Daily, Conversations: l.Conversations, Bytes: int64(l.MiB) << 20}, usage)
}
