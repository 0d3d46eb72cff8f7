package web

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

// Two pictures of one pixel that other programs made, lossy and not.
const (
	lossy    = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"
	lossless = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="
)

// pictures are a picture in each type that is drawn, as base64.
func pictures(t *testing.T) map[string]string {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, 320, 200), color.Palette{color.White, color.RGBA{0x0b, 0x66, 0xa3, 0xff}})
	for x := range 320 {
		for y := range 200 - x/2 {
			m.SetColorIndex(x, 199-y, 1)
		}
	}
	drawn := map[string]string{"image/webp": lossy}
	for kind, encode := range map[string]func(*bytes.Buffer) error{
		"image/png":  func(b *bytes.Buffer) error { return png.Encode(b, m) },
		"image/jpeg": func(b *bytes.Buffer) error { return jpeg.Encode(b, m, nil) },
		"image/gif":  func(b *bytes.Buffer) error { return gif.Encode(b, m, nil) },
	} {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		drawn[kind] = base64.StdEncoding.EncodeToString(b.Bytes())
	}
	return drawn
}

func block(kind, data string) string {
	return `{"type":"image","mimeType":"` + kind + `","data":"` + data + `"}`
}

func TestImages(t *testing.T) {
	drawn := pictures(t)
	var all []string
	for _, kind := range drawnTypes {
		content := `[{"type":"text","text":"a"},` + block(kind, drawn[kind]) + `]`
		if got := images(json.RawMessage(content)); len(got) != 1 || got[0] != "data:"+kind+";base64,"+drawn[kind] {
			t.Errorf("%s: %.60q", kind, got)
		}
		all = append(all, block(kind, drawn[kind]))
	}
	if got := images(json.RawMessage("[" + strings.Join(all, ",") + "]")); len(got) != len(all) {
		t.Errorf("%d of %d images", len(got), len(all))
	}

	png1 := drawn["image/png"]
	raw, err := base64.StdEncoding.DecodeString(png1)
	if err != nil {
		t.Fatal(err)
	}
	vast := bytes.Clone(raw) // a small file that a browser would unpack into sixteen gigabytes
	binary.BigEndian.PutUint32(vast[16:], 1<<16)
	binary.BigEndian.PutUint32(vast[20:], 1<<16)
	binary.BigEndian.PutUint32(vast[29:], crc32.ChecksumIEEE(vast[12:29]))
	for name, content := range map[string]string{
		"no list":          `{}`,
		"another block":    `[{"type":"audio","mimeType":"image/png","data":"` + png1 + `"}]`,
		"a script":         `[` + block("image/svg+xml", base64.StdEncoding.EncodeToString([]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`))) + `]`,
		"another type":     `[` + block("image/gif", png1) + `]`,
		"a type and more":  `[` + block("image/png;x", png1) + `]`,
		"a page":           `[` + block("image/png", base64.StdEncoding.EncodeToString([]byte("<html>"))) + `]`,
		"no base64":        `[` + block("image/png", "!"+png1) + `]`,
		"nothing":          `[` + block("image/png", "") + `]`,
		"a header alone":   `[` + block("image/png", base64.StdEncoding.EncodeToString(raw[:20])) + `]`,
		"vast":             `[` + block("image/png", base64.StdEncoding.EncodeToString(vast)) + `]`,
		"a cut WebP":       `[` + block("image/webp", base64.StdEncoding.EncodeToString([]byte("RIFF\x00\x00\x00\x00WEBPVP8X"))) + `]`,
		"too many bytes":   `[` + block("image/png", base64.StdEncoding.EncodeToString(append(bytes.Clone(raw), make([]byte, maxImageBytes)...))) + `]`,
		"a number as data": `[{"type":"image","mimeType":"image/png","data":1}]`,
	} {
		if got := images(json.RawMessage(content)); len(got) != 0 {
			t.Errorf("%s: %.60q", name, got)
		}
	}
	if got := images(json.RawMessage("[" + strings.Repeat(block("image/png", png1)+",", maxImages) + block("image/png", png1) + "]")); len(got) != maxImages {
		t.Errorf("%d images, want %d", len(got), maxImages)
	}
}

func TestWebPSize(t *testing.T) {
	extended := "RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x3f\x01\x00\xc7\x00\x00"
	for name, c := range map[string]struct {
		raw           string
		width, height int
	}{"lossy": {decoded(t, lossy), 1, 1}, "lossless": {decoded(t, lossless), 1, 1}, "extended": {extended, 320, 200}, "none": {strings.Replace(extended, "VP8X", "VP9 ", 1), 0, 0}} {
		if width, height := webpSize([]byte(c.raw)); width != c.width || height != c.height {
			t.Errorf("%s: %d×%d, want %d×%d", name, width, height, c.width, c.height)
		}
	}
}

func decoded(t *testing.T, text string) string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
