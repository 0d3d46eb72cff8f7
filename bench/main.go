// Bench measures this library beside its peers in one run: the same tools on each, called in turn, and prints the
// result as Markdown.
//
//	go run . > table.md
//
// Every figure is CPU time of the whole process, as a ratio to another entrant of the same run, median of the rounds.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
	"time"
)

// A bench is one run of the program.
type bench struct {
	out        io.Writer
	rounds     int
	candidates *candidates
	only       *regexp.Regexp
	plot       string
	python     string
	node       string
}

// The parts of a run, in the order of the tables.
var parts = []struct {
	name string
	run  func(*bench) error
}{
	{"handlers", (*bench).handlers},
	{"arguments", (*bench).arguments},
	{"bytes", (*bench).bytes},
	{"http", (*bench).http},
	{"servers", (*bench).servers},
	{"sessions", (*bench).sessions},
	{"lists", (*bench).lists},
	{"registration", (*bench).registration},
	{"heap", (*bench).heap},
	{"linear", (*bench).linear},
	{"languages", (*bench).languages},
}

func main() {
	b := &bench{out: os.Stdout}
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.name
	}
	flag.IntVar(&b.rounds, "rounds", 10, "how many `rounds` each figure is the median of")
	flag.StringVar(&b.plot, "plot", "", "write the plot of cost against size to this SVG `file`")
	flag.StringVar(&b.python, "python", "", "also measure the Python SDKs with this `interpreter`, which has mcp and fastmcp installed")
	flag.StringVar(&b.node, "node", "", "also measure the TypeScript SDK from this `folder`, which has it in node_modules")
	chosen := flag.String("parts", strings.Join(names, ","), "what to measure, a `list`")
	works := flag.String("works", "", "measure only the answers whose names match this `pattern`")
	profile := flag.String("cpuprofile", "", "write a CPU profile to this `file`")
	serve := flag.String("serve", "", "serve the tools of one `peer` over HTTP on the port that is the argument, for a bench in another process")
	fill := flag.String("fill", "", "publish the tools of one `peer` once and say what that used, for a bench in another process")
	flag.Parse()
	if *fill != "" {
		if err := fillOne(*fill); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := b.run(strings.Split(*chosen, ","), *works, *profile, *serve); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (b *bench) run(chosen []string, works, profile, serve string) error {
	if b.rounds < 1 {
		return errors.New("no rounds; give at least 1")
	}
	var err error
	if b.only, err = regexp.Compile(works); err != nil {
		return err
	}
	if serve != "" {
		return serveOne(serve, flag.Arg(0))
	}
	if b.candidates, err = publishedCandidates(); err != nil {
		return err
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	start := time.Now()
	b.machine()
	for _, p := range parts {
		if !slices.Contains(chosen, p.name) {
			continue
		}
		if err := p.run(b); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	fmt.Fprintf(b.out, "Measured in %s.\n", time.Since(start).Round(time.Second))
	return nil
}

// publishedCandidates are servers with every tool.
func publishedCandidates() (*candidates, error) {
	h := newCandidates()
	asked, err := publishAs(h, "forecast", question, outlook, outlook)
	h.asked = asked
	return h, errors.Join(err,
		publish(h, "int", "number", 17),
		publish(h, "3 fields", "reading", reading{21.5, "partly cloudy", 60}),
		publish(h, "3 fields, tags", "tagged_reading", taggedReading{21.5, "partly cloudy", 60}),
		publish(h, "100 rows", "rows_100", rows(100)),
		publish(h, "100 rows, tags", "tagged_100", taggedRows(100)),
		publish(h, "10,000 rows", "rows_10000", rows(10_000)),
		publish(h, "10,000 rows, tags", "tagged_10000", taggedRows(10_000)),
		publish(h, "1 MB document", "report", report()),
	)
}

// machine says what the figures were measured on and with.
func (b *bench) machine() {
	fmt.Fprintf(b.out, "%s, %s/%s, %d cores, GOMAXPROCS %d, %d rounds.", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.GOMAXPROCS(0), b.rounds)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if slices.Contains(peers, d.Path) {
				fmt.Fprintf(b.out, " %s %s.", d.Path, d.Version)
			}
		}
	}
	fmt.Fprint(b.out, "\n\n")
}

// peers are the modules whose versions matter.
var peers = []string{
	"github.com/modelcontextprotocol/go-sdk", "github.com/mark3labs/mcp-go", "trpc.group/trpc-go/trpc-mcp-go",
	"github.com/google/jsonschema-go", "github.com/santhosh-tekuri/jsonschema/v6", "github.com/kaptinlin/jsonschema",
}

// works are the answers to measure.
func (b *bench) works() []work {
	var some []work
	for _, w := range b.candidates.works {
		if b.only.MatchString(w.name) {
			some = append(some, w)
		}
	}
	return some
}

func (b *bench) title(text, note string) { fmt.Fprintf(b.out, "## %s\n\n%s\n\n", text, note) }
