package main

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addPrompts publishes what the suite asks for.
func addPrompts(s *mcp.Server) {
	s.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "Takes nothing."}, simplePrompt)
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_arguments", Description: "Repeats its arguments.", Arguments: []*mcp.PromptArgument{
		{Name: "arg1", Description: "The first.", Required: true},
		{Name: "arg2", Description: "The second.", Required: true},
	}}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		args := req.Params.Arguments
		return messages(&mcp.TextContent{Text: fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", args["arg1"], args["arg2"])}), nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_embedded_resource", Description: "Carries a document.", Arguments: []*mcp.PromptArgument{
		{Name: "resourceUri", Description: "The document's URI.", Required: true},
	}}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		document := &mcp.ResourceContents{URI: req.Params.Arguments["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing."}
		return messages(&mcp.EmbeddedResource{Resource: document}, &mcp.TextContent{Text: "Please process the embedded resource above."}), nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "Carries an image."},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return messages(&mcp.ImageContent{Data: pixel, MIMEType: "image/png"}, &mcp.TextContent{Text: "Please analyze the image above."}), nil
		})
	s.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "Asks before it answers."}, askingPrompt)
}

func messages(blocks ...mcp.Content) *mcp.GetPromptResult {
	res := &mcp.GetPromptResult{}
	for _, b := range blocks {
		res.Messages = append(res.Messages, &mcp.PromptMessage{Role: "user", Content: b})
	}
	return res
}

func simplePrompt(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return messages(&mcp.TextContent{Text: "This is a simple prompt for testing."}), nil
}

func askingPrompt(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	if r, ok := req.Params.InputResponses["user_context"].(*mcp.ElicitResult); ok && r != nil && r.Action == "accept" {
		return messages(&mcp.TextContent{Text: fmt.Sprintf("Context: %v", r.Content["context"])}), nil
	}
	question := ask("What is this about?", object("context", `{"type":"string"}`))
	return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": question}}, nil
}

// complete suggests what continues an argument.
func complete(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
}
