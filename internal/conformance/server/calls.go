//lint:file-ignore SA1019 the official suite asks for parts that the revision 2026-07-28 deprecates

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// addCalls publishes tools about the call itself: what happens on the way, failures, headers, schemas.
func addCalls(s *mcp.Server) error {
	return errors.Join(
		diptych.Add(s, &mcp.Tool{Name: "test_tool_with_logging", Description: "Logs three times while it runs."}, withLogging, diptych.Unstructured()),
		diptych.Add(s, &mcp.Tool{Name: "test_logging_tool", Description: "Logs once, to those who asked for it."}, logOnce, diptych.Unstructured()),
		diptych.Add(s, &mcp.Tool{Name: "test_tool_with_progress", Description: "Reports progress while it runs."}, withProgress, diptych.Unstructured()),
		diptych.Add(s, &mcp.Tool{Name: "test_error_handling", Description: "Fails."}, failing),
		diptych.Add(s, &mcp.Tool{Name: "test_reconnection", Description: "Cuts the stream before it answers."}, reconnecting, diptych.Unstructured()),
		diptych.Add(s, &mcp.Tool{Name: "test_missing_capability", Description: "Needs a client that can sample."}, sampled, diptych.Unstructured()),
		diptych.Add(s, &mcp.Tool{Name: "test_streaming_elicitation", Description: "Answers on a stream of its own."}, answering("done"), diptych.Unstructured()),
		diptych.Add(s, &mcp.Tool{Name: "test_x_mcp_header", Description: "Takes an argument that also travels in a header."}, region),
		diptych.Add(s, &mcp.Tool{Name: "json_schema_2020_12_tool", Description: "Has an input schema written by hand.", InputSchema: contact}, reached),
		diptych.Add(s, &mcp.Tool{Name: "test_trigger_tool_change", Description: "Changes the list of tools."}, func(context.Context, none) (string, error) {
			return "changed", diptych.Add(s, &mcp.Tool{Name: "transient", Description: "Comes with a change."}, answering(1))
		}),
		diptych.Add(s, &mcp.Tool{Name: "test_trigger_prompt_change", Description: "Changes the list of prompts."}, func(context.Context, none) (string, error) {
			s.AddPrompt(&mcp.Prompt{Name: "transient", Description: "Comes with a change."}, simplePrompt)
			return "changed", nil
		}),
	)
}

// pause keeps messages of one call apart.
const pause = 50 * time.Millisecond

func log(ctx context.Context, text string) error {
	return diptych.Request(ctx).Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: text})
}

func withLogging(ctx context.Context, _ none) (string, error) {
	for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		if err := log(ctx, text); err != nil {
			return "", err
		}
		time.Sleep(pause)
	}
	return "logged", nil
}

func logOnce(ctx context.Context, _ none) (string, error) {
	return "logged", log(ctx, "Tool execution started")
}

func withProgress(ctx context.Context, _ none) (string, error) {
	for done := range 3 {
		diptych.Progress(ctx, float64(done)*50, 100, fmt.Sprintf("Step %d of 2", done))
		time.Sleep(pause)
	}
	return "done", nil
}

func failing(context.Context, none) (int, error) {
	return 0, diptych.Errorf("this tool intentionally returns an error for testing")
}

func reconnecting(ctx context.Context, _ none) (string, error) {
	if extra := diptych.Request(ctx).Extra; extra != nil && extra.CloseSSEStream != nil {
		extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: pause})
	}
	time.Sleep(2 * pause)
	return "answered after the stream was cut", nil
}

// sampled fails with the protocol's own error, which only a *jsonrpc.Error reaches.
func sampled(ctx context.Context, _ none) (string, error) {
	if caps := diptych.Request(ctx).ClientCapabilities(); caps != nil && caps.Sampling != nil {
		return "sampling is possible", nil
	}
	needed, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
		RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}},
	})
	if err != nil {
		return "", err
	}
	return "", &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the client cannot sample", Data: needed}
}

// Place has an argument that the client repeats in the header Mcp-Param-Region.
type Place struct {
	Region string `json:"region,omitempty" header:"Region"`
	Level  int    `json:"level,omitempty"`
}

func region(_ context.Context, in Place) (string, error) { return "region=" + in.Region, nil }

// contact is a schema with the keywords that must survive on the way to the client.
var contact = json.RawMessage(`{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {
		"address": {
			"$anchor": "addressDef",
			"type": "object",
			"properties": {"street": {"type": "string"}, "city": {"type": "string"}}
		}
	},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`)

// Contact is what contact describes.
type Contact struct {
	Name          string            `json:"name"`
	Address       map[string]string `json:"address"`
	ContactMethod string            `json:"contactMethod"`
	Phone         string            `json:"phone"`
	Email         string            `json:"email"`
}

func reached(_ context.Context, in Contact) (Contact, error) { return in, nil }
