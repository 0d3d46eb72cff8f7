package main

import (
	"fmt"
	"io"
)

// What is read of the world outside, and how much of it is shown.
const (
	// maxInput is how many bytes of arguments, examples or a contract are read from a file or from standard input: as many as an
	// answer may have.
	maxInput = 16 << 20
	// maxTyped is how many bytes a person's answers to a server's questions may have in one call: more is a pipe that is no person.
	maxTyped = 1 << 20
	// maxLines and maxBytes are how much of a panel is drawn on a terminal; a flag prints all of it.
	maxLines = 500
	maxBytes = 64 << 10
	// maxNames is how many names of tools an error lists when a tool's name is wrong.
	maxNames = 20
	// maxTail is how many lines of a server's standard error are shown when it ends.
	maxTail = 12
)

// readAll reads what may have maxInput bytes and no more.
func readAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err == nil && len(text) > maxInput {
		err = fmt.Errorf("larger than %d MiB; send less, or send a link to it", maxInput>>20)
	}
	return text, err
}
