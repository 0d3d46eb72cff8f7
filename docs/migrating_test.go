package docs

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// The code of migrating.md.

// Account has an integer that a float cannot hold, and its keys are not in the order of the alphabet.
type Account struct {
	Number int64    `json:"number"`
	Holder string   `json:"holder"`
	Cards  []string `json:"cards"`
}

// AccountArguments names an account.
type AccountArguments struct {
	Holder string `json:"holder" jsonschema:"Who holds it."`
}

var accounts = map[string]Account{"Ada": {Number: 9007199254740993, Holder: "Ada"}}

func addBefore(server *mcp.Server) {
	// region before
	mcp.AddTool(server, &mcp.Tool{Name: "get_account"},
		func(ctx context.Context, req *mcp.CallToolRequest, in AccountArguments) (*mcp.CallToolResult, Account, error) {
			account, ok := accounts[in.Holder]
			if !ok {
				return nil, Account{}, fmt.Errorf("no account of %q", in.Holder)
			}
			return nil, account, nil
		})
	// endregion
}

func addAfter(server *mcp.Server) error {
	// region after
	return diptych.Add(server, &mcp.Tool{Name: "get_account"},
		func(ctx context.Context, in AccountArguments) (Account, error) {
			account, ok := accounts[in.Holder]
			if !ok {
				return Account{}, diptych.Errorf("no account of %q", in.Holder)
			}
			return account, nil
		})
	// endregion
}

func migratingAnswers(t *testing.T) map[string]string {
	s := newShow(t)
	before, after := newServer(), newServer()
	addBefore(before)
	if err := addAfter(after); err != nil {
		t.Fatal(err)
	}
	s.call("before", before, "get_account", `{"holder":"Ada"}`)
	s.call("after", after, "get_account", `{"holder":"Ada"}`)
	s.call("after-unknown", after, "get_account", `{"holder":"Bob"}`)
	return s.said
}

// TestMigratingTable checks the table of differences against both libraries.
func TestMigratingTable(t *testing.T) {
	s := newShow(t)
	type quoted struct {
		N int `json:"n,string"`
	}
	both(s, "list", []string{"a"}, nil)
	both(s, "nil", (*Place)(nil), nil)
	both(s, "error", 0, errors.New("secret"))
	both(s, "recursive", Folder{Name: "root"}, nil)
	both(s, "map", map[int]string{1: "a"}, nil)
	both(s, "quoted", quoted{1}, nil)
	both(s, "bytes", struct {
		B []byte `json:"b"`
	}{[]byte("hi")}, nil)
	both(s, "address", struct {
		A netip.Addr `json:"a"`
	}{netip.IPv6LinkLocalAllNodes()}, nil)
	for name, want := range map[string]string{
		"list.before.structured":     `["a"]`,
		"list.after.structured":      `{"result": ["a"]}`,
		"nil.before.structured":      `{"city": ""}`,
		"nil.after.error":            "neither a value nor an error",
		"error.before.error":         "secret",
		"error.after.error":          "Error executing tool f",
		"recursive.before":           "panic",
		"recursive.after.structured": `{"name": "root", "folders": []}`,
		"map.before":                 "panic",
		"map.after.structured":       `{"result": {"1": "a"}}`,
		"quoted.before.error":        "protocol error 0",
		"quoted.after.structured":    `{"n": "1"}`,
		"bytes.before.error":         `aGk= has type`,
		"bytes.after.structured":     `{"b": "aGk="}`,
		"address.before.error":       "protocol error 0",
		"address.after.structured":   `{"a": "ff02::1"}`,
	} {
		if got := s.said[name]; !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := s.said["error.after.error"]; strings.Contains(got, "secret") {
		t.Errorf("the error is not masked: %s", got)
	}
}

// both publishes a tool that returns out and err in both ways.
func both[Out any](s *show, name string, out Out, err error) {
	s.t.Helper()
	func() {
		defer func() {
			if r := recover(); r != nil {
				s.said[name+".before"] = fmt.Sprint("panic: ", r)
			}
		}()
		server := newServer()
		mcp.AddTool(server, &mcp.Tool{Name: "f"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, Out, error) {
			return nil, out, err
		})
		s.call(name+".before", server, "f", `{}`)
	}()
	add(s, name+".after", "f", `{}`, func(context.Context, none) (Out, error) { return out, err })
}
