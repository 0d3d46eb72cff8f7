package host

// Servers that ask the user, in every way that the protocol has had.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/internal/countdown"
)

const orderForm = `{"type":"object","properties":{
	"zip":{"type":"string","minLength":5,"maxLength":5,"title":"Zip code","default":"12345"},
	"amount":{"type":"integer","minimum":1,"maximum":12345678901234567890,"default":3},
	"price":{"type":"number","default":1.10},
	"gift":{"type":"boolean","default":false},
	"size":{"type":"string","enum":["s","m"],"enumNames":["Small","Medium"]},
	"colour":{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"b","title":"Blue"}],"default":"green"},
	"extras":{"type":"array","minItems":1,"items":{"anyOf":[{"const":"x","title":"Ribbon"},{"const":"y","title":"Card"}]},"default":["y","no"]},
	"mail":{"type":"string","format":"email","description":"Where to write."}},
	"required":["zip","amount"]}`

var orderFields = []Field{
	{Name: "zip", Title: "Zip code", Kind: TextField, Required: true, Min: "5", Max: "5", Default: []string{"12345"}},
	{Name: "amount", Kind: Integer, Required: true, Min: "1", Max: "12345678901234567890", Default: []string{"3"}},
	{Name: "price", Kind: Number, Default: []string{"1.10"}},
	{Name: "gift", Kind: YesNo, Default: []string{"false"}},
	{Name: "size", Kind: OneOf, Choices: []Choice{{"s", "Small"}, {"m", "Medium"}}},
	{Name: "colour", Kind: OneOf, Choices: []Choice{{"r", "Red"}, {"b", "Blue"}}, Default: []string{}},
	{Name: "extras", Kind: SeveralOf, Min: "1", Choices: []Choice{{"x", "Ribbon"}, {"y", "Card"}}, Default: []string{"y"}},
	{Name: "mail", Kind: TextField, Format: "email", Description: "Where to write."},
}

// said is what a tool tells of the answers that it got.
func said(answers ...*mcp.ElicitResult) *mcp.CallToolResult {
	var lines []string
	for _, a := range answers {
		content, err := json.Marshal(a.Content)
		if err != nil {
			panic(err)
		}
		lines = append(lines, a.Action+" "+string(content))
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Join(lines, "\n")}}}
}

// addAsking adds tools that ask.
func addAsking(s *mcp.Server) {
	add := func(name string, f mcp.ToolHandler) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, f)
	}
	form := func(schema string) *mcp.ElicitParams {
		return &mcp.ElicitParams{Message: "What shall it be?", RequestedSchema: json.RawMessage(schema)}
	}
	page := &mcp.ElicitParams{Mode: "url", Message: "Log in, please.", URL: "https://login.example/?a=b", ElicitationID: "e1"}
	// By a result that asks, which the SDK turns into requests for callers of older revisions.
	inResult := func(name string, questions ...*mcp.ElicitParams) {
		add(name, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			asked := make(mcp.InputRequestMap)
			var answers []*mcp.ElicitResult
			for i, q := range questions {
				key := fmt.Sprint(i)
				asked[key] = q
				if a, ok := req.Params.InputResponses[key].(*mcp.ElicitResult); ok {
					answers = append(answers, a)
				}
			}
			if len(answers) == 0 {
				return &mcp.CallToolResult{InputRequests: asked, RequestState: "state"}, nil
			}
			if req.Params.RequestState != "state" {
				return nil, errors.New("the state is lost")
			}
			return said(answers...), nil
		})
	}
	inResult("asks", form(orderForm))
	inResult("asks_twice", form(`{"type":"object","properties":{"a":{"type":"string"}}}`), form(`{"type":"object","properties":{"b":{"type":"string"}}}`))
	inResult("asks_to_visit", page)
	inResult("asks_nothing", &mcp.ElicitParams{Message: "Go on?"})
	inResult("asks_badly", form(`{"type":"object","properties":{"a":{"type":"object"}}}`))
	add("asks_a_model", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		//lint:ignore SA1019 older servers still ask for sampling
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"a": &mcp.CreateMessageParams{MaxTokens: 1}}}, nil
	})
	add("asks_for_ever", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "Again?"}}}, nil
	})
	add("elicits", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		a, err := req.Session.Elicit(ctx, form(orderForm))
		if err != nil {
			return nil, err
		}
		return said(a), nil
	})
	add("pesters", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var answers []*mcp.ElicitResult
		for range maxQuestions + 2 {
			a, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Again?"})
			if err != nil {
				return nil, err
			}
			answers = append(answers, a)
		}
		return said(answers...), nil
	})
	add("insists_on_page", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{page})
	})
	add("elicits_page", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		a, err := req.Session.Elicit(ctx, page)
		if err != nil {
			return nil, err
		}
		return said(a), nil
	})
	add("visited", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, id := range []string{"other", page.ElicitationID} {
			if err := req.Session.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: id}); err != nil {
				return nil, err
			}
		}
		return said(), nil
	})
	add("needs_page", func() mcp.ToolHandler {
		var mu sync.Mutex
		calls := 0
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			mu.Lock()
			defer mu.Unlock()
			if calls++; calls%2 == 1 {
				return nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{page})
			}
			return said(), nil
		}
	}())
}

