package sqlite

const (
	maxReaders = 8    // reads at once; each is a connection with a cache of its own
	maxWaiting = 1024 // changes that wait for the writer; who comes later waits to be let in
	maxBatch   = 256  // changes in one transaction: the first of them waits for the last
	// keptDays is how many days before this one are still counted: one, for a limit that was asked about just before midnight,
	// and for a clock that was set back. No limit looks further.
	keptDays = 1
)
