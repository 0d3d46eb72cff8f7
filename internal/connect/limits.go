package connect

import "time"

// grace is how long something may take to end: a server once its input is closed, and again once it is asked to; a session
// that is closed, or that is being opened when its context ends. Where it takes longer, the server is killed, and a session
// is left to end by itself. The SDK waits for five seconds.
const grace = time.Second

// Bounds of what a server sends, and of the file that names servers.
const (
	maxConfig   = 1 << 20 // bytes of that file; it has some hundred bytes a server
	maxSkipped  = 16      // times the limit of a message; one that is longer still ends the connection
	maxID       = 64      // bytes of an id, or of a member's name, of a message that is too long to be kept
	largestKept = 1 << 20 // bytes of a message whose memory the next one uses again
	maxHead     = 200     // bytes of the first line of the standard output, for an error
	maxTail     = 4096    // bytes of the end of the standard error, for an error
)
