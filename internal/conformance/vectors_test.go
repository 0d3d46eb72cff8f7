package conformance

import (
	"encoding/json"
	"slices"
	"testing"
)

// Every case of the documentation has exactly one owner, whose test runs it.
func TestEveryCaseHasAnOwner(t *testing.T) {
	owned := slices.Concat(Weather, Refused, Rooms, Data)
	if _, err := Cases(owned...); err != nil {
		t.Error(err)
	}
	slices.Sort(owned)
	if once := slices.Compact(slices.Clone(owned)); len(once) != len(owned) {
		t.Error("a tool has two owners")
	}
	var all struct{ Cases []struct{ Tool string } }
	if err := json.Unmarshal(documentation, &all); err != nil {
		t.Fatal(err)
	}
	for _, c := range all.Cases {
		if !slices.Contains(owned, c.Tool) {
			t.Errorf("the case of %s is not run", c.Tool)
		}
	}
}
