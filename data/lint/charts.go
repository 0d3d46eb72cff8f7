package lint

// Charts that draw true figures and mislead the eye.

import (
	"encoding/json"
	"regexp"
	"strings"
)

// A chart is the part of a configuration that decides how figures look.
type chart struct {
	Type string
	Data struct {
		Labels   []any
		Datasets []dataset
	}
	Options struct {
		IndexAxis string
		Scales    map[string]axis
	}
	Alt any
}

type dataset struct {
	Label   string
	Data    []any
	Type    string
	YAxisID string
	Fill    bool
}

type axis struct {
	Type        string
	BeginAtZero *bool
	Min, Max    *float64
	Stacked     bool
}

var meanName = regexp.MustCompile(`(?i)\b(?:mean|average|avg|median|rate|média|media|promedio|mediana|taxa|tasa)\b`)

// extremes are the least and the greatest value of a dataset.
func (d dataset) extremes() (least, most float64, ok bool) {
	for _, v := range d.Data {
		n, isNumber := v.(json.Number)
		f, err := n.Float64()
		if !isNumber || err != nil {
			continue
		}
		if !ok {
			least, most, ok = f, f, true
		}
		least, most = min(least, f), max(most, f)
	}
	return least, most, ok
}

// value names the axis of a dataset's values.
func (c chart) value(d dataset) string {
	switch {
	case c.Options.IndexAxis == "y":
		return "x"
	case d.YAxisID != "":
		return d.YAxisID
	}
	return "y"
}

// look finds how a chart misleads. The number is its place in the answer.
func (c chart) look(i int, find func(rule, format string, args ...any)) {
	tell := func(text string) { find(Misleading, "charts[%d]: %s", i, text) }
	if c.Type == "pie" || c.Type == "doughnut" || c.Type == "polarArea" {
		if len(c.Data.Labels) > maxTold {
			tell("more slices than can be told apart; keep the largest with data.Top, or draw bars")
		}
		return
	}
	if len(c.Data.Datasets) > maxTold {
		tell("more series than can be told apart; keep the largest, or draw one chart for each")
	}
	sides := map[string]bool{}
	told := map[string]bool{}
	once := func(text string) {
		if !told[text] {
			told[text] = true
			tell(text)
		}
	}
	for _, d := range c.Data.Datasets {
		kind := d.Type
		if kind == "" {
			kind = c.Type
		}
		name := c.value(d)
		a := c.Options.Scales[name]
		least, most, ok := d.extremes()
		if !ok || kind != "bar" && kind != "line" {
			continue
		}
		fromZero := a.BeginAtZero != nil && *a.BeginAtZero || kind == "bar" && a.BeginAtZero == nil || least <= 0 && most >= 0
		sides[name] = fromZero && (a.Min == nil || *a.Min == 0 || least < 0)
		cut := a.Min != nil && *a.Min > 0 && least > 0 || a.Max != nil && *a.Max < 0 && most < 0
		switch {
		case kind == "bar" && (cut || a.BeginAtZero != nil && !*a.BeginAtZero && least > 0):
			once("bars that do not start at zero, so that lengths say nothing; leave out min, or draw a line")
		case kind == "bar" && a.Type == "logarithmic":
			once("bars on a logarithmic axis, which has no zero to start from; draw a line or points")
		case a.Min != nil && *a.Min > least || a.Max != nil && *a.Max < most:
			once("an axis that is cut, so that values are not drawn; leave out min and max")
		case kind == "line" && (d.Fill || a.Stacked) && least < 0:
			once("an area of negative values, which reads as a size; draw lines")
		case kind == "line" && d.Fill && cut:
			once("an area that does not start at zero; leave out min, or draw a line")
		}
		if a.Stacked && meanName.MatchString(d.Label) {
			once("a stack of means or rates, whose sum is nothing; draw them beside each other")
		}
		if a.Stacked && kind == "line" && strings.Contains(a.Type, "log") {
			once("a stack on a logarithmic axis; use a linear one")
		}
	}
	if y, ok := sides["y"]; ok {
		if y1, second := sides["y1"]; second && y != y1 {
			tell("two axes with different zeros, so that lines cross by chance; begin both at zero, or draw two charts")
		}
	}
}
