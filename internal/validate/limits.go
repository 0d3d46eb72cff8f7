package validate

// Every bound on what comes from outside: documents, arguments, and schemas. A test crosses each of them. How deep a document
// may nest is jsontext.MaxDepth.

// Documents.
const (
	// maxArguments is how many bytes of arguments are read: a tree of them takes up to 40 times as much memory.
	maxArguments = 16 << 20

	// maxIntegerDigits is how many digits an integer argument may have once its exponent is written out, so that 1e999999999
	// does not become a gigabyte.
	maxIntegerDigits = 400

	// stepsPerByte and stepsBase bound the work on one document, in values visited. A document that its schema visits more
	// often is refused as too costly; only schemas made to be costly come near.
	stepsPerByte = 16
	stepsBase    = 1 << 16
)

// steps is the work that a document of so many bytes may take, in values visited.
func steps(size int) int { return stepsBase + stepsPerByte*size }

// What is told of a document. Names in it are the sender's, and the text goes to a model or a log.
const (
	maxFaults    = 100            // faults of one document
	maxCollected = 10 * maxFaults // faults before those of one field are merged
	maxHints     = 20             // unknown fields of one document for which a similar name is looked for: each costs a comparison with all
	maxCompared  = 500            // declared names that one unknown name is compared with
	maxPath      = 500            // bytes of a path, after which it ends in an ellipsis
	maxText      = 80             // bytes of one name, or of one value of a schema
	maxListed    = 20             // values of an enumeration that a rule names
	maxListing   = 200            // bytes of those values, after which the list ends in an ellipsis
)

// Any schema, its author's own included.
const (
	maxNodes          = 100_000   // subschemas: a node takes about 500 bytes
	maxPatternText    = 2048      // bytes of one pattern
	maxPatternProgram = 4096      // instructions of one pattern: matching takes a step for each and each byte
	maxPatterns       = 32_768    // instructions of all patterns
	maxSchemaExponent = 1_000_000 // of a number in a schema, either way
	maxDivisorDigits  = 18        // significant digits of multipleOf: its arithmetic is that of 64 bits
	maxChain          = 128       // schemas in a row for one value, without consuming input: each is a level of the stack
	maxWays           = 1 << 29   // alternatives that one value may have to be checked against; the count stops here
)

// exponentLimit is the greatest exponent of a number in a document; larger ones count as this. Numbers in schemas stay far
// below, so that every comparison with them is exact.
const exponentLimit = 1 << 50

// The text of a document.
const (
	// maxLevel is how many levels of arrays and objects have lines of their own. What is deeper is written on one line, so
	// that indentation cannot multiply a document: raw JSON of 100 KB nested 900 deep would be a text of 100 MB.
	maxLevel = 16

	// From safeLevel on indentation alone may multiply a text by more than maxGrowth, as in lists of lists of one item.
	safeLevel = 12
	maxGrowth = 18
)

// Schemas that came over the wire.
const (
	screenSize    = 64 << 10 // bytes
	screenDepth   = 64       // levels of arrays and objects
	screenSchemas = 2000     // subschemas
	screenWays    = 10_000   // alternatives that one value may have to be checked against, references followed
)

// keptScratch is how many bytes of working memory a pass keeps for its next document.
const keptScratch = 1 << 20
