package diptych

import "time"

// Every bound on what comes from the other side, and on what is told of it. A test crosses each of them.
const (
	// grace is how long a function whose context has ended may take to return before its caller is answered without it: long
	// enough for a function that watches its context, short enough for a caller that waits.
	grace = 50 * time.Millisecond

	// maxFaults is how many broken fields of a result are named to the caller; the rest are counted. A model that reads more
	// than ten does nothing better.
	maxFaults = 10

	// maxFault is how many bytes of one fault Call returns: the names in it may be the server's.
	maxFault = 300

	// maxPart is how many bytes of the offending part of a result are logged.
	maxPart = 200

	// maxDecodeFaults is how many parts of one document that do not decode are named.
	maxDecodeFaults = 20

	// maxSearched is how many bytes are read in search of such parts: each level of a document reads again what is inside of
	// it.
	maxSearched = 64 << 20

	// maxResult is how many bytes an answer may have where no option says otherwise: more than any model reads, and what a
	// client over an Exact transport takes.
	maxResult = 64 << 20

	// maxFillings is how often a document is read in search of nulls to fill in: each reading finds a hundred.
	maxFillings = 100

	// maxName is how many bytes the name of a tool may have: hosts refuse longer ones.
	maxName = 128

	// maxExact is the first integer whose neighbour a float64 may have been.
	maxExact = 1 << 53
)
