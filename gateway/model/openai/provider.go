package openai

import (
	"net/url"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/model/internal/wire"
)

// A provider is what a server is known to refuse or to want, beyond what every server takes. What is not known of a server is
// found out: see Client.
type provider struct {
	name   string
	hosts  []string // ends of the names of its hosts
	models []string // beginnings of the names of its models, wherever they are served

	maxCompletion   bool         // the limit of tokens has another name
	noUsage         bool         // refuses stream_options
	noReasoning     bool         // refuses reasoning that is sent back
	noUserAfterTool bool         // refuses a user's message right after a tool's
	dialect         wire.Dialect // of the schemas of tools
}

// providers are tried in order.
var providers = []provider{
	// https://platform.openai.com/docs/api-reference/chat: max_completion_tokens; object schemas need properties and no union at the root.
	{name: "OpenAI", hosts: []string{"api.openai.com"}, maxCompletion: true, noReasoning: true, dialect: wire.NoRootUnion | wire.NeedProperties},
	// https://ai.google.dev/gemini-api/docs/openai: enum for strings alone, none of them empty, a type everywhere.
	{name: "Gemini", hosts: []string{"generativelanguage.googleapis.com", "aiplatform.googleapis.com"}, models: []string{"gemini", "google/gemini"},
		dialect: wire.NoRootUnion | wire.NeedProperties | wire.StringEnums | wire.NeedTypes},
	// https://docs.mistral.ai/api: unknown fields are refused (422), and a user's message may not follow a tool's.
	{name: "Mistral", hosts: []string{"api.mistral.ai"}, noUsage: true, noReasoning: true, noUserAfterTool: true, dialect: wire.NoRootUnion | wire.NeedProperties},
	// https://api-docs.deepseek.com/guides/thinking_mode: reasoning_content goes back beside the calls of the same question.
	{name: "DeepSeek", hosts: []string{"api.deepseek.com"}, dialect: wire.NoRootUnion | wire.NeedProperties},
	// https://www.alibabacloud.com/help/en/model-studio: as DeepSeek.
	{name: "Qwen", hosts: []string{"dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"}, dialect: wire.NoRootUnion | wire.NeedProperties},
	// https://openrouter.ai/docs: passes on what the model's own provider refuses.
	{name: "OpenRouter", hosts: []string{"openrouter.ai"}, dialect: wire.Careful},
}

// providerOf is a careful one where the server is not known.
func providerOf(address, model string) provider {
	host := ""
	if u, err := url.Parse(address); err == nil {
		host = u.Hostname()
	}
	for _, p := range providers {
		for _, end := range p.hosts {
			if host == end || strings.HasSuffix(host, "."+end) {
				return p
			}
		}
	}
	for _, p := range providers {
		for _, begin := range p.models {
			if strings.HasPrefix(strings.ToLower(model), begin) {
				return p
			}
		}
	}
	return provider{name: "unknown", dialect: wire.Careful}
}
