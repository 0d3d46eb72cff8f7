package gen

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// faults are all that is wrong with the source, reported together.
type faults struct {
	dir  string // positions are relative to it
	fset *token.FileSet
	list []fault
}

type fault struct {
	at   token.Position
	text string
}

// A SourceError is what is wrong with the source, in the order of the source.
type SourceError struct {
	Faults []string // file:line:column: fault; remedy
}

// Error has a line for each fault.
func (e *SourceError) Error() string { return strings.Join(e.Faults, "\n") }

// add notes a fault and its remedy at a position.
func (f *faults) add(pos token.Pos, format string, args ...any) {
	f.addAt(f.fset.Position(pos), format, args...)
}

func (f *faults) addAt(at token.Position, format string, args ...any) {
	f.list = append(f.list, fault{at, fmt.Sprintf(format, args...)})
}

// err is all of them as a *SourceError, or nil.
func (f *faults) err() error {
	if len(f.list) == 0 {
		return nil
	}
	slices.SortStableFunc(f.list, func(a, b fault) int {
		return cmp.Or(strings.Compare(a.at.Filename, b.at.Filename), cmp.Compare(a.at.Line, b.at.Line),
			cmp.Compare(a.at.Column, b.at.Column), strings.Compare(a.text, b.text))
	})
	var lines []string
	for _, x := range slices.Compact(f.list) {
		lines = append(lines, f.where(x.at)+x.text)
	}
	return &SourceError{lines}
}

func (f *faults) where(at token.Position) string {
	if at.Filename == "" {
		return ""
	}
	at.Filename = relative(f.dir, at.Filename)
	return at.String() + ": "
}

// place names a position inside a fault about another one.
func (f *faults) place(pos token.Pos) string {
	at := f.fset.Position(pos)
	at.Filename = relative(f.dir, at.Filename)
	return at.String()
}

// relative shortens a path below dir, with slashes on every system; a path elsewhere stays as it is.
func relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return filepath.ToSlash(path)
}
