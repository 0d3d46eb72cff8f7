// Roomsclient starts the server that its argument names, and prints what the model and the application get of two calls.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

type Slot struct {
	RoomID  string `json:"room_id"`
	Start   string `json:"start"`
	Minutes int    `json:"minutes"`
}

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1.0.0"}, nil)
	transport := &mcp.CommandTransport{Command: exec.Command(os.Args[1])}
	session, err := client.Connect(ctx, diptych.Exact(transport), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	arguments := map[string]any{"room_id": "studio-b", "day": "2026-09-17"}
	slots, err := diptych.Call[[]Slot](ctx, session, "find_slots", arguments)
	if err != nil {
		log.Print(err)
		return
	}
	for _, block := range slots.Content {
		fmt.Println("for the model:", block.(*mcp.TextContent).Text)
	}
	for _, slot := range slots.Value {
		fmt.Println("for the application:", slot.Start, slot.Minutes)
	}

	_, err = diptych.Call[Slot](ctx, session, "broken", struct{}{})
	fmt.Println("an error:", err)
}
