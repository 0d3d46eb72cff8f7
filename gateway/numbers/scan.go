package numbers

import (
	"cmp"
	"context"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a figure in a text with everything that it may mean, the likeliest first.
type token struct {
	start, end int
	readings   []reading
	apart      []token // the figures that it is, if its spaces separate numbers
	year       bool    // looks like a year and like nothing else
	percent    bool
	times      bool     // "2.5 times", "3×"
	scaled     bool     // "3.2 million"
	worth      *big.Rat // of the unit, where there is one
	digits     int      // that count: without zeros before them
}

// A chain is digits with single separators between them.
var chain = regexp.MustCompile(`[0-9]+(?:[.,'’\x{A0}\x{202F}\x{2009}][0-9]+| [0-9]{3}\b)*(?:[eE][+-]?[0-9]{1,3})?`)

// What has digits and is no figure: addresses, dates, times, fractions, footnotes, and the numbers of items and headings.
var noFigure = regexp.MustCompile(`(?im)` + strings.Join([]string{
	`\bhttps?://[^\s"]+`,
	`\b[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9.]+)?Z?)?\b`,
	`\b[0-9]+(?:[/:][0-9]+)+\b`,
	`\b[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}\b`,
	`\[\^?[0-9]+\\?\]`, // in Markdown's writing too, where it is to be no link
	`^[ \t>*+-]*[0-9]{1,3}[.)][ \t]`,
	`^#+ *[0-9]+(?:\.[0-9]+)*[.)]? `,
	`\b(?:` + months + `)\.? [0-9]{1,2}\b`,
	`\b[0-9]{1,2}(?:st|nd|rd|th|º)?(?: of| de)? (?:` + months + `)\b`,
}, "|"))

const months = `jan(?:uary|eiro)?|enero|feb(?:ruary|rero)?|fevereiro|march|março|marzo|april|abril|may|maio|mayo|june|junho|junio|july|julho|julio|` +
	`aug(?:ust)?|agosto|sept(?:ember|iembre)?|setembro|oct(?:ober|ubre)?|outubro|nov(?:ember|embro|iembre)?|dec(?:ember)?|dezembro|diciembre`

// ordinal follows the digits of an ordinal.
var ordinal = regexp.MustCompile(`^(?:\.?[ºª]|(?:st|nd|rd|th|er|o|a)\b)`)

// scan finds the figures in s, or some of them where ctx ends.
func scan(ctx context.Context, s string) []token {
	return scanBy(ctx, s, pieceBytes)
}

// scanBy is scan for pieces of that many bytes at least.
func scanBy(ctx context.Context, s string, piece int) []token {
	var out []token
	for start := 0; start < len(s) && ctx.Err() == nil; {
		end := start + firstPiece(s[start:], piece)
		for _, t := range scanPiece(ctx, s[start:end]) {
			out = append(out, t.shifted(start))
		}
		start = end
	}
	return out
}

// seam is where a text can be taken apart: nothing that is a figure, or that keeps digits from being one, goes over it or
// depends on what is beyond it.
var seam = regexp.MustCompile(`\n|"|, `)

// firstPiece is how long the first piece of s is, at least size where s is.
func firstPiece(s string, size int) int {
	if len(s) <= size {
		return len(s)
	}
	switch at := seam.FindStringIndex(s[size:]); {
	case at == nil:
		return len(s)
	case s[size+at[0]] == '\n':
		return size + at[1] // a line begins after it
	default:
		return size + at[0] // no line does
	}
}

// shifted is the token of a text that n bytes precede.
func (t token) shifted(n int) token {
	t.start, t.end = t.start+n, t.end+n
	for i := range t.apart {
		t.apart[i] = t.apart[i].shifted(n)
	}
	return t
}

func scanPiece(ctx context.Context, s string) []token {
	var out []token
	taken := noFigure.FindAllStringIndex(s, -1)
	for at := 0; at < len(s) && ctx.Err() == nil; {
		m := chain.FindStringIndex(s[at:])
		if m == nil {
			break
		}
		start, end := at+m[0], at+m[1]
		for len(taken) > 0 && taken[0][1] <= start {
			taken = taken[1:]
		}
		if len(taken) > 0 && taken[0][0] < end {
			if start < taken[0][0] { // a figure just before
				out = append(out, figures(s, start, start+lastDigit(s[start:taken[0][0]]))...)
			}
			at = max(taken[0][1], start+1)
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(s[:start])
		if e := strings.LastIndexAny(s[start:end], "eE"); e >= 0 && wordly(s[end:]) {
			end = start + e // the e belongs to a word
		}
		if isWord(before) || glued(s[:start]) { // CO2, COVID-19: after a space a number may follow
			if space := strings.IndexByte(s[start:end], ' '); space > 0 {
				end = start + space
			}
			at = end + len(run(s[end:]))
			continue
		}
		if word := run(s[end:]); strings.ContainsAny(word, "0123456789") || ordinal.MatchString(s[end:]) {
			at = end + len(word)
			continue
		}
		out = append(out, figures(s, start, end)...)
		at = end
	}
	out = withWords(ctx, s, out)
	shareUnits(s, out)
	return out
}

// withWords adds the figures that are written in words.
func withWords(ctx context.Context, s string, tokens []token) []token {
	var words []token
	next := 0
	for at := 0; at < len(s) && ctx.Err() == nil; {
		r, width := utf8.DecodeRuneInString(s[at:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			at += width
			continue
		}
		for next < len(tokens) && tokens[next].end <= at {
			next++
		}
		if t, ok := wordToken(s, at); ok && (next == len(tokens) || t.end <= tokens[next].start) {
			words = append(words, t)
			at = t.end
			continue
		}
		at += len(run(s[at:]))
	}
	if words == nil {
		return tokens
	}
	tokens = append(tokens, words...)
	slices.SortStableFunc(tokens, func(a, b token) int { return cmp.Compare(a.start, b.start) })
	return tokens
}

func lastDigit(s string) int { return strings.LastIndexAny(s, "0123456789") + 1 }

func isWord(r rune) bool {
	return unicode.IsLetter(r) && r != 'º' && r != 'ª' || unicode.IsDigit(r) || r == '_' || r == '#' || r == '@'
}

// run is the letters and digits at the start of s.
func run(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	if end < 0 {
		return s
	}
	return s[:end]
}

func wordly(s string) bool { return run(s) != "" }

// glued reports whether what follows before belongs to a name such as COVID-19.
func glued(before string) bool {
	rest, ok := strings.CutSuffix(before, "-")
	r, _ := utf8.DecodeLastRuneInString(rest)
	return ok && unicode.IsLetter(r)
}

// figures makes one token of the chain s[start:end], or several where it is no single number.
func figures(s string, start, end int) []token {
	if start >= end {
		return nil
	}
	numbers := parse(s[start:end])
	spaced := strings.Contains(s[start:end], " ")
	if len(numbers) > 0 {
		t := newToken(s, start, end, numbers)
		if spaced {
			t.apart = pieces(s, start, end, " ")
		}
		return []token{t}
	}
	if spaced {
		return pieces(s, start, end, " ")
	}
	if strings.Contains(s[start:end], ",") {
		return pieces(s, start, end, ",")
	}
	if len(s[start:end]) > maxDigits && lastDigit(s[start:end]) == len(s[start:end]) && !strings.ContainsAny(s[start:end], ".'’") {
		return []token{{start: start, end: end}} // too long to be read, and so found nowhere
	}
	return nil // a version, an address
}

func pieces(s string, start, end int, sep string) []token {
	var out []token
	for _, p := range strings.Split(s[start:end], sep) {
		out = append(out, figures(s, start, start+len(p))...)
		start += len(p) + len(sep)
	}
	return out
}

// newToken puts sign, percent and words such as "million" to the numbers that a chain may be.
func newToken(s string, start, end int, numbers []decimal) token {
	t := token{start: start, end: end, digits: numbers[0].digits()}
	bare := !strings.ContainsAny(s[start:end], ".,'’eE") && utf8.RuneCountInString(s[start:end]) == end-start
	negative, width := sign(s[:start])
	t.start -= width
	percent, after := unit(s[end:], percents)
	scale, scaled := unit(s[end:], scales)
	_, times := unit(s[end:], multiples)
	t.percent, t.times, t.scaled = after > 0, times > 0, after == 0 && scaled > 0
	t.end += max(after, scaled)
	for _, n := range numbers {
		value, half := n.rat(), n.half()
		if negative {
			value.Neg(value)
		}
		r := reading{value: value, half: half, whole: n.places == 0 && n.exponent == 0, signed: width > 0}
		switch {
		case after > 0: // written as percent, kept as percent or as a fraction
			part := r
			part.value, part.half = new(big.Rat).Quo(value, percent), new(big.Rat).Quo(half, percent)
			part.percent = true
			t.worth = new(big.Rat).Inv(percent)
			t.readings = append(t.readings, r, part)
		case scaled > 0: // written in millions, kept in full or in millions
			full := r
			full.scaled = true
			t.worth = scale
			full.value, full.half = new(big.Rat).Mul(value, scale), new(big.Rat).Mul(half, scale)
			t.readings = append(t.readings, full, r)
		default:
			if r.whole {
				r.half = n.rounded()
			}
			t.readings = append(t.readings, r)
		}
	}
	for i := range t.readings {
		r := &t.readings[i]
		r.near, _ = r.value.Float64()
		r.slack, _ = r.half.Float64()
	}
	if v := t.readings[0].value; bare && end-start == 4 && width == 0 && after+scaled == 0 && v.Cmp(firstYear) >= 0 && v.Cmp(lastYear) <= 0 {
		t.year = true
	}
	return t
}

var firstYear, lastYear = big.NewRat(1900, 1), big.NewRat(2100, 1)

// sign finds a sign at the end of before. A hyphen after a digit is a range and one after a letter a name.
func sign(before string) (negative bool, width int) {
	r, width := utf8.DecodeLastRuneInString(before)
	if r != '-' && r != '−' && r != '+' {
		return false, 0
	}
	if prev, n := utf8.DecodeLastRuneInString(before[:len(before)-width]); n > 0 && (isWord(prev) || prev == r || prev == '%' || prev == ')') {
		return false, 0
	}
	return r != '+', width
}
