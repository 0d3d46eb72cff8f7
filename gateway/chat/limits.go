package chat

// The limits of a conversation. Each has its unit and its reason, and a test in limits_test.go crosses it.

import "time"

// What a model, a tool or a user sends.
const (
	maxQuestion = 64 << 10  // bytes of a question: a few chapters
	maxTurn     = 256 << 10 // bytes of text in one turn of a model, which may repeat itself for ever
	maxCalls    = 16        // calls in one turn that are made; a model that asks for more gets an error
	maxResults  = 32 << 20  // bytes of the results of one run, which stay in memory until it ends
	maxProgress = 1000      // progress events of one call: each is stored
	maxRejected = 4 << 10   // bytes of arguments that were not sent, as they are stored and shown
	maxMessage  = 500       // bytes of a sentence that quotes a model or names tools
	maxTitle    = 60        // characters of a title that is made of a question
)

// What a model reads.
const (
	maxRead    = 64 << 10  // bytes of text of one answer of a tool
	maxHistory = 256 << 10 // bytes of earlier runs; a long run is shortened, and older ones are left out whole
	// maxEarlierRun is how many bytes of one earlier run a model reads: one that is large leaves room for those around it. What
	// it is cut to does not change with what comes later, so that a model's server need not read it anew each time.
	maxEarlierRun = maxHistory / 2
	minShare      = 128 // bytes of a text that are worth keeping: of calls that have less, none is read
	maxChecked    = 20  // earlier results that the number check reads, each up to 4 MiB
)

// How a request is fitted into a model's context.
const (
	maxAnswerTokens  = 8192 // tokens that are left for an answer; of a small context a quarter
	firstBytes       = 3.0  // bytes of a token until the model's server has counted some; English has 4, JSON and other scripts less
	minBytesPerToken = 1.0
	maxBytesPerToken = 6.0
	minCounted       = 200  // tokens of a request that say something of its ratio
	messageOverhead  = 30   // bytes of what is around a message, a call or a tool
	mediaBytes       = 4000 // bytes that an image or audio counts as: most cost about a thousand tokens
	maxFound         = 10   // tools that one search finds
)

// The defaults of [Config].
const (
	defaultToolsMax = 64               // tools that a model gets at once
	defaultRounds   = 8                // in which a model asks for tools: more are a loop
	defaultConsent  = 10 * time.Minute // a user may be away; a tool server's answer is not held up for longer
	defaultLimit    = 30 * time.Minute // of a whole run
)

// How often things are stored and read.
const (
	progressInterval = 100 * time.Millisecond // between two progress events that are stored
	textDelay        = 40 * time.Millisecond  // pieces of text that come within it are stored together
	textBatch        = 1 << 10                // bytes of text that are stored at once, however soon they came
	storeTimeout     = 30 * time.Second       // of one write
	stopTimeout      = 2 * time.Second        // that a user who stops a run waits for its end to be stored
	eventsPerRead    = 256
	pollInterval     = time.Second // between two reads of a run that another process works on
)
