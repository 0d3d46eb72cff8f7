package lint

// Budget is the number of tokens that a content may have where the caller names no other.
const Budget = 2000

// Bounds of what is looked at and reported.
const (
	maxOrphans        = 10  // figures without a cell that are named; the rest is a count
	maxTold           = 12  // slices or series that can be told apart
	maxFigureDigits   = 15  // of a figure with a fraction: a float has no more, and no measure
	maxRanks          = 20  // ranks of a table that a content may name as figures
	maxDigits         = 400 // bytes of a number that is compared by value; big.Rat is slow on more
	maxExponentDigits = 3   // of such a number: 1e999999999 is ten characters and a gigabyte
)
