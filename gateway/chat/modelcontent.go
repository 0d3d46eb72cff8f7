package chat

// The wall: what a model reads of a tool's answer.

import (
	"fmt"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/host"
	"github.com/diptych-mcp/diptych/gateway/model"
)

// forModel makes what a model reads of content blocks, in their order. A block has no field for structured content, for
// force or for _meta: nothing of them can come this way.
func forModel(content []host.Block) []model.Part {
	var parts []model.Part
	left := maxRead
	for _, b := range content {
		p := part(b)
		if len(p.Text) > left {
			p.Text = strings.ToValidUTF8(p.Text[:left], "") + fmt.Sprintf("\n[cut here: %d bytes more]", len(p.Text)-left)
			return append(parts, p)
		}
		left -= len(p.Text)
		if p.Text != "" || p.Data != nil {
			parts = append(parts, p)
		}
	}
	if parts == nil {
		parts = []model.Part{{Text: "[the tool answered without content]"}}
	}
	return parts
}

func part(b host.Block) model.Part {
	switch b.Kind {
	case host.Text:
		return model.Part{Text: b.Text}
	case host.Image, host.Audio:
		return model.Part{MIMEType: b.MIMEType, Data: append([]byte{}, b.Data...)}
	case host.Link:
		return model.Part{Text: fmt.Sprintf("[resource: %s, %s]", b.Name, b.URI)}
	case host.Resource:
		if b.Text != "" {
			return model.Part{Text: b.Text}
		}
		return model.Part{Text: fmt.Sprintf("[resource: %s, %s, %s]", b.URI, b.MIMEType, sizeOf(len(b.Data)))}
	}
	return model.Part{}
}

// reading is what a model reads, as the page shows it: a model that sees and hears gets images and audio besides.
func reading(parts []model.Part) string {
	lines := make([]string, len(parts))
	for i, p := range parts {
		if lines[i] = p.Text; p.Data != nil {
			kind, _, _ := strings.Cut(p.MIMEType, "/")
			lines[i] = fmt.Sprintf("[%s: %s, %s]", short(kind), short(p.MIMEType), sizeOf(len(p.Data)))
		}
	}
	return strings.Join(lines, "\n")
}

func sizeOf(bytes int) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%d KB", (bytes+500)/1000)
}
