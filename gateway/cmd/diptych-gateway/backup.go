package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/alecthomas/kong"

	"github.com/diptych-mcp/diptych/gateway/store/sqlite"
)

// backupLine is the command line of "diptych-gateway backup".
type backupLine struct {
	File string `arg:"" type:"path" help:"The new file."`
	Data string `default:"diptych-data" type:"path" placeholder:"DIR" help:"Folder of the gateway. Default: ${default}."`
}

// backup copies the database of a gateway, which may be running.
func backup(args []string) (wrong, failed error) {
	var c backupLine
	parser := kong.Must(&c, kong.Name("diptych-gateway backup"), kong.Description("Write a copy of a gateway's database into a new file, for its owner alone to read. The gateway may run."))
	if _, err := parser.Parse(args); err != nil {
		return fmt.Errorf("%w; see diptych-gateway backup --help", err), nil
	}
	return nil, sqlite.Backup(context.Background(), filepath.Join(c.Data, "gateway.db"), c.File)
}
