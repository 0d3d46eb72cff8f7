package nearest

// Bounds of what is compared: names may be a server's, and what was written a client's.
const (
	maxNames = 1000 // names that what was written is compared with
	maxWord  = 64   // bytes of a name; the work is its length times the limit of the distance
)
