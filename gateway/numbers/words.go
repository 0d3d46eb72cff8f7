package numbers

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// words are what may follow a number, with what each is worth.
type words struct {
	form  *regexp.Regexp
	worth map[string]*big.Rat
}

// percents divide.
var percents = newWords(map[string]int64{
	"%": 100, "‰": 1000, "percent": 100, "per cent": 100, "por cento": 100, "por ciento": 100, "pp": 100, "p.p.": 100,
	"percentage points": 100, "percentage point": 100, "pontos percentuais": 100, "ponto percentual": 100,
	"puntos porcentuales": 100, "punto porcentual": 100, "per thousand": 1000, "por mil": 1000,
})

// scales multiply. The European billón and bilião are a million millions, the Brazilian bilhão a thousand.
var scales = newWords(map[string]int64{
	"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "mn": 1e6, "bn": 1e9, "tn": 1e12, "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9,
	"mil": 1e3, "milhão": 1e6, "milhões": 1e6, "mil milhões": 1e9, "bilhão": 1e9, "bilhões": 1e9, "bilião": 1e12, "biliões": 1e12,
	"trilhão": 1e12, "trilhões": 1e12, "mi": 1e6, "bi": 1e9, "tri": 1e12,
	"millón": 1e6, "millon": 1e6, "millones": 1e6, "mil millones": 1e9, "billón": 1e12, "billones": 1e12, "trillones": 1e18,
})

// multiples say that a number is a ratio.
var multiples = newWords(map[string]int64{"times": 1, "x": 1, "×": 1, "fold": 1, "vezes": 1, "veces": 1})

func newWords(worth map[string]int64) words {
	w := words{worth: map[string]*big.Rat{}}
	var forms []string
	for word, n := range worth {
		w.worth[word] = big.NewRat(n, 1)
		forms = append(forms, regexp.QuoteMeta(word))
	}
	// Spaces, a hyphen and the asterisks of emphasis may be between.
	w.form = regexp.MustCompile(`^[ \x{A0}\x{202F}\x{2009}*_-]{0,4}(` + strings.Join(forms, "|") + `)`)
	w.form.Longest()
	return w
}

// unit finds one of ws at the start of s: what it is worth and how far it goes.
func unit(s string, ws words) (*big.Rat, int) {
	m := ws.form.FindStringSubmatchIndex(s)
	if m == nil {
		return nil, 0
	}
	word := s[m[2]:m[3]]
	letter := word == "k" || word == "K" || word == "M" || word == "B"
	if letter && m[2] > 0 || word != "%" && word != "‰" && run(s[m[3]:]) != "" { // "5 M Street", "5 minutes"
		return nil, 0
	}
	return ws.worth[word], m[1]
}

// spelled are numbers in words, in English, Portuguese and Spanish; of two, such as twenty-five, the values add up.
var spelled = map[string]int64{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30,
	"forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	"um": 1, "uma": 1, "dois": 2, "duas": 2, "três": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "oito": 8, "nove": 9, "dez": 10, "onze": 11, "doze": 12,
	"treze": 13, "catorze": 14, "quatorze": 14, "quinze": 15, "dezesseis": 16, "dezasseis": 16, "dezessete": 17, "dezassete": 17, "dezoito": 18,
	"dezenove": 19, "dezanove": 19, "vinte": 20, "trinta": 30, "quarenta": 40, "cinquenta": 50, "sessenta": 60, "setenta": 70, "oitenta": 80, "noventa": 90,
	"un": 1, "una": 1, "uno": 1, "dos": 2, "tres": 3, "cuatro": 4, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "once": 11, "doce": 12,
	"trece": 13, "quince": 15, "dieciséis": 16, "diecisiete": 17, "dieciocho": 18, "diecinueve": 19, "veinte": 20, "veintiuno": 21,
	"veintidós": 22, "veintitrés": 23, "veinticuatro": 24, "veinticinco": 25, "veintiséis": 26, "veintisiete": 27, "veintiocho": 28, "veintinueve": 29,
	"treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "ochenta": 80,
}

// inWords finds the number in words at the start of s, which begins a word: how far it goes and what it is worth. "once" is
// eleven in Spanish and no number in English, so it counts with a unit alone.
func inWords(s string) (end int, n int64) {
	first := run(s)
	n = spelled[strings.ToLower(first)]
	if n == 0 {
		return 0, 0
	}
	end = len(first)
	if n >= 20 && n%10 == 0 {
		for _, between := range []string{"-", " ", " e ", " y "} {
			rest, ok := strings.CutPrefix(s[end:], between)
			if second := run(rest); ok && 0 < spelled[strings.ToLower(second)] && spelled[strings.ToLower(second)] < 10 {
				return end + len(between) + len(second), n + spelled[strings.ToLower(second)]
			}
		}
	}
	return end, n
}

// wordToken is the figure in words at s[start:], if it is one to trace: small numbers count with a unit alone, for "the two
// largest" says nothing of the data.
func wordToken(s string, start int) (token, bool) {
	length, n := inWords(s[start:])
	if n == 0 {
		return token{}, false
	}
	end := start + length
	text := strconv.FormatInt(n, 10)
	t := newToken(s, start, end, []decimal{{text: text}})
	if !t.scaled && !t.percent && !t.times && (n <= 10 || strings.EqualFold(s[start:end], "once")) {
		return token{}, false
	}
	t.year = false
	return t, true
}

// scaleWord says that figures are in thousands or millions.
var scaleWord = regexp.MustCompile(`(?i)\b(?:thousands?|millions?|billions?|trillions?|mil|milh[aã]o|milh[oõ]es|mill[oó]n|millones|bilh[oõ]es|billones|mn|bn)\b|\b(?:M|k|bi|mi)\b|\b000s?\b`)

// between join the two figures of a range, of which the second has the unit of both.
var between = map[string]bool{"-": true, "–": true, "—": true, "to": true, "and": true, "or": true, "a": true, "até": true, "e": true, "ou": true, "y": true, "o": true, "hasta": true}

// shareUnits gives the first figure of a range the unit of the second: 10–20 million, 3 to 4 %.
func shareUnits(s string, tokens []token) {
	for i := range tokens {
		if i+1 == len(tokens) || tokens[i+1].worth == nil || tokens[i].worth != nil || tokens[i].times {
			continue
		}
		t, next := &tokens[i], tokens[i+1]
		if gap := s[t.end:max(t.end, next.start)]; len(gap) > 20 || !between[strings.Trim(gap, " \u00a0\u202f*_")] {
			continue
		}
		var shared []reading
		for _, r := range t.readings {
			r.value, r.half = new(big.Rat).Mul(r.value, next.worth), new(big.Rat).Mul(r.half, next.worth)
			r.percent, r.scaled, r.whole = next.percent, next.scaled, false
			r.near, _ = r.value.Float64()
			r.slack, _ = r.half.Float64()
			shared = append(shared, r)
		}
		t.readings = append(shared, t.readings...)
		t.percent, t.year = next.percent, false
	}
}
