package exact

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/diptych-mcp/diptych/internal/jsontext"
)

// This file moves raw bytes to where they survive decoding. Where the peer repeats a key, every occurrence is
// rewritten, so that it does not matter which one the decoder takes.

// An edit replaces a part of a message, by text or, when text is nil, by itself as a JSON string.
type edit struct {
	jsontext.Span
	text []byte
}

// rewriteMessage rewrites the result in a JSON-RPC message, or the parameters of a question to the user; about says which
// call that came with. It returns b itself where there is nothing to do, and whether the message is a request that wants
// an answer.
func rewriteMessage(b []byte, about string) (_ []byte, request bool) {
	var edits []edit
	var params []jsontext.Span
	var id bool
	var method string
	end := jsontext.Members(b, 0, jsontext.MaxDepth, func(name []byte, v jsontext.Span) {
		switch string(name) {
		case "id":
			id = id || b[v.Start] != 'n'
		case "result":
			edits = appendResult(edits, b, v)
		case "params":
			params = append(params, v)
		case "method":
			if b[v.Start] == '"' && method != methodElicit { // a repeated one may be the one that is taken
				method = jsontext.Unquote(v.Of(b))
			}
		}
	})
	if end < 0 || jsontext.SkipSpace(b, end) != len(b) {
		return b, false
	}
	switch method {
	case methodElicit:
		for _, v := range params {
			edits = appendQuestion(edits, b, v, about)
		}
	case methodComplete:
		edits = appendParams(edits, b, params)
	}
	return apply(b, edits), id && method != ""
}

// appendParams appends the edits that give a message parameters, where it has none.
func appendParams(edits []edit, b []byte, params []jsontext.Span) []edit {
	if params == nil {
		after := jsontext.SkipSpace(b, 0) + 1
		return append(edits, edit{jsontext.Span{Start: after, End: after}, []byte(`"params":{},`)})
	}
	for _, v := range params {
		if b[v.Start] == 'n' {
			edits = append(edits, edit{v, []byte("{}")})
		}
	}
	return edits
}

// rewriteResult rewrites a result without the message around it.
func rewriteResult(b []byte) []byte {
	at, ok := jsontext.Only(b, jsontext.MaxDepth)
	if !ok || b[at.Start] != '{' {
		return b
	}
	return apply(b, appendResult(nil, b, at))
}

// appendResult appends the edits for the result at v, which is valid JSON.
func appendResult(edits []edit, b []byte, v jsontext.Span) []edit {
	var metas, contents []jsontext.Span
	jsontext.Members(b, v.Start, jsontext.MaxDepth, func(name []byte, v jsontext.Span) {
		switch string(name) {
		case "structuredContent":
			contents = append(contents, v)
		case "_meta":
			metas = append(metas, v)
		case "tools":
			jsontext.Items(b, v.Start, jsontext.MaxDepth, func(item jsontext.Span) { edits = appendTool(edits, b, item) })
		case "inputRequests":
			jsontext.Members(b, v.Start, jsontext.MaxDepth, func(_ []byte, v jsontext.Span) {
				jsontext.Members(b, v.Start, jsontext.MaxDepth, func(name []byte, v jsontext.Span) {
					if string(name) == "params" {
						edits = appendQuestion(edits, b, v, "")
					}
				})
			})
		}
	})
	if contents == nil {
		return appendMark(edits, b, v, metas, nil)
	}
	form := asText
	for _, c := range contents {
		// The decoder would replace bytes that are no UTF-8, and what they were would be lost.
		if !utf8.Valid(c.Of(b)) {
			form = asBase64
		}
	}
	for _, c := range contents {
		e := edit{Span: c}
		if form == asBase64 {
			e.text = jsontext.AppendString(nil, base64.StdEncoding.AppendEncode(nil, c.Of(b)))
		}
		edits = append(edits, e)
	}
	return appendMark(edits, b, v, metas, jsontext.AppendString(nil, form))
}

