package main

// The limits of the server and of what an operator sees. Those of a user are flags: see limits in main.go.

import "time"

const (
	startTimeout = 5 * time.Second // that the start waits for tool servers, so that a page that opens at once has their tools
	stopTimeout  = 5 * time.Second // that requests under way, and the last traces, have when the gateway is stopped

	maxHeader      = 64 << 10         // bytes of a request's header
	headerTimeout  = 10 * time.Second // for a header to arrive
	requestTimeout = 30 * time.Second // for a whole request to arrive
	answerTimeout  = 30 * time.Second // for an answer to leave; the page's own renew it with each piece
	idleTimeout    = 2 * time.Minute  // of a connection between two requests

	minContext   = 2048 // tokens: below, not even the instructions and one tool fit
	maxLogged    = 1000 // bytes of an error in the log
	maxQuestions = 6    // questions that the page offers, in each language
	maxQuestion  = 200  // characters of one
)
