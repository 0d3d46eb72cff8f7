package scripted

// How much the script reads and repeats: an answer stays as long as a person would write it. What is left out is said.
const (
	maxQuestion = 4 << 10 // bytes of a question
	maxLabels   = 12      // tools that are named
	maxRows     = 10      // rows of a tool's answer
	maxLines    = 20      // lines of it
	maxRunes    = 400     // characters of a sentence or a cell
)
