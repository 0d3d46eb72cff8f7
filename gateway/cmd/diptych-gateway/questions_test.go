package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadQuestions(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                "",
		`{"questions": {"en": ["a", "b"]}}`: "",
		`{"questions": {"de": ["a"]}}`:      `does not speak "de"`,
		`{"questions": {"en": [""]}}`:       "is empty",
		`{"questions": {"pt": "a"}}`:        "cannot unmarshal",
		`{"questions": {"es": ["` + strings.Repeat("a", 201) + `"]}}`: "longer than 200",
		`{"questions": {"es": ["a", "a", "a", "a", "a", "a", "a"]}}`:  "more than 6",
	} {
		path := filepath.Join(t.TempDir(), "servers.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readQuestions(path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
		if diff := cmp.Diff([]string{"a", "b"}, got["en"]); err == nil && got != nil && diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
