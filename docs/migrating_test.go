package docs

import (
	"context"
	"fmt"
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