// An asker keeps what it is asked.
type asker struct {
	mu     sync.Mutex
	asked  []Question
	answer func(context.Context, Question) Answer
}

func (a *asker) Ask(ctx context.Context, q Question) Answer {
	a.mu.Lock()
	q.check, q.Visited = nil, nil // compared by what it shows
	a.asked = append(a.asked, q)
	a.mu.Unlock()
	return a.answer(ctx, q)
}

func accepts(content string) func(context.Context, Question) Answer {
	return func(context.Context, Question) Answer { return Answer{Accept, json.RawMessage(content)} }
}

func does(action Action) func(context.Context, Question) Answer {
	return func(context.Context, Question) Answer { return Answer{Action: action} }
}

func TestQuestions(t *testing.T) {
	order := Question{Server: "s", Message: "What shall it be?", Fields: orderFields}
	visit := Question{Server: "s", Message: "Log in, please.", URL: "https://login.example/?a=b"}
	again := Question{Server: "s", Message: "Again?"}
	for name, s := range ways(t) {
		t.Run(name, func(t *testing.T) {
			h := start(t, Options{Timeout: 20 * time.Second, Retry: time.Millisecond}, s)
			old := strings.Contains(name, "old")
			for _, c := range []struct {
				tool   string
				answer func(context.Context, Question) Answer
				asked  []Question
				text   string // of the result
				when   string // of the two eras
			}{
				{tool: "asks", answer: accepts(`{"zip":"00000","amount":7,"price":1.5}`), asked: []Question{order}, text: `accept {"amount":7,`},
				{tool: "asks", answer: does(Decline), asked: []Question{order}, text: "decline null"},
				{tool: "asks", answer: does(Cancel), asked: []Question{order}, text: "cancel null"},
				{tool: "asks_to_visit", answer: accepts(""), asked: []Question{visit}, text: "accept "},
				{tool: "asks_nothing", answer: accepts(""), asked: []Question{{Server: "s", Message: "Go on?"}}, text: "accept "},
				{tool: "asks_twice", answer: func(_ context.Context, q Question) Answer {
					return Answer{Accept, json.RawMessage(`{"` + q.Fields[0].Name + `":"yes"}`)}
				}, text: "accept {\"a\":\"yes\"}\naccept {\"b\":\"yes\"}"},
				{tool: "asks_badly", answer: accepts(""), text: "does not understand", when: "new"},
				{tool: "asks_badly", answer: accepts(""), text: "requestedSchema: property a: only text", when: "old"},
				{tool: "asks_a_model", text: "more than the user's answer", when: "new"},
				{tool: "asks_for_ever", answer: does(Decline), asked: []Question{again, again, again, again, again, again, again, again, again, again}, text: "again and again", when: "new"},
				{tool: "elicits", answer: accepts(`{"zip":"00000","amount":7}`), asked: []Question{order}, text: `accept {"amount":7`, when: "old"},
				{tool: "pesters", answer: does(Decline), asked: []Question{again, again, again, again, again, again, again, again, again, again},
					text: strings.Repeat("decline null\n", maxQuestions) + "cancel null\ncancel null", when: "old"},
				{tool: "needs_page", answer: accepts(""), asked: []Question{visit}, text: ""},
				{tool: "insists_on_page", answer: does(Decline), asked: []Question{visit}, text: "the user did not"},
			} {
				if c.when == "old" && !old || c.when == "new" && old {
					continue
				}
				a := &asker{answer: c.answer}
				got, err := h.Call(t.Context(), "s__"+c.tool, json.RawMessage(`{}`), Callbacks{Ask: a.Ask})
				if err != nil || len(got.Blocks) != 1 || !strings.Contains(got.Blocks[0].Text, c.text) {
					t.Errorf("%s: %+v, %v", c.tool, got, err)
				}
				if c.asked == nil {
					continue
				}
				if diff := cmp.Diff(c.asked, a.asked, cmp.AllowUnexported(Question{})); diff != "" {
					t.Errorf("%s (-want +got):\n%s", c.tool, diff)
				}
			}
		})
	}
}

