package main

// The questions that the page offers before anything was asked.

import (
	"encoding/json"
	"fmt"
	"os"
	"unicode/utf8"
)

// readQuestions reads them from the file that names the servers, by the language of the page: "questions": {"en": ["…"]}.
// There may be none.
func readQuestions(path string) (map[string][]string, error) {
	text, err := os.ReadFile(path) // the servers were read from it before, so it is not large
	if err != nil {
		return nil, err
	}
	var file struct {
		Questions map[string][]string `json:"questions"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for language, list := range file.Questions {
		if language != "en" && language != "pt" && language != "es" {
			return nil, fmt.Errorf("%s: questions: the page does not speak %q; write en, pt or es", path, language)
		}
		if len(list) > maxQuestions {
			return nil, fmt.Errorf("%s: questions: %q has more than %d; keep the best", path, language, maxQuestions)
		}
		for _, q := range list {
			if q == "" || utf8.RuneCountInString(q) > maxQuestion {
				return nil, fmt.Errorf("%s: questions: one of %q is empty or longer than %d characters; change it", path, language, maxQuestion)
			}
		}
	}
	return file.Questions, nil
}
