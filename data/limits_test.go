package data

import (
	"fmt"
	"strings"
	"testing"
)

// TestLimits crosses bounds by one: what reaches a bound is accepted, and what passes it is refused.
func TestLimits(t *testing.T) {
	source := func(key string) func(int) string {
		return func(n int) string {
			return fmt.Sprintf(`{"sources":[{"url":"https://example.org/d",%q:%q}]}`, key, strings.Repeat("x", n))
		}
	}
	chart := func(kind, labels, datasets, more string) string {
		return fmt.Sprintf(`{"sources":["https://example.org/d"],"charts":[{"type":%q,"data":{"labels":%s,"datasets":[%s]}%s}]}`, kind, labels, datasets, more)
	}
	for name, c := range map[string]struct {
		limit int
		doc   func(n int) string
	}{
		"title":        {maxTitle, source("title")},
		"publisher":    {maxPublisher, source("publisher")},
		"retrieved_at": {maxRetrievedAt, source("retrieved_at")},
		"period":       {maxPeriod, source("period")},
		"rings": {maxSliceSets, func(n int) string {
			return chart("pie", `["a"]`, strings.TrimSuffix(strings.Repeat(`{"label":"l","data":[1]},`, n), ","), "")
		}},
		"digits": {maxDigits, func(n int) string {
			return chart("bar", `["a"]`, `{"label":"l","data":[1.`+strings.Repeat("0", n-2)+`]}`, "")
		}},
		"digits of a label": {maxLabelDigits, func(n int) string {
			return chart("bar", `[1.`+strings.Repeat("0", n-2)+`]`, `{"label":"l","data":[1]}`, "")
		}},
		"series": {maxSeries, func(n int) string {
			return chart("bar", `["a"]`, `{"label":"`+strings.Repeat("x", n)+`","data":[1]}`, "")
		}},
		"stack": {maxStack, func(n int) string {
			return chart("bar", `["a"]`, `{"label":"l","data":[1],"stack":"`+strings.Repeat("x", n)+`"}`, "")
		}},
		"title of a chart": {maxChartTitle, func(n int) string {
			return chart("bar", `["a"]`, `{"label":"l","data":[1]}`, `,"options":{"plugins":{"title":{"display":true,"text":"`+strings.Repeat("x", n)+`"}}}`)
		}},
	} {
		if err := Check([]byte(c.doc(c.limit))); err != nil {
			t.Errorf("%s of %d: %v", name, c.limit, err)
		}
		if Check([]byte(c.doc(c.limit+1))) == nil {
			t.Errorf("%s of %d is accepted", name, c.limit+1)
		}
	}
}
