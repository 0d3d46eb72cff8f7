// Package diptych turns typed Go functions into Model Context Protocol tools that answer in two panels.
//
// A tool's answer has content, text for the language model, and structuredContent, data for the application around it.
// The output schema is the contract between the two. With diptych the contract is the function's return type:
//
//	func temperature(ctx context.Context, in City) (int, error) { … }
//
//	err := diptych.Add(server, &mcp.Tool{Name: "get_temperature"}, temperature)
//
// [Add] publishes the schema that follows from the types, fills both panels from the one value that the function
// returns, and checks every value against the published schema before it leaves. A value that does not match becomes a
// tool error that names the field and the rule, never a corrupt result. What is not an object is wrapped in
// {"result": …}.
//
// Everything else of the protocol (sessions, transports, resources, prompts) is the official SDK's, package
// github.com/modelcontextprotocol/go-sdk/mcp, used as it is.
//
// A host calls tools with [Call], which checks what it receives, over a transport that [Exact] keeps digit for digit.
// Package data publishes tools that name the sources of what they answer. The command cmd/diptych generates the calls of Add
// from ordinary functions and their comments, and lists, calls and checks the tools of any server.
//
// # Compatibility
//
// From version 1.0.0 on this module follows semantic versioning: what is exported, the schemas published for a given
// type, and the kinds of error a caller sees change only with the major version. The wording of messages, the exact
// indentation of text panels and anything under internal/ may change at any time. The module is tested with the oldest and
// the newest version of the SDK that its README names; today they are one.
package diptych
