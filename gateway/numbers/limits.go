package numbers

// The limits of one check. The data come from a tool and the prose from a model: neither may cost seconds.

const (
	maxProse   = 256 << 10 // bytes of prose that are read
	maxFigures = 500       // figures that are traced

	maxValues = 100_000   // values of the data
	maxBytes  = 4 << 20   // bytes of all data with digits in them
	maxText   = 512 << 10 // bytes of data that are texts with figures in them, which take far longer than values
	maxPairs  = 100       // values that are combined with each other
	maxTotals = 40        // lists of which sum and mean are taken
	maxRun    = 1000      // first values of a list of which partial sums are taken
	maxNear   = 100       // values that are compared exactly for one reading
	maxFrom   = 8         // values that are named as the origin of a figure

	maxCandidates = 20_000 // pairs of values within columns, and as many between them
	maxHeader     = 200    // bytes of a text that may say that figures are in millions
	maxUnitText   = 20     // bytes of what may follow a number in a cell: a unit
	maxCurrency   = 4      // bytes of what may be before it; a header such as "People 2023" has more

	likely  = 0.05 // the part of all figures of one precision from which on finding one by chance is likely
	maxTold = 8    // matches among figures about as large: with fewer, a match is no chance, however likely one is

	maxDigits   = 300 // digits of a number: beyond, a float64 is infinite
	maxExponent = 300

	pieceBytes = 16 << 10 // bytes that the regular expressions see at once, between two looks at the context
)
