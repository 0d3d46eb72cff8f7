package notation

// How much of a schema a person reads on one line.
const (
	maxLength = 2000 // bytes of the whole
	maxNested = 8    // levels
	maxChoice = 8    // values or alternatives of one choice
)
