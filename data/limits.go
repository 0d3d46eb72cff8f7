package data

// Bounds of a data tool's result, which is foreign input wherever it was made: a page draws it in a browser, and a host
// keeps it. Texts are bounded in characters.

// Of the whole.
const (
	maxBytes    = 1 << 20 // of the structured content: clients in Python refuse a larger server-sent event
	maxMembers  = 100     // of an object; more than any part of a result has, so a larger one is not read to its end
	maxSources  = 50      // more than a reader follows
	maxForce    = 4000    // one block of text beside the table
	maxBreaches = 10      // that one error spells out; the rest is a count
)

// Of a source; each text is one line on the page.
const (
	maxURL         = 2048 // what browsers and proxies are known to accept
	maxTitle       = 300
	maxPublisher   = 200
	maxLicense     = 100
	maxRetrievedAt = 40
	maxPeriod      = 60
)

// Of the table: a page of more rows takes seconds to lay out.
const (
	maxRows     = 5000 // without the header
	maxColumns  = 60
	maxHeader   = 200
	maxCell     = 2000
	maxUnit     = 40       // of a column
	maxNote     = 300      // of a column
	maxCSV      = 64 << 20 // bytes of a CSV file, which is held in memory
	maxDecimals = 20       // of a column; a float has no more
	maxHeld     = 3        // values within one another that are looked into, such as a sql.Null of a sql.NullInt64
)

// Of the prose that [Text] writes: what a model reads without losing the thread.
const (
	sentenceRows = 10   // of one or two columns, said in a sentence
	listedRows   = 20   // of any table, listed
	listedBytes  = 6000 // after which a list is cut short
	saidCell     = 200  // characters of one cell
)

// Of the charts: what can be told apart, and what Chart.js draws within a second.
const (
	maxCharts      = 8
	maxAlt         = 1000 // the text in the place of a chart
	maxDatasets    = 24
	maxSliceSets   = 4 // datasets of a pie, doughnut or polar area
	maxSlices      = 60
	maxPoints      = 2000  // of a dataset
	maxChartPoints = 10000 // of a chart
	maxFigure      = 1e15  // beyond it a float loses whole numbers
	maxDigits      = 400   // bytes of a number that is drawn; big.Rat is slow on more
	maxLabel       = 200   // a label of the category axis
	maxLabelDigits = 200   // bytes of such a label that is a number
	maxSeries      = 300   // the name of a dataset
	maxStack       = 60    // the name of a stack
	maxChartTitle  = 300
)
