package host

// The limits of what a server may send, say and ask. Each has its unit and its reason; limits_test.go crosses those that
// bound what comes from a server.

import "time"

// What a server sends.
const (
	maxMessage = 16 << 20 // bytes of a message; one that is larger costs the call that waits for it
	maxBlocks  = 1000     // content blocks of an answer: each is an object here, and a line for the model
	maxPages   = 200      // pages of a list of tools, which a server can go on with for ever
	maxTools   = 2000     // tools of one server: each has its schemas compiled
	maxRounds  = 10       // times that one call is sent, with more of the user's answers each time
)

// What is kept of a tool's description.
const (
	maxName        = 64      // bytes of the gateway's name of a tool: what models' servers take
	maxServerID    = 24      // bytes of a server's id, so that a tool's own name has room after it
	maxTitle       = 200     // bytes of a title
	maxDescription = 4 << 10 // bytes of a description, which a model reads with every question
)

// What a server asks the user.
const (
	maxQuestions    = 10               // questions in one call; further ones are cancelled
	maxQuestionText = 4 << 10          // bytes of a question's message
	maxURL          = 2 << 10          // bytes of the address of a page to visit
	maxPageID       = 256              // bytes of a page's id; one with a longer id is closed by the user alone
	maxEarly        = 2 * maxQuestions // pages whose end was announced before the question arrived; of more, the latest
	maxFields       = 60               // fields of a form
	maxChoices      = 500              // choices of a field
	maxFieldText    = 2000             // bytes of a field's description
	maxAnswer       = 64 << 10         // bytes of a user's answer
)

// What is repeated of a server's words, in bytes, and of faults, in lines.
const (
	maxFault          = 500 // an error, or the message of a progress notification
	maxNote           = 2000
	maxRefusal        = 1000
	maxSchemaFault    = 300
	maxQuotedName     = 100
	maxRevision       = 20
	maxFaults         = 10 // rules that an answer breaks
	maxArgumentFaults = 20 // rules that arguments break: a model mends them in one go
)

// How long and how often.
const (
	maxCalls      = 16                    // calls to one server at once; others wait within their timeout
	maxTimeouts   = 3                     // calls in a row without an answer, after which the session is given up
	maxBackoff    = 60                    // the longest wait between two attempts to connect, in units of Options.Retry
	maxTimeout    = time.Hour             // that an operator may give one call
	renewInterval = 10 * time.Millisecond // between two looks for the session that follows a forgotten one
	listInterval  = time.Second           // between two lists that a server's notifications ask for

	defaultTimeout   = time.Minute
	defaultDial      = 20 * time.Second
	defaultRefresh   = time.Minute
	defaultRetry     = 500 * time.Millisecond
	defaultMaxResult = 4 << 20
)
