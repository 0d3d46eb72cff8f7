package chat

// What fits into a model's context. What does not is left out by a rule, and the user is informed: first the oldest questions of
// the conversation, then the ends of what tools answered in this run, each cut to an equal share.

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// A gauge turns bytes into tokens: carefully at first, and then as the model's server counts.
type gauge struct{ bytesPerToken float64 }

// learn corrects the gauge by what a server counted.
func (g *gauge) learn(bytes, tokens int) {
	if tokens < minCounted {
		return
	}
	measured := min(max(float64(bytes)/float64(tokens), minBytesPerToken), maxBytesPerToken)
	g.bytesPerToken = (g.bytesPerToken + measured) / 2
}

// room is how many bytes a request may have, so that the answer has a place too.
func (c *Chat) room() int {
	if c.cfg.Context == 0 {
		return math.MaxInt
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	tokens := c.cfg.Context - min(c.cfg.Context/4, maxAnswerTokens)
	return int(float64(tokens) * c.gauge.bytesPerToken)
}

// size is how many bytes of a request a model reads. Images and audio count as a number of tokens.
func size(req model.Request) int {
	n := len(req.System)
	for _, m := range req.Messages {
		n += messageSize(m)
	}
	for _, t := range req.Tools {
		n += toolSize(t)
	}
	return n
}

func messageSize(m model.Message) int {
	n := messageOverhead + len(m.Reasoning)
	for _, p := range m.Parts {
		n += len(p.Text)
		if p.Data != nil {
			n += mediaBytes
		}
	}
	for _, c := range m.Calls {
		n += messageOverhead + len(c.Name) + len(c.Arguments)
	}
	return n
}

func toolSize(t model.Tool) int {
	return messageOverhead + len(t.Name) + len(t.Description) + len(t.Parameters)
}

// fit makes a request that has at most so many bytes of one that may have more, if it can, and says what it left out.
func fit(req model.Request, most int) (_ model.Request, leftOut string) {
	over := size(req) - most
	if over <= 0 {
		return req, ""
	}
	var said []string
	messages := req.Messages
	asked := lastQuestion(messages)
	questions := 0
	for over > 0 && asked > 0 {
		next := 1
		for next < asked && messages[next].Role != model.User {
			next++
		}
		for _, m := range messages[:next] {
			over -= messageSize(m)
		}
		messages, asked = messages[next:], asked-next
		questions++
	}
	if questions > 0 {
		said = append(said, fmt.Sprintf("%d earlier questions", questions))
	}
	if over > 0 {
		var cut int
		if messages, cut = shortenAnswers(messages, asked, over); cut > 0 {
			said = append(said, fmt.Sprintf("parts of %d tool answers", cut))
		}
	}
	req.Messages = messages
	return req, strings.Join(said, " and ")
}

// lastQuestion is where the user's last message is.
func lastQuestion(messages []model.Message) int {
	for i := len(messages) - 1; i > 0; i-- {
		if messages[i].Role == model.User {
			return i
		}
	}
	return 0
}

// shortenAnswers takes so many bytes off what tools answered, from the longest.
func shortenAnswers(messages []model.Message, from, over int) (_ []model.Message, cut int) {
	var lengths []int
	total := 0
	for _, m := range messages[from:] {
		for _, p := range m.Parts {
			if m.Role == model.ToolRole {
				lengths = append(lengths, len(p.Text))
				total += len(p.Text)
			}
		}
	}
	each := max(share(lengths, total-over), minShare)
	shorter := append([]model.Message(nil), messages...)
	for i := from; i < len(shorter); i++ {
		m := shorter[i]
		if m.Role != model.ToolRole {
			continue
		}
		parts := append([]model.Part(nil), m.Parts...)
		for j := range parts {
			if len(parts[j].Text) > each {
				parts[j].Text = shortened(parts[j].Text, each)
				cut++
			}
		}
		shorter[i].Parts = parts
	}
	return shorter, cut
}

// leaveOut tells the user, once a run for the same, what the model does not read.
func (r *run) leaveOut(what string) {
	if what == "" || r.leftOut == what {
		return
	}
	r.leftOut = what
	_ = r.publish(&Notice{"Left out, because the model's context is too small for it: " + what + "."})
}

var tooLong = regexp.MustCompile(`(?i)context.{0,20}(length|window|size)|maximum.{0,30}tokens|too (long|many tokens)|exceed.{0,40}(tokens|context)`)

// isTooLong reports whether a model's server refused a request for its length.
func isTooLong(err error) bool { return err != nil && tooLong.MatchString(err.Error()) }
