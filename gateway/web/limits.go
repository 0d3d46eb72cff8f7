package web

// The limits of what the page sends, what it is sent, and what is drawn. Each has its unit and its reason, and a test
// crosses it.

import "time"

// What a request brings.
const (
	maxBody   = 1 << 20 // bytes of a body
	maxSearch = 1000    // bytes of a search in conversations, or of a filter of a table
	maxTitle  = 200     // characters of a conversation's title

	maxFileName = 80 // characters of the name of a file, so that it can be read in a list
)

// What is sent at once, and how long it may take.
const (
	listLength     = 50                    // conversations in a list
	answersAtOnce  = 500                   // ended runs in one answer; a page that asked for each would spend its quota
	pageRows       = 200                   // rows of a table: laying out 10,000 takes a browser seconds
	paperRows      = 5_000                 // rows of a table on paper: about a hundred sheets
	recordRows     = 1 << 20               // rows of a table in an export: all of them
	maxPiece       = 64 << 10              // bytes of an answer that are written before its reader gets more time
	writeTimeout   = 30 * time.Second      // for each piece
	searchTimeout  = 20 * time.Second      // of one search
	heartbeat      = 15 * time.Second      // between two signs of life in an event stream; proxies close silent ones after 30
	renderInterval = 60 * time.Millisecond // between two renderings of a text that grows
)

// What of a run is shown.
const (
	maxArgument   = 4 << 10      // bytes of one argument of a call
	maxRead       = 256 << 10    // bytes of what a model read of a call
	maxPanel      = 256 << 10    // bytes of structured content as text
	maxIndented   = 4 * maxPanel // bytes of it when it is indented; what would be longer is shown as it came
	maxImages     = 8            // images of one answer
	maxImageBytes = 4 << 20      // bytes of them together
	maxPixels     = 1 << 25      // pixels of one, once it is decoded: 128 MiB in a browser
)

// What of a model's text is rendered as Markdown; a text beyond any of these is shown as it was written.
const (
	maxProse   = 64 << 10   // bytes of one turn
	maxLine    = 8 << 10    // bytes of a line: some Markdown costs the square of its length
	maxNodes   = 22_000     // elements and texts that it can become; each takes up to 1.5 KiB on the way
	maxSteps   = 30_000_000 // comparisons within paragraphs: about 50 ms
	maxNesting = 30         // quotes and lists that a line begins with
	maxDepth   = 60         // levels of the tree; what is deeper is shown as text

	maxRendered   = 4 << 20         // bytes of HTML that a text may become, whatever was counted before
	renderTimeout = 2 * time.Second // of one text, of which a loaded machine may need a part; then it is shown as it was written
	maxRemembered = 16 << 20        // bytes of rendered texts that are kept for the next reader
)
