package data

import (
	"fmt"
	"testing"
)

type row struct {
	City       string  `json:"city"`
	Country    string  `json:"country"`
	Population int64   `json:"population"`
	Share      float64 `json:"share"`
}

// The largest table that fits: its making, and its check.
func BenchmarkResult(b *testing.B) {
	rows := make([]row, 5000)
	for i := range rows {
		rows[i] = row{fmt.Sprint("City ", i), "JP", int64(1000003 * i), float64(i) / 7}
	}
	doc, err := NewResult("words", Source{URL: dataURL}, TableOf(rows)).structured()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("build", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = TableOf(rows)
		}
	})
	b.Run("check", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(doc)))
		for b.Loop() {
			if err := Check(doc); err != nil {
				b.Fatal(err)
			}
		}
	})
}
