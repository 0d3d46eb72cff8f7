package openai

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// What was written is complete when encoding/json says so, however it was cut into pieces.
func TestWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w written
		whole := ""
		for _, piece := range rapid.SliceOfN(rapid.SampledFrom([]string{"{", "}", "[", "]", `"`, `\`, `"a":1`, ",", " ", "{}", `{"a":"}`, `\"}"}`, "x", ""}), 1, 8).Draw(t, "pieces") {
			w.add(piece)
			whole += piece
			var object map[string]any
			var list []any
			bracketed := json.Unmarshal([]byte(whole), &object) == nil && object != nil || json.Unmarshal([]byte(whole), &list) == nil && list != nil
			if w.complete != bracketed || w.String() != whole {
				t.Fatalf("%q: complete %v", whole, w.complete)
			}
		}
	})
}

// Validity is not asked again for each letter of long arguments.
func TestWrittenLetterByLetter(t *testing.T) {
	var w written
	w.add(`{"a":"`)
	for range 1 << 20 {
		w.add("}")
	}
	w.add(`"}`)
	if !w.complete {
		t.Error("not complete")
	}
}
