package scripted

// The words that the script knows, in the languages of the page.

import (
	"slices"
	"strings"

	"github.com/diptych-mcp/diptych/gateway/model"
)

// A speech is what the script says in one language. Each %s is what it says it about.
type speech struct {
	knows []string // small words that give the language away
	marks string   // and letters that do

	asks, with     string // before a call: the tool; its arguments
	says, failed   string // before an answer
	silent, media  string // of an answer without words; with something that is no text
	more           string
	lacks, instead string // the tool; the arguments
	none, nothing  string // no tool fits, and which there are; there are none
}

var english = speech{
	knows: strings.Fields("the is are of how what which and with there to does it at please show find"),
	asks:  "I follow a script and read key words only. They lead me to %s", with: ", with %s.",
	says: "%s says:", failed: "%s failed:", silent: "%s answered without a word.", media: "Something that is no text (%s).",
	more:  "… and more than is repeated here.",
	lacks: "I follow a script, and it leads me to %s, but for that I still need this: %s.", instead: "Answer with it, or choose the tool yourself.",
	none: "I follow a script, and none of the tools fits your words. There are %s.", nothing: "I follow a script and have no tools to ask. Connect a server.",
}

var portuguese = speech{
	knows: strings.Fields("qual quais quanto quanta quantos quantas são está estão não você os as do da dos das em no na nos nas com um uma para é faz tempo previsão temperatura cidades quão há maiores salas"), marks: "ãõçêô",
	asks: "Sigo um roteiro e leio só palavras-chave. Elas me levam a %s", with: ", com %s.",
	says: "%s diz:", failed: "%s falhou:", silent: "%s respondeu sem palavras.", media: "Algo que não é texto (%s).",
	more:  "… e mais do que se repete aqui.",
	lacks: "Sigo um roteiro, e ele me leva a %s, mas para isso ainda me falta: %s.", instead: "Responda com isso ou escolha você mesmo a ferramenta.",
	none: "Sigo um roteiro, e nenhuma ferramenta combina com suas palavras. Há %s.", nothing: "Sigo um roteiro e não tenho ferramentas. Conecte um servidor.",
}

var spanish = speech{
	knows: strings.Fields("qué cuál cuáles cuánto cuánta cuántos cuántas cómo está están el la los las del en con un una para es hace tiempo pronóstico temperatura ciudades hay mayores salas"), marks: "¿¡ñ",
	asks: "Sigo un guion y solo leo palabras clave. Me llevan a %s", with: ", con %s.",
	says: "%s dice:", failed: "%s falló:", silent: "%s respondió sin palabras.", media: "Algo que no es texto (%s).",
	more:  "… y más de lo que se repite aquí.",
	lacks: "Sigo un guion, y me lleva a %s, pero para eso todavía me falta: %s.", instead: "Responda con eso o elija usted la herramienta.",
	none: "Sigo un guion, y ninguna herramienta encaja con sus palabras. Hay %s.", nothing: "Sigo un guion y no tengo herramientas. Conecte un servidor.",
}

// speechOf is the language that the user writes in, as far as small words tell: those of the last question or, where it has
// none, of the one before it. In doubt it is English.
func speechOf(messages []model.Message) speech {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role != model.User {
			continue
		}
		low := strings.ToLower(question(messages[:i+1]))
		en, pt, es := english.count(low), portuguese.count(low), spanish.count(low)
		switch {
		case pt > max(es, en):
			return portuguese
		case es > en:
			return spanish
		case en > 0:
			return english
		}
	}
	return english
}

func (s speech) count(low string) (n int) {
	for w := range strings.FieldsFuncSeq(low, notWord) {
		if slices.Contains(s.knows, w) {
			n++
		}
	}
	if strings.ContainsAny(low, s.marks) {
		n += 2
	}
	return n
}

var accents = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ã", "a", "é", "e", "ê", "e", "í", "i", "ó", "o", "ô", "o", "õ", "o", "ú", "u", "ç", "c", "ñ", "n", "'s", "")

// said too often to mean anything.
var said = set(`a an and any are as at be by can do does for from get give has have how i in is it its list many me much my
	of on one or please return show tell than that the their there this to was we what when where which who will with you your
	all each data current today now s
	o os um uma de da do das dos em no na nos nas para por com que e qual quais quanto quanta quantos quantas como esta estao sao ha me faz
	el la las los lo un una del en y con cual cuales cuanto cuanta cuantos cuantas hay es son hace mostrar mostre muestra lista cada`)

// meaning of the Portuguese and Spanish words, and of some English ones, that people ask the demo's tools with.
var meaning = map[string]string{
	"tempo": "weather", "clima": "weather", "tiempo": "weather", "previsao": "forecast", "pronostico": "forecast", "prevision": "forecast",
	"temperatura": "temperature", "temperaturas": "temperature", "warm": "temperature", "cold": "temperature", "hot": "temperature", "degrees": "temperature",
	"calor": "temperature", "frio": "temperature",
	"cidade": "city", "cidades": "city", "ciudad": "city", "ciudades": "city", "pais": "country", "paises": "country", "town": "city",
	"regiao": "region", "regioes": "region", "regiones": "region", "pessoas": "people", "personas": "people", "populacao": "population", "poblacion": "population",
	"habitantes": "people", "inhabitants": "people", "sala": "room", "salas": "room", "livre": "free", "livres": "free", "libre": "free", "libres": "free",
	"compare": "compare", "comparar": "compare", "compara": "compare", "maiores": "large", "mayores": "large", "largest": "large", "biggest": "large", "big": "large",
	"grandes": "large", "relatorio": "report", "informe": "report", "resumo": "summary", "resumen": "summary", "summarise": "summary", "summarize": "summary",
	"urbano": "urban", "urbana": "urban", "urbanos": "urban", "urbanas": "urban",
	"ocupacao": "utilisation", "ocupacion": "utilisation", "utilization": "utilisation", "usage": "utilisation", "used": "utilisation", "busy": "utilisation",
	"andar": "floor", "planta": "floor", "piso": "floor", "dia": "day", "dias": "day", "horarios": "slot", "huecos": "slot", "times": "slot",
}

// places are names in Portuguese and Spanish that the demo's tools know in English.
var places = map[string]string{
	"londres": "London", "o cairo": "Cairo", "el cairo": "Cairo", "reiquiavique": "Reykjavik", "reikiavik": "Reykjavik", "toquio": "Tokyo", "tokio": "Tokyo",
	"nova delhi": "New Delhi", "nueva delhi": "New Delhi", "delhi": "New Delhi", "xangai": "Shanghai", "cidade do mexico": "Mexico City", "ciudad de mexico": "Mexico City",
	"pequim": "Beijing", "pekin": "Beijing", "nova york": "New York", "nueva york": "New York", "moscou": "Moscow", "moscu": "Moscow",
	"brasil": "Brazil", "mexico": "Mexico", "japao": "Japan", "japon": "Japan", "alemanha": "Germany", "alemania": "Germany", "espanha": "Spain", "espana": "Spain",
	"franca": "France", "francia": "France", "italia": "Italy", "estados unidos": "United States", "egito": "Egypt", "egipto": "Egypt", "turquia": "Turkey",
	"europa": "Europe", "asia": "Asia", "america do sul": "South America", "america del sur": "South America", "america do norte": "North America",
	"america del norte": "North America", "asia meridional": "South Asia", "oriente medio": "Middle East",
}

// continents belong to a region rather than to a country.
var continents = set("africa america americas asia europe oceania")

// asking are words that begin a question and are no names.
var asking = set("compare compara hello hi ask use call find could would should ola hola let quero quiero dime diga")

func set(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}
