// Package sqlite keeps the gateway's conversations in one SQLite file, without cgo.
//
// What a call acknowledged survives the end of the process, however it ends. After a power cut the last moments may be
// missing, but never a part of one call: the file is written ahead (WAL, synchronous NORMAL).
package sqlite

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/diptych-mcp/diptych/gateway/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// A Store is a [store.Store] in a file.
type Store struct {
	file   string
	now    func() time.Time // for tests
	write  *sql.DB          // one connection, and the writer's alone once the store is open
	read   *sql.DB
	search *sql.DB // of its own, so that searches take no connection from what else is read

	identity atomic.Pointer[identity] // of the file that was opened
	full     atomic.Bool              // the last change found no room
	looked   time.Time                // for room, by the writer

	// What every event needs, prepared once.
	last, insert, count, events, save, back, release *sql.Stmt

	jobs        chan *job
	stop, ended chan struct{} // of the writer
	stopIndex   context.CancelFunc
	indexed     chan struct{} // closed when nothing is put into the index any more
	once        sync.Once
}

var _ store.Store = (*Store)(nil)

// Open opens the database in the file, makes it where there is none and brings it to the newest form. Only its owner
// can read it afterwards, whatever was allowed before.
func Open(ctx context.Context, file string) (*Store, error) {
	s := &Store{file: file, now: time.Now, jobs: make(chan *job, maxWaiting), stop: make(chan struct{}), ended: make(chan struct{})}
	err := private(file)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	if s.write, err = open(file, "_txlock=immediate"); err != nil {
		return nil, err
	}
	go s.serve()
	s.write.SetMaxOpenConns(1)
	if err = s.whole(ctx); err == nil {
		err = s.migrate(ctx)
	}
	if err == nil {
		s.read, err = open(file, "_pragma=query_only(1)")
	}
	if err == nil {
		s.read.SetMaxOpenConns(maxReaders)
		s.read.SetMaxIdleConns(maxReaders)
		err = s.prepare(ctx)
	}
	if err == nil {
		s.search, err = open(file, "_pragma=query_only(1)")
	}
	if err == nil {
		s.search.SetMaxOpenConns(maxSearches)
		err = s.identify()
	}
	if err == nil {
		ctx, stop := context.WithCancel(context.Background())
		s.stopIndex, s.indexed = stop, make(chan struct{})
		go s.index(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", file, errors.Join(err, s.Close()))
	}
	return s, nil
}

func (s *Store) prepare(ctx context.Context) error {
	for _, p := range []struct {
		to   **sql.Stmt
		db   *sql.DB
		text string
	}{
		{&s.last, s.write, `SELECT number, last, ended FROM runs WHERE id = ?`},
		{&s.insert, s.write, `INSERT INTO events (run, seq, type, time, data) VALUES (?, ?, ?, ?, ?)`},
		{&s.count, s.write, `UPDATE runs SET last = ?, ended = ?, bytes = bytes + ? WHERE number = ?`},
		{&s.save, s.write, `SAVEPOINT one`},
		{&s.back, s.write, `ROLLBACK TO one`},
		{&s.release, s.write, `RELEASE one`},
		{&s.events, s.read, `SELECT e.seq, e.type, e.time, e.data FROM runs r JOIN events e ON e.run = r.number
			WHERE r.id = ? AND e.seq > ? ORDER BY e.seq LIMIT ?`},
	} {
		var err error
		if *p.to, err = p.db.PrepareContext(ctx, p.text); err != nil {
			return err
		}
	}
	return nil
}

var walLimit = strconv.Itoa(walBytes)

func open(file, option string) (*sql.DB, error) {
	options := "_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=foreign_keys(1)&_pragma=journal_size_limit(" + walLimit + ")&"
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath(), RawQuery: options + option}).String())
}

func (s *Store) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, s.write, files)
	if err != nil {
		return err
	}
	var knows int64
	for _, source := range p.ListSources() {
		knows = max(knows, source.Version)
	}
	switch has, err := p.GetDBVersion(ctx); {
	case err != nil:
		return err
	case has > knows:
		return fmt.Errorf("a newer gateway wrote it (form %d, this one knows %d); use that one, or another folder", has, knows)
	}
	_, err = p.Up(ctx)
	return err
}

// Close makes the changes that wait and closes the file.
func (s *Store) Close() error {
	if s.stopIndex != nil {
		s.stopIndex()
		<-s.indexed
	}
	s.once.Do(func() { close(s.stop) })
	<-s.ended
	var errs []error
	for _, db := range []*sql.DB{s.search, s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// missing says ErrNotFound where nothing was found.
func missing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

// one says ErrNotFound where a statement changed nothing.
func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return store.ErrNotFound
}

// newID returns a name that cannot be guessed.
func newID() string { return rand.Text() }

func moment(nanos sql.NullInt64) time.Time {
	if !nanos.Valid {
		return time.Time{}
	}
	return time.Unix(0, nanos.Int64).UTC()
}

type scanner interface{ Scan(...any) error }
