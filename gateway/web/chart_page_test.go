//go:build browser

package web

// Charts in a real browser: what Chart.js has read of them, what is beside them, and what is there without them.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/diptych-mcp/diptych/data"
	"github.com/diptych-mcp/diptych/gateway/chat"
)

// A chart as Chart.js has it.
type drawn struct {
	Type    string
	Labels  []any
	Parsed  [][]any    // what it draws from, in its own form
	Kinds   []string   // of each dataset
	Told    [][]string // on hover
	Scales  map[string]struct{ Type, Position string }
	Stacked map[string]bool
	Inked   int // pixels
}

// Chart.js' animator keys a map by chart: they are found in the heap, for the page gives none away.
const findCharts = `function(){
	const charts=new Set();
	for(const map of this)for(const key of map.keys())if(key&&typeof key==="object"&&Array.isArray(key._metasets)&&key.canvas?.isConnected)charts.add(key);
	const all=[...document.querySelectorAll("canvas")];
	return [...charts].sort((a,b)=>all.indexOf(a.canvas)-all.indexOf(b.canvas)).map(c=>{
		const copy=new OffscreenCanvas(c.canvas.width,c.canvas.height).getContext("2d");
		copy.drawImage(c.canvas,0,0);
		const pixels=new Uint32Array(copy.getImageData(0,0,c.canvas.width,c.canvas.height).data.buffer);
		const each=f=>c.data.datasets.map((_,i)=>f(c.getDatasetMeta(i),i));
		return {type:c.config.type,labels:c.data.labels??[],
			parsed:each(m=>m._parsed.map(p=>typeof p==="number"?p:Object.fromEntries(Object.entries(p).filter(([k,v])=>k!=="_stacks"&&v!==undefined).map(([k,v])=>[k==="_custom"?"r":k,Object.is(v,-0)?"-0":v])))),
			kinds:each(m=>m.type),told:each((m,i)=>m._parsed.map((_,k)=>c.options.plugins.tooltip.callbacks.label({datasetIndex:i,dataIndex:k}))),
			scales:Object.fromEntries(Object.entries(c.scales).map(([id,s])=>[id,{type:s.type,position:s.position}])),
			stacked:Object.fromEntries(Object.entries(c.scales).map(([id,s])=>[id,!!s.options.stacked])),
			inked:pixels.reduce((n,p)=>n+(p!==0),0)}})}`

func (b *browser) charts() []drawn {
	b.Helper()
	yes := true
	maps, err := chromedp.Call(b.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "Map.prototype"})
	if err != nil {
		b.Fatal(err)
	}
	found, err := chromedp.Call(b.ctx, runtime.QueryObjects, runtime.QueryObjectsParams{PrototypeObjectID: maps.Result.ObjectID})
	if err != nil {
		b.Fatal(err)
	}
	got, err := chromedp.Call(b.ctx, runtime.CallFunctionOn, runtime.CallFunctionOnParams{ObjectID: found.Objects.ObjectID, FunctionDeclaration: findCharts, ReturnByValue: &yes})
	if err != nil || got.ExceptionDetails != nil {
		b.Fatalf("reading the charts: %v %v", err, got.ExceptionDetails)
	}
	var charts []drawn
	if err := json.Unmarshal([]byte(got.Result.Value), &charts); err != nil {
		b.Fatal(err)
	}
	return charts
}

// A chartCase is a configuration with digits that are easily lost, and what must come of it.
type chartCase struct {
	name, config string
	parsed       string // JSON
	rows         [][]string
	sentence     [3]string // en, pt, es
}

