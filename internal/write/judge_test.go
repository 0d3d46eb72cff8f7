package write

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A judge is an independent validator.
type judge struct{ schema *jsonschema.Schema }

func newJudge(schema []byte) (judge, error) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return judge{}, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	if err := c.AddResource("mem:///schema.json", parsed); err != nil {
		return judge{}, err
	}
	s, err := c.Compile("mem:///schema.json")
	return judge{s}, err
}

// accepts asks the judge about doc. It is not asked about what is no JSON in UTF-8, or has a key twice.
func (j judge) accepts(doc []byte) (ok bool, err error) {
	defer func() {
		if r := recover(); r != nil { // it panics on huge exponents under bounds
			err = fmt.Errorf("the judge panicked: %v", r)
		}
	}()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return false, err
	}
	return j.schema.Validate(v) == nil, nil
}

// covers checks texts against the document that they are blocks of, without knowing how it was cut: put one after the other
// they are the document, which has only brackets of lists and commas between them. Each is indented as encoding/json does.
func covers(doc []byte, texts []string) error {
	rest := string(doc)
	for i, text := range texts {
		after, ok := within(rest, text)
		for ; !ok && rest != "" && strings.ContainsRune("[],", rune(rest[0])); after, ok = within(rest, text) {
			rest = rest[1:]
		}
		if !ok {
			return fmt.Errorf("block %d is %q, and the document goes on with %.80s", i, text, rest)
		}
		rest = after
		var again bytes.Buffer
		if json.Indent(&again, []byte(text), "", "  ") == nil && unescaped(again.String()) != unescaped(text) && !strings.Contains(text, strings.Repeat("  ", 12)) {
			return fmt.Errorf("block %d is %q, want %q", i, text, again.String())
		}
	}
	if strings.Trim(rest, "[],") != "" || len(texts) == 0 {
		return fmt.Errorf("no block has %.80s", rest)
	}
	return nil
}

// within reports whether text is the value at the start of doc, and returns what comes after it.
func within(doc, text string) (after string, ok bool) {
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(text)) == nil {
		if after, ok := strings.CutPrefix(unescaped(doc), unescaped(compact.String())); ok {
			return after, true
		}
	}
	d := json.NewDecoder(strings.NewReader(doc)) // a string without its quotes
	var s string
	if d.Decode(&s) != nil || s != text || s == "" {
		return doc, false
	}
	return doc[d.InputOffset():], true
}

// unescaped is JSON in which the line separators are as ours: a release of encoding/json may escape them when it indents.
func unescaped(s string) string {
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(s)
}
