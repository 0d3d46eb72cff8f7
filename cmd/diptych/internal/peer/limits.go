package peer

// What is read of a server. It is not trusted to end.
const (
	// maxAnswer is the size of the largest message that is read, in bytes; connect ends a line or a body there.
	maxAnswer = 16 << 20
	// maxPages and maxTools bound a list of tools: a server may hand out cursors without end.
	maxPages = 200
	maxTools = 10_000
	// maxFaults is how many faults of one result are reported.
	maxFaults = 10
)
