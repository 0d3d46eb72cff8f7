package web

// A model's Markdown as a tree that the page builds node by node. Nothing in it is markup on arrival: goldmark renders,
// bluemonday strikes out what is not listed, and what is left becomes a tree of known names.

import (
	"bytes"
	"errors"
	"net/url"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"
	"golang.org/x/net/idna"
)

// A proseNode is a string, or a list: a name, an object of attributes, and children.
type proseNode any

// A span is a part of the Markdown, in bytes.
type span struct{ start, end int }

// prose renders and never fails: what cannot be read as Markdown, or could become too much, is one text. Text within the
// spans, which are in order, is marked.
func prose(markdown string, marked ...span) []proseNode {
	if !simple(markdown) {
		return []proseNode{markdown}
	}
	var rendered limitedBuffer
	with := parser.NewContext()
	with.Set(markedSpans, marked)
	if err := markdownRules.Convert([]byte(markdown), &rendered, parser.WithContext(with)); err != nil {
		return []proseNode{markdown}
	}
	clean := proseRules.SanitizeReader(&rendered.Buffer)
	root, err := html.Parse(clean)
	if err != nil {
		return []proseNode{markdown}
	}
	return children(bodyOf(root), 0)
}

// A limitedBuffer takes so many bytes and no more.
type limitedBuffer struct{ bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxRendered {
		return 0, errors.New("the text becomes too much HTML")
	}
	return b.Buffer.Write(p)
}

func bodyOf(n *html.Node) *html.Node {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == "body" {
			return c
		}
	}
	return n
}

func children(n *html.Node, depth int) []proseNode {
	list := []proseNode{}
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode:
			list = append(list, c.Data)
		case c.Type != html.ElementNode:
		case depth >= maxDepth:
			list = append(list, textOf(c))
		default:
			attributes := map[string]string{}
			for _, a := range c.Attr {
				attributes[a.Key] = a.Val
			}
			list = append(list, append([]proseNode{c.Data, attributes}, children(c, depth+1)...))
		}
	}
	return list
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

var proseRules = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "em", "strong", "del", "code", "pre", "blockquote",
		"ul", "ol", "li", "mark", "bdi", "table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowURLSchemes("http", "https")
	p.RequireParseableURLs(true)
	return p
}()

var markdownRules = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)), extension.Strikethrough),
	goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(linkRules{}, 100), util.Prioritized(markRules{}, 200))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(rawAsText{}, 100), util.Prioritized(marksAsMarkup{}, 100))),
)

// linkRules leave a link only where it leads to a web page, followed by its host, for a model may have named it
// anything. An image is never loaded: its description is shown instead.
type linkRules struct{}

func (linkRules) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var links, images []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n.(type) {
			case *ast.Link, *ast.AutoLink:
				links = append(links, n)
			case *ast.Image:
				images = append(images, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, n := range images {
		unwrap(n)
	}
	for _, n := range links {
		switch n := n.(type) {
		case *ast.Link:
			host, ok := webHost(string(n.Destination))
			if !ok {
				unwrap(n)
				continue
			}
			n.Title = nil
			tellHost(n, host)
		case *ast.AutoLink:
			label := n.Label(reader.Source())
			switch host, ok := webHost(string(n.URL(reader.Source()))); {
			case !ok:
				n.Parent().ReplaceChild(n.Parent(), n, ast.NewString(label))
			case !bytes.Contains(bytes.ToLower(label), []byte(host)): // letters of another alphabet
				tellHost(n, host)
			}
		}
	}
}

// tellHost puts a host after a link, out of reach of characters before it that turn the direction of text.
func tellHost(link ast.Node, host string) {
	told := ast.NewString([]byte("<bdi> (" + html.EscapeString(host) + ")</bdi>"))
	told.SetCode(true) // written unchanged
	link.Parent().InsertAfter(link.Parent(), link, told)
}

func unwrap(n ast.Node) {
	parent := n.Parent()
	for c := n.FirstChild(); c != nil; c = n.FirstChild() {
		n.RemoveChild(n, c)
		parent.InsertBefore(parent, n, c)
	}
	parent.RemoveChild(parent, n)
}

// webHost gives the host, in the letters that are looked up, of an absolute http or https URL without credentials.
func webHost(destination string) (string, bool) {
	u, err := url.Parse(destination)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || strings.ContainsAny(destination, "\\\t\r\n") {
		return "", false
	}
	name, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil {
		return "", false
	}
	if port := u.Port(); port != "" {
		name += ":" + port
	}
	return name, true
}

// rawAsText shows HTML in Markdown as the characters that it is.
type rawAsText struct{}

func (rawAsText) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			writeLines(w, source, n.(*ast.RawHTML).Segments)
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.HTMLBlock)
		_, _ = w.WriteString("<p>")
		writeLines(w, source, block.Lines())
		if block.HasClosure() {
			_, _ = w.Write(util.EscapeHTML(block.ClosureLine.Value(source)))
		}
		_, _ = w.WriteString("</p>\n")
		return ast.WalkContinue, nil
	})
}

func writeLines(w util.BufWriter, source []byte, lines *text.Segments) {
	for i := range lines.Len() {
		segment := lines.At(i)
		_, _ = w.Write(util.EscapeHTML(segment.Value(source)))
	}
}
