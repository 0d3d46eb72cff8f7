package audit

// What an audit reads of a server, and how much it tells.
const (
	// maxSilent is how many calls in a row may end without an answer before no more are made.
	maxSilent = 3
	// maxPerRule is how many findings of one rule are reported for one tool.
	maxPerRule = 5
	// maxSchema is how many bytes a schema may have. A larger one is refused as such, and read no further.
	maxSchema = 64 << 10
	// maxSubschemas and maxDepth bound the walk over a schema: as many as a schema may have that is used at all.
	maxSubschemas = 2000
	maxDepth      = 64
	// maxPattern is how many bytes of a pattern are compiled: engines of hosts bound them too.
	maxPattern = 4096
	// maxEvent is how many bytes an event of a stream may have for the official Python client.
	maxEvent = 1 << 20
	// maxTold is how many characters of arguments and of a tool's words a finding has.
	maxTold = 300
	// maxFigures is how many numbers of a text are looked for in the structured content.
	maxFigures = 1000
	// maxErrorText is how many bytes of an error's text are searched for what should not be there.
	maxErrorText = 64 << 10
	// maxPaths is how many paths of an error's text are looked at.
	maxPaths = 20
	// maxShown and maxListed are how many characters of a foreign name, and how many names, a finding shows.
	maxShown  = 80
	maxListed = 8
)

// What hosts and the protocol take of a name, in characters.
const (
	maxName   = 128 // the protocol
	maxNarrow = 64  // several models' APIs
	prefix    = 10  // what hosts put before it: mcp__NAME__
)
