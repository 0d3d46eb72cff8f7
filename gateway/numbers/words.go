package numbers

import (
	"math/big"
	"regexp"
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