var chartCases = []chartCase{
	{"line", `{"type":"line","data":{"labels":["Jan","Feb","Mar"],"datasets":[{"label":"Lisbon","data":[11.60,1e-7,0.30000000000000004]},{"label":"Oslo","data":[-2.9,null,-0]}]}}`,
		`[[{"x":0,"y":11.6},{"x":1,"y":1e-7},{"x":2,"y":0.30000000000000004}],[{"x":0,"y":-2.9},{"x":1,"y":null},{"x":2,"y":"-0"}]]`,
		[][]string{{"Jan", "11.60", "-2.9"}, {"Feb", "1e-7", ""}, {"Mar", "0.30000000000000004", "-0"}},
		[3]string{"Line chart of Lisbon and Oslo: 5 values, lowest -2.9 (Oslo, Jan), highest 11.60 (Lisbon, Jan).",
			"Gráfico de linhas de Lisbon e Oslo: 5 valores, menor -2,9 (Oslo, Jan), maior 11,60 (Lisbon, Jan).",
			"Gráfico de líneas de Lisbon y Oslo: 5 valores, mínimo -2,9 (Oslo, Jan), máximo 11,60 (Lisbon, Jan)."}},
	{"bar", `{"type":"bar","data":{"labels":["Tokyo","Delhi"],"datasets":[{"label":"People","data":[37400068,1.10]}]}}`,
		`[[{"x":0,"y":37400068},{"x":1,"y":1.1}]]`, [][]string{{"Tokyo", "37400068"}, {"Delhi", "1.10"}},
		[3]string{"Bar chart of People: 2 values, lowest 1.10 (Delhi), highest 37,400,068 (Tokyo).",
			"Gráfico de barras de People: 2 valores, menor 1,10 (Delhi), maior 37.400.068 (Tokyo).",
			"Gráfico de barras de People: 2 valores, mínimo 1,10 (Delhi), máximo 37.400.068 (Tokyo)."}},
	{"horizontal", `{"type":"bar","data":{"labels":["Tokyo","Delhi"],"datasets":[{"data":[37400068,30290936.0]}]},"options":{"indexAxis":"y"}}`,
		`[[{"x":37400068,"y":0},{"x":30290936,"y":1}]]`, [][]string{{"Tokyo", "37400068"}, {"Delhi", "30290936.0"}},
		[3]string{"Bar chart: 2 values, lowest 30,290,936.0 (Delhi), highest 37,400,068 (Tokyo).",
			"Gráfico de barras: 2 valores, menor 30.290.936,0 (Delhi), maior 37.400.068 (Tokyo).",
			"Gráfico de barras: 2 valores, mínimo 30.290.936,0 (Delhi), máximo 37.400.068 (Tokyo)."}},
	{"stacked", `{"type":"bar","data":{"labels":["a","b"],"datasets":[{"label":"p","data":[1,2],"stack":"s"},{"label":"q","data":[10,20.50],"stack":"s"}]},"options":{"scales":{"x":{"stacked":true},"y":{"stacked":true}}}}`,
		`[[{"x":0,"y":1},{"x":1,"y":2}],[{"x":0,"y":10},{"x":1,"y":20.5}]]`, [][]string{{"a", "1", "10"}, {"b", "2", "20.50"}},
		[3]string{"Bar chart of p and q: 4 values, lowest 1 (p, a), highest 20.50 (q, b).",
			"Gráfico de barras de p e q: 4 valores, menor 1 (p, a), maior 20,50 (q, b).",
			"Gráfico de barras de p y q: 4 valores, mínimo 1 (p, a), máximo 20,50 (q, b)."}},
	{"mixed", `{"type":"bar","data":{"labels":["a","b"],"datasets":[{"label":"bars","data":[1,2]},{"label":"line","data":[100,250.0],"type":"line","yAxisID":"y1"}]}}`,
		`[[{"x":0,"y":1},{"x":1,"y":2}],[{"x":0,"y":100},{"x":1,"y":250}]]`, [][]string{{"a", "1", "100"}, {"b", "2", "250.0"}},
		[3]string{"Bar chart of bars and line: 4 values, lowest 1 (bars, a), highest 250.0 (line, b).",
			"Gráfico de barras de bars e line: 4 valores, menor 1 (bars, a), maior 250,0 (line, b).",
			"Gráfico de barras de bars y line: 4 valores, mínimo 1 (bars, a), máximo 250,0 (line, b)."}},
	{"logarithmic", `{"type":"line","data":{"labels":["a","b"],"datasets":[{"label":"s","data":[0.00010,999999999999999]}]},"options":{"scales":{"y":{"type":"logarithmic"}}}}`,
		`[[{"x":0,"y":0.0001},{"x":1,"y":999999999999999}]]`, [][]string{{"a", "0.00010"}, {"b", "999999999999999"}},
		[3]string{"Line chart of s: 2 values, lowest 0.00010 (a), highest 999,999,999,999,999 (b).",
			"Gráfico de linhas de s: 2 valores, menor 0,00010 (a), maior 999.999.999.999.999 (b).",
			"Gráfico de líneas de s: 2 valores, mínimo 0,00010 (a), máximo 999.999.999.999.999 (b)."}},
	{"numbered", `{"type":"line","data":{"labels":[2000,2010.0,2025],"datasets":[{"label":"s","data":[1,2,3]}]},"options":{"scales":{"x":{"type":"linear"}}}}`,
		`[[{"x":2000,"y":1},{"x":2010,"y":2},{"x":2025,"y":3}]]`, [][]string{{"2000", "1"}, {"2010.0", "2"}, {"2025", "3"}},
		[3]string{"Line chart of s: 3 values, lowest 1 (2000), highest 3 (2025).",
			"Gráfico de linhas de s: 3 valores, menor 1 (2000), maior 3 (2025).",
			"Gráfico de líneas de s: 3 valores, mínimo 1 (2000), máximo 3 (2025)."}},
	{"pie", `{"type":"pie","data":{"labels":["Hydro","Wind"],"datasets":[{"label":"Share","data":[44.50,26.5]}]}}`,
		`[[44.5,26.5]]`, [][]string{{"Hydro", "44.50"}, {"Wind", "26.5"}},
		[3]string{"Pie chart of Share: 2 values, lowest 26.5 (Wind), highest 44.50 (Hydro).",
			"Gráfico de pizza de Share: 2 valores, menor 26,5 (Wind), maior 44,50 (Hydro).",
			"Gráfico circular de Share: 2 valores, mínimo 26,5 (Wind), máximo 44,50 (Hydro)."}},
	{"doughnut", `{"type":"doughnut","data":{"labels":["Yes","No"],"datasets":[{"data":[51,49.00]}]}}`,
		`[[51,49]]`, [][]string{{"Yes", "51"}, {"No", "49.00"}},
		[3]string{"Doughnut chart: 2 values, lowest 49.00 (No), highest 51 (Yes).",
			"Gráfico de rosca: 2 valores, menor 49,00 (No), maior 51 (Yes).",
			"Gráfico de anillo: 2 valores, mínimo 49,00 (No), máximo 51 (Yes)."}},
	{"polarArea", `{"type":"polarArea","data":{"labels":["North","East"],"datasets":[{"label":"Days","data":[11,3.50]}]}}`,
		`[[{"r":11},{"r":3.5}]]`, [][]string{{"North", "11"}, {"East", "3.50"}},
		[3]string{"Polar area chart of Days: 2 values, lowest 3.50 (East), highest 11 (North).",
			"Gráfico de área polar de Days: 2 valores, menor 3,50 (East), maior 11 (North).",
			"Gráfico de área polar de Days: 2 valores, mínimo 3,50 (East), máximo 11 (North)."}},
	{"radar", `{"type":"radar","data":{"labels":["Cost","Speed","Range"],"datasets":[{"label":"Tram","data":[3,4.0,2]},{"label":"Bus","data":[4,3,5]}]}}`,
		`[[{"r":3},{"r":4},{"r":2}],[{"r":4},{"r":3},{"r":5}]]`, [][]string{{"Cost", "3", "4"}, {"Speed", "4.0", "3"}, {"Range", "2", "5"}},
		[3]string{"Radar chart of Tram and Bus: 6 values, lowest 2 (Tram, Range), highest 5 (Bus, Range).",
			"Gráfico de radar de Tram e Bus: 6 valores, menor 2 (Tram, Range), maior 5 (Bus, Range).",
			"Gráfico de radar de Tram y Bus: 6 valores, mínimo 2 (Tram, Range), máximo 5 (Bus, Range)."}},
	{"scatter", `{"type":"scatter","data":{"datasets":[{"label":"Homes","data":[{"x":45,"y":210.0},{"x":80.50,"y":340.25}]}]}}`,
		`[[{"x":45,"y":210},{"x":80.5,"y":340.25}]]`, [][]string{{"Homes", "45", "210.0"}, {"Homes", "80.50", "340.25"}},
		[3]string{"Scatter chart of Homes: 2 values, lowest 210.0 (x 45), highest 340.25 (x 80.50).",
			"Gráfico de dispersão de Homes: 2 valores, menor 210,0 (x 45), maior 340,25 (x 80,50).",
			"Gráfico de dispersión de Homes: 2 valores, mínimo 210,0 (x 45), máximo 340,25 (x 80,50)."}},
	{"bubble", `{"type":"bubble","data":{"datasets":[{"label":"Countries","data":[{"x":1.50,"y":70,"r":12},{"x":3,"y":81.20,"r":4.0}]}]}}`,
		`[[{"x":1.5,"y":70,"r":12},{"x":3,"y":81.2,"r":4}]]`, [][]string{{"Countries", "1.50", "70", "12"}, {"Countries", "3", "81.20", "4.0"}},
		[3]string{"Bubble chart of Countries: 2 values, lowest 70 (x 1.50), highest 81.20 (x 3).",
			"Gráfico de bolhas de Countries: 2 valores, menor 70 (x 1,50), maior 81,20 (x 3).",
			"Gráfico de burbujas de Countries: 2 valores, mínimo 70 (x 1,50), máximo 81,20 (x 3)."}},
}

