package web

import (
	"encoding/json"
	"strings"
	"testing"
)

func tree(t *testing.T, markdown string) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(prose(markdown)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdown(t *testing.T) {
	for markdown, want := range map[string]string{
		"a *b* **c** `d`":                 `[["p",{},"a ",["em",{},"b"]," ",["strong",{},"c"]," ",["code",{},"d"]]`,
		"[x](https://a.example/y)":        `["a",{"href":"https://a.example/y"},"x"],["bdi",{}," (a.example)"]`,
		"[x](https://\u0430.example)":     `"x"],["bdi",{}," (xn--80a.example)"]`,
		"<https://\u0430.example/>":       "\"https://\u0430.example/\"],[\"bdi\",{},\" (xn--80a.example)\"]",
		"<https://a.example/>":            `["a",{"href":"https://a.example/"},"https://a.example/"]]`,
		"![alt](https://a.example/i.png)": `[["p",{},"alt"]`,
		"3. x":                            `["ol",{"start":"3"}`,
		"|a|\n|-|\n|1|":                   `["td",{},"1"]`,
		"~~x~~":                           `["del",{},"x"]`,
		"<b>x</b>":                        `"<b>x</b>"`,
		"<script>\nx\n</script>":          `["p",{},"<script>\nx\n</script>"]`,
	} {
		if got := tree(t, markdown); !strings.Contains(got, want) {
			t.Errorf("%q:\n got %s want %s", markdown, got, want)
		}
	}
}

// No link leaves the page but to http and https, none without its host, no element but those listed.
func TestHostileMarkdown(t *testing.T) {
	for _, markdown := range []string{
		"[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](java\nscript:alert(1))", "[x](data:text/html,<script>1</script>)", "<javascript:alert(1)>",
		"[x](vbscript:x)", "[x](file:///etc/passwd)", "[x](//evil.example)", "[x](/runs)", "[x](https://user:pass@evil.example)", "[x](https:evil.example)",
		"[x](https://evil.example\\@good.example)", "[x](http://)", "![x](https://evil.example/?q=secret)", "![x](data:image/png;base64,AA)",
		"<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<iframe src=//evil.example>", "<a href=javascript:alert(1)>x</a>", "<style>*{}</style>",
		"<base href=//evil.example>", "<meta http-equiv=refresh content=0>", "&lt;script&gt;alert(1)&lt;/script&gt;", "[![i](https://evil.example/i)](javascript:x)",
		"[x][r]\n\n[r]: javascript:alert(1)", "`<script>`", "```html\n<script>alert(1)</script>\n```", "<!-- <script> -->", "<![CDATA[<script>]]>", "<?php x ?>",
		strings.Repeat("> ", 3000) + "x", strings.Repeat("[", 5000), strings.Repeat("*a ", 3000), strings.Repeat("- ", 2000) + "x", "\x00\xff<b", "[x](https://%zz)",
	} {
		check(t, markdown, prose(markdown), 0)
	}
}

func check(t *testing.T, markdown string, list []proseNode, depth int) {
	t.Helper()
	for _, node := range list {
		element, ok := node.([]proseNode)
		if !ok {
			if _, ok := node.(string); !ok {
				t.Errorf("%.60q: a node that is neither text nor element", markdown)
			}
			continue
		}
		name, attributes := element[0].(string), element[1].(map[string]string)
		for key, value := range attributes {
			if !(name == "a" && key == "href" && (strings.HasPrefix(value, "https://") || strings.HasPrefix(value, "http://"))) && !(name == "ol" && key == "start") {
				t.Errorf("%.60q: %s has %s=%q", markdown, name, key, value)
			}
		}
		if strings.Contains("script img svg iframe style base meta form input object embed", name) && len(name) > 2 {
			t.Errorf("%.60q: an element %s", markdown, name)
		}
		if depth > maxDepth {
			t.Fatalf("%.60q: deeper than %d", markdown, maxDepth)
		}
		check(t, markdown, element[2:], depth+1)
	}
}

func TestMarks(t *testing.T) {
	const text = "It is 12 and **34**, `56` or\n[78](https://a.example) 9."
	var spans []span
	for _, figure := range []string{"12", "34", "56", "78", "9."} {
		at := strings.Index(text, figure)
		spans = append(spans, span{at, at + len(figure)})
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(prose(text, spans...)); err != nil {
		t.Fatal(err)
	}
	want := `[["p",{},"It is ",["mark",{},"12"]," and ",["strong",{},["mark",{},"34"]],", ",["code",{},"56"]," or\n",` +
		`["a",{"href":"https://a.example"},["mark",{},"78"]],["bdi",{}," (a.example)"]," ",["mark",{},"9."]],"\n"]` + "\n"
	if b.String() != want {
		t.Errorf("got  %s want %s", b.String(), want)
	}
	prose(text, span{-5, 3}, span{4, 1000}) // whatever the check says
	found, err := nowhere(json.RawMessage(`[{"Start":1,"End":3,"Verdict":"nowhere"},{"start":2,"end":4,"verdict":"nowhere"},{"Start":5,"End":6,"Verdict":"present"}]`))
	if err != nil || len(found) != 1 || found[0] != (span{1, 3}) {
		t.Errorf("nowhere: %v %v", found, err)
	}
}

// Markdown whose cost grows with the square of its length is shown as it was written before it costs much.
func TestProseThatIsTooMuch(t *testing.T) {
	for name, text := range map[string]string{
		"a long line": strings.Repeat("> - ", maxLine/4+1), "long": strings.Repeat("**a_b\n", maxProse/6+1),
	} {
		if got := prose(text); len(got) != 1 || got[0] != text {
			t.Errorf("%s: %d nodes", name, len(got))
		}
	}
	if got := prose(strings.Repeat("a *b*\n\n", maxProse/10)); len(got) < 2 {
		t.Error("a long answer is not read as Markdown")
	}
}
