package data

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type town struct {
	name, region string
	people, area float64
}

func (t town) label() string { return t.name }

func (t town) where() string { return t.region }

func (t town) inhabitants() float64 { return t.people }

func (t town) size() float64 { return t.area }

func TestCharts(t *testing.T) {
	towns := []town{{"Alpha", "north", 1000, 2.5}, {"Beta", "south", 250, 1}, {"Gamma", "north", 40, 0.125}}
	people := Series[town]{Label: "People", Value: town.inhabitants, Color: "#336699"}
	tests := []struct {
		name  string
		chart Part
		want  string
		said  []string
	}{
		{"bar", Bar(towns, town.label, people),
			`{"type":"bar","data":{"labels":["Alpha","Beta","Gamma"],"datasets":[{"label":"People","data":[1000,250,40],"backgroundColor":"#336699","borderColor":"#336699"}]}}`, nil},
		{"bar with everything", Bar(towns[:1], town.label, people, Series[town]{Label: "Area", Value: town.size}).Title("Towns").Alt("one town").Axes("town", "").Stacked().Horizontal(),
			`{"type":"bar","data":{"labels":["Alpha"],"datasets":[{"label":"People","data":[1000],"backgroundColor":"#336699","borderColor":"#336699"},{"label":"Area","data":[2.5]}]},` +
				`"options":{"indexAxis":"y","plugins":{"title":{"display":true,"text":"Towns"}},"scales":{"x":{"stacked":true,"title":{"display":true,"text":"town"}},"y":{"stacked":true}}},"alt":"one town"}`, nil},
		{"line with a gap", Line(towns, town.label, Series[town]{Value: town.size, Missing: func(t town) bool { return t.name == "Beta" }}),
			`{"type":"line","data":{"labels":["Alpha","Beta","Gamma"],"datasets":[{"data":[2.5,null,0.125]}]}}`, nil},
		{"radar", Radar(towns[:2], town.label, Series[town]{Value: town.size}), `{"type":"radar","data":{"labels":["Alpha","Beta"],"datasets":[{"data":[2.5,1]}]}}`, nil},
		{"pie", Pie(towns[:2], town.label, town.inhabitants), `{"type":"pie","data":{"labels":["Alpha","Beta"],"datasets":[{"data":[1000,250]}]}}`, nil},
		{"doughnut", Doughnut(towns[:1], town.label, town.size), `{"type":"doughnut","data":{"labels":["Alpha"],"datasets":[{"data":[2.5]}]}}`, nil},
		{"polar area", PolarArea(towns[:1], town.label, town.size), `{"type":"polarArea","data":{"labels":["Alpha"],"datasets":[{"data":[2.5]}]}}`, nil},
		{"scatter in groups", Scatter(towns, town.where, town.size, town.inhabitants),
			`{"type":"scatter","data":{"datasets":[{"label":"north","data":[{"x":2.5,"y":1000},{"x":0.125,"y":40}]},{"label":"south","data":[{"x":1,"y":250}]}]}}`, nil},
		{"bubble", Bubble(towns[1:2], nil, town.size, town.inhabitants, town.size), `{"type":"bubble","data":{"datasets":[{"data":[{"x":1,"y":250,"r":1}]}]}}`, nil},
		{"no rows", Bar(nil, town.label, people), `{"type":"bar","data":{"labels":[],"datasets":[{"label":"People","data":[],"backgroundColor":"#336699","borderColor":"#336699"}]}}`, nil},
		{"scatter of nothing", Scatter(nil, nil, town.size, town.size), `{"type":"scatter","data":{"datasets":[{"data":[]}]}}`, nil},
		{"large and small figures", Line([]float64{1e15, 1e-7, -0.1}, func(float64) string { return "" }, Series[float64]{Value: func(f float64) float64 { return f }}),
			`{"type":"line","data":{"labels":["","",""],"datasets":[{"data":[1000000000000000,1e-07,-0.1]}]}}`, nil},
		{"not a number", Bar([]town{{people: math.NaN()}}, town.label, people), "",
			[]string{"charts[0].data.datasets[0].data[0]: not a finite number"}},
		{"infinite slice", Pie([]town{{people: math.Inf(-1)}}, town.label, town.inhabitants), "",
			[]string{"charts[0].data.datasets[0].data[0]: not a finite number"}},
		{"infinite point", Scatter([]town{{area: math.Inf(1)}}, nil, town.size, town.size), "",
			[]string{"charts[0].data.datasets[0].data[0].x: not a finite number", "charts[0].data.datasets[0].data[0].y: not a finite number"}},
		{"no series", Bar(towns, town.label), "", []string{"charts[0].data.datasets: empty; give at least one dataset"}},
		{"no functions", Bar(towns, nil, Series[town]{Label: "People"}), "", []string{
			"charts[0].data.labels: the function that gives it is nil; give one",
			"charts[0].data.datasets[0]: the function that gives it is nil; give one"}},
		{"no coordinate", Scatter(towns, nil, town.size, nil), "", []string{"charts[0].data.datasets: y: the function that gives it is nil; give one"}},
		{"zero", Chart{}, "", []string{
			"charts[0].type: unknown, want one of line, bar, pie, doughnut, scatter, bubble, radar, polarArea",
			"charts[0].data.datasets: got null, want a list of datasets; leave out what is absent",
			"charts[0].data.labels: required but missing",
		}},
		{"raw, digit for digit", ChartJSON(` {"type": "bar", "data": {"labels": [1.10], "datasets": [{"data": [2.50]}]}} `),
			`{"type":"bar","data":{"labels":[1.10],"datasets":[{"data":[2.50]}]}}`, nil},
		{"raw, no JSON", ChartJSON(`{`), "", []string{"charts[0]: not valid JSON"}},
		{"raw, empty", ChartJSON(nil), "", []string{"charts[0]: not valid JSON"}},
		{"raw, option refused", ChartJSON(`{"type":"bar","data":{"labels":[],"datasets":[{"data":[]}]},"options":{"locale":"xx"}}`), "",
			[]string{"charts[0].options.locale: refused: an unknown locale throws; the view writes numbers for its reader"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := NewResult("words", Source{URL: dataURL}, tt.chart).structured()
			if diff := cmp.Diff(append([]string{}, tt.said...), said(err)); diff != "" {
				t.Fatalf("(-want +got)\n%s", diff)
			}
			if tt.said != nil {
				return
			}
			var got struct{ Charts []json.RawMessage }
			if err := json.Unmarshal(doc, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got.Charts[0])); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestChartsAreNumbered(t *testing.T) {
	good := Pie([]town{{"Alpha", "", 1, 1}}, town.label, town.inhabitants)
	_, err := NewResult("words", Source{URL: dataURL}, good, Line([]town{{}, {people: math.NaN()}}, town.label, Series[town]{Value: town.inhabitants})).structured()
	if diff := cmp.Diff([]string{"charts[1].data.datasets[0].data[1]: not a finite number"}, said(err)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
