package numbers

import (
	"fmt"
	"strings"
	"testing"
)

func TestProseLimits(t *testing.T) {
	if got := Check(t.Context(), strings.Repeat("word ", maxProse/5)+"It is 42.", []string{"42"}); len(got) != 0 {
		t.Errorf("a figure beyond the limit is traced: %+v", got)
	}
	if got := Check(t.Context(), strings.Repeat("It is 42. ", maxFigures+1), []string{"42"}); len(got) != maxFigures {
		t.Errorf("%d figures, want %d", len(got), maxFigures)
	}
	digits := strings.Repeat("7", maxDigits+1)
	if got := Check(t.Context(), "It is "+digits+".", []string{digits}); len(got) != 1 || got[0].Verdict != Nowhere {
		t.Errorf("a number of too many digits: %+v", got)
	}
	for _, data := range []string{fmt.Sprintf("1e%d", maxExponent+1), digits} {
		if _, ok := exact(data); ok {
			t.Errorf("%.20s… is read", data)
		}
	}
	if got := parse(fmt.Sprintf("1e%d", maxExponent+1)); got != nil {
		t.Errorf("%v is read", got)
	}
}

// What is computed of the data is bounded, whatever the data are.
func TestDerivationLimits(t *testing.T) {
	var lists [][]string
	for i := range maxTotals + 5 {
		list := []string{}
		for j := range maxRun + 10 {
			list = append(list, fmt.Sprint(1_000_000+i*10_000+j))
		}
		lists = append(lists, list)
	}
	d := newDataset(t.Context(), lists)
	d.derive(t.Context())
	if len(d.columns) != maxTotals {
		t.Errorf("%d columns", len(d.columns))
	}
	most := map[Verdict]int{Sum: 2 * maxCandidates, Difference: 2 * maxCandidates, Share: 5 * maxCandidates, Ratio: maxTotals}
	for i, c := range d.classes {
		bound := most[c.verdict] + maxTotals*maxTotals + maxTotals*len(lists[0])*2
		if c.verdict == Sum && i == 5 {
			bound = maxTotals * maxRun
		}
		if len(c.all) > bound {
			t.Errorf("class %d has %d candidates, want %d at most", i, len(c.all), bound)
		}
		for _, k := range c.all[:min(len(c.all), 10)] {
			if from := d.values[k.a].from(); len(from) > maxFrom {
				t.Fatalf("%d values are named", len(from))
			}
		}
	}
}
