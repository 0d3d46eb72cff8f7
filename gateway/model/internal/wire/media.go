package wire

import (
	"fmt"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// StandIn is what a model reads in place of a part that it does not take, such as "[image: image/png, 40 KB]".
func StandIn(p model.Part) string {
	kind, _, _ := strings.Cut(p.MIMEType, "/")
	if kind != "image" && kind != "audio" {
		kind = "data"
	}
	size := fmt.Sprintf("%d bytes", len(p.Data))
	if len(p.Data) >= 1<<10 {
		size = fmt.Sprintf("%d KB", len(p.Data)>>10)
	}
	return fmt.Sprintf("[%s: %s, %s]", kind, clean(p.MIMEType, 80, ""), size)
}

// Text joins the parts for a reader of text alone.
func Text(parts []model.Part) string {
	var lines []string
	for _, p := range parts {
		switch {
		case p.MIMEType != "":
			lines = append(lines, StandIn(p))
		case p.Text != "":
			lines = append(lines, p.Text)
		}
	}
	return strings.Join(lines, "\n")
}
