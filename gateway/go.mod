module github.com/diptych-mcp/diptych/gateway

go 1.26.0

require github.com/diptych-mcp/diptych v0.0.0

replace github.com/diptych-mcp/diptych => ..
