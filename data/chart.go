package data

// Charts from typed rows: the same rows that fill the table, so that a figure is typed once.

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// A Chart is a Chart.js 4 configuration, made by [Bar] and its like and refined by its methods, each of which returns the
// changed chart:
//
//	data.Bar(cities, City.Label, data.Series[City]{Label: "Population", Value: City.People}).Title("Largest cities")
//
// What these cannot say is written by hand as [ChartJSON].
type Chart struct {
	kind       string
	labels     []string
	datasets   []dataset
	title, alt string
	x, y       string // axis titles
	stacked    bool
	horizontal bool
	faults     []breach // places relative to the chart
}

// A dataset is a chart's series as Chart.js reads it.
type dataset struct {
	Label           string          `json:"label,omitempty"`
	Data            json.RawMessage `json:"data"`
	BackgroundColor string          `json:"backgroundColor,omitempty"`
	BorderColor     string          `json:"borderColor,omitempty"`
}

// A Series is one figure out of each row, drawn as one line or as bars of one colour.
type Series[T any] struct {
	Label   string
	Value   func(T) float64
	Missing func(T) bool // true leaves a gap; nil: every row has a value
	Color   string       // #rrggbb or rgb(r, g, b); empty: the view chooses
}

// Bar draws one group of bars for each row. At most 2,000 rows and 24 series, and 10,000 figures together.
func Bar[T any](rows []T, label func(T) string, series ...Series[T]) Chart {
	return labelled("bar", rows, label, series)
}

// Line draws one line for each series, over the rows in their order.
func Line[T any](rows []T, label func(T) string, series ...Series[T]) Chart {
	return labelled("line", rows, label, series)
}

// Radar draws one closed line for each series, with one axis for each row.
func Radar[T any](rows []T, label func(T) string, series ...Series[T]) Chart {
	return labelled("radar", rows, label, series)
}

// Pie draws the rows as shares of a whole. Figures are not negative; at most 60 rows.
func Pie[T any](rows []T, label func(T) string, figure func(T) float64) Chart {
	return labelled("pie", rows, label, []Series[T]{{Value: figure}})
}

// Doughnut is [Pie] with a hole.
func Doughnut[T any](rows []T, label func(T) string, figure func(T) float64) Chart {
	return labelled("doughnut", rows, label, []Series[T]{{Value: figure}})
}

// PolarArea draws each row as a sector whose radius is its figure. Figures are not negative; at most 60 rows.
func PolarArea[T any](rows []T, label func(T) string, figure func(T) float64) Chart {
	return labelled("polarArea", rows, label, []Series[T]{{Value: figure}})
}

// Scatter draws a point for each row. Rows of one group share a colour and an entry in the legend; a nil group draws all rows
// alike.
func Scatter[T any](rows []T, group func(T) string, x, y func(T) float64) Chart {
	return points("scatter", rows, group, member[T]{"x", x}, member[T]{"y", y})
}

// Bubble is [Scatter] with a radius for each point, in pixels from 0 to 100.
func Bubble[T any](rows []T, group func(T) string, x, y, radius func(T) float64) Chart {
	return points("bubble", rows, group, member[T]{"x", x}, member[T]{"y", y}, member[T]{"r", radius})
}

// Title puts a title over the chart.
func (c Chart) Title(text string) Chart { c.title = text; return c }

// Alt says in words what the chart shows, for readers who do not see it.
func (c Chart) Alt(text string) Chart { c.alt = text; return c }

// Axes names the axes; an empty name leaves one unnamed.
func (c Chart) Axes(x, y string) Chart { c.x, c.y = x, y; return c }

// Stacked puts the series of a bar or line chart on top of one another.
func (c Chart) Stacked() Chart { c.stacked = true; return c }

// Horizontal turns the bars of a bar chart on their side.
func (c Chart) Horizontal() Chart { c.horizontal = true; return c }

func (c Chart) addTo(r *Result) {
	faults := slices.Clip(c.faults)
	for i, label := range c.labels {
		faults = appendUTF8(faults, place{"data", "labels", i}, label)
	}
	for i, d := range c.datasets {
		faults = appendUTF8(faults, place{"data", "datasets", i, "label"}, d.Label)
	}
	faults = appendUTF8(faults, place{"alt"}, c.alt)
	faults = appendUTF8(faults, place{"options"}, c.title, c.x, c.y)
	raw, err := marshal(c.config())
	if err != nil {
		faults = append(faults, breach{"", "cannot be written as JSON"})
		raw = []byte("{}")
	}
	r.addChart(raw, faults)
}

// A ChartJSON is a Chart.js 4 configuration written by hand: {type, data, options?, alt?}. It is sent digit for
// digit, and checked like every other chart.
type ChartJSON json.RawMessage

