package anthropic

import (
	"encoding/base64"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

func params(name string, r model.Request, names *wire.Names) sdk.MessageNewParams {
	p := sdk.MessageNewParams{Model: sdk.Model(name), MaxTokens: defaultTokens}
	if r.MaxTokens > 0 {
		p.MaxTokens = int64(r.MaxTokens)
	}
	if strings.TrimSpace(r.System) != "" {
		p.System = []sdk.TextBlockParam{{Text: r.System}}
	}
	p.Messages = messages(r.Messages, names)
	for _, t := range r.Tools {
		tool := sdk.ToolParam{Name: names.Out(t.Name), InputSchema: param.Override[sdk.ToolInputSchemaParam](wire.Adapt(t, wire.NoRootUnion))}
		if t.Description != "" {
			tool.Description = sdk.String(t.Description)
		}
		p.Tools = append(p.Tools, sdk.ToolUnionParam{OfTool: &tool})
	}
	return p
}

// messages joins what one side says in a row: all answers to the calls of one turn must be in one message, followed by what
// the user adds.
func messages(said []model.Message, names *wire.Names) []sdk.MessageParam {
	var out []sdk.MessageParam
	var row []sdk.ContentBlockParamUnion
	for i, m := range said {
		row = append(row, blocks(m, names)...)
		assistant := m.Role == model.Assistant
		if i+1 < len(said) && (said[i+1].Role == model.Assistant) == assistant || len(row) == 0 {
			continue
		}
		if assistant {
			out = append(out, sdk.NewAssistantMessage(row...))
		} else {
			out = append(out, sdk.NewUserMessage(row...))
		}
		row = nil
	}
	return out
}

func blocks(m model.Message, names *wire.Names) []sdk.ContentBlockParamUnion {
	if m.Role == model.ToolRole {
		result := sdk.ToolResultBlockParam{ToolUseID: wire.ID(m.CallID)}
		if m.Failed {
			result.IsError = sdk.Bool(true)
		}
		for _, p := range m.Parts {
			if image := picture(p); image != nil {
				result.Content = append(result.Content, sdk.ToolResultBlockParamContentUnion{OfImage: image})
			} else if text := words(p); text != nil {
				result.Content = append(result.Content, sdk.ToolResultBlockParamContentUnion{OfText: text})
			}
		}
		return []sdk.ContentBlockParamUnion{{OfToolResult: &result}}
	}
	var out []sdk.ContentBlockParamUnion
	if len(m.Calls) > 0 { // what was thought before anything was said
		out = thoughts(m.Calls[0].Extra)
	}
	for _, p := range m.Parts {
		if image := picture(p); image != nil && m.Role == model.User {
			out = append(out, sdk.ContentBlockParamUnion{OfImage: image})
		} else if text := words(p); text != nil {
			out = append(out, sdk.ContentBlockParamUnion{OfText: text})
		}
	}
	for i, c := range m.Calls {
		if i > 0 {
			out = append(out, thoughts(c.Extra)...)
		}
		out = append(out, sdk.ContentBlockParamUnion{OfToolUse: &sdk.ToolUseBlockParam{
			ID: wire.ID(c.ID), Name: names.Out(c.Name), Input: wire.Object(c.Arguments),
		}})
	}
	return out
}

// words is a part as text; the API refuses text without a word.
func words(p model.Part) *sdk.TextBlockParam {
	text := wire.Text([]model.Part{p})
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return &sdk.TextBlockParam{Text: text}
}

// picture is a part as an image, if it is one of a kind that the models take.
func picture(p model.Part) *sdk.ImageBlockParam {
	switch p.MIMEType {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return &sdk.ImageBlockParam{Source: sdk.ImageBlockParamSourceUnion{OfBase64: &sdk.Base64ImageSourceParam{
			MediaType: sdk.Base64ImageSourceMediaType(p.MIMEType), Data: base64.StdEncoding.EncodeToString(p.Data),
		}}}
	}
	return nil
}
