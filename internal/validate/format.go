package validate

import (
	"bytes"
	"net/netip"
	"time"
	"unicode/utf8"
)

// A format is a named form of strings that is asserted. Formats without one here are annotations.
type format struct {
	rule string
	ok   func(s []byte) bool
}

func formatNamed(name string) *format {
	switch name {
	case "date-time":
		return &format{"must be a date-time with a zone, such as 2026-01-02T03:04:05Z", isDateTime}
	case "date":
		return &format{"must be a date, YYYY-MM-DD", isDate}
	case "time":
		return &format{"must be a time with a zone, such as 03:04:05Z", isTime}
	case "duration":
		return &format{"must be a duration, such as PT1H30M", isDuration}
	case "email":
		return &format{"must be an email address, such as name@example.com", isEmail}
	case "hostname":
		return &format{"must be a hostname, such as www.example.com", isHostname}
	case "ipv4":
		return &format{"must be an IPv4 address, such as 192.0.2.1", isIPv4}
	case "ipv6":
		return &format{"must be an IPv6 address, such as 2001:db8::1", isIPv6}
	case "uri":
		return &format{"must be a URI with its scheme, such as https://example.com/a", isURI}
	case "uri-reference":
		return &format{"must be a URI or a part of one, such as /a/b", isURIReference}
	case "uuid":
		return &format{"must be a UUID, such as 123e4567-e89b-12d3-a456-426614174000", isUUID}
	}
	return nil
}

// number reads n digits at the front of s.
func number(s []byte, n int) (v int, rest []byte, ok bool) {
	if len(s) < n {
		return 0, nil, false
	}
	for _, c := range s[:n] {
		if c-'0' > 9 {
			return 0, nil, false
		}
		v = v*10 + int(c-'0')
	}
	return v, s[n:], true
}

func literal(s []byte, c byte) ([]byte, bool) {
	if len(s) == 0 || s[0] != c {
		return s, false
	}
	return s[1:], true
}

