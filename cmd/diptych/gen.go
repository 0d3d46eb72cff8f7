package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/gen"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

type genCommand struct {
	Packages []string `arg:"" optional:"" help:"Packages as go build takes them; the one in this folder by default."`

	Check bool   `help:"Write nothing: print what would change, and exit with 1 if anything would."`
	Tags  string `help:"Build tags, separated by commas." placeholder:"TAGS"`
}

func (*genCommand) Help() string {
	return `A function becomes a tool by one line in its comment:

    // CurrentTemperature reports the temperature in a city, in whole degrees Celsius.
    //
    //diptych:tool readonly
    func CurrentTemperature(ctx context.Context, city string /* City name, as people write it. */) (int, error)

Its name becomes current_temperature, its comment the description, its parameters the arguments, its result the output
schema. Comments on types and fields describe them; groups of typed constants are the values that a type may take. The
package gets a file tools_gen.go with AddTools, which publishes all its tools on a server, and AddDataTools for those
that return a data.Result. Receivers of methods are parameters of these functions. A variadic parameter may be left out,
and so may a pointer to anything but a struct.

Behind //diptych:tool, on one line or several:

    name=find_slots title="Find slots"            other names
    prefix                                        the receiver's name before the tool's; prefix=desk for another one
    readonly destructive idempotent openworld     hints for hosts; openworld=false says that it is not
    unstructured                                  text alone, no output schema
    default minutes=60 minimum minutes=15         what binds an argument, named as in Go: default, minimum, maximum,
                                                  exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength,
                                                  pattern, format, minItems, maxItems, uniqueItems, enum, const,
                                                  examples, deprecated, header

Two more directives:

    //diptych:option find_slots    on a variable or function of the package: more options for the tools that it names
    //diptych:open                 on a type: its constants are examples, and other values are fine too

To keep the file fresh, write //go:generate go tool diptych gen into the package, and run diptych gen --check ./... in CI.`
}

func (k *genCommand) Run(ctx context.Context, c *console) error {
	debug.SetGCPercent(400) // a short life with much to read: memory for time
	cfg := gen.Config{Patterns: k.Packages, Tags: k.Tags, Check: k.Check, Out: c.stdout, Notes: c.stderr}
	if terminal.IsTerminal(c.stderr) {
		cfg.Progress = c.stderr
	}
	err := gen.Run(ctx, cfg)
	var faults *gen.SourceError
	if errors.As(err, &faults) {
		// Bare, so that an editor can jump to each.
		for _, f := range faults.Faults {
			fmt.Fprintln(c.stderr, terminal.Clean(f))
		}
		return fail(exitFailed, "")
	}
	return err
}