// TestVisitedPage has a server say that the user has visited the page that it asked for: the question is over.
func TestVisitedPage(t *testing.T) {
	for name, s := range ways(t) {
		t.Run(name, func(t *testing.T) {
			h := start(t, Options{Timeout: 20 * time.Second}, s)
			for tool, text := range map[string]string{"asks_to_visit": "accept ", "needs_page": "", "elicits_page": "accept null"} {
				if tool == "elicits_page" && !strings.Contains(name, "old") {
					continue // newer revisions know no such request
				}
				asked := 0
				got, err := h.Call(t.Context(), "s__"+tool, nil, Callbacks{Ask: func(ctx context.Context, q Question) Answer {
					asked++
					select {
					case <-q.Visited:
						t.Errorf("%s: visited before it was", tool)
					default:
					}
					if _, err := h.Call(t.Context(), "s__visited", nil, Callbacks{}); err != nil {
						t.Error(err)
					}
					select {
					case <-q.Visited:
						return Answer{Action: Accept}
					case <-ctx.Done(): // too late
						return Answer{Action: Cancel}
					case <-t.Context().Done():
						return Answer{Action: Cancel}
					case <-time.After(10 * time.Second):
						t.Errorf("%s: the visit is not reported", tool)
						return Answer{Action: Cancel}
					}
				}})
				if err != nil || got.IsError || asked != 1 || len(got.Blocks) != 1 || !strings.HasPrefix(got.Blocks[0].Text, text) {
					t.Errorf("%s: asked %d times, %+v, %v", tool, asked, got, err)
				}
			}
		})
	}
}

// A notification may overtake its question; it closes one question and no other, and many of them take no room.
func TestVisitedPages(t *testing.T) {
	s := newSession()
	x := s.exchange(t.Context(), "s", Callbacks{}, countdown.New(time.Hour, func() {}))
	defer x.end()
	visited := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	first, other, nameless := x.page("a"), x.page("b"), x.page("")
	s.visited("a")
	s.visited("a")
	if !visited(first) || visited(other) || visited(nameless) {
		t.Error("a visit to a is heard elsewhere, or not at all")
	}
	again := x.page("a")
	if visited(again) {
		t.Error("what was said twice counts for the next question")
	}
	if s.visited("a"); !visited(again) {
		t.Error("a page is not heard to be visited again")
	}
	for i := range 1000 {
		s.visited(fmt.Sprint(i))
		s.visited(strings.Repeat("x", maxPageID) + fmt.Sprint(i))
	}
	if n := len(x.pages) + len(x.early); n > 2+maxEarly {
		t.Errorf("%d pages are remembered", n)
	}
	s.visited("early")
	s.visited("early")
	if !visited(x.page("early")) {
		t.Error("what overtook its question is not heard")
	}
	if s.visited("early"); visited(x.page("early")) {
		t.Error("what overtook its question counts for the next one too")
	}
	if visited(x.page("b")) || visited(x.page(strings.Repeat("x", maxPageID)+"0")) {
		t.Error("a page counts as visited that was not")
	}
}

func TestAnswerIsCheckedAgain(t *testing.T) {
	h := start(t, Options{Timeout: 20 * time.Second}, spawn("s", "good"))
	for _, content := range []string{`{"zip":"00000","amount":"secret"}`, `{"zip":"00000","amount":1,"more":"secret"}`, `[]`, `{`} {
		got, err := h.Call(t.Context(), "s__asks", nil, Callbacks{Ask: accepts(content)})
		if err != nil || !got.IsError || !strings.Contains(got.Blocks[0].Text, "does not understand") || strings.Contains(string(got.Content)+got.Note, "secret") {
			t.Errorf("%s: %+v, %v", content, got, err)
		}
	}
	if got, err := h.Call(t.Context(), "s__asks", nil, Callbacks{}); err != nil || got.Blocks[0].Text != "cancel null" {
		t.Errorf("without callbacks: %+v, %v", got, err)
	}
}

