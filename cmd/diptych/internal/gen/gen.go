// Package gen writes tools_gen.go: the tools of a package, read from its functions, comments and constants.
//
// The work has three steps. Reading turns source into tools and docs (load.go, tool.go, params.go, docs.go, …),
// naming chooses identifiers that clash with nothing (name.go), printing writes one file for each package
// (print.go). Nothing is written unless everything is right.
package gen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
)

// FileName is the file that is written into each package with tools.
const FileName = "tools_gen.go"

// ErrStale is the error of a check that found generated files out of date.
var ErrStale = errors.New("generated files are out of date; run diptych gen")

// A Config says what to generate.
type Config struct {
	Dir      string   // where patterns and positions start from; "" is the current folder
	Patterns []string // packages as go build takes them; none is the package in Dir
	Tags     string   // build tags, separated by commas
	Check    bool     // write nothing; print the difference to Out and return ErrStale
	Out      io.Writer
	Progress io.Writer // gets messages about long work; nil: none are written
	Notes    io.Writer // gets the tools that could not be registered on trial; nil: none are written
}

// Run generates. What is wrong with the source is a *SourceError, which holds every fault at once.
func Run(ctx context.Context, cfg Config) error {
	if cfg.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return err
		}
		cfg.Dir = dir
	}
	if len(cfg.Patterns) == 0 {
		cfg.Patterns = []string{"."}
	}
	p := startProgress(cfg.Progress)
	defer p.stop()

	sources, faults, err := read(ctx, cfg, p)
	if err != nil {
		return err
	}
	var files []file
	for _, src := range sources {
		p.say("writing %s", src.path)
		n := newNames(src, faults)
		files = append(files, file{filepath.Join(src.dir, FileName), len(src.tools), nil, printPackage(src, n)})
	}
	if err := faults.err(); err != nil {
		return err
	}
	p.say("registering the tools on trial")
	if err := try(ctx, cfg, sources, files, faults); err != nil {
		return err
	}
	if err := faults.err(); err != nil {
		return err
	}
	if files, err = changed(files); err != nil {
		return err
	}
	if cfg.Check {
		return check(cfg, files)
	}
	return write(cfg, files)
}

// A file is what is on disk and what should be there. A nil want means no file.
type file struct {
	path  string
	tools int
	have  []byte
	want  []byte
}

// changed keeps the files that differ from what is on disk.
func changed(files []file) ([]file, error) {
	var out []file
	var errs []error
	for _, f := range files {
		have, err := os.ReadFile(f.path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
			continue
		}
		f.have = have
		if err == nil && bytes.Equal(f.have, f.want) || err != nil && f.want == nil {
			continue
		}
		out = append(out, f)
	}
	return out, errors.Join(errs...)
}

func check(cfg Config, files []file) error {
	for _, f := range files {
		name := relative(cfg.Dir, f.path)
		if _, err := cfg.Out.Write(diff.Diff(name, f.have, name+" (generated now)", f.want)); err != nil {
			return err
		}
	}
	if len(files) > 0 {
		return ErrStale
	}
	return nil
}

func write(cfg Config, files []file) error {
	var errs []error
	for _, f := range files {
		name := relative(cfg.Dir, f.path)
		if f.want == nil {
			errs = append(errs, os.Remove(f.path))
			fmt.Fprintf(cfg.Out, "removed %s: its package has no tools\n", name)
			continue
		}
		if err := replace(f.path, f.want); err != nil {
			errs = append(errs, err)
			continue
		}
		s := "s"
		if f.tools == 1 {
			s = ""
		}
		fmt.Fprintf(cfg.Out, "wrote %s: %d tool%s\n", name, f.tools, s)
	}
	return errors.Join(errs...)
}

// replace writes a file in one step, so that a reader sees the old file or the new one.
func replace(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tools_gen-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already when everything went well
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
