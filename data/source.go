package data

// A source: where the data comes from, as a link that a reader can follow.

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Source is a link to the original data, shown under the answer. The URL is required: http or https, absolute and without
// credentials; everything else is optional and shown beside the link. A Source without a URL is refused when the result is
// returned.
type Source struct {
	URL         string `json:"url"`
	Title       string `json:"title,omitempty"`        // at most 300 characters
	Publisher   string `json:"publisher,omitempty"`    // at most 200 characters
	License     string `json:"license,omitempty"`      // at most 100 characters, such as "CC0-1.0"
	RetrievedAt string `json:"retrieved_at,omitempty"` // at most 40 characters, such as "2026-09-17"
	Period      string `json:"period,omitempty"`       // at most 60 characters, the time that the data covers
}

// MarshalJSON writes a source that has only a URL as plain text, and any other as an object.
func (s Source) MarshalJSON() ([]byte, error) {
	if s == (Source{URL: s.URL}) {
		return marshal(s.URL)
	}
	type object Source
	return marshal(object(s))
}

func (s Source) addTo(r *Result) { r.sources = append(r.sources, s) }

// source checks one entry of sources.
func (c *checker) source(v value) {
	if v.isText() {
		c.url(v)
		return
	}
	if !c.is(v, "an object", "an http or https URL, or an object with one as url") {
		return
	}
	c.object(v, func(key string, v value) string {
		switch key {
		case "url":
			c.url(v)
		case "title":
			c.line(v, maxTitle)
		case "publisher":
			c.line(v, maxPublisher)
		case "license":
			c.line(v, maxLicense)
		case "retrieved_at":
			c.line(v, maxRetrievedAt)
		case "period":
			c.line(v, maxPeriod)
		default:
			return "no part of a source; leave it out"
		}
		return ""
	}, "url")
}

// line checks a source's text: bounded, and free of what could make it read as another text.
func (c *checker) line(v value, limit int) {
	if s, ok := c.text(v, limit); ok {
		if r := deceptive(s); r >= 0 {
			c.fault("control or bidirectional formatting character " + codePoint(r) + "; use plain text")
		}
	}
}

func (c *checker) url(v value) {
	if s, ok := c.text(v, maxURL); ok {
		if rule := urlRule(s); rule != "" {
			c.fault(rule)
		}
	}
}

// urlRule says what keeps s from being a source's URL, or nothing. It is stricter than the browsers on purpose: what two
// parsers could read differently is refused.
func urlRule(s string) string {
	if s == "" {
		return "empty; give the http or https URL of the data"
	}
	scheme, _, _ := strings.Cut(s, ":")
	if !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") {
		switch strings.ToLower(scheme) {
		case "http", "https":
			return "not an absolute URL; start it with http:// or https:// in lower case"
		case "javascript", "data", "file", "blob", "vbscript":
			return "scheme " + strings.ToLower(scheme) + " is refused; only http and https are sources"
		}
		return "not an http or https URL; start it with http:// or https://"
	}
	for _, r := range s {
		if strings.ContainsRune("\"'<>\\^`{|}", r) || unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Z) || r == utf8.RuneError {
			return "character " + codePoint(r) + " is refused; percent-encode it"
		}
	}
	u, err := url.Parse(s)
	if err != nil {
		return "not a URL; check its host, port and percent signs"
	}
	if u.User != nil {
		return "credentials are refused; remove what is before the @"
	}
	if u.Hostname() == "" {
		return "no host; give an absolute URL"
	}
	_, rest, _ := strings.Cut(s, "//")
	if i := strings.IndexAny(rest, "%/?#"); i >= 0 && rest[i] == '%' {
		return "percent sign in the host; write the host as it is"
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n > 65535 {
			return "port out of range"
		}
	}
	return ""
}

// deceptive returns the first control character or bidirectional override, embedding or isolate in s, or -1.
func deceptive(s string) rune {
	for _, r := range s {
		if unicode.IsControl(r) || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069' || r == '\u2028' || r == '\u2029' {
			return r
		}
	}
	return -1
}

// codePoint names a character by its number: printing it could do what it was refused for.
func codePoint(r rune) string {
	hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return "U+" + strings.Repeat("0", max(0, 4-len(hex))) + hex
}
