package numbers

import (
	"slices"
	"testing"
)

// The figures of a range share what is written after the last of them.
func TestRanges(t *testing.T) {
	data := []string{"2500000", "12345678", "0.025", "0.123"}
	for prose, want := range map[string][]string{
		"From 2.5 to 12.3 million.":           {"2.5: present 2500000", "12.3 million: present 12345678"},
		"Between 2.5 and 12.3 million.":       {"2.5: present 2500000", "12.3 million: present 12345678"},
		"It is 2.5–12.3 million.":             {"2.5: present 2500000", "12.3 million: present 12345678"},
		"It is 2.5-12.3 million.":             {"2.5: present 2500000", "12.3 million: present 12345678"},
		"Subiu de 2,5 a 12,3 milhões.":        {"2,5: present 2500000", "12,3 milhões: present 12345678"},
		"Entre 2,5 e 12,3 milhões.":           {"2,5: present 2500000", "12,3 milhões: present 12345678"},
		"Subió de 2,5 a 12,3 millones.":       {"2,5: present 2500000", "12,3 millones: present 12345678"},
		"Desde 2,5 hasta 12,3 millones.":      {"2,5: present 2500000", "12,3 millones: present 12345678"},
		"It rose from 2.5 to 12.3 %.":         {"2.5: present 0.025", "12.3 %: present 0.123"},
		"It is 2.9 to 12.3 million.":          {"2.9: nowhere", "12.3 million: present 12345678"},
		"It is 2.5, of 12.3 million.":         {"2.5: nowhere", "12.3 million: present 12345678"},
		"It is 2.5 thousand to 12.3 million.": {"2.5 thousand: nowhere", "12.3 million: present 12345678"},
	} {
		if got := told(prose, Check(t.Context(), prose, data[:2], data[2:])); !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q\nwant %q", prose, got, want)
		}
	}
}
