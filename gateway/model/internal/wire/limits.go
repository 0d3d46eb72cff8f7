package wire

// The limits of what a model's server may send, and how long it is waited for.

import "time"

const (
	// MaxKept is how many bytes of an answer are kept: its text and the arguments of its calls.
	MaxKept = 4 << 20
	// MaxCalls is how many calls one turn may ask for; a model in a loop asks without an end.
	MaxCalls = 128
	// MaxExtra is how many bytes a server may want back with one call, such as a signature of the model's reasoning.
	MaxExtra = 64 << 10

	maxBody   = 64 << 20 // bytes of an answer with all that is not kept, such as a stream's framing
	maxError  = 64 << 10 // bytes of the body of an error
	maxNested = 4        // errors within an error
	maxSaid   = 200      // characters of what a server says about an error
	maxFault  = 600      // characters of an error as it is shown
	maxName   = 64       // bytes of a tool's name: what every provider takes

	maxSchemaDepth = 100 // levels of a schema that are adapted: the host takes none that is deeper
	maxToldEnum    = 50  // values of an enum that a description lists
)

const (
	defaultIdle = 2 * time.Minute        // without a byte; a slow model on the same machine needs as long before its first word
	maxRetries  = 2                      // after the first try
	firstWait   = 500 * time.Millisecond // before the first retry, doubled each time
	maxWait     = 20 * time.Second       // before a retry: when a server asks for more, the user is informed instead
)
