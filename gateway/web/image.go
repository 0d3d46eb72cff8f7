package web

// Images that a tool returned, as the page draws them: raster images alone, which hold no script and fetch nothing, and no
// more of them than a page bears.

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"image"
	_ "image/gif" // their headers are read
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"slices"
)

var drawnTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// images are the data: URLs of what can be drawn of a result's content blocks. The rest is described as text beside them.
func images(content json.RawMessage) []string {
	var blocks []struct {
		Type     string `json:"type"`
		Data     string `json:"data"`
		MIMEType string `json:"mimeType"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return nil
	}
	var urls []string
	left := maxImageBytes
	for _, b := range blocks {
		if b.Type != "image" || len(urls) == maxImages || base64.StdEncoding.DecodedLen(len(b.Data)) > left {
			continue
		}
		raw, err := base64.StdEncoding.DecodeString(b.Data)
		if err != nil || !drawable(raw, b.MIMEType) {
			continue
		}
		left -= len(raw)
		urls = append(urls, "data:"+b.MIMEType+";base64,"+base64.StdEncoding.EncodeToString(raw))
	}
	return urls
}

// drawable holds for an image that is what it is said to be, of a size that does not fill a reader's memory.
func drawable(raw []byte, kind string) bool {
	if !slices.Contains(drawnTypes, kind) || http.DetectContentType(raw) != kind {
		return false
	}
	var width, height int
	if kind == "image/webp" {
		width, height = webpSize(raw)
	} else if c, _, err := image.DecodeConfig(bytes.NewReader(raw)); err == nil {
		width, height = c.Width, c.Height
	}
	return width > 0 && height > 0 && width <= maxPixels/height
}

// webpSize reads a WebP's header, for which Go has no reader of its own: zeros where it is none.
func webpSize(raw []byte) (width, height int) {
	if len(raw) < 30 {
		return 0, 0
	}
	uint24 := func(at int) int { return int(raw[at]) | int(raw[at+1])<<8 | int(raw[at+2])<<16 }
	switch string(raw[12:16]) {
	case "VP8 ":
		return int(binary.LittleEndian.Uint16(raw[26:])) & 0x3fff, int(binary.LittleEndian.Uint16(raw[28:])) & 0x3fff
	case "VP8L":
		bits := int(binary.LittleEndian.Uint32(raw[21:]))
		return bits&0x3fff + 1, bits>>14&0x3fff + 1
	case "VP8X":
		return uint24(24) + 1, uint24(27) + 1
	}
	return 0, 0
}
