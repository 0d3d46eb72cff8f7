package main

import (
	"context"
	"encoding/base64"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// none is what a tool without arguments takes.
type none = struct{}

// answering is a tool that always gives the same answer.
func answering[Out any](v Out) diptych.Func[none, Out] {
	return func(context.Context, none) (Out, error) { return v, nil }
}

// addContent publishes tools that answer with each kind of content block.
func addContent(s *mcp.Server) error {
	text := &mcp.TextContent{Text: "This is a simple text response for testing."}
	image := &mcp.ImageContent{Data: pixel, MIMEType: "image/png"}
	document := &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
		URI: "test://embedded-resource", MIMEType: "text/plain", Text: "This is an embedded resource content.",
	}}
	return errors.Join(
		diptych.Add(s, &mcp.Tool{Name: "test_simple_text", Description: "Answers with text."}, answering(text)),
		diptych.Add(s, &mcp.Tool{Name: "test_image_content", Description: "Answers with an image."}, answering(image)),
		diptych.Add(s, &mcp.Tool{Name: "test_audio_content", Description: "Answers with a sound."},
			answering(&mcp.AudioContent{Data: silence, MIMEType: "audio/wav"})),
		diptych.Add(s, &mcp.Tool{Name: "test_embedded_resource", Description: "Answers with a document."}, answering(document)),
		diptych.Add(s, &mcp.Tool{Name: "test_multiple_content_types", Description: "Answers with text, an image and a document."},
			answering([]mcp.Content{text, image, document})),
	)
}

// pixel is a PNG of one red dot.
var pixel = decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")

// silence is a WAV without a sample: a header of 44 bytes.
var silence = []byte("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00")

func decoded(s string) []byte {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}
