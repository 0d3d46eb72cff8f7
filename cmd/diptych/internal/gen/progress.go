package gen

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// patience is how long the work may take before it speaks.
const patience = 2 * time.Second

// progress tells a waiting person what is being done, once a while and only when it takes long.
type progress struct {
	mu   sync.Mutex
	out  io.Writer
	next time.Time // when to speak again
	now  string
	wake *time.Timer
}

func startProgress(out io.Writer) *progress {
	p := &progress{out: out, next: time.Now().Add(patience)}
	p.wake = time.AfterFunc(patience, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.speak()
	})
	return p
}

// say sets what is being done.
func (p *progress) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = fmt.Sprintf(format, args...)
	if !time.Now().Before(p.next) {
		p.speak()
	}
}

func (p *progress) speak() {
	if p.out != nil && p.now != "" {
		fmt.Fprintf(p.out, "diptych gen: %s …\n", p.now)
	}
	p.next = time.Now().Add(patience)
}

func (p *progress) stop() {
	p.wake.Stop()
	p.mu.Lock()
	p.out = nil
	p.mu.Unlock()
}
