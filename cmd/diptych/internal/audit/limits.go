package audit

// What an audit reads of a server, and how much it tells.
const (
	// maxSilent is how many calls in a row may end without an answer before no more are made.
	maxSilent = 3
	// maxPerRule is how many findings of one rule are told of one tool.
	maxPerRule = 5
	// maxSubschemas and maxDepth bound the walk over a schema: as many as a schema may have that is used at all.
	maxSubschemas = 2000
	maxDepth      = 64
	// maxPattern is how many bytes of a pattern are compiled: engines of hosts bound them too.
	maxPattern = 4096
	// maxErrorText is how many bytes of an error's text are searched for what should not be there.
	maxErrorText = 64 << 10
	// maxPaths is how many paths of an error's text are looked at.
	maxPaths = 20
	// maxShown and maxListed are how many characters of a foreign name, and how many names, stand in a finding.
	maxShown  = 80
	maxListed = 8
)

// What hosts and the protocol take of a name, in characters.
const (
	maxName   = 128 // the protocol
	maxNarrow = 64  // several models' APIs
)
