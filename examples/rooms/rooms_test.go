package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/conformance"
)

func TestDocumentation(t *testing.T) { conformance.Run(t, publish, conformance.Rooms...) }

func TestFindSlots(t *testing.T) {
	f, err := newFloor()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, room, day string
		minutes         int
		want            []string
		fault           string
	}{
		{name: "half hours", room: "studio-b", day: "2026-09-17", minutes: 30,
			want: []string{"2026-09-17T09:00", "2026-09-17T09:30", "2026-09-17T14:00", "2026-09-17T14:30"}},
		{name: "too long for any gap", room: "studio-b", day: "2026-09-17", minutes: 120},
		{name: "weekend", room: "nook", day: "2026-09-19", minutes: 60},
		{name: "unknown room", room: "cellar", day: "2026-09-17", minutes: 60, fault: `no room "cellar"; the floor has studio-b, atrium, nook`},
		{name: "no date", room: "nook", day: "tomorrow", minutes: 60, fault: `"tomorrow" is no date; write it as YYYY-MM-DD`},
	} {
		t.Run(test.name, func(t *testing.T) {
			slots, err := f.FindSlots(test.room, test.day, test.minutes)
			var starts []string
			for _, s := range slots {
				starts = append(starts, s.Start)
			}
			if diff := cmp.Diff(test.want, starts); diff != "" {
				t.Errorf("starts (-want +got):\n%s", diff)
			}
			var fault string
			if err != nil {
				fault = err.Error()
			}
			if fault != test.fault {
				t.Errorf("got error %q, want %q", fault, test.fault)
			}
		})
	}
}

func TestPlanIsAResource(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "rooms", Version: "1.0.0"}, nil)
	if err := publish(server); err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1.0.0"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	res, err := client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "floor://plan"})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Contents) != 1 || res.Contents[0].Text != plan {
		t.Errorf("got %v, want the plan", res.Contents)
	}
}