// The marks of the last language that the charts are read in.
var group, point = regexp.MustCompile(`(\d)\.(\d)`), regexp.MustCompile(`(\d),(\d)`)

func TestBrowserCharts(t *testing.T) {
	f := newFake()
	f.scripts["q"] = func(r *fakeRun) {
		for i, c := range chartCases {
			r.tell(&chat.Chart{Call: "c", Index: i, Config: json.RawMessage(c.config)})
		}
	}
	for _, c := range chartCases { // what is drawn here is what a tool may send
		if err := data.Check(json.RawMessage(`{"sources":["https://data.example/"],"charts":[` + c.config + `]}`)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	b := newBrowser(t, f)
	run := startRun(t, newHandler(t, f), `{"text":"q"}`)
	f.waitEnded(run.ID)
	for i, language := range []string{"en", "pt", "es"} {
		b.open("/")
		eval[bool](b, `(document.cookie="language=`+language+`; path=/",true)`)
		b.open("/c/" + run.Conversation)
		b.until(fmt.Sprintf(`document.documentElement.lang===%q&&document.querySelectorAll("figure canvas").length===%d&&[...document.querySelectorAll("canvas")].every(c=>c.height>100)`, language, len(chartCases)))
		var want []string
		for _, c := range chartCases {
			want = append(want, c.sentence[i])
		}
		if diff := cmp.Diff(want, eval[[]string](b, `[...document.querySelectorAll("figure canvas")].map(c=>c.getAttribute("aria-label"))`)); diff != "" {
			t.Errorf("in %s the canvases say (-want +got):\n%s", language, diff)
		}
		if diff := cmp.Diff(want, eval[[]string](b, `[...document.querySelectorAll("figure .notes p:first-child")].map(p=>p.textContent)`)); diff != "" {
			t.Errorf("in %s the sentences are (-want +got):\n%s", language, diff)
		}
	}
	charts := b.charts()
	if len(charts) != len(chartCases) {
		t.Fatalf("%d charts, want %d", len(charts), len(chartCases))
	}
	eval[bool](b, `(document.querySelectorAll("figure details").forEach(d=>{d.open=true}),true)`)
	b.until(fmt.Sprintf(`document.querySelectorAll("figure details tbody").length===%d`, len(chartCases)))
	tables := eval[[][][]string](b, `[...document.querySelectorAll("figure details tbody")].map(x=>[...x.rows].map(r=>[...r.cells].map(c=>c.textContent)))`)
	for i, c := range chartCases {
		var parsed [][]any
		if err := json.Unmarshal([]byte(c.parsed), &parsed); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(parsed, charts[i].Parsed); diff != "" {
			t.Errorf("%s: Chart.js has (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.rows, tables[i]); diff != "" {
			t.Errorf("%s: its table (-want +got):\n%s", c.name, diff)
		}
		if charts[i].Inked < 1000 {
			t.Errorf("%s: only %d pixels are drawn", c.name, charts[i].Inked)
		}
		if !strings.Contains(c.config, `"type":"`+charts[i].Type+`"`) {
			t.Errorf("%s is drawn as %s", c.name, charts[i].Type)
		}
		for s, said := range charts[i].Told { // on hover, too, the tool's digits
			for k, text := range said {
				digits := ""
				switch row := c.rows[k]; {
				case c.name == "scatter":
					digits = "x " + row[1] + ", y " + row[2]
				case c.name == "bubble":
					digits = "x " + row[1] + ", y " + row[2] + ", r " + row[3]
				default:
					digits = row[s+1]
				}
				text = point.ReplaceAllString(group.ReplaceAllString(text, "$1$2"), "$1.$2")
				if !strings.HasSuffix(text, ": "+digits) {
					t.Errorf("%s says %q on hover, want %q", c.name, text, digits)
				}
			}
		}
	}
	if diff := cmp.Diff([]string{"bar", "line"}, charts[4].Kinds); diff != "" || charts[4].Scales["y1"].Position != "right" {
		t.Errorf("the mixed chart (-want +got):\n%s", diff)
	}
	if !charts[3].Stacked["x"] || !charts[3].Stacked["y"] || charts[1].Stacked["y"] {
		t.Errorf("stacked: %v, the plain bars: %v", charts[3].Stacked, charts[1].Stacked)
	}
	if charts[5].Scales["y"].Type != "logarithmic" || charts[6].Scales["x"].Type != "linear" {
		t.Errorf("axes: %v and %v", charts[5].Scales, charts[6].Scales)
	}
	b.clean()
}

// A chart that cannot be drawn shows why, and its table.
func TestBrowserChartThatCannotBeDrawn(t *testing.T) {
	f := newFake()
	const one = `{"type":"bar","data":{"labels":["A"],"datasets":[{"data":[1.10]}]}}`
	f.scripts["zero"] = func(r *fakeRun) {
		r.answer("c1", 1, "T", `[["a"],[1]]`, `{"type":"pie","data":{"labels":["A","B"],"datasets":[{"data":[0,0.0]}]}}`, "")
		r.tell(&chat.Chart{Call: "c1", Config: json.RawMessage(`{"type":"bar","data":{"labels":["A"],"datasets":[{"data":["1"]}]}}`)},
			&chat.Chart{Call: "c1", Config: json.RawMessage(`{"type":"bar","data":{"labels":["A"],"datasets":[{"data":[0]}]},"options":{"scales":{"y":{"type":"logarithmic"}}}}`)},
			&chat.Chart{Call: "c1", Config: json.RawMessage(`{"type":"line","data":{"labels":[],"datasets":[{"data":[]}]}}`)},
			&chat.Chart{Call: "c1", Config: json.RawMessage(one)})
	}
	f.scripts["throw"] = func(r *fakeRun) { r.tell(&chat.Chart{Call: "c1", Config: json.RawMessage(one)}) }
	b := newBrowser(t, f)
	b.open("/")
	b.fill(".ask textarea", "zero")
	b.click(".ask button[type=submit]")
	b.until(`document.querySelectorAll(".not-drawn").length===4&&document.querySelectorAll("figure details[open] table").length===3&&document.querySelectorAll("canvas").length===1`)
	if diff := cmp.Diff([]string{"Not drawn. All values are zero.", "This chart is not drawn: it breaks a rule that protects its numbers.",
		"Not drawn. A logarithmic axis cannot show zero or less.", "Not drawn. There is no value to draw."}, eval[[]string](b, `[...document.querySelectorAll(".not-drawn")].map(x=>x.textContent)`)); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"A", "0", "B", "0.0", "A", "0"}, eval[[]string](b, `[...document.querySelectorAll("figure tbody bdi")].map(x=>x.textContent)`)); diff != "" {
		t.Errorf("the charts' tables (-want +got):\n%s", diff)
	}
	if got := eval[string](b, `document.querySelector(".not-drawn + .raw pre").textContent`); !strings.Contains(got, `"data":["1"]`) {
		t.Errorf("what breaks a rule is told as %q", got)
	}
	b.clean()

	// The library throws; a canvas has no context.
	for _, broken := range []string{`CanvasRenderingContext2D.prototype.save=()=>{throw new Error("no")}`, `HTMLCanvasElement.prototype.getContext=()=>null`} {
		added, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: broken})
		if err != nil {
			t.Fatal(err)
		}
		b.open("/")
		b.fill(".ask textarea", "throw")
		b.click(".ask button[type=submit]")
		b.until(`document.querySelector(".not-drawn")?.textContent==="Not drawn. The drawing library failed on these data."&&document.querySelector("figure details[open] tbody")?.textContent==="A1.10"`)
		b.clean()
		if _, err := chromedp.Call(b.ctx, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams(added)); err != nil {
			t.Fatal(err)
		}
	}
}