func TestCheckAnswer(t *testing.T) {
	q, err := readQuestion("s", &mcp.ElicitParams{RequestedSchema: json.RawMessage(orderForm)})
	if err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]string{
		`{"zip":"00000","amount":12345678901234567890}`:              "",
		`{"zip":"00000","amount":12345678901234567891}`:              "amount: ",
		`{"zip":"secret","amount":1}`:                                "zip: ",
		`{"zip":"00000"}`:                                            "amount: required but missing",
		`{"zip":"00000","amount":1,"secret":1}`:                      "secret: not asked for",
		`{"zip":"00000","amount":1.5}`:                               "amount: ",
		`{"zip":"00000","amount":1,"size":"secret"}`:                 "size: ",
		`{"zip":"00000","amount":1,"extras":["secret"]}`:             "extras[0]: ",
		`{"zip":"00000","amount":1,"extras":[]}`:                     "extras: ",
		`{"zip":"00000","amount":1,"mail":"not a secret"}`:           "mail: must be an email address, such as name@example.com",
		`{"zip":"00000","amount":1,"extras":["x","y"],"colour":"r"}`: "",
		`null`: "no JSON object",
		`{"zip":"` + strings.Repeat("x", maxAnswer) + `"}`: "larger than",
	} {
		_, err := q.Check(json.RawMessage(content))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.60s: %v, want %q", content, err, want)
		}
		if err != nil && strings.Contains(strings.TrimPrefix(err.Error(), "secret: "), "secret") {
			t.Errorf("%s: the error repeats a value: %v", content, err)
		}
	}
}

func TestAnswerKeepsDigits(t *testing.T) {
	const content = `{"n":12345678901234567890,"p":1.10}`
	raw, err := json.Marshal(Answer{Accept, json.RawMessage(content)}.result())
	if want := `{"action":"accept","content":` + content + `}`; err != nil || string(raw) != want {
		t.Errorf("got %s, %v, want %s", raw, err, want)
	}
}

func TestQuestionsThatAreNotPut(t *testing.T) {
	wide := ""
	for i := range maxFields + 1 {
		wide += fmt.Sprintf(`"f%d":{"type":"string"},`, i)
	}
	for schema, want := range map[string]string{
		`{"type":"object","$ref":"#"}`:                           "requestedSchema",
		`{"type":"array"}`:                                       "not an object",
		`{"type":"object","properties":{"a":{"type":"object"}}}`: "property a",
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`: "without choices",
		`{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1/x"}}}`:              "requestedSchema",
		`{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)"}}}`:        "requestedSchema",
		`{"type":"object","properties":{` + strings.TrimSuffix(wide, ",") + `}}`:          "more than 60",
	} {
		if _, err := readQuestion("s", &mcp.ElicitParams{RequestedSchema: json.RawMessage(schema)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %q", schema, err, want)
		}
	}
	for address, ok := range map[string]bool{
		"https://a.example/x?y#z": true, "http://127.0.0.1:8/": true,
		"javascript:alert(1)": false, "file:///etc/passwd": false, "https:///x": false, "https://bank.example@evil.example/": false,
		"data:text/html,x": false, "//a.example": false, "": false, "https://a.example/" + strings.Repeat("x", maxURL): false, "https://a.example/\n": false,
	} {
		if _, err := readQuestion("s", &mcp.ElicitParams{Mode: "url", URL: address}); (err == nil) != ok {
			t.Errorf("%.60s: %v", address, err)
		}
	}
	if _, err := readQuestion("s", &mcp.ElicitParams{Mode: "voice"}); err == nil {
		t.Error("an unknown mode is put")
	}
}

// TestQuestionTakesItsTime has the user think for longer than a call may take, and a stop while a question waits.
func TestQuestionTakesItsTime(t *testing.T) {
	for name, s := range ways(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.Timeouts = map[string]time.Duration{"asks": time.Second}
			h := start(t, Options{Timeout: 20 * time.Second}, s)
			slow := func(context.Context, Question) Answer {
				<-time.After(1200 * time.Millisecond)
				return Answer{Action: Decline}
			}
			if got, err := h.Call(t.Context(), "s__asks", nil, Callbacks{Ask: slow}); err != nil || got.Blocks[0].Text != "decline null" {
				t.Errorf("%+v, %v", got, err)
			}
			ctx, stop := context.WithCancel(t.Context())
			heard := false
			_, err := h.Call(ctx, "s__asks", nil, Callbacks{Ask: func(ctx context.Context, _ Question) Answer {
				stop()
				<-ctx.Done()
				heard = true
				return Answer{Action: Cancel}
			}})
			if !errors.Is(err, context.Canceled) || !heard {
				t.Errorf("stopped: %v, the question ended first: %v", err, heard)
			}
			recovers(t, h, "s__data")
		})
	}
}

