package docs

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/internal/wiretest"
)

// A show collects what tools publish and answer, under names that the pages use.
type show struct {
	t    *testing.T
	said map[string]string
}

func newShow(t *testing.T) *show { return &show{t: t, said: map[string]string{}} }

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "guide", Version: "1.0.0"}, nil)
}

// add publishes fn alone on a server, calls it over the wire, and keeps, for a name x: x, the output schema and both
// panels together; x.value, the same without the wrapper's schema; x.input, x.schema, x.structured, x.content and x.error, each on its own; x.log, the server's log.
func add[In, Out any](s *show, name, tool, args string, fn diptych.Func[In, Out], opts ...diptych.Option) {
	s.t.Helper()
	publish(s, name, &mcp.Tool{Name: tool}, args, fn, opts...)
}

func publish[In, Out any](s *show, name string, t *mcp.Tool, args string, fn diptych.Func[In, Out], opts ...diptych.Option) {
	s.t.Helper()
	server := newServer()
	var log bytes.Buffer
	opts = append([]diptych.Option{diptych.Logger(quiet(&log))}, opts...)
	if err := diptych.Add(server, t, fn, opts...); err != nil {
		s.t.Errorf("%s: %v", name, err)
		return
	}
	s.call(name, server, t.Name, args)
	s.said[name+".log"] = strings.TrimSuffix(log.String(), "\n")
}

// quiet is a log without the time, which differs from run to run, and without the rest of a stack.
func quiet(log *bytes.Buffer) *slog.Logger {
	return slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch a.Key {
		case slog.TimeKey:
			return slog.Attr{}
		case "stack":
			return slog.String("stack", "goroutine 12 [running]: …")
		}
		return a
	}}))
}

// refused keeps the error with which a tool is not published.
func refused[In, Out any](s *show, name, tool string, fn diptych.Func[In, Out], opts ...diptych.Option) {
	s.t.Helper()
	err := diptych.Add(newServer(), &mcp.Tool{Name: tool}, fn, opts...)
	if err == nil {
		s.t.Errorf("%s was published", name)
		return
	}
	s.said[name] = err.Error()
}

// call calls a tool of a server and keeps what it publishes and answers.
func (s *show) call(name string, server *mcp.Server, tool, args string) {
	s.t.Helper()
	peer, err := wiretest.Pipe(s.t.Context(), server, wiretest.Modern)
	if err != nil {
		s.t.Fatal(err)
	}
	s.ask(name, peer, tool, args)
}

