package exact

import (
	"cmp"
	"encoding/base64"
	"slices"
	"unicode/utf8"
)

// This file moves raw bytes to where they survive decoding. Where the peer repeats a key, every occurrence is
// rewritten, so that it does not matter which one the decoder takes.

// An edit replaces a part of a message, by text or, when text is nil, by itself as a JSON string.
type edit struct {
	span
	text []byte
}

// rewriteMessage rewrites the result in a JSON-RPC message, or the question to the user; about says which call that
// came with. It returns b itself where there is nothing to do.
func rewriteMessage(b []byte, about string) []byte {
	var edits []edit
	var params []span
	asks := false
	end := members(b, 0, 0, func(name string, v span) {
		switch name {
		case "result":
			edits = appendResult(edits, b, v)
		case "params":
			params = append(params, v)
		case "method":
			asks = asks || unquote(b[v.start:v.end]) == methodElicit
		}
	})
	if end < 0 || space(b, end) != len(b) {
		return b
	}
	if asks {
		for _, v := range params {
			edits = appendQuestion(edits, b, v, about)
		}
	}
	return apply(b, edits)
}

// rewriteResult rewrites a result that stands alone.
func rewriteResult(b []byte) []byte {
	end := members(b, 0, 0, nil)
	if end < 0 || space(b, end) != len(b) {
		return b
	}
	return apply(b, appendResult(nil, b, span{space(b, 0), end}))
}

// appendResult appends the edits for the result at v, which is valid JSON.
func appendResult(edits []edit, b []byte, v span) []edit {
	var metas, contents []span
	members(b, v.start, 0, func(name string, v span) {
		switch name {
		case "structuredContent":
			contents = append(contents, v)
		case "_meta":
			metas = append(metas, v)
		case "tools":
			items(b, v.start, 0, func(item span) { edits = appendTool(edits, b, item) })
		case "inputRequests":
			members(b, v.start, 0, func(_ string, v span) {
				members(b, v.start, 0, func(name string, v span) {
					if name == "params" {
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
		// The decoder would replace bytes that are no UTF-8, and nobody could tell any more.
		if !utf8.Valid(b[c.start:c.end]) {
			form = asBase64
		}
	}
	for _, c := range contents {
		e := edit{span: c}
		if form == asBase64 {
			e.text = appendQuoted(nil, base64.StdEncoding.AppendEncode(nil, b[c.start:c.end]))
		}
		edits = append(edits, e)
	}
	return appendMark(edits, b, v, metas, appendQuoted(nil, []byte(form)))
}

// appendTool appends the edits for one listed tool.
func appendTool(edits []edit, b []byte, v span) []edit {
	var metas []span
	// The last of a repeated key is the one that the SDK's decoder takes.
	var input, output *span
	members(b, v.start, 0, func(name string, v span) {
		switch name {
		case "inputSchema":
			input = &v
		case "outputSchema":
			output = &v
		case "_meta":
			metas = append(metas, v)
		}
	})
	if b[v.start] != '{' {
		return edits
	}
	value := []byte{'{'}
	if input != nil {
		value = appendQuoted(append(value, `"inputSchema":`...), b[input.start:input.end])
	}
	if output != nil {
		if input != nil {
			value = append(value, ',')
		}
		value = appendQuoted(append(value, `"outputSchema":`...), b[output.start:output.end])
	}
	return appendMark(edits, b, v, metas, append(value, '}'))
}

// appendMark appends the edits that put value under the mark in the object at v, whose _meta stand at metas, and that
// remove every other mark. Without a value they only remove.
func appendMark(edits []edit, b []byte, v span, metas []span, value []byte) []edit {
	placed := value == nil
	for _, m := range metas {
		switch b[m.start] {
		case '{':
			var kept []byte
			forged := false
			members(b, m.start, 0, func(name string, v span) {
				if name == mark {
					forged = true
					return
				}
				kept = append(appendName(kept, name), b[v.start:v.end]...)
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
		if at := space(b, v.start+1); b[at] != '}' {
			meta = append(meta, ',')
		}
		edits = append(edits, edit{span{v.start + 1, v.start + 1}, meta})
	}
	return edits
}

// appendName appends a member's name to a list of members.
func appendName(list []byte, name string) []byte {
	if len(list) > 0 {
		list = append(list, ',')
	}
	return append(appendQuoted(list, []byte(name)), ':')
}

func object(list []byte) []byte {
	return append(append([]byte{'{'}, list...), '}')
}

// apply returns b with the edits made.
func apply(b []byte, edits []edit) []byte {
	if len(edits) == 0 {
		return b
	}
	slices.SortStableFunc(edits, func(x, y edit) int { return cmp.Compare(x.start, y.start) })
	size := len(b)
	for _, e := range edits {
		if e.text == nil {
			size += quoting(b[e.start:e.end])
		} else {
			size += len(e.text)
		}
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		out = append(out, b[at:e.start]...)
		if e.text == nil {
			out = appendQuoted(out, b[e.start:e.end])
		} else {
			out = append(out, e.text...)
		}
		at = e.end
	}
	return append(out, b[at:]...)
}

// quoting is how many bytes appendQuoted adds to s.
func quoting(s []byte) int {
	n := 2
	for _, c := range s {
		switch {
		case c == '"', c == '\\':
			n++
		case c < ' ':
			n += 5
		}
	}
	return n
}

// appendQuoted appends s as a JSON string.
func appendQuoted(dst, s []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i, c := range s {
		switch {
		case c == '"', c == '\\':
			dst = append(append(dst, s[start:i]...), '\\', c)
		case c < ' ':
			dst = append(append(dst, s[start:i]...), '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			continue
		}
		start = i + 1
	}
	return append(append(dst, s[start:]...), '"')
}
