//go:build browser

package web

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/gateway/host"
)

// TestBrowserServers reads the page of the tool servers, in three languages, while one of them comes back.
func TestBrowserServers(t *testing.T) {
	const hostile = `<img src=x onerror=executed()>`
	var back atomic.Bool
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	f := newFake()
	f.health = func() []host.Health {
		rooms := host.Health{Server: "rooms", State: host.Down, Since: at, Fault: "it ended (exit status 3) " + hostile, Tries: 4, Next: at.Add(time.Minute)}
		if back.Load() {
			rooms = host.Health{Server: "rooms", State: host.Up, Since: at, Name: "Rooms " + hostile, Protocol: "2025-11-25"}
		}
		return []host.Health{{Server: "cities", State: host.Up, Since: at, Name: "Cities 1.0", Protocol: "2026-07-28",
			Refused: []host.Refusal{{Tool: "old" + hostile, Reason: "it promises no sources: " + hostile}}}, rooms}
	}
	b := newBrowser(t, f)
	b.open("/")
	b.click(".to-servers")
	b.until(`location.pathname==="/servers"&&document.querySelectorAll(".servers > li").length===2`)
	text := eval[string](b, `document.querySelector(".servers").textContent`)
	for _, want := range []string{"cities", "Connected", "2026-07-28", "Cities 1.0", "Tools offered: 1", "largest", "Tools refused: 1", "it promises no sources: " + hostile,
		"Not connected", "it ended (exit status 3) " + hostile, "Failed attempts4", "Next attempt"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q: %s", want, text)
		}
	}
	b.click(`.servers [data-of="cities refused"] summary`)
	b.accessible("servers")
	b.looks("9-servers")
	b.fill(".settings select:last-of-type", "dark")
	b.accessible("dark servers")
	back.Store(true)
	b.until(`document.getElementById("status").textContent==="rooms: Connected"&&document.querySelectorAll(".servers .state.up").length===2&&document.querySelector('.servers [data-of="cities refused"]').open`)
	for language, want := range map[string]string{"pt": "Servidores de ferramentas · Diptych", "es": "Servidores de herramientas · Diptych"} {
		b.fill(".settings select", language)
		b.until(`document.documentElement.lang==="` + language + `"&&document.title==="` + want + `"&&document.querySelectorAll(".servers > li").length===2`)
	}
	b.accessible("servidores")
	b.clean()
}
