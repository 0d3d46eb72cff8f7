package gen

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSnake(t *testing.T) {
	for name, want := range map[string]string{
		"Forecast":           "forecast",
		"CurrentTemperature": "current_temperature",
		"HTTPServer":         "http_server",
		"HttpServer":         "http_server",
		"ServeHTTP":          "serve_http",
		"GetURLs":            "get_urls",
		"UserIDsByName":      "user_ids_by_name",
		"GetV2Status":        "get_v2_status",
		"ParseHTTP2":         "parse_http2",
		"Int64Value":         "int64_value",
		"A":                  "a",
		"AB":                 "ab",
		"roomID":             "room_id",
		"room_id":            "room_id",
		"_hidden_":           "hidden",
		"Größe":              "größe",
		"ÄußereGröße":        "äußere_größe",
		"名前":                 "名前",
		"_":                  "",
	} {
		if got := snake(name); got != want {
			t.Errorf("snake(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestWithoutName(t *testing.T) {
	for _, tt := range []struct {
		text, name string
		function   bool
		want       string
	}{
		{"CurrentTemperature reports the temperature.", "CurrentTemperature", true, "Reports the temperature."},
		{"Station is a weather station.", "Station", false, "A weather station."},
		{"A Station is a weather station.", "Station", false, "A weather station."},
		{"An Hour holds sixty minutes.", "Hour", false, "Holds sixty minutes."},
		{"Name of the city.", "Name", false, "Name of the city."},
		{"Names of the cities.", "Name", false, "Names of the cities."},
		{"City names, one a line.", "City", false, "City names, one a line."},
		{"Weather in a city.", "Weather", true, "Weather in a city."},
		{"Size: in bytes.", "Size", false, "In bytes."},
		{"Station", "Station", false, "Station"},
		{"Station is", "Station", false, "Station is"},
		{"The weather.", "Data", false, "The weather."},
		{"A day.", "A", false, "A day."},
		{"", "A", false, ""},
	} {
		if got := withoutName(tt.text, tt.name, tt.function); got != tt.want {
			t.Errorf("withoutName(%q, %q) = %q, want %q", tt.text, tt.name, got, tt.want)
		}
	}
}

func TestPlain(t *testing.T) {
	for _, tt := range []struct {
		comment []string
		want    string
	}{
		{[]string{"// Two lines", "// become one.", "//", "//diptych:tool name=x", "//nolint"}, "Two lines become one."},
		{[]string{"// Links to [Data] and [time.Duration]."}, "Links to Data and time.Duration."},
		{[]string{"// A list:", "//   - one", "//   - two"}, "A list:\n  - one\n  - two"},
		{[]string{"/* One", "\t\tblock", "\t\t  deeper. */"}, "One block\n\n\tdeeper."},
		{[]string{"/*", "\tFirst.", "", "\tSecond.", "*/"}, "First.\n\nSecond."},
		{[]string{"// +build linux"}, ""},
	} {
		g := &ast.CommentGroup{}
		if strings.HasPrefix(tt.comment[0], "/*") {
			tt.comment = []string{strings.Join(tt.comment, "\n")}
		}
		for _, c := range tt.comment {
			g.List = append(g.List, &ast.Comment{Text: c})
		}
		if got := plain(g); got != tt.want {
			t.Errorf("plain(%q) = %q, want %q", tt.comment, got, tt.want)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	for name, want := range map[string]string{"Forecast": "forecast", "HTTPServer": "httpServer", "ID": "id", "X": "x", "Ünder": "ünder"} {
		if got := lowerFirst(name); got != want {
			t.Errorf("lowerFirst(%q) = %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"city": "City", "id": "ID", "url": "URL", "_x": "X", "x1": "X1", "名": "Arg名", "_1": "Arg1"} {
		if got := fieldName(name); got != want {
			t.Errorf("fieldName(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestProgress says that short work is silent and long work is not.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := startProgress(&out)
		spoken := func() string {
			p.mu.Lock()
			defer p.mu.Unlock()
			return out.String()
		}
		p.say("reading %s", "a")
		time.Sleep(patience - time.Nanosecond)
		synctest.Wait()
		if early := spoken(); early != "" {
			t.Errorf("spoke early: %q", early)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		p.say("reading %s", "b")
		time.Sleep(patience)
		p.say("writing %s", "c")
		p.stop()
		p.say("writing %s", "d")
		if diff := cmp.Diff("diptych gen: reading a …\ndiptych gen: writing c …\n", spoken()); diff != "" {
			t.Error(diff)
		}
	})
}

// thousand is a package of n tools.
func thousand(t testing.TB, n int) (dir string) {
	dir = t.TempDir()
	var src strings.Builder
	src.WriteString("package many\n\n// Data is what is found.\ntype Data struct {\n\tN int `json:\"n\"` // How many.\n}\n")
	for i := range n {
		fmt.Fprintf(&src, "\n// Find%d finds things.\n//\n//diptych:tool readonly default limit=%d\nfunc Find%d(name string /* What to look for. */, limit int) (Data, error) { return Data{}, nil }\n", i, i, i)
	}
	for name, text := range map[string]string{"many.go": src.String(), "go.mod": "module example.com/many\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSameBytes generates from one package again and again: files are parsed and checked in any order, and no map's order
// may show. The module lacks the library, which is the last thing to be asked for.
func TestSameBytes(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := thousand(t, 50)
	var want []byte
	for range 3 {
		l, err := load(context.Background(), Config{Dir: dir, Patterns: []string{"."}}, startProgress(nil))
		if err != nil {
			t.Fatal(err)
		}
		r := newReader(l, dir)
		src := r.source(l.roots[0])
		if err := r.faults.err(); err != nil {
			t.Fatal(err)
		}
		got := printPackage(src, newNames(src, r.faults))
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Fatal(diff)
		}
	}
	if n := bytes.Count(want, []byte("diptych.Add(")); n != 50 {
		t.Errorf("%d tools, want 50", n)
	}
}

// BenchmarkThousand reads and prints a package of a thousand tools, the go command's part included.
func BenchmarkThousand(b *testing.B) {
	b.Setenv("GOWORK", "off")
	dir := thousand(b, 1000)
	for b.Loop() {
		l, err := load(context.Background(), Config{Dir: dir, Patterns: []string{"."}}, startProgress(io.Discard))
		if err != nil {
			b.Fatal(err)
		}
		r := newReader(l, dir)
		src := r.source(l.roots[0])
		if len(printPackage(src, newNames(src, r.faults))) == 0 {
			b.Fatal("nothing printed")
		}
	}
}
