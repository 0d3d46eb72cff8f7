package numbers

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// told writes figures as text: the span, the verdict and what it was traced to.
func told(prose string, figures []Figure) []string {
	out := []string{}
	for _, f := range figures {
		s := fmt.Sprintf("%s: %s", prose[f.Start:f.End], f.Verdict)
		if len(f.From) > 0 {
			s += " " + strings.Join(f.From, " ")
		}
		out = append(out, s)
	}
	return out
}

func TestCheck(t *testing.T) {
	people := []string{"37400068", "28514000", "12345678901234567890", "1.10"}
	tests := []struct {
		prose string
		data  [][]string
		want  []string
	}{
		// English
		{"Tokyo has 37,400,068 people.", [][]string{people}, []string{"37,400,068: present 37400068"}},
		{"Tokyo has 37.4 million people.", [][]string{people}, []string{"37.4 million: present 37400068"}},
		{"Tokyo has 37 million, or **37.40** million.", [][]string{people}, []string{"37 million: present 37400068", "37.40** million: present 37400068"}},
		{"Tokyo has 37.5 million people.", [][]string{people}, []string{"37.5 million: nowhere"}},
		{"About 37,400,000 or 37,000,000, not 40,000,000.", [][]string{people}, []string{"37,400,000: present 37400068", "37,000,000: present 37400068", "40,000,000: nowhere"}},
		{"37.4M and 28.5m and 28.5bn", [][]string{people}, []string{"37.4M: present 37400068", "28.5: nowhere", "28.5bn: nowhere"}},
		{"12,345,678,901,234,567,890 and 12345678901234567891", [][]string{{"12345678901234567890"}}, []string{"12,345,678,901,234,567,890: present 12345678901234567890", "12345678901234567891: nowhere"}},
		{"It is 17 degrees, -3.5 at night, −9 tomorrow.", [][]string{{"17.3", "-3.5", "9"}}, []string{"17: present 17.3", "-3.5: present -3.5", "−9: nowhere"}},
		{"It fell by 3.5 (+3.5 before).", [][]string{{"-3.5"}}, []string{"3.5: present -3.5", "+3.5: nowhere"}},
		{"A humidity of 62%, 62.4 percent or 62.5 per cent.", [][]string{{"0.624"}}, []string{"62%: present 0.624", "62.4 percent: present 0.624", "62.5 per cent: nowhere"}},
		{"It grew 12.5 percentage points.", [][]string{{"12.5"}}, []string{"12.5 percentage points: present 12.5"}},
		{"0.0000001 is 1e-7 and 1E-7.", [][]string{{"1e-7"}}, []string{"0.0000001: present 1e-7", "1e-7: present 1e-7", "1E-7: present 1e-7"}},
		{"It is 0, and 1.", [][]string{{"-0", "0.6"}}, []string{"0: present -0", "1: nowhere"}},
		{`It says: sources\[0\]: empty [1], [^2].`, [][]string{people}, []string{}},
		{"Lakhs: 12,34,567.", [][]string{{"1234567"}}, []string{"12,34,567: present 1234567"}},
		{"From 5-10 to 10–20.", [][]string{{"5", "10"}}, []string{"5: present 5", "10: present 10", "10: present 10", "20: nowhere"}},
		{"1,2,3 and 7,8", [][]string{{"1", "2", "3", "7.8"}}, []string{"1: present 1", "2: present 2", "3: present 3", "7,8: present 7.8"}},
		// Portuguese and Spanish
		{"São 37.400.068 pessoas, 37,4 milhões.", [][]string{people}, []string{"37.400.068: present 37400068", "37,4 milhões: present 37400068"}},
		{"São 1.234,5 km e R$ 1,10.", [][]string{{"1234.5", "1.10"}}, []string{"1.234,5: present 1234.5", "1,10: present 1.10"}},
		{"São 37 400 068 pessoas, 62,4 % ou 62,4 por cento.", [][]string{people, {"0.624"}}, []string{"37 400 068: present 37400068", "62,4 %: present 0.624", "62,4 por cento: present 0.624"}},
		{"São 2,5 mil milhões, 2,5 bilhões, 2,5 biliões.", [][]string{{"2500000000"}}, []string{"2,5 mil milhões: present 2500000000", "2,5 bilhões: present 2500000000", "2,5 biliões: nowhere"}},
		{"Son 37,4 millones, 37 mil y 1 billón.", [][]string{{"37400068", "37000", "1000000000000"}}, []string{"37,4 millones: present 37400068", "37 mil: present 37000", "1 billón: present 1000000000000"}},
		{"Son 1.234.567,89 y 1’234’567.89.", [][]string{{"1234567.89"}}, []string{"1.234.567,89: present 1234567.89", "1’234’567.89: present 1234567.89"}},
		{"Un 12,5 por ciento.", [][]string{{"12.5"}}, []string{"12,5 por ciento: present 12.5"}},
		// either reading
		{"1.234 or 1,234", [][]string{{"1234"}}, []string{"1.234: present 1234", "1,234: present 1234"}},
		{"1.234 or 1,234", [][]string{{"1.234"}}, []string{"1.234: present 1.234", "1,234: present 1.234"}},
		{"0.234 or 0,234", [][]string{{"234"}}, []string{"0.234: nowhere", "0,234: nowhere"}},
		// one number or two
		{"12 345 people", [][]string{{"12345"}}, []string{"12 345: present 12345"}},
		{"In room 12 345 people", [][]string{{"12", "345"}}, []string{"12: present 12", "345: present 345"}},
		{"12 345 people", [][]string{{"12"}}, []string{"12 345: nowhere"}},
		{"In 2023 100 people, CO2 123", [][]string{{"100", "123"}}, []string{"100: present 100", "123: present 123"}},
		// no figures
		{"In 2023 and 1990–2015, but 2500.", nil, []string{"2500: nowhere"}},
		{"In 2023.", [][]string{{"2023"}}, []string{"2023: present 2023"}},
		{"2000 km, 2000%.", [][]string{{"7"}}, []string{"2000%: nowhere"}},
		{"1. First\n2) Second\n  - 3. Third\n## 4.1 Head\nText 5.", nil, []string{"5: nowhere"}},
		{"- 5 cities\n* 6 towns", [][]string{{"5"}}, []string{"5: present 5", "6: nowhere"}},
		{"On 2024-05-01 at 14:30, 01/05/2024, 1.5.2024, May 3, 3 de maio, 3rd of March, 1º de mayo.", nil, []string{}},
		{"The 1st, 22nd, 3.º and 4ª; GPT-4, CO2, H1N1, v1.2.3, 10.0.0.1, #7, [3], https://x.org/9?a=8, 0x1F, 550e8400-e29b.", nil, []string{}},
		{"Covid-19 cost 19.", [][]string{{"19"}}, []string{"19: present 19"}},
		// derived
		{"Together 65,914,068.", [][]string{{"37400068", "28514000"}}, []string{"65,914,068: sum 37400068 28514000"}},
		{"Together 65.9 million, 8.9 million more.", [][]string{{"37400068", "28514000", "1"}}, []string{"65.9 million: sum 37400068 28514000 1", "8.9 million: difference 37400068 28514000"}},
		{"The first three have 60, all 100.", [][]string{{"30", "20", "10", "25", "15"}}, []string{"60: sum 30 20 10", "100: sum 30 20 10 25 15"}},
		{"On average 12.5.", [][]string{{"10", "12", "13", "15"}}, []string{"12.5: ratio 10 12 13 15"}},
		{"That is 29.4% of 34.", [][]string{{"10", "24"}}, []string{"29.4%: share 10 10 24", "34: sum 10 24"}},
		{"It grew by 30%.", [][]string{{"13", "10", "500"}}, []string{"30%: share 13 10"}},
		{"It is 2.6 times as large, 3 times even, 2.60 in all.", [][]string{{"13", "5"}}, []string{"2.6: ratio 13 5", "3: unclear", "2.60: ratio 13 5"}},
		{"It is 3 larger.", [][]string{{"13", "5"}}, []string{"3: nowhere"}},
		{"It is 8 larger.", [][]string{{"13", "5"}}, []string{"8: unclear"}},
		{"It is 41.", [][]string{{"13", "5"}}, []string{"41: nowhere"}},
		// A scale word multiplies quantities, unless the data say that they are in millions, and no ratio.
		{"3,572 million strikes, 37.4 million people", [][]string{{"Strikes", "3572", "629"}, {"People", "37.4"}}, []string{"3,572 million: nowhere", "37.4 million: nowhere"}},
		{"37.4 million people", [][]string{{"People (millions)", "37.4", "20.1"}}, []string{"37.4 million: present 37.4"}},
		{"2.6 million", [][]string{{"13", "5"}}, []string{"2.6 million: nowhere"}},
		// ranges share a unit
		{"10–20 million, de 10 a 20 millones, 3 to 4%", [][]string{{"10000000", "20000000", "0.03", "0.04"}},
			[]string{"10: present 10000000", "20 million: present 20000000", "10: present 10000000", "20 millones: present 20000000", "3: present 0.03", "4%: present 0.04"}},
		// in words
		{"Twenty-five towns, twelve cities; the two largest, once more.", [][]string{{"25", "13000"}}, []string{"Twenty-five: present 25", "twelve: nowhere"}},
		{"Três milhões, vinte e cinco cidades, cuarenta y dos, tres veces.", [][]string{{"3000000", "25", "42", "14"}}, []string{"Três milhões: present 3000000", "vinte e cinco: present 25", "cuarenta y dos: present 42", "tres: unclear"}},
		// sums of grouped text, counts of rows and of missing values; codes are not summed
		{"Together 45,005,090.", [][]string{{"Flow", "45,571,090", "-566,000"}}, []string{"45,005,090: sum 45,571,090 -566,000"}},
		{"Of 17 reports 3 lack a height; 15 differ.", [][]string{{"Height", "", "", "", "1.1", "2.1", "3.1", "4.1", "5.1", "6.1", "7.1", "8.1", "9.1", "10.1", "11.1", "12.1", "13.1", "13.1"}},
			[]string{"17: present 17", "3: present 3", "15: present 15"}},
		{"Together 90710.", [][]string{{"Zip", "90209", "00501"}}, []string{"90710: nowhere"}},
		// between columns in one row, not across rows
		{"Women: 728,278 more.", [][]string{{"Men", "336303", "970357", "1"}, {"Women", "1064581", "1981156", "2"}}, []string{"728,278: difference 1064581 336303"}},
		{"It is 94,224 more.", [][]string{{"Men", "336303", "970357", "1"}, {"Women", "1064581", "1981156", "2"}}, []string{"94,224: nowhere"}},
		// where any figure would be found, the verdict is unclear
		{"It is 42.", [][]string{strings.Split("40 41 42 43 44 45 46 47 48 49 50", " ")}, []string{"42: unclear"}},
		// values in text
		{"It is 17.5, not 19.", [][]string{{`{"temperature":17.5,"at":"2024-05-18"}`}}, []string{"17.5: present 17.5", "19: nowhere"}},
		{"1,234.5 and 62%", [][]string{{"1.234,5 km", "62 %"}}, []string{"1,234.5: present 1.234,5", "62%: present 62 %"}},
	}
	for _, test := range tests {
		got := told(test.prose, Check(t.Context(), test.prose, test.data...))
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%q in %q (-want +got):\n%s", test.prose, test.data, d)
		}
	}
}