// isDate is full-date of RFC 3339.
func isDate(s []byte) bool {
	y, s, ok1 := number(s, 4)
	s, ok2 := literal(s, '-')
	m, s, ok3 := number(s, 2)
	s, ok4 := literal(s, '-')
	d, s, ok5 := number(s, 2)
	if !(ok1 && ok2 && ok3 && ok4 && ok5) || len(s) > 0 || m < 1 || m > 12 || d < 1 {
		return false
	}
	return d <= time.Date(y, time.Month(m)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// isTime is full-time of RFC 3339. A leap second is the last one of a day in UTC.
func isTime(s []byte) bool {
	h, s, ok1 := number(s, 2)
	s, ok2 := literal(s, ':')
	m, s, ok3 := number(s, 2)
	s, ok4 := literal(s, ':')
	sec, s, ok5 := number(s, 2)
	if !(ok1 && ok2 && ok3 && ok4 && ok5) || h > 23 || m > 59 || sec > 60 {
		return false
	}
	if len(s) > 0 && s[0] == '.' {
		s = s[1:]
		n := 0
		for n < len(s) && s[n]-'0' <= 9 {
			n++
		}
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	if len(s) == 0 {
		return false
	}
	minutes := h*60 + m
	switch s[0] {
	case 'Z', 'z':
		s = s[1:]
	case '+', '-':
		east := s[0] == '+'
		oh, rest, ok1 := number(s[1:], 2)
		rest, ok2 := literal(rest, ':')
		om, rest, ok3 := number(rest, 2)
		if !(ok1 && ok2 && ok3) || oh > 23 || om > 59 {
			return false
		}
		offset := oh*60 + om
		if east {
			offset = -offset
		}
		minutes = (minutes + offset + 2*24*60) % (24 * 60)
		s = rest
	default:
		return false
	}
	return len(s) == 0 && (sec < 60 || minutes == 23*60+59)
}

func isDateTime(s []byte) bool {
	return len(s) > 11 && (s[10] == 'T' || s[10] == 't') && isDate(s[:10]) && isTime(s[11:])
}

// isDuration is duration of RFC 3339, appendix A: units in order without gaps, weeks alone.
func isDuration(s []byte) bool {
	s, ok := literal(s, 'P')
	if !ok {
		return false
	}
	date, clock, timed := bytes.Cut(s, []byte("T"))
	if timed && len(clock) == 0 || len(s) == 0 {
		return false
	}
	if n := digitsOf(date); n > 0 && n == len(date)-1 && date[n] == 'W' {
		return !timed
	}
	return units(date, "YMD") && units(clock, "HMS")
}

func digitsOf(s []byte) int {
	n := 0
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return n
}

func units(s []byte, order string) bool {
	next := -1
	for len(s) > 0 {
		n := digitsOf(s)
		if n == 0 || n == len(s) {
			return false
		}
		at := bytes.IndexByte([]byte(order), s[n])
		if at < 0 || next >= 0 && at != next {
			return false
		}
		next = at + 1
		s = s[n+1:]
	}
	return true
}

// isEmail is a mailbox of RFC 5321: a dot-atom or a quoted string, and a domain or an address in brackets.
func isEmail(s []byte) bool {
	at := bytes.LastIndexByte(s, '@')
	if at < 1 || len(s) > 254 || at > 64 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if len(local) > 1 && local[0] == '"' && local[len(local)-1] == '"' {
		inside := local[1 : len(local)-1]
		for i := 0; i < len(inside); i++ {
			switch c := inside[i]; {
			case c == '\\' && i+1 < len(inside):
				i++
			case c == '"' || c == '\\' || c < ' ' || c > '~':
				return false
			}
		}
	} else {
		for atom := range bytes.SplitSeq(local, []byte(".")) {
			if len(atom) == 0 {
				return false
			}
			for _, c := range atom {
				if !alphanumeric(c) && bytes.IndexByte([]byte("!#$%&'*+-/=?^_`{|}~"), c) < 0 {
					return false
				}
			}
		}
	}
	if len(domain) > 2 && domain[0] == '[' && domain[len(domain)-1] == ']' {
		address := domain[1 : len(domain)-1]
		if six, found := bytes.CutPrefix(address, []byte("IPv6:")); found {
			return isIPv6(six)
		}
		return isIPv4(address)
	}
	return isHostname(domain)
}

func alphanumeric(c byte) bool {
	return c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// isHostname is a name of RFC 1123.
func isHostname(s []byte) bool {
	if len(s) == 0 || len(s) > 253 {
		return false
	}
	for label := range bytes.SplitSeq(s, []byte(".")) {
		if len(label) == 0 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range label {
			if !alphanumeric(c) && c != '-' {
				return false
			}
		}
	}
	return true
}

func isIPv4(s []byte) bool {
	parts := 0
	for part := range bytes.SplitSeq(s, []byte(".")) {
		v, rest, ok := number(part, min(max(len(part), 1), 3))
		if parts++; !ok || len(rest) > 0 || v > 255 || len(part) > 1 && part[0] == '0' {
			return false
		}
	}
	return parts == 4
}

func isIPv6(s []byte) bool {
	if len(s) > 45 || bytes.IndexByte(s, ':') < 0 {
		return false
	}
	a, err := netip.ParseAddr(string(s))
	return err == nil && a.Is6() && a.Zone() == ""
}

func isUUID(s []byte) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range s {
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if !hexadecimal(c) {
				return false
			}
		}
	}
	return true
}

func hexadecimal(c byte) bool { return c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'f' }

// isURI is a URI of RFC 3986 with its scheme.
func isURI(s []byte) bool {
	colon := bytes.IndexByte(s, ':')
	return colon > 0 && isScheme(s[:colon]) && isURIReference(s)
}

func isScheme(s []byte) bool {
	for i, c := range s {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c-'0' > 9 && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return len(s) > 0
}

// isURIReference is a URI or a relative reference of RFC 3986.
func isURIReference(s []byte) bool {
	s, fragment, _ := bytes.Cut(s, []byte("#"))
	s, query, _ := bytes.Cut(s, []byte("?"))
	if !uriChars(fragment, "!$&'()*+,;=:@/?") || !uriChars(query, "!$&'()*+,;=:@/?") {
		return false
	}
	if colon := bytes.IndexByte(s, ':'); colon >= 0 {
		if slash := bytes.IndexByte(s, '/'); slash < 0 || colon < slash {
			if !isScheme(s[:colon]) {
				return false
			}
			s = s[colon+1:]
		}
	}
	if rest, found := bytes.CutPrefix(s, []byte("//")); found {
		authority := rest
		s = nil
		if slash := bytes.IndexByte(rest, '/'); slash >= 0 {
			authority, s = rest[:slash], rest[slash:]
		}
		if !isAuthority(authority) {
			return false
		}
	}
	return uriChars(s, "!$&'()*+,;=:@/")
}

func isAuthority(s []byte) bool {
	if at := bytes.IndexByte(s, '@'); at >= 0 {
		if !uriChars(s[:at], "!$&'()*+,;=:") {
			return false
		}
		s = s[at+1:]
	}
	port := s
	if len(s) > 0 && s[0] == '[' {
		end := bytes.IndexByte(s, ']')
		if end < 0 || !isIPv6(s[1:end]) {
			return false
		}
		port = s[end+1:]
	} else {
		host := s
		port = nil
		if colon := bytes.IndexByte(s, ':'); colon >= 0 {
			host, port = s[:colon], s[colon:]
		}
		if !uriChars(host, "!$&'()*+,;=") {
			return false
		}
	}
	return len(port) == 0 || port[0] == ':' && digitsOf(port[1:]) == len(port)-1
}

// uriChars reports whether s holds only unreserved characters, percent escapes and those listed.
func uriChars(s []byte, more string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case alphanumeric(c), c == '-', c == '.', c == '_', c == '~':
		case c == '%':
			if i+2 >= len(s) || !hexadecimal(s[i+1]) || !hexadecimal(s[i+2]) {
				return false
			}
			i += 2
		case c >= utf8.RuneSelf:
			return false
		default:
			found := false
			for j := range len(more) {
				found = found || more[j] == c
			}
			if !found {
				return false
			}
		}
	}
	return true
}

// isBase64 reports whether s is base64 of RFC 4648 with padding. Line breaks are passed over, as decoders do.
func isBase64(s []byte) bool {
	n, padding := 0, 0
	for _, c := range s {
		switch {
		case c == '\r' || c == '\n':
			continue
		case c == '=':
			padding++
		case padding > 0, !alphanumeric(c) && c != '+' && c != '/':
			return false
		}
		n++
	}
	return n%4 == 0 && padding <= 2
}
