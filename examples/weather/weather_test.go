package main

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/internal/conformance"
)

func TestDocumentation(t *testing.T) { conformance.Run(t, publish, conformance.Weather...) }

func TestStationIsRefused(t *testing.T) {
	type Station struct{ name string } // nothing that JSON could show
	cases, err := conformance.Cases(conformance.Refused...)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		s := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1.0.0"}, nil)
		get := func(context.Context, struct{}) (Station, error) { return Station{name: "Heathrow"}, nil }
		err := diptych.Add(s, &mcp.Tool{Name: c.Tool, Description: c.Description}, get)
		if err == nil {
			t.Fatalf("%s was published", c.Tool)
		}
		for _, part := range c.RegistrationErrorContains {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("error %q lacks %q", err, part)
			}
		}
	}
}

func TestUnknownCityNamesTheKnown(t *testing.T) {
	s, err := newStation()
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.GetTemperature("Atlantis")
	const want = `no readings for "Atlantis"; ask for one of Cairo, London, Reykjavik`
	if err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}