// A locale is how people write the digits of a number.
type locale struct{ group, point string }

var locales = map[string]locale{
	"en": {",", "."}, "pt": {".", ","}, "es": {"\u202f", ","}, "fr": {"\u00a0", ","}, "ch": {"’", "."}, "si": {" ", "."}, "bare": {"", "."}, "bare comma": {"", ","},
}

// write gives a decimal such as "-1234.50" in a locale.
func (l locale) write(s string) string {
	s, negative := strings.CutPrefix(s, "-")
	whole, part, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0 && l.group != ""; i -= 3 {
		whole = whole[:i] + l.group + whole[i:]
	}
	if part != "" {
		whole += l.point + part
	}
	if negative {
		return "-" + whole
	}
	return whole
}

func drawDecimal(t *rapid.T) string {
	s := rapid.StringMatching(`-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,12})?`).Draw(t, "value")
	return s
}

// A figure of the data is found however it is written, and nothing else in the sentence is taken for one.
func TestEveryWritingIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := drawDecimal(t)
		others := rapid.SliceOfN(rapid.Custom(drawDecimal), 0, 5).Draw(t, "others")
		name := rapid.SampledFrom([]string{"en", "pt", "es", "fr", "ch", "si", "bare", "bare comma"}).Draw(t, "locale")
		form := rapid.SampledFrom([]string{"It is %s people.", "(%s)", "**%s**", "são %s, e", "€%s!", "| %s |", "%s°C", "está: %s"}).Draw(t, "form")
		written := locales[name].write(value)
		prose := fmt.Sprintf(form, written)
		got := Check(t.Context(), prose, append(others, value))
		if len(got) != 1 || got[0].Verdict != Present || prose[got[0].Start:got[0].End] != written {
			t.Fatalf("%q: %q", prose, told(prose, got))
		}
	})
}

