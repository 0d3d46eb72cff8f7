package docs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// The code of calling.md.

func connectOverStdio(ctx context.Context) (*mcp.ClientSession, error) {
	// region exact
	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, nil)
	transport := &mcp.CommandTransport{Command: exec.Command("weather")}
	session, err := client.Connect(ctx, diptych.Exact(transport), nil)
	// endregion
	return session, err
}

var _ = connectOverStdio // it needs a program to start

func callReading(ctx context.Context, session *mcp.ClientSession) (string, error) {
	// region call
	res, err := diptych.Call[Reading](ctx, session, "get_reading", City{"London"})
	if err != nil {
		return "", err
	}
	show := fmt.Sprintf("%.1f degrees", res.Value.Temperature) // for the screen: data
	tell := res.Content                                        // for the model: text
	// endregion
	return fmt.Sprint(show, " ", len(tell)), nil
}

// region outcome
func outcome(res diptych.Result[Reading], err error) string {
	var failed *diptych.Error
	var broken *diptych.Mismatch
	switch {
	case errors.As(err, &failed):
		return "the tool says: " + failed.Error() // text for the model; res.Content has it as it came
	case errors.As(err, &broken):
		return fmt.Sprint("do not trust it: ", broken) // the text may still be read: res.Content
	case err != nil:
		return "the connection: " + err.Error()
	}
	return fmt.Sprintf("%.1f degrees", res.Value.Temperature)
}

// endregion

func loosely(ctx context.Context, session *mcp.ClientSession) (any, json.RawMessage, diptych.JSON[Reading], error) {
	// region loose
	loose, err1 := diptych.Call[any](ctx, session, "get_reading", City{"London"})
	raw, err2 := diptych.Call[json.RawMessage](ctx, session, "get_reading", City{"London"})
	exact, err3 := diptych.Call[diptych.JSON[Reading]](ctx, session, "get_reading", City{"London"})
	// endregion
	return loose.Value, raw.Value, exact.Value, errors.Join(err1, err2, err3)
}

// lying is a server of the SDK alone whose tool answers with what it was given.
func lying(structured string, isError bool) *mcp.Server {
	s := newServer()
	s.AddTool(&mcp.Tool{Name: "get_reading", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "16 degrees"}}, IsError: isError}
			if structured != "" {
				res.StructuredContent = json.RawMessage(structured)
			}
			return res, nil
		})
	return s
}

func callingAnswers(t *testing.T) map[string]string {
	said := map[string]string{}
	honest := newServer()
	if err := diptych.Add(honest, &mcp.Tool{Name: "get_reading"}, reading); err != nil {
		t.Fatal(err)
	}
	if got, err := callReading(t.Context(), connected(t, honest)); err != nil || got != "16.2 degrees 1" {
		t.Errorf("got %q, %v", got, err)
	}
	loose, raw, exact, err := loosely(t.Context(), connected(t, honest))
	if err != nil {
		t.Fatal(err)
	}
	said["loose"] = strings.Join([]string{
		labelled("any", fmt.Sprintf("%#v", loose)), labelled("raw", string(raw)), labelled("JSON[T]", string(exact)),
	}, "\n")
	var lines []string
	for _, c := range []struct {
		structured string
		isError    bool
	}{
		{`{"temperature":16.2,"conditions":"Overcast"}`, false},
		{`{"temperature":"16.2","conditions":"Overcast","temperature":1}`, false},
		{``, false},
		{``, true},
	} {
		res, err := diptych.Call[Reading](t.Context(), connected(t, lying(c.structured, c.isError)), "get_reading", nil)
		lines = append(lines, outcome(res, err))
	}
	said["outcomes"] = strings.Join(lines, "\n")

	// Without Exact a large integer is refused, not rounded.
	here, there := mcp.NewInMemoryTransports()
	if _, err := lying(`{"result":9007199254740993}`, false).Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	_, err = diptych.Call[int64](t.Context(), session, "get_reading", nil)
	said["rounded"] = fmt.Sprint(err)
	res, err := diptych.Call[int64](t.Context(), connected(t, lying(`{"result":9007199254740993}`, false)), "get_reading", nil)
	if err != nil || res.Value != 9007199254740993 {
		t.Errorf("over Exact: %d, %v", res.Value, err)
	}
	return said
}
