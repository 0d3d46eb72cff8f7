package write

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// The rules that a value can break while it is written. Types without a JSON form, met inside interfaces, add theirs.
const (
	ruleFailedJSON = "its MarshalJSON failed"
	ruleFailedText = "its MarshalText failed"
	ruleWroteBad   = "its MarshalJSON wrote no valid JSON"
	ruleBadRaw     = "not valid JSON"
	ruleNoRaw      = "holds no JSON"
	ruleUTF8       = "not valid UTF-8"
	ruleOneForm    = "exactly one form must be set"
	ruleError      = "an error is not data; return it as the error, or its text"
	ruleNilBlock   = "a content block is nil; leave it out"
	ruleCycle      = "refers to itself"
	ruleTooDeep    = "nested deeper than 1,000 levels"
	ruleUnexported = "its methods cannot be called in an unexported embedded field"
)

// maxDepth bounds how many pointers, slices and maps may be inside one another.
const maxDepth = 1000

// maxPath bounds the path of a fault in bytes: a cycle's would go on for maxDepth steps.
const maxPath = 200

// A Fault is a value that could not be written: where it is, which rule it breaks, and the cause for the log.
type Fault struct {
	Path string // like rows[3].when or ["odd key"].when; empty at the root
	Rule string
	Err  error // what a marshaler returned, or nil
}

func (f *Fault) Error() string {
	if f.Path == "" {
		return f.Rule
	}
	return f.Path + ": " + f.Rule
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// A fault is a Fault on its way out. Each level that it passes adds its step, so that a value without faults pays
// nothing for paths.
type fault struct {
	Fault
	steps []string // innermost first
	deep  uintptr  // where the levels ran out, until that place is met again
}

func broken(rule string, err error) *fault { return &fault{Fault: Fault{Rule: rule, Err: err}} }

// tooDeep is the fault of a pointer, slice or map at the last level.
func tooDeep(v reflect.Value) *fault {
	f := broken(ruleTooDeep, nil)
	f.deep = v.Pointer()
	return f
}

// passing notes that the way out leads through the pointer, slice or map v: the place where the levels ran out, met
// again further up, is a cycle.
func (f *fault) passing(v reflect.Value) *fault {
	if f.deep != 0 && f.deep == v.Pointer() {
		f.Rule, f.deep = ruleCycle, 0
	}
	return f
}

func (f *fault) item(i int) *fault {
	f.steps = append(f.steps, "["+strconv.Itoa(i)+"]")
	return f
}

func (f *fault) member(name string) *fault {
	if unquoted(name) {
		f.steps = append(f.steps, "."+name)
	} else {
		f.steps = append(f.steps, "["+strconv.Quote(name)+"]")
	}
	return f
}

// ErrTooLarge is the error for an answer that is larger than its Style allows. It is written no further than that.
var ErrTooLarge = errors.New("the answer is too large")

// tooLarge is the fault of what would make an answer too large.
func tooLarge() *fault { return broken("", ErrTooLarge) }

// close joins the steps and hands the Fault to the caller.
func (f *fault) close() error {
	if f.Err == ErrTooLarge {
		return ErrTooLarge
	}
	var path strings.Builder
	for i := len(f.steps) - 1; i >= 0; i-- {
		if path.Len()+len(f.steps[i]) > maxPath {
			path.WriteString("…")
			break
		}
		path.WriteString(f.steps[i])
	}
	f.Path = strings.TrimPrefix(path.String(), ".")
	return &f.Fault
}

// unquoted reports whether a name can be in a path without quotes.
func unquoted(name string) bool {
	for i, c := range name {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return name != ""
}
