package splice

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"sync"
	"sync/atomic"
)

// A shelf holds the results of one session, whose calls overlap, each until its message is written.
type shelf struct {
	keeper *keeper
	sign   string   // what every mark begins with
	kept   sync.Map // of *kept, by their marks
	closed atomic.Bool
}

func newShelf() *shelf { return &shelf{keeper: newKeeper(), sign: rand.Text()} }

// hold keeps k until it is written, or until the request of ctx is over: whoever had its mark may have dropped it.
func (s *shelf) hold(ctx context.Context, k *kept) {
	k.mark = s.sign + k.mark
	s.kept.Store(k.mark, k)
	k.over = context.AfterFunc(ctx, func() { s.kept.Delete(k.mark) })
}

// result is the kept result of a message, if it has one. It says false where a mark is not what this package made a
// member of, alone.
func (s *shelf) result(message []byte) (*kept, bool) {
	at := bytes.Index(message, []byte(s.sign))
	if at < 0 {
		return nil, true
	}
	mark := message[at:min(at+2*len(s.sign), len(message))]
	k, ok := s.kept.Load(string(mark))
	if !ok || bytes.Count(message, []byte(s.sign)) > 1 || !bytes.Contains(message, []byte(k.(*kept).member())) {
		return nil, false
	}
	return k.(*kept), true
}

// write writes a message with k in place of its mark.
func (s *shelf) write(w io.Writer, message []byte, k *kept) error {
	k.over()
	s.kept.Delete(k.mark)
	before, after, _ := bytes.Cut(message, []byte(k.member()))
	o := s.keeper.out(w)
	defer s.keeper.free(o)
	o.raw(before)
	k.body.write(o)
	o.raw(after)
	return o.flush()
}
