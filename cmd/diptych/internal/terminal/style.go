package terminal

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// A Style paints text, or leaves it alone: the zero Style does.
type Style struct{ on bool }

// NewStyle decides by when: "always", "never", or "auto", which paints on a terminal unless NO_COLOR (no-color.org) or a
// dumb terminal says otherwise.
func NewStyle(when string, out io.Writer) Style {
	switch when {
	case "always":
		return Style{true}
	case "never":
		return Style{}
	}
	return Style{IsTerminal(out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

func (s Style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s Style) Bold(text string) string   { return s.paint("1", text) }
func (s Style) Dim(text string) string    { return s.paint("2", text) }
func (s Style) Red(text string) string    { return s.paint("31", text) }
func (s Style) Green(text string) string  { return s.paint("32", text) }
func (s Style) Yellow(text string) string { return s.paint("33", text) }
func (s Style) Cyan(text string) string   { return s.paint("36", text) }

// IsTerminal reports whether f is a file that a person looks at or types into.
func IsTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Columns returns the width of the terminal f, or else the value of COLUMNS, or 80. terminal is false when f is no terminal.
func Columns(f any) (width int, terminal bool) {
	terminal = IsTerminal(f)
	if terminal {
		if w, _, err := term.GetSize(int(f.(*os.File).Fd())); err == nil && w > 0 {
			return w, true
		}
	}
	if w, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && w > 0 {
		return w, terminal
	}
	return 80, terminal
}
