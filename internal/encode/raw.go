package encode

import (
	"reflect"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// maxRawDepth is encoding/json's bound on how deep JSON text may nest.
const maxRawDepth = 10000

// writeRaw writes a json.RawMessage. Where that is nil, encoding/json says null.
func writeRaw(dst []byte, v reflect.Value, depth int) ([]byte, *fault) {
	if v.IsNil() {
		return append(dst, "null"...), nil
	}
	return promise{}.write(dst, v, depth)
}

// splitRaw marks raw JSON as one block, and a string in it as bare: nothing is known of it but what it says.
func splitRaw(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, *fault) {
	start := len(dst)
	dst, f := writeRaw(dst, v, depth)
	if f != nil {
		return dst, blocks, f
	}
	return dst, append(blocks, Block{start, len(dst), dst[start] == '"'}), nil
}

// A promise writes raw JSON of which the shape is known; the check behind holds it to that.
type promise struct{ shape *shape.Shape }

func (p promise) write(dst []byte, v reflect.Value, _ int) ([]byte, *fault) {
	src := v.Bytes()
	if skipSpace(src, 0) == len(src) {
		return dst, broken(ruleNoRaw, nil)
	}
	dst, ok := appendCompact(dst, src)
	if !ok {
		return dst, broken(ruleBadRaw, nil)
	}
	return dst, nil
}

func (p promise) split(dst []byte, blocks []Block, v reflect.Value, depth int) ([]byte, []Block, *fault) {
	start := len(dst)
	dst, f := p.write(dst, v, depth)
	if f != nil {
		return dst, blocks, f
	}
	_, blocks = markRaw(dst, start, blocks, p.shape)
	return dst, blocks, nil
}

// appendCompact appends src without the space between its tokens, if src is exactly one JSON value. Nothing that is
// less or more gets through, so that raw JSON cannot reach out of its place in the document.
func appendCompact(dst, src []byte) ([]byte, bool) {
	c := compactor{dst: dst, src: src}
	c.space()
	ok := c.value(0)
	c.space()
	if !ok || c.at != len(src) {
		return dst, false
	}
	c.flush()
	return c.dst, true
}

// A compactor reads JSON text and copies what is not space.
type compactor struct {
	dst, src []byte
	at       int // the next byte to read
	copied   int // what lies before is in dst
}

func (c *compactor) flush() {
	c.dst = append(c.dst, c.src[c.copied:c.at]...)
	c.copied = c.at
}

// space skips the space before the next token and returns that token's first byte, or 0 at the end.
func (c *compactor) space() byte {
	if c.at < len(c.src) && c.src[c.at] > ' ' {
		return c.src[c.at]
	}
	if end := skipSpace(c.src, c.at); end > c.at {
		c.flush()
		c.at, c.copied = end, end
	}
	if c.at == len(c.src) {
		return 0
	}
	return c.src[c.at]
}

func (c *compactor) value(depth int) bool {
	if c.at == len(c.src) {
		return false
	}
	switch c.src[c.at] {
	case '{':
		return depth < maxRawDepth && c.members(depth+1)
	case '[':
		return depth < maxRawDepth && c.items(depth+1)
	case '"':
		return c.to(endOfString(c.src, c.at))
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	}
	return c.to(endOfNumber(c.src, c.at))
}

func (c *compactor) items(depth int) bool {
	c.at++
	if c.space() == ']' {
		c.at++
		return true
	}
	for {
		c.space()
		if !c.value(depth) {
			return false
		}
		switch c.space() {
		case ',':
			c.at++
		case ']':
			c.at++
			return true
		default:
			return false
		}
	}
}

func (c *compactor) members(depth int) bool {
	c.at++
	if c.space() == '}' {
		c.at++
		return true
	}
	for {
		if c.space() != '"' || !c.to(endOfString(c.src, c.at)) || c.space() != ':' {
			return false
		}
		c.at++
		c.space()
		if !c.value(depth) {
			return false
		}
		switch c.space() {
		case ',':
			c.at++
		case '}':
			c.at++
			return true
		default:
			return false
		}
	}
}

// to moves on to the end of a token; -1 says that there is none.
func (c *compactor) to(end int) bool {
	if end < 0 {
		return false
	}
	c.at = end
	return true
}

func (c *compactor) word(w string) bool {
	end := c.at + len(w)
	if end > len(c.src) || string(c.src[c.at:end]) != w {
		return false
	}
	c.at = end
	return true
}
