package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Unions of unions multiply, and the comparison ends all the same.
func TestPairsEnd(t *testing.T) {
	union := func(kind string) []byte {
		defs := `"U0":{"type":"` + kind + `"}`
		for i := 1; i < 12; i++ {
			arms := strings.TrimSuffix(strings.Repeat(fmt.Sprintf(`{"type":"object","properties":{"p":{"$ref":"#/$defs/U%d"}}},`, i-1), 4), ",")
			defs += fmt.Sprintf(`,"U%d":{"anyOf":[%s]}`, i, arms)
		}
		return []byte(`{"type":"object","$defs":{` + defs + `},"properties":{"a":{"$ref":"#/$defs/U11"}}}`)
	}
	done := make(chan []Change, 1)
	go func() { done <- side(union("string"), union("integer"), true) }()
	select {
	case changes := <-done:
		if worst(changes) == "" || worst(changes) == "safe" {
			t.Errorf("%+v", changes)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the comparison does not end")
	}
}

func TestSamplesEnd(t *testing.T) {
	var properties []string
	for i := range maxValues {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"boolean"}`, i))
	}
	for name, schema := range map[string]string{
		"many properties": `{"type":"object","properties":{` + strings.Join(properties, ",") + `}}`,
		"a recursive one": `{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"$ref":"#"}}}`,
	} {
		s, err := usable([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		docs := samples(s.root)
		if len(docs) > maxValues || len(docs) < 3 {
			t.Errorf("%s: %d samples", name, len(docs))
		}
		for _, doc := range docs[1:] {
			if len(doc) > maxValue {
				t.Errorf("%s: a sample of %d bytes", name, len(doc))
			}
		}
	}
	if got := shown([]byte(strings.Repeat("x", maxShown+1))); got != strings.Repeat("x", maxShown)+"…" {
		t.Errorf("got %q", got)
	}
}
