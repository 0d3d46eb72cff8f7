package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/internal/exact"
)

// scenarios are keyed by the suite's names; a name that ends in a slash matches all below it.
var scenarios = map[string]func(context.Context, *host) error{
	"initialize":                          list,
	"request-metadata":                    list,
	"json-schema-ref-no-deref":            list,
	"tools_call":                          call("add_numbers", map[string]int{"a": 5, "b": 3}),
	"sse-retry":                           call("test_reconnection", nil),
	"elicitation-sep1034-client-defaults": asked(map[string]any{}, call("test_client_elicitation_defaults", nil)),
	"sep-2322-client-request-state": asked(map[string]any{"confirmed": true},
		each("test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type")),
	"json-schema-2020-12-preservation": echoSchema,
	"http-standard-headers":            everyMethod,
	"http-custom-headers":              givenCalls,
	"http-invalid-tool-headers":        everyTool,
	"auth/":                            authorized(call("test-tool", nil)),
}

// in plays on a session.
func in(ctx context.Context, h *host, play func(*mcp.ClientSession) error) error {
	s, err := h.connect(ctx)
	if err != nil {
		return err
	}
	return errors.Join(play(s), s.Close())
}

// list lists the tools.
func list(ctx context.Context, h *host) error {
	return in(ctx, h, func(s *mcp.ClientSession) error {
		_, err := s.ListTools(ctx, nil)
		return err
	})
}

// call lists the tools and calls one of them.
func call(tool string, args any) func(context.Context, *host) error {
	return func(ctx context.Context, h *host) error {
		return in(ctx, h, func(s *mcp.ClientSession) error {
			if _, err := s.ListTools(ctx, nil); err != nil {
				return err
			}
			_, err := diptych.Call[any](ctx, s, tool, args)
			return err
		})
	}
}

// asked plays with a user who answers every question with the same answers.
func asked(answers map[string]any, play func(context.Context, *host) error) func(context.Context, *host) error {
	return func(ctx context.Context, h *host) error {
		h.answers = answers
		return play(ctx, h)
	}
}

// each calls tools of which some must fail here: what counts is what reaches the server.
func each(tools ...string) func(context.Context, *host) error {
	return func(ctx context.Context, h *host) error {
		return in(ctx, h, func(s *mcp.ClientSession) error {
			for _, tool := range tools {
				try(ctx, s, tool, nil)
			}
			return nil
		})
	}
}

// try calls a tool that may refuse.
func try(ctx context.Context, s *mcp.ClientSession, tool string, args any) {
	if _, err := diptych.Call[any](ctx, s, tool, args); err != nil {
		log.Print(err)
	}
}

// echoSchema sends a tool's schema back as it came.
func echoSchema(ctx context.Context, h *host) error {
	return in(ctx, h, func(s *mcp.ClientSession) error {
		tools, err := s.ListTools(ctx, nil)
		if err != nil {
			return err
		}
		for _, t := range tools.Tools {
			if t.Name != "json_schema_2020_12_tool" {
				continue
			}
			schema, _, ok := exact.Schemas(t)
			if !ok {
				return fmt.Errorf("tool %q came without its raw schema", t.Name)
			}
			_, err := diptych.Call[any](ctx, s, "json_schema_echo", map[string]json.RawMessage{"schema": schema})
			return err
		}
		return errors.New("the tool with the schema is not listed")
	})
}

// everyMethod uses whatever the server lists, once of each kind.
func everyMethod(ctx context.Context, h *host) error {
	return in(ctx, h, func(s *mcp.ClientSession) error {
		if tools, err := s.ListTools(ctx, nil); err == nil && len(tools.Tools) > 0 {
			try(ctx, s, tools.Tools[0].Name, nil)
		}
		if resources, err := s.ListResources(ctx, nil); err == nil && len(resources.Resources) > 0 {
			_, _ = s.ReadResource(ctx, &mcp.ReadResourceParams{URI: resources.Resources[0].URI})
		}
		if prompts, err := s.ListPrompts(ctx, nil); err == nil && len(prompts.Prompts) > 0 {
			_, _ = s.GetPrompt(ctx, &mcp.GetPromptParams{Name: prompts.Prompts[0].Name})
		}
		return nil
	})
}

// givenCalls makes the calls that the suite asks for, after the list whose schemas say which arguments become headers.
func givenCalls(ctx context.Context, h *host) error {
	return in(ctx, h, func(s *mcp.ClientSession) error {
		if _, err := s.ListTools(ctx, nil); err != nil {
			return err
		}
		for _, c := range h.settings.ToolCalls {
			try(ctx, s, c.Name, c.Arguments)
		}
		return nil
	})
}

// everyTool calls every tool that is left of the list.
func everyTool(ctx context.Context, h *host) error {
	return in(ctx, h, func(s *mcp.ClientSession) error {
		tools, err := s.ListTools(ctx, nil)
		if err != nil {
			return err
		}
		for _, t := range tools.Tools {
			try(ctx, s, t.Name, map[string]string{"region": "us-west1"})
		}
		return nil
	})
}
