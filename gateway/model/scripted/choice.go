package scripted

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// candidate is a tool with the arguments that the question has for it.
type candidate struct {
	tool      model.Tool
	score     int
	arguments json.RawMessage
	missing   []string
}

// choose finds the tool that fits best and whose required arguments the question has, and else the one that fits best
// and lacks some. Of equals the first wins.
func choose(question string, tools []model.Tool) (best, lacking *candidate) {
	asked := stems(question)
	rare := map[string]int{} // how many tools use a word
	for _, t := range tools {
		for _, w := range slices.Compact(slices.Sorted(slices.Values(stems(words(t.Name) + " " + t.Description)))) {
			rare[w]++
		}
	}
	for _, t := range tools {
		c := &candidate{tool: t}
		for _, w := range slices.Compact(slices.Sorted(slices.Values(asked))) {
			if slices.Contains(stems(words(t.Name)), w) {
				c.score += 40 / rare[w]
			}
			if slices.Contains(stems(t.Description), w) {
				c.score += 20 / rare[w]
			}
		}
		if i := strings.Index(question, t.Name); i >= 0 && t.Name != "" {
			c.score += 1000 + len(t.Name)
			var object json.RawMessage
			rest := strings.TrimSpace(question[i+len(t.Name):])
			if json.NewDecoder(strings.NewReader(rest)).Decode(&object) == nil && object[0] == '{' {
				c.arguments = object
			}
		}
		if c.score == 0 {
			continue
		}
		if c.arguments == nil {
			var filled int
			c.arguments, filled, c.missing = fill(question, t)
			c.score += 5 * filled
		}
		switch {
		case len(c.missing) == 0 && (best == nil || c.score > best.score):
			best = c
		case len(c.missing) > 0 && (lacking == nil || c.score > lacking.score):
			lacking = c
		}
	}
	return best, lacking
}

// words is a tool's name as words.
func words(name string) string {
	var out strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			out.WriteByte(' ')
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		out.WriteRune(r)
	}
	return out.String()
}

// stems are the words of a text that say something, in lower case, without accents and endings, and in English as far as
// the demo's tools need it.
func stems(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		w = accents.Replace(w)
		if english, ok := meaning[w]; ok {
			w = english
		}
		if w = stem(w); len(w) > 1 && !said[w] {
			out = append(out, w)
		}
	}
	return out
}

func stem(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && len(w) > 3:
		return w[:len(w)-1]
	}
	return w
}

var accents = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ã", "a", "é", "e", "ê", "e", "í", "i", "ó", "o", "ô", "o", "õ", "o", "ú", "u", "ç", "c", "ñ", "n", "'s", "")

// said too often to mean anything.
var said = set(`a an and any are as at be by can do does for from get give has have how i in is it its list many me much my
	of on one or please return show tell than that the their there this to was we what when where which who will with you your
	all each data current today now s
	o os um uma de da do das dos em no na nos nas para por com que e qual quais quanto quanta quantos quantas como esta ha me
	el la los las un una del en y con cual cuale cuanto cuanta cuantos cuantas hay es son mostrar mostre muestra lista`)

// meaning of the Portuguese and Spanish words, and of some English ones, that people ask the demo's tools with.
var meaning = map[string]string{
	"tempo": "weather", "clima": "weather", "tiempo": "weather", "previsao": "forecast", "pronostico": "forecast", "prevision": "forecast",
	"temperatura": "temperature", "temperaturas": "temperature", "warm": "temperature", "cold": "temperature", "hot": "temperature", "degrees": "temperature",
	"cidade": "city", "cidades": "city", "ciudad": "city", "ciudades": "city", "pais": "country", "paises": "country", "town": "city",
	"regiao": "region", "regioes": "region", "regiones": "region", "pessoas": "people", "personas": "people", "populacao": "population", "poblacion": "population",
	"habitantes": "people", "inhabitants": "people", "sala": "room", "salas": "room", "livre": "free", "livres": "free", "libre": "free", "libres": "free",
	"compare": "compare", "comparar": "compare", "compara": "compare", "maiores": "large", "mayores": "large", "largest": "large", "biggest": "large", "big": "large",
	"relatorio": "report", "informe": "report", "resumo": "summary", "resumen": "summary", "urbano": "urban", "urbana": "urban", "urbanos": "urban",
	"ocupacao": "utilisation", "ocupacion": "utilisation", "utilization": "utilisation", "usage": "utilisation", "andar": "floor", "planta": "floor", "piso": "floor",
}

func set(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}
