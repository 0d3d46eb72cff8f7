package web

// The page itself and the files that it loads.

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed page.html
var pageSource string

//go:embed icon.svg
var icon []byte

//go:embed assets
var built embed.FS

// assets are the built script and style; they are nil in a tree where they were not built.
type assets struct {
	script, style []byte
	version       string // changes when they do
}

func readAssets() (assets, error) {
	var a assets
	var err error
	if a.script, err = built.ReadFile("assets/app.js"); err == nil {
		a.style, err = built.ReadFile("assets/app.css")
	}
	if errors.Is(err, fs.ErrNotExist) {
		return assets{}, nil
	}
	sum := sha256.Sum256(append(append([]byte{}, a.script...), a.style...))
	a.version = hex.EncodeToString(sum[:8])
	return a, err
}

func (s *server) sendAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	body := map[string][]byte{"app.js": s.assets.script, "app.css": s.assets.style, "icon.svg": icon}[name]
	if body == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	if r.URL.Query().Get("v") == s.assets.version {
		w.Header().Set("Cache-Control", "max-age=31536000, immutable")
	}
	_, _ = w.Write(body)
}

// showPage sends the same page for every conversation; the script draws what is in it.
func (s *server) showPage(w http.ResponseWriter, r *http.Request) {
	theme := ""
	if c, err := r.Cookie("theme"); err == nil && (c.Value == "dark" || c.Value == "light") {
		theme = c.Value
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Vary", "Accept-Language, Cookie")
	if s.assets.script == nil {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	spoken := language(r)
	err := s.page.Execute(w, struct {
		Built, Scripted, Share                        bool
		Language, Theme, Version, Model, Conversation string
		Questions                                     string
	}{s.assets.script != nil, s.Scripted, s.Share, spoken, theme, s.assets.version, s.Chat.ModelName(), r.PathValue("conversation"), strings.Join(s.Questions[spoken], "\n")})
	if err != nil {
		s.Logger.Error("writing the page", "err", err)
	}
}

// language is the reader's choice, or else the first of Accept-Language that the page speaks.
func language(r *http.Request) string {
	spoken := func(tag string) string {
		switch main, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-"); main {
		case "en", "pt", "es":
			return main
		}
		return ""
	}
	if c, err := r.Cookie("language"); err == nil && spoken(c.Value) != "" {
		return spoken(c.Value)
	}
	best, weight := "en", 0.0
	for part := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, q, given := strings.Cut(part, ";")
		value := 1.0
		if given {
			var err error
			if value, err = strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(q), "q="), 64); err != nil {
				continue
			}
		}
		if name := spoken(tag); name != "" && value > weight {
			best, weight = name, value
		}
	}
	return best
}
