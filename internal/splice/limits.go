package splice

import "time"

// The limits of what peers make a server hold. A request's body and a line have limits of their own, which are options of
// the SDK (4 MiB and 16 MiB by default).
const (
	// maxLists is how many encoded lists of tools a server remembers. A server has one list for each page, and one more for
	// each set of tools that middleware shows to a caller.
	maxLists = 64

	// maxClients is how many descriptions of clients a server remembers as they were decoded.
	maxClients = 256

	// maxClientBytes is the size in bytes up to which a description of a client is remembered. Those of common clients have
	// 100 to 500 bytes.
	maxClientBytes = 4 << 10

	// maxTools is for how many tools it is remembered whether their arguments are repeated in headers. Tools that were
	// replaced count until then.
	maxTools = 4096

	// maxBatch is how many messages a batch may have. Each may be answered with an error that is longer than the message.
	maxBatch = 1000

	// inquiryTimeout is how long the SDK may take to say what a server is, which takes it 50 µs. Afterwards everything is the
	// SDK's.
	inquiryTimeout = 10 * time.Second
)
