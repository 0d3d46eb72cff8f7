package exact

// Bounds of what a server sends.

// maxMessage is how many bytes one message over HTTP may have where MaxEventSize of the transport is 0, which for the SDK
// means no limit. An answer of 10,000 rows has about 1 MB.
const maxMessage = 64 << 20

// maxOpen is how many requests of a server, such as questions to the user, may be without an answer at a time. The SDK
// answers each on a goroutine of its own: 300,000 pings took 3 GB.
const maxOpen = 64

// largestKept is the largest event, in bytes, whose memory the next event uses again.
const largestKept = 1 << 20
