package host

// What a call brings back: the blocks that a model may read on one side, the raw bytes for the screen on the other.

import "encoding/json"

// A Result is a tool's answer. Blocks and the rest never mix: what goes to a model is made from Blocks alone.
type Result struct {
	Blocks     []Block
	Content    json.RawMessage // the content blocks as they came, for the screen and the store
	Structured json.RawMessage // the structured content, digit for digit; nil where there was none
	IsError    bool            // the tool failed, or its answer was refused
	Verified   bool            // Structured matches the published schema, and for a data tool every rule of data.Check
	Drawable   bool            // Structured holds sources, table, charts or force that passed data.Check
	Panel      json.RawMessage // what is drawn where that is not Structured as it came, but without its nulls
	Note       string          // why it is not verified, was refused, or has no sources; for the screen, never for a model
}

// A Block is a content block without anything that is not content: no _meta, no annotations, no structured content.
type Block struct {
	Kind     Kind
	Text     string // of Text, and of a Resource that holds text
	MIMEType string
	Data     []byte // of Image and Audio, and of a Resource that holds bytes
	Name     string // of Link
	URI      string // of Link and Resource
}

// A Kind says what a block holds.
type Kind string

// The kinds.
const (
	Text     Kind = "text"
	Image    Kind = "image"
	Audio    Kind = "audio"
	Link     Kind = "link"
	Resource Kind = "resource"
)

// Progress is what a tool says while it works. Total is 0 where it is not known.
type Progress struct {
	Done, Total float64
	Message     string
}
