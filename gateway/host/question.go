package host

// What a server asks the user while it answers a call (elicitation), and what the user says to it. Both are between the
// two of them: neither has a way to a model.

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/exact"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// A Question is a form to fill in or, where there is a URL, a page to visit.
type Question struct {
	Server  string // the id of the server that asks
	Message string // plain text
	Fields  []Field
	URL     string
	// Visited is closed when the server says that the user has done what the page is for; nil for a form. The question is
	// then answered with Accept.
	Visited <-chan struct{}

	check *validate.Checker // nil where there is no schema
}

// An Answer is what the user says to a question.
type Answer struct {
	Action  Action
	Content json.RawMessage // of a form that was accepted: an object that [Question.Check] has passed
}

// An Action says what the user did with a question.
type Action string

// The actions.
const (
	Accept  Action = "accept"
	Decline Action = "decline" // the user does not want to answer
	Cancel  Action = "cancel"  // not decided: dismissed, or no answer in time
)

// read makes a Question of what a server sent, or says what is wrong with it.
func readQuestion(server string, p *mcp.ElicitParams) (Question, error) {
	q := Question{Server: server, Message: cut(strings.ToValidUTF8(p.Message, "\uFFFD"), maxQuestionText)}
	if p.Mode == "url" || p.Mode == "" && p.URL != "" {
		q.URL = p.URL
		return q, checkURL(p.URL)
	}
	if p.Mode != "form" && p.Mode != "" {
		return q, errors.New("mode: neither form nor url")
	}
	schema, _ := exact.Question(p)
	if schema == nil && p.RequestedSchema != nil {
		schema = encoded(p.RequestedSchema)
	}
	if schema == nil {
		return q, nil // a question to say yes or no to
	}
	var err error
	if q.check, err = compile(schema); err != nil {
		return q, fmt.Errorf("requestedSchema: %w", err)
	}
	q.Fields, err = readForm(schema)
	return q, err
}

// checkURL lets through what a user can judge: a page on the web, and a name that is not disguised as another.
func checkURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxURL:
		return fmt.Errorf("url: no URL of at most %d bytes", maxURL)
	case u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return errors.New("url: not http or https")
	case u.User != nil:
		return errors.New("url: must not name a user")
	}
	return nil
}

// Check reads the content of an answer. The error has a line for each broken rule and repeats no value.
func (q Question) Check(content json.RawMessage) (json.RawMessage, error) {
	if len(content) == 0 {
		content = json.RawMessage(`{}`)
	}
	if len(content) > maxAnswer {
		return nil, fmt.Errorf("the answer is larger than %d KiB", maxAnswer>>10)
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(content, &given) != nil || given == nil {
		return nil, errors.New("the answer is no JSON object")
	}
	known := make(map[string]bool)
	for _, f := range q.Fields {
		known[f.Name] = true
	}
	for name := range given {
		if !known[name] {
			return nil, fmt.Errorf("%s: not asked for", cut(name, maxQuotedName))
		}
	}
	if q.check == nil || q.check.Check(content) {
		return content, nil
	}
	return nil, errors.New(faults(q.check, content))
}

// result is an answer as it is sent, digit for digit.
func (a Answer) result() *mcp.ElicitResult {
	res := &mcp.ElicitResult{Action: string(a.Action)}
	if a.Action != Accept {
		return res
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(a.Content, &given) == nil && given != nil {
		res.Content = make(map[string]any, len(given))
		for name, value := range given {
			res.Content[name] = value
		}
	}
	return res
}
