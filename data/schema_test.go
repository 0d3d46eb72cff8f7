package data

import "testing"

// The published schema demands sources and takes every result that the check accepts. The judge is an independent validator.
func TestOutputSchema(t *testing.T) {
	s := compiled(t, outputSchema())
	for _, doc := range []string{`{}`, `{"sources":[]}`, `{"sources":null}`, `{"sources":"x"}`, `[]`, `null`} {
		if accepts(t, s, []byte(doc)) {
			t.Errorf("accepts %s", doc)
		}
	}
	for _, c := range checkCases(t) {
		if len(c.Want) == 0 && !accepts(t, s, c.Doc) {
			t.Errorf("%s: refused", c.Name)
		}
	}
	if err := DemandsSources(outputSchema()); err != nil {
		t.Errorf("the registry would refuse it: %v", err)
	}
}
