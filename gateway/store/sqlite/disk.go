package sqlite

// What happens to the file beside what this package does: a disk that is full, a database that is damaged, exchanged or
// removed, and a write-ahead log that readers keep from being cut.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/diptych-mcp/diptych/gateway/store"
)

// noRoom says ErrFull where that is what err means.
func noRoom(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() {
	case lib.SQLITE_FULL, lib.SQLITE_IOERR_WRITE, lib.SQLITE_IOERR_SHMSIZE, lib.SQLITE_IOERR_FSYNC, lib.SQLITE_IOERR_TRUNCATE:
		return fmt.Errorf("%w (%w)", store.ErrFull, err)
	}
	return err
}

func (s *Store) reserveFile() string { return s.file + "-reserve" }

// reserve keeps some room for deleting and for ending runs. Where there is none to keep, there is no reserve.
func (s *Store) reserve() {
	if about, err := os.Stat(s.reserveFile()); err == nil && about.Size() == reserveBytes {
		return
	}
	f, err := os.OpenFile(s.reserveFile(), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return
	}
	block := make([]byte, 64<<10)
	for i := range block { // a disk that compresses would keep no room for zeros
		block[i] = byte(rand.Uint32())
	}
	for n := 0; n < reserveBytes && err == nil; n += len(block) {
		_, err = f.Write(block)
	}
	if errors.Join(err, f.Close()) != nil {
		os.Remove(s.reserveFile())
	}
}

// roomAgain reports whether there is room for more than what is urgent: for the reserve. Trying that may write it, so it is
// tried now and then.
func (s *Store) roomAgain() bool {
	if time.Since(s.looked) < roomInterval {
		return false
	}
	s.looked = time.Now()
	s.cut(time.Millisecond)
	s.reserve()
	if _, err := os.Stat(s.reserveFile()); err != nil {
		return false
	}
	s.full.Store(false)
	return true
}

// giveWay gives the reserve to what follows, and reports whether there was one.
func (s *Store) giveWay() bool { return os.Remove(s.reserveFile()) == nil }

// whole reports what is damaged in a database that is opened.
func (s *Store) whole(ctx context.Context) error {
	var verdict string
	if err := s.write.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("it is damaged (%s); restore a backup", verdict)
	}
	return nil
}

// An identity tells a file from another that is put in its place, by its name or by its content.
type identity struct {
	about fs.FileInfo
	mark  uint32
}

// markAt is where SQLite keeps a database's application id.
const markAt = 68

// identify marks the database with a number that no copy of it has which is older.
func (s *Store) identify() error {
	mark := rand.Uint32()>>1 | 1
	set := func() error {
		_, err := s.write.Exec(fmt.Sprintf(`PRAGMA application_id = %d`, mark))
		return noRoom(err)
	}
	err := set()
	if errors.Is(err, store.ErrFull) && s.giveWay() {
		err = set()
	}
	if errors.Is(err, store.ErrFull) {
		s.full.Store(true) // it is opened all the same: conversations can be read and deleted
	} else if err != nil {
		return err
	}
	if _, err := s.write.Exec(`PRAGMA wal_checkpoint(PASSIVE)`); err != nil { // into the file itself
		return err
	}
	about, err := os.Stat(s.file)
	if err != nil {
		return err
	}
	id := &identity{about, mark}
	if now, err := readMark(s.file); err != nil || now != mark { // another process reads it: then the name has to do
		id.mark = 0
	}
	s.identity.Store(id)
	s.reserve()
	return nil
}

func readMark(file string) (uint32, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var b [4]byte
	if _, err := f.ReadAt(b[:], markAt); err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint32(b[:]), nil
}

// exchanged says ErrExchanged where the file is not the one that was opened.
func (s *Store) exchanged() error {
	id := s.identity.Load()
	if id == nil {
		return nil
	}
	now, err := os.Stat(s.file)
	if err != nil || !os.SameFile(now, id.about) {
		return store.ErrExchanged
	}
	if mark, err := readMark(s.file); id.mark != 0 && (err != nil || mark != id.mark) {
		return store.ErrExchanged
	}
	return nil
}

// Ready implements [store.Store].
func (s *Store) Ready(ctx context.Context) error {
	if err := s.exchanged(); err != nil {
		return err
	}
	if s.full.Load() {
		return store.ErrFull
	}
	var n int
	return s.read.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM owners LIMIT 1)`).Scan(&n)
}

// trim cuts a write-ahead log that has grown. Readers that are not done by then keep it long until the next time.
func (s *Store) trim() {
	about, err := os.Stat(s.file + "-wal")
	if err != nil || about.Size() <= walBytes {
		return
	}
	s.cut(walPatience)
}

// cut cuts the log, if no reader needs it for longer than that.
func (s *Store) cut(patience time.Duration) {
	_, _ = s.write.Exec(fmt.Sprintf(`PRAGMA busy_timeout = %d`, patience/time.Millisecond))
	_, _ = s.write.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	_, _ = s.write.Exec(`PRAGMA busy_timeout = 10000`)
}
