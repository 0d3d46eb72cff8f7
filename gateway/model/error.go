package model

// An Error is why a turn did not finish: a sentence for people, and a kind to count by.
type Error struct {
	Kind Kind
	Text string
}

func (e *Error) Error() string { return e.Text }

// A Kind says what went wrong with a model's server.
type Kind string

// The kinds.
const (
	Unreachable Kind = "unreachable"
	Silent      Kind = "silent"  // it sent nothing for too long
	Busy        Kind = "busy"    // it asked to come again later
	Denied      Kind = "denied"  // the key
	Refused     Kind = "refused" // the request
	Broken      Kind = "broken"  // a fault of its own
	Cut         Kind = "cut"     // the answer broke off
	Unreadable  Kind = "unreadable"
)