// TestWhoseQuestion has two calls of one session ask at once. Over HTTP each reaches its own user; over one pipe the
// protocol does not say, and no user is asked.
func TestWhoseQuestion(t *testing.T) {
	for name, s := range ways(t) {
		if name == "stdio, old" || name == "http, old" {
			t.Run(name, func(t *testing.T) {
				h := start(t, Options{Timeout: 20 * time.Second}, s)
				var both sync.WaitGroup
				both.Add(2)
				var wg sync.WaitGroup
				for i := range 2 {
					wg.Go(func() {
						got, err := h.Call(t.Context(), "s__elicits", nil, Callbacks{Ask: func(context.Context, Question) Answer {
							if name == "http, old" {
								both.Done()
								both.Wait()
							}
							return Answer{Accept, fmt.Appendf(nil, `{"zip":"0000%d","amount":1}`, i)}
						}})
						if err != nil || name == "http, old" && !strings.Contains(got.Blocks[0].Text, fmt.Sprintf(`"zip":"0000%d"`, i)) {
							t.Errorf("call %d: %+v, %v", i, got, err)
						}
					})
				}
				wg.Wait()
				one := newSession()
				one.exchanges["a"], one.exchanges["b"] = &exchange{id: "a"}, &exchange{id: "b"}
				if x, several := one.about(""); x != nil || !several {
					t.Errorf("a question about one of two calls is about %v", x)
				}
				if x, _ := one.about("b"); x == nil || x.id != "b" {
					t.Error("a question about b is not about b")
				}
			})
		}
	}
}

func TestQuestionOutsideOfACall(t *testing.T) {
	res, err := newSession().questions(nil)(t.Context(), "elicitation/create", &mcp.ElicitRequest{Params: &mcp.ElicitParams{Message: "Anybody there?"}})
	if a, ok := res.(*mcp.ElicitResult); err != nil || !ok || a.Action != string(Decline) {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err := newSession().questions(nil)(t.Context(), "elicitation/create", &mcp.ElicitRequest{}); err == nil {
		t.Error("a question without parameters is answered")
	}
}

// careful is a server made with this project, whose tool asks before it answers.
func careful() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "careful", Version: "1"}, nil)
	err := diptych.Add(s, &mcp.Tool{Name: "order"}, func(ctx context.Context, _ struct{}) (string, error) {
		a, ok := diptych.Request(ctx).Params.InputResponses["order"].(*mcp.ElicitResult)
		if !ok {
			return "", diptych.NeedInput(mcp.InputRequestMap{"order": &mcp.ElicitParams{Message: "What shall it be?", RequestedSchema: json.RawMessage(orderForm)}}, "s")
		}
		return fmt.Sprintf("%s %v", a.Action, a.Content["zip"]), nil
	})
	if err != nil {
		panic(err)
	}
	return s
}

func TestNeedInput(t *testing.T) {
	handler := diptych.Handler(careful())
	there := httptest.NewServer(http.HandlerFunc(handler.ServeHTTP))
	t.Cleanup(there.Close)
	t.Cleanup(there.CloseClientConnections)
	for name, s := range map[string]Server{"http": {ID: "s", URL: there.URL, AllowWithoutSources: true}, "stdio": spawn("s", "careful"), "stdio, old": spawn("s", "careful, old")} {
		t.Run(name, func(t *testing.T) {
			h := start(t, Options{Timeout: 20 * time.Second}, s)
			a := &asker{answer: accepts(`{"zip":"00000","amount":7}`)}
			got, err := h.Call(t.Context(), "s__order", nil, Callbacks{Ask: a.Ask})
			if err != nil || got.IsError || got.Blocks[0].Text != "accept 00000" {
				t.Errorf("%+v, %v", got, err)
			}
			if diff := cmp.Diff([]Question{{Server: "s", Message: "What shall it be?", Fields: orderFields}}, a.asked, cmp.AllowUnexported(Question{})); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}
