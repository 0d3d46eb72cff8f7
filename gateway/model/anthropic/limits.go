package anthropic

// defaultTokens is the limit of an answer, in tokens, where a request sets none: the API demands one.
const defaultTokens = 8192
