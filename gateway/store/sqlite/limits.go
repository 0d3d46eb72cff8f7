package sqlite

import "time"

const (
	maxReaders  = 8    // reads at once; each is a connection with a cache of its own
	maxWaiting  = 1024 // changes that wait for the writer; who comes later waits to be let in
	maxBatch    = 256  // changes in one transaction: the first of them waits for the last
	maxSearches = 2    // searches at once: they read much, and whatever else is read has connections of its own
	// keptDays is how many days before this one stay counted. A limit asks about one; a clock that was set forward and back
	// must not free it.
	keptDays = 40

	// How runs are put into the index for searching. A text that is shorter than minIndexed characters is looked for without it.
	minIndexed    = 3
	maxIndexed    = 1 << 20 // bytes of a run's text that can be found
	indexBatch    = 20      // runs between two looks
	indexInterval = 500 * time.Millisecond
	indexRetry    = 30 * time.Second

	// walBytes is what the write-ahead log is cut to. Readers can hold up that for as long as they read; walPatience is how long
	// the writer waits for them.
	walBytes    = 16 << 20
	walPatience = 200 * time.Millisecond
	// reserveBytes is what a file beside the database keeps free, for deleting and for ending runs on a full disk.
	reserveBytes = 4 << 20
	roomInterval = time.Second // between two attempts to take it back
)
