package terminal

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
)

// A Bar shows how far a call is, on one line that it draws over and takes away in the end. Without a terminal each new
// message is a line of its own.
type Bar struct {
	mu    sync.Mutex
	out   io.Writer
	live  bool
	width int
	style Style
	shown bool
	last  string
	lines int
}

// NewBar returns a bar on out.
func NewBar(out io.Writer, style Style) *Bar {
	width, live := Columns(out)
	return &Bar{out: out, live: live, width: width, style: style}
}

const barCells = 24

// Set draws done of total, or done alone where the total is not known. A server may say anything: what is no sensible
// number is drawn as nothing.
func (b *Bar) Set(done, total float64, message string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	message = Short(message, 200)
	if !b.live {
		if line := strings.TrimSpace(amount(done, total) + " " + message); line != b.last && b.lines < maxBarLines {
			b.last = line
			b.lines++
			fmt.Fprintln(b.out, line)
		}
		return
	}
	part := done / total
	if math.IsNaN(part) || part < 0 {
		part = 0
	}
	var line string
	if total > 0 {
		full := int(math.Min(part, 1)*barCells + 0.5)
		line = b.style.Cyan(strings.Repeat("━", full)) + b.style.Dim(strings.Repeat("─", barCells-full)) + " "
	}
	fmt.Fprint(b.out, "\r\x1b[2K", line, Short(strings.TrimSpace(amount(done, total)+" "+message), max(b.width-barCells-4, 10)))
	b.shown = true
}

// amount is "3/10", or "3" where there is no total.
func amount(done, total float64) string {
	switch {
	case math.IsNaN(done) || math.IsInf(done, 0):
		return ""
	case total > 0 && !math.IsInf(total, 0):
		return fmt.Sprintf("%.6g/%.6g", done, total)
	}
	return fmt.Sprintf("%.6g", done)
}

// Clear takes the bar away.
func (b *Bar) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown {
		fmt.Fprint(b.out, "\r\x1b[2K")
		b.shown = false
	}
}