// ask calls a tool of a peer's server in the same way.
func (s *show) ask(name string, peer *wiretest.Peer, tool, args string) {
	s.t.Helper()
	tools, err := peer.Tools(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	i := slices.IndexFunc(tools, func(t wiretest.Tool) bool { return t.Name == tool })
	if i < 0 {
		s.t.Errorf("%s: no tool %s", name, tool)
		return
	}
	raw, err := peer.Request(s.t.Context(), "tools/call", map[string]any{"name": tool, "arguments": json.RawMessage(args)})
	if err != nil {
		s.said[name+".error"] = err.Error()
		return
	}
	var res struct {
		Content           []json.RawMessage
		StructuredContent json.RawMessage
		IsError           bool
		Meta              json.RawMessage `json:"_meta"`
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		s.t.Fatal(err)
	}
	var texts []string
	for _, block := range res.Content {
		var text wiretest.Block
		if err := json.Unmarshal(block, &text); err != nil {
			s.t.Fatal(err)
		}
		if text.Type != "text" {
			text.Text = fold(block, columns-indent)
		}
		texts = append(texts, text.Text)
	}
	content := strings.Join(texts, "\n")
	s.said[name+".input"] = fold(tools[i].InputSchema, columns)
	s.said[name+".schema"] = fold(tools[i].OutputSchema, columns)
	s.said[name+".structured"] = fold(res.StructuredContent, columns)
	s.said[name+".content"] = content
	var parts []string
	if res.IsError {
		s.said[name+".error"] = content
		parts = append(parts, labelled("error", content))
	} else {
		parts = append(parts, labelled("schema", fold(tools[i].OutputSchema, columns-indent)),
			labelled("structured", fold(res.StructuredContent, columns-indent)))
		for _, text := range texts {
			parts = append(parts, labelled("content", text))
		}
		if meta := withoutServer(res.Meta); meta != nil {
			parts = append(parts, labelled("_meta", fold(meta, columns-indent)))
		}
	}
	s.said[name] = strings.Join(parts, "\n")
	var wrapper struct {
		Properties struct{ Result json.RawMessage }
	}
	if json.Unmarshal(tools[i].OutputSchema, &wrapper) == nil && wrapper.Properties.Result != nil && !res.IsError {
		parts[0] = labelled("schema", `… "result": `+fold(wrapper.Properties.Result, columns-indent-14)+" …")
		s.said[name+".value"] = strings.Join(parts, "\n")
	}
}

// withoutServer removes what the SDK writes about the server into every result's _meta.
func withoutServer(meta json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(meta, &members) != nil {
		return nil
	}
	delete(members, "io.modelcontextprotocol/serverInfo")
	if len(members) == 0 {
		return nil
	}
	left, _ := json.Marshal(members) // it was JSON before
	return left
}

const columns, indent = 110, 12

// labelled is text with a label before it and all its lines below one another.
func labelled(label, text string) string {
	pad := strings.Repeat(" ", indent)
	return label + pad[len(label):] + strings.ReplaceAll(text, "\n", "\n"+pad)
}

// fold lays JSON out so that what fits on a line stays on it. Keys and digits stay as they came.
func fold(raw json.RawMessage, width int) string {
	if raw == nil {
		return "none"
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "") != nil {
		return string(raw)
	}
	short := strings.ReplaceAll(strings.ReplaceAll(b.String(), ",\n", ", "), "\n", "")
	if len(short) <= width || raw[0] != '{' && raw[0] != '[' {
		return short
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	_, _ = d.Token() // the bracket; what follows is valid, or Indent had said so
	var parts []string
	for d.More() {
		key := ""
		if raw[0] == '{' {
			name, _ := d.Token()
			quoted, _ := json.Marshal(name)
			key = string(quoted) + ": "
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return string(raw)
		}
		text := fold(value, width-2-len(key)-1)
		if strings.Contains(text, "\n") {
			text = fold(value, width-2-1) // only the opening bracket is beside the key
		}
		parts = append(parts, key+text)
	}
	return string(raw[:1]) + "\n  " + strings.ReplaceAll(strings.Join(parts, ",\n"), "\n", "\n  ") + "\n" + string(raw[len(raw)-1:])
}

// exported lists the names of the library, with a count.
func exported(t *testing.T) string {
	t.Helper()
	files := token.NewFileSet()
	var all []*ast.File
	paths, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	p, err := doc.NewFromFiles(files, all, "github.com/diptych-mcp/diptych")
	if err != nil {
		t.Fatal(err)
	}
	var types, functions, constants []string
	for _, f := range p.Funcs {
		functions = append(functions, f.Name)
	}
	for _, typ := range p.Types {
		types = append(types, typ.Name)
		for _, f := range typ.Funcs {
			functions = append(functions, f.Name)
		}
	}
	for _, c := range p.Consts {
		constants = append(constants, c.Names...)
	}
	slices.Sort(functions)
	var lines []string
	for _, group := range []struct {
		label string
		names []string
	}{{"functions", functions}, {"types", types}, {"constants", constants}} {
		lines = append(lines, labelled(group.label, wrap(group.names, columns-indent)))
	}
	count := len(functions) + len(types) + len(constants)
	return strings.Join(append(lines, labelled("together", strconv.Itoa(count))), "\n")
}

// wrap sets words in lines.
func wrap(words []string, width int) string {
	var b strings.Builder
	line := 0
	for _, w := range words {
		switch {
		case line > 0 && line+1+len(w) > width:
			b.WriteByte('\n')
			line = 0
		case line > 0:
			b.WriteByte(' ')
			line++
		}
		b.WriteString(w)
		line += len(w)
	}
	return b.String()
}

// none is what a tool without arguments takes.
type none = struct{}