func (c ChartJSON) addTo(r *Result) { r.addChart(json.RawMessage(c), nil) }

const noFunction = "the function that gives it is nil; give one"

func labelled[T any](kind string, rows []T, label func(T) string, series []Series[T]) Chart {
	c := Chart{kind: kind, labels: make([]string, 0, len(rows)), datasets: make([]dataset, 0, len(series))}
	if label == nil {
		c.faults = append(c.faults, breach{place{"data", "labels"}.String(), noFunction})
		label = func(T) string { return "" }
	}
	for _, row := range rows {
		c.labels = append(c.labels, label(row))
	}
	for i, s := range series {
		if s.Value == nil {
			c.faults = append(c.faults, breach{place{"data", "datasets", i}.String(), noFunction})
			s.Value = func(T) float64 { return 0 }
		}
		data := []byte{'['}
		for j, row := range rows {
			data = comma(data, j)
			if s.Missing != nil && s.Missing(row) {
				data = append(data, "null"...)
			} else {
				data = c.number(data, s.Value(row), place{"data", "datasets", i, "data", j})
			}
		}
		c.datasets = append(c.datasets, dataset{s.Label, append(data, ']'), s.Color, s.Color})
	}
	return c
}

// A member is one coordinate of a point.
type member[T any] struct {
	name string
	of   func(T) float64
}

func points[T any](kind string, rows []T, group func(T) string, members ...member[T]) Chart {
	c := Chart{kind: kind}
	for i, m := range members {
		if m.of == nil {
			c.faults = append(c.faults, breach{place{"data", "datasets"}.String(), m.name + ": " + noFunction})
			members[i].of = func(T) float64 { return 0 }
		}
	}
	index := map[string]int{}
	count := []int{}
	for _, row := range rows {
		name := ""
		if group != nil {
			name = group(row)
		}
		i, ok := index[name]
		if !ok {
			i = len(c.datasets)
			index[name] = i
			count = append(count, 0)
			c.datasets = append(c.datasets, dataset{Label: name, Data: json.RawMessage{'['}})
		}
		data := append(comma(c.datasets[i].Data, count[i]), '{')
		for k, m := range members {
			data = append(comma(data, k), `"`+m.name+`":`...)
			data = c.number(data, m.of(row), place{"data", "datasets", i, "data", count[i], m.name})
		}
		c.datasets[i].Data = append(data, '}')
		count[i]++
	}
	if len(rows) == 0 {
		c.datasets = []dataset{{Data: json.RawMessage{'['}}}
	}
	for i := range c.datasets {
		c.datasets[i].Data = append(c.datasets[i].Data, ']')
	}
	return c
}

// number writes a figure. One that is not finite is a breach, and a null in its place.
func (c *Chart) number(b []byte, f float64, at place) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		c.faults = append(c.faults, breach{at.String(), notFinite})
		return append(b, "null"...)
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e21 {
		return strconv.AppendFloat(b, f, 'f', 0, 64)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

// chartConfig is the part of a Chart.js configuration that the helpers write.
type chartConfig struct {
	Type string `json:"type"`
	Data struct {
		Labels   []string  `json:"labels,omitzero"`
		Datasets []dataset `json:"datasets"`
	} `json:"data"`
	Options *chartOptions `json:"options,omitempty"`
	Alt     string        `json:"alt,omitempty"`
}

type chartOptions struct {
	IndexAxis string                 `json:"indexAxis,omitempty"`
	Plugins   map[string]chartTitle  `json:"plugins,omitempty"`
	Scales    map[string]*chartScale `json:"scales,omitempty"`
}

type chartTitle struct {
	Display bool   `json:"display"`
	Text    string `json:"text"`
}

type chartScale struct {
	Stacked bool        `json:"stacked,omitempty"`
	Title   *chartTitle `json:"title,omitempty"`
}

func (c Chart) config() chartConfig {
	cfg := chartConfig{Type: c.kind, Alt: c.alt}
	cfg.Data.Labels, cfg.Data.Datasets = c.labels, c.datasets
	var o chartOptions
	if c.horizontal {
		o.IndexAxis = "y"
	}
	if c.title != "" {
		o.Plugins = map[string]chartTitle{"title": {true, c.title}}
	}
	for name, title := range map[string]string{"x": c.x, "y": c.y} {
		if title == "" && !c.stacked {
			continue
		}
		scale := &chartScale{Stacked: c.stacked}
		if title != "" {
			scale.Title = &chartTitle{true, title}
		}
		if o.Scales == nil {
			o.Scales = map[string]*chartScale{}
		}
		o.Scales[name] = scale
	}
	if o.IndexAxis != "" || o.Plugins != nil || o.Scales != nil {
		cfg.Options = &o
	}
	return cfg
}
