package gen

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// This file registers the tools on trial before anything is written. What the library refuses when a server starts is refused
// here, in the same words: some of it only the types themselves know at run time, by their methods.
//
// The trial is a test of the user's package that exists in an overlay alone, with the generated file beside it and the user's own
// tests left out. It runs what a package runs when it is imported, and Add for each tool; it calls no tool.

const trialFile = "diptych_trial_test.go"

// trialTime is how long the trial of all packages may take, compiling them included.
const trialTime = 5 * time.Minute

// A refusal is what Add said of one tool.
type refusal struct {
	Package string
	Text    string
}

// try registers the tools of every file, and adds what was refused to the faults. A package whose trial did not run, because it
// does not compile yet or ends by itself, is named on cfg.Notes.
func try(ctx context.Context, cfg Config, sources []*source, files []file, faults *faults) error {
	dir, err := os.MkdirTemp("", "diptych-gen-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	put := func(path string, text []byte) error {
		name := filepath.Join(dir, fmt.Sprintf("%d.go", len(overlay.Replace)))
		overlay.Replace[path] = name
		return os.WriteFile(name, text, 0o600)
	}
	var paths []string
	for i, src := range sources {
		if len(src.tools) == 0 {
			continue
		}
		own, err := filepath.Glob(filepath.Join(src.dir, "*_test.go"))
		if err != nil {
			return err
		}
		for _, name := range own {
			overlay.Replace[name] = ""
		}
		if err := errors.Join(put(files[i].path, files[i].want), put(filepath.Join(src.dir, trialFile), trialOf(src))); err != nil {
			return err
		}
		paths = append(paths, src.path)
	}
	if len(paths) == 0 {
		return nil
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	args := []string{"test", "-overlay=" + name, "-vet=off", "-ldflags=-s -w", "-run=^TestDiptychTrial$", "-v", "-timeout=60s"}
	if cfg.Tags != "" {
		args = append(args, "-tags="+cfg.Tags)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, paths...)...)
	cmd.Dir = cfg.Dir
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		return err
	}
	tried, refusals := readTrial(out)
	for _, src := range sources {
		for _, r := range refusals {
			if r.Package == src.path {
				src.refused(r.Text, faults)
			}
		}
		if len(src.tools) > 0 && !tried[src.path] && cfg.Notes != nil {
			fmt.Fprintf(cfg.Notes, "diptych gen: the tools of %s were not registered on trial: %s\n", src.path, whyNot(out, dir))
		}
	}
	return nil
}

const (
	trialSaid = "diptych-trial: "
	trialDone = "diptych-tried: "
)

// trialOf is the test that registers the tools of a package.
func trialOf(src *source) []byte {
	var b bytes.Buffer
	put := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	if src.constraint != "" {
		put("//go:build %s\n\n", src.constraint)
	}
	put("package %s\n\nimport (\n", src.types.Name())
	put("\tdiptychTrialJSON %q\n\tdiptychTrialFmt %q\n\tdiptychTrialTesting %q\n", "encoding/json", "fmt", "testing")
	put("\tdiptychTrialMCP %q\n", sdkPath+"/mcp")
	hasData := slices.ContainsFunc(src.tools, func(t *tool) bool { return t.data })
	if hasData {
		put("\tdiptychTrialData %q\n", dataPath)
	}
	put(")\n\nfunc TestDiptychTrial(t *diptychTrialTesting.T) {\n")
	put("\tserver := func() *diptychTrialMCP.Server {\n\t\treturn diptychTrialMCP.NewServer(&diptychTrialMCP.Implementation{Name: \"trial\", Version: \"0\"}, nil)\n\t}\n")
	put("\tvar all []error\n\tadd := func(err error) {\n\t\tif list, ok := err.(interface{ Unwrap() []error }); ok {\n\t\t\tall = append(all, list.Unwrap()...)\n\t\t} else if err != nil {\n\t\t\tall = append(all, err)\n\t\t}\n\t}\n")
	for _, data := range []bool{false, true} {
		tools := slices.DeleteFunc(slices.Clone(src.tools), func(t *tool) bool { return t.data != data })
		if len(tools) == 0 {
			continue
		}
		call := addTools + "(server()"
		if data {
			call = addDataTools + "(diptychTrialData.NewRegistry(server())"
		}
		for i, t := range tools {
			same := func(o *tool) bool { return o.receiver == t.receiver }
			if t.receiver == nil || slices.ContainsFunc(tools[:i], same) {
				continue
			}
			if slices.ContainsFunc(tools, func(o *tool) bool { return same(o) && o.pointer }) {
				call += ", new(" + t.receiver.Name() + ")"
			} else {
				call += ", *new(" + t.receiver.Name() + ")"
			}
		}
		put("\tadd(%s))\n", call)
	}
	put("\tfor _, err := range all {\n\t\ttext, _ := diptychTrialJSON.Marshal([]string{%q, err.Error()})\n\t\tdiptychTrialFmt.Printf(\"\\n%s%%s\\n\", text)\n\t}\n", src.path, trialSaid)
	put("\tdiptychTrialFmt.Printf(\"\\n%s%%s\\n\", %q)\n}\n", trialDone, src.path)
	return b.Bytes()
}

// readTrial returns which packages were tried to the end, and what was refused.
func readTrial(out []byte) (tried map[string]bool, refusals []refusal) {
	tried = map[string]bool{}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if path, ok := strings.CutPrefix(line, trialDone); ok {
			tried[path] = true
		}
		if text, ok := strings.CutPrefix(line, trialSaid); ok {
			var said [2]string
			if json.Unmarshal([]byte(text), &said) == nil {
				refusals = append(refusals, refusal{said[0], said[1]})
			}
		}
	}
	return tried, refusals
}

// refused adds what Add said as a fault of the tool that it names: at its result, at the parameter, or at its name.
func (src *source) refused(text string, faults *faults) {
	at := regexp.MustCompile(`^tool "([^"]*)": (?:(input|output) )?(?:[\pL_][\pL\pN_]*Arguments\.)?([\pL_][\pL\pN_]*)?`).FindStringSubmatch(text)
	i := -1
	if at != nil {
		i = slices.IndexFunc(src.tools, func(t *tool) bool { return t.name == at[1] })
	}
	if i < 0 {
		faults.add(src.tools[0].pos, "%s", text)
		return
	}
	t := src.tools[i]
	pos := t.pos
	switch {
	case at[2] == "output" && t.outPos.IsValid():
		pos = t.outPos
	case at[2] == "input":
		for _, p := range t.parameters {
			if t.whole || fieldName(p.name) == at[3] {
				pos = p.pos
			}
		}
	}
	faults.add(pos, "%s", text)
}

// whyNot is the first thing that the go command or the package itself said, without the folder of the trial.
func whyNot(out []byte, dir string) string {
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "ok ") {
			return strings.ReplaceAll(line, dir+string(filepath.Separator), "")
		}
	}
	return "it said nothing"
}