// So is one that was rounded, also in percent and in millions.
func TestEveryRoundingIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := drawDecimal(t)
		exact, _ := new(big.Rat).SetString(value)
		places := rapid.IntRange(0, 6).Draw(t, "places")
		word := rapid.SampledFrom([]string{"", "%", " million", " milhões", " millones"}).Draw(t, "word")
		scaled := new(big.Rat).Set(exact)
		switch word {
		case "":
		case "%":
			scaled.Mul(exact, big.NewRat(100, 1))
		default:
			scaled.Mul(exact, big.NewRat(1, 1_000_000))
		}
		rounded := scaled.FloatString(places)
		if back, _ := new(big.Rat).SetString(rounded); back.Sign() == 0 || places == 0 && word != "%" && new(big.Rat).Abs(scaled).Cmp(one) < 0 {
			t.Skip("rounded to nothing")
		}
		name := rapid.SampledFrom([]string{"en", "pt", "es", "ch", "bare"}).Draw(t, "locale")
		written := locales[name].write(rounded) + word
		prose := "It is " + written + "."
		got := Check(t.Context(), prose, []string{value})
		if len(got) == 0 && len(written) == 4 { // a year
			return
		}
		if len(got) != 1 || got[0].Verdict != Present || prose[got[0].Start:got[0].End] != written {
			t.Fatalf("%q of %s: %q", prose, value, told(prose, got))
		}
	})
}