// appendTool appends the edits for one listed tool.
func appendTool(edits []edit, b []byte, v jsontext.Span) []edit {
	var metas []jsontext.Span
	// The last of a repeated key is the one that the SDK's decoder takes.
	var input, output *jsontext.Span
	jsontext.Members(b, v.Start, jsontext.MaxDepth, func(name []byte, v jsontext.Span) {
		switch string(name) {
		case "inputSchema":
			input = &v
			edits = appendStandIn(edits, b, v)
		case "outputSchema":
			output = &v
			edits = appendStandIn(edits, b, v)
		case "_meta":
			metas = append(metas, v)
		}
	})
	if b[v.Start] != '{' {
		return edits
	}
	value := []byte{'{'}
	if input != nil {
		value = jsontext.AppendString(append(value, `"inputSchema":`...), input.Of(b))
	}
	if output != nil {
		if input != nil {
			value = append(value, ',')
		}
		value = jsontext.AppendString(append(value, `"outputSchema":`...), output.Of(b))
	}
	return appendMark(edits, b, v, metas, append(value, '}'))
}

// appendStandIn replaces a schema that the SDK cannot decode, such as one with a bound of 1e100000: one of those would cost the
// whole list. Its text is in the mark, where a reader of schemas finds it and refuses that tool alone.
func appendStandIn(edits []edit, b []byte, v jsontext.Span) []edit {
	var decoded any
	if json.Unmarshal(v.Of(b), &decoded) == nil {
		return edits
	}
	return append(edits, edit{v, []byte(`{"type":"object"}`)})
}

// appendMark appends the edits that put value under the mark in the object at v, whose _meta are at metas, and that
// remove every other mark. Without a value they only remove.
func appendMark(edits []edit, b []byte, v jsontext.Span, metas []jsontext.Span, value []byte) []edit {
	placed := value == nil
	for _, m := range metas {
		switch b[m.Start] {
		case '{':
			var kept []byte
			forged := false
			jsontext.Members(b, m.Start, jsontext.MaxDepth, func(name []byte, v jsontext.Span) {
				if string(name) == mark {
					forged = true
					return
				}
				kept = append(appendName(kept, string(name)), v.Of(b)...)
			})
			if value == nil && !forged {
				continue
			}
			if value != nil {
				kept = append(appendName(kept, mark), value...)
			}
			edits = append(edits, edit{m, object(kept)})
			placed = true
		case 'n':
			if value != nil {
				edits = append(edits, edit{m, object(append(appendName(nil, mark), value...))})
				placed = true
			}
		}
	}
	if !placed {
		meta := append(appendName(nil, "_meta"), object(append(appendName(nil, mark), value...))...)
		if at := jsontext.SkipSpace(b, v.Start+1); b[at] != '}' {
			meta = append(meta, ',')
		}
		edits = append(edits, edit{jsontext.Span{Start: v.Start + 1, End: v.Start + 1}, meta})
	}
	return edits
}

// appendName appends a member's name to a list of members.
func appendName(list []byte, name string) []byte {
	if len(list) > 0 {
		list = append(list, ',')
	}
	return append(jsontext.AppendString(list, name), ':')
}

func object(list []byte) []byte {
	return append(append([]byte{'{'}, list...), '}')
}

// apply returns b with the edits made.
func apply(b []byte, edits []edit) []byte {
	if len(edits) == 0 {
		return b
	}
	slices.SortStableFunc(edits, func(x, y edit) int { return cmp.Compare(x.Start, y.Start) })
	size := len(b)
	for _, e := range edits {
		if e.text == nil {
			size += jsontext.StringLen(e.Of(b))
		} else {
			size += len(e.text)
		}
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		out = append(out, b[at:e.Start]...)
		if e.text == nil {
			out = jsontext.AppendString(out, e.Of(b))
		} else {
			out = append(out, e.text...)
		}
		at = e.End
	}
	return append(out, b[at:]...)
}
