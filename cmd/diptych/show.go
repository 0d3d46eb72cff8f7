package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/cmd/diptych/internal/peer"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/sidebyside"
	"github.com/diptych-mcp/diptych/cmd/diptych/internal/terminal"
)

// showPanels draws both panels of an answer.
func showPanels(c *console, r peer.Result, v peer.Verdict) {
	left := sidebyside.Panel{Title: "content", Note: "for the model", Body: blocks(r.Content, true)}
	right := sidebyside.Panel{Title: "structured", Note: "for the application · " + v.String(), Body: indented(r.Structured), Paint: keys(c.style)}
	if r.IsError {
		left.Note, right.Note = "for the model · the tool failed", "for the application"
	}
	width, live := terminal.Columns(c.stdout)
	if !live {
		fmt.Fprint(c.stdout, sidebyside.Plain(left, right))
		return
	}
	left.Body, right.Body = clip(left.Body, "--content"), clip(right.Body, "--structured")
	fmt.Fprintln(c.stdout, sidebyside.Draw(left, right, width, c.style))
}

func clip(text, flag string) string {
	text = strings.TrimRight(text, "\n")
	lines, short := strings.SplitAfterN(text, "\n", maxLines+1), false
	if len(lines) > maxLines {
		text, short = strings.Join(lines[:maxLines], ""), true
	}
	if len(text) > maxBytes {
		text, short = strings.ToValidUTF8(text[:maxBytes], ""), true
	}
	if short {
		text = strings.TrimRight(text, "\n") + "\n… " + flag + " prints the rest"
	}
	return text
}

// indented is structured content for reading: its keys in their order, its digits as they came.
func indented(raw json.RawMessage) string {
	if raw == nil {
		return "(none)"
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return terminal.Clean(string(raw))
	}
	return terminal.Clean(b.String())
}

// keys makes property names quieter than values.
func keys(style terminal.Style) func(string) string {
	keyPattern := regexp.MustCompile(`^( *)("(?:[^"\\]|\\.)*":)`)
	return func(line string) string {
		at := keyPattern.FindStringSubmatchIndex(line)
		if at == nil {
			return line
		}
		return line[:at[4]] + style.Cyan(line[at[4]:at[5]]) + line[at[5]:]
	}
}

// blocks is content as text. Marked, for a person, shows where one block ends and the next begins.
func blocks(content []mcp.Content, marked bool) string {
	if len(content) == 0 && marked {
		return "(none)"
	}
	var parts []string
	for _, block := range content {
		parts = append(parts, blockText(block))
	}
	if marked {
		return terminal.Clean(strings.Join(parts, "\n┄┄┄\n"))
	}
	return strings.Join(parts, "\n")
}

func blockText(block mcp.Content) string {
	switch b := block.(type) {
	case *mcp.TextContent:
		return b.Text
	case *mcp.ImageContent:
		return fmt.Sprintf("[image, %s, %s]", b.MIMEType, size(len(b.Data)))
	case *mcp.AudioContent:
		return fmt.Sprintf("[audio, %s, %s]", b.MIMEType, size(len(b.Data)))
	case *mcp.ResourceLink:
		return fmt.Sprintf("[link to %s, %s]", b.URI, b.Name)
	case *mcp.EmbeddedResource:
		if b.Resource == nil {
			return "[an empty resource]"
		}
		if b.Resource.Text != "" {
			return fmt.Sprintf("[resource %s]\n%s", b.Resource.URI, b.Resource.Text)
		}
		return fmt.Sprintf("[resource %s, %s, %s]", b.Resource.URI, b.Resource.MIMEType, size(len(b.Resource.Blob)))
	}
	return fmt.Sprintf("[%T]", block)
}

func size(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