// A figure whose digits the data does not have, in a text with one value, is found nowhere.
func TestWhatIsNotThereIsNotFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.IntRange(10_000, 1_000_000_000).Draw(t, "value")
		off := rapid.IntRange(1, 9).Draw(t, "off")
		wrong := value/10*10 + (value+off)%10
		if wrong%10 == 0 {
			t.Skip("a zero may be rounding")
		}
		name := rapid.SampledFrom([]string{"en", "pt", "es", "si", "bare"}).Draw(t, "locale")
		prose := "It is " + locales[name].write(fmt.Sprint(wrong)) + " people."
		if got := Check(t.Context(), prose, []string{fmt.Sprint(value)}); len(got) != 1 || got[0].Verdict != Nowhere {
			t.Fatalf("%q of %d: %q", prose, value, told(prose, got))
		}
	})
}

// Whatever prose and data are, the figures are in order, apart from each other and made of whole characters, and a
// verdict names where it comes from.
func FuzzCheck(f *testing.F) {
	f.Add("1. It is 1.234,5 or 12 345, 62 % of 2,5 mil milhões.", "1234.5\n62\n1e-7")
	f.Add("-5 - 5 −5 1e999 1'2'3 1.2.3 2023 100 ٣", "-5\n5e300\n9,9")
	f.Add(strings.Repeat("9", 400)+" "+strings.Repeat("1,", 400), strings.Repeat("9", 400))
	f.Fuzz(func(t *testing.T, prose, data string) {
		end := 0
		for _, g := range Check(t.Context(), prose, strings.Split(data, "\n"), []string{data}) {
			if g.Start < end || g.End <= g.Start || g.End > len(prose) {
				t.Fatalf("%q: figure %+v after %d", prose, g, end)
			}
			if (g.Verdict == Nowhere || g.Verdict == Unclear) != (len(g.From) == 0) || len(g.From) > maxFrom {
				t.Fatalf("%q: %+v", prose, g)
			}
			end = g.End
		}
	})
}

// Of more data than it looks at, a check says nothing: nowhere would be a lie about what it left out.
func TestTooMuch(t *testing.T) {
	figures := func(bytes int) []string { return []string{strings.Repeat("1234 ", bytes/5)} }
	for _, test := range []struct {
		name    string
		data    []string
		checked bool
	}{
		{"many values", slices.Repeat([]string{"12345"}, maxValues-1), true},
		{"more values", slices.Repeat([]string{"12345"}, maxValues), false},
		{"long values", slices.Repeat([]string{strings.Repeat("7", 280)}, 20_000), false},
		{"many short texts", slices.Repeat([]string{"1 2 x"}, maxText/5), false},
		{"a text", figures(maxText / 4), true},
		{"a longer text", figures(maxText + 10), false},
		{"words", slices.Repeat([]string{strings.Repeat("words ", 100)}, 10_000), true},
	} {
		got := Check(t.Context(), "It is 42.", test.data, []string{"42"})
		if checked := len(got) == 1 && got[0].Verdict == Present; checked != test.checked || !checked && got != nil {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// The most that prose and data can ask for takes a moment, not a minute.
func BenchmarkWorst(b *testing.B) {
	var list []string
	for i := range 10_000 {
		list = append(list, fmt.Sprintf("%d.%03d", i*7919%100_003, i%1000))
	}
	prose := strings.Repeat("It is 31.4159%, or 987,654,321.7 ", 300)
	for b.Loop() {
		Check(b.Context(), prose, list, list)
	}
}
