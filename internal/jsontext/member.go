package jsontext

// A Span is the place of a value in a text.
type Span struct{ Start, End int }

// Of returns the part of b at s.
func (s Span) Of(b []byte) []byte { return b[s.Start:s.End] }

// Members calls f for each member of the object at i, before which there may be white space, in the order of the text,
// repeated ones too. It returns the index after the object, or -1 where it is not valid or nests deeper than depth; what
// f was given before is valid in itself. The name is without quotes and escapes, and may be a part of b. A nil f only
// skips.
func Members(b []byte, i, depth int, f func(name []byte, value Span)) int {
	if i = SkipSpace(b, i); i >= len(b) || b[i] != '{' || depth <= 0 {
		return -1
	}
	if i = SkipSpace(b, i+1); i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		name := Span{i, SkipString(b, i)}
		if name.End < 0 {
			return -1
		}
		if i = SkipSpace(b, name.End); i >= len(b) || b[i] != ':' {
			return -1
		}
		i = SkipSpace(b, i+1)
		value := Span{i, Skip(b, i, depth-1)}
		if value.End < 0 {
			return -1
		}
		if f != nil {
			f(unquote(name.Of(b)), value)
		}
		if i = SkipSpace(b, value.End); i >= len(b) {
			return -1
		}
		switch b[i] {
		case ',':
			i = SkipSpace(b, i+1)
		case '}':
			return i + 1
		default:
			return -1
		}
	}
}

// Items is Members for the items of an array.
func Items(b []byte, i, depth int, f func(item Span)) int {
	if i = SkipSpace(b, i); i >= len(b) || b[i] != '[' || depth <= 0 {
		return -1
	}
	if i = SkipSpace(b, i+1); i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		item := Span{i, Skip(b, i, depth-1)}
		if item.End < 0 {
			return -1
		}
		if f != nil {
			f(item)
		}
		if i = SkipSpace(b, item.End); i >= len(b) {
			return -1
		}
		switch b[i] {
		case ',':
			i = SkipSpace(b, i+1)
		case ']':
			return i + 1
		default:
			return -1
		}
	}
}
