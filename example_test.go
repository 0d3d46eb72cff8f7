package diptych_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych"
)

// showAnswer prints what one tool answers, without a server in between: the structured content and the text of each block.
func showAnswer[In, Out any](fn diptych.Func[In, Out], args string, opts ...diptych.Option) {
	opts = append(opts, diptych.Logger(slog.New(slog.NewTextHandler(io.Discard, nil))))
	_, handler, err := diptych.New(&mcp.Tool{Name: "demo"}, fn, opts...)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := handler(context.Background(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: json.RawMessage(args)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if data, ok := res.StructuredContent.(json.RawMessage); ok {
		fmt.Printf("structured %s\n", data)
	}
	for _, block := range res.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			fmt.Printf("content    %s\n", text.Text)
		}
	}
}

func Example() {
	type City struct {
		City string `json:"city" jsonschema:"City name, as people write it."`
	}
	temperature := func(ctx context.Context, in City) (int, error) {
		if in.City != "London" {
			return 0, diptych.Errorf("no readings for %q; ask for London", in.City)
		}
		return 17, nil
	}

	tool, _, err := diptych.New(&mcp.Tool{Name: "get_temperature"}, temperature)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("schema     %s\n", tool.OutputSchema)
	showAnswer(temperature, `{"city": "London"}`)
	showAnswer(temperature, `{"city": "Atlantis"}`)
	// Output:
	// schema     {"properties":{"result":{"title":"Result","type":"integer"}},"required":["result"],"title":"get_temperatureOutput","type":"object"}
	// structured {"result":17}
	// content    17
	// content    Error executing tool demo: no readings for "Atlantis"; ask for London
}

func ExampleAdd() {
	type City struct {
		City string `json:"city"`
	}
	type Weather struct {
		Temperature float64 `json:"temperature" jsonschema:"Degrees Celsius."`
		Conditions  string  `json:"conditions"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1.0.0"}, nil)
	err := errors.Join(
		diptych.Add(server, &mcp.Tool{Name: "get_temperature"}, func(ctx context.Context, in City) (int, error) {
			return 17, nil
		}),
		diptych.Add(server, &mcp.Tool{Name: "get_weather"}, func(ctx context.Context, in City) (Weather, error) {
			return Weather{16.2, "Overcast"}, nil
		}),
		diptych.Add(server, &mcp.Tool{Name: "get_feed"}, func(ctx context.Context, in City) (chan int, error) {
			return nil, nil
		}),
	)
	fmt.Println(err)
	// Output:
	// tool "get_feed": output chan int: type chan int has no JSON form; use a type that JSON can carry
}

func ExampleNew() {
	count := func(ctx context.Context, _ struct{}) (int, error) { return 3, nil }
	tool, handler, err := diptych.New(&mcp.Tool{Name: "room_count"}, count)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"one", "other"} {
		mcp.NewServer(&mcp.Implementation{Name: name, Version: "1.0.0"}, nil).AddTool(tool, handler)
	}
	fmt.Printf("%s\n", tool.InputSchema)
	// Output:
	// {"additionalProperties":false,"properties":{},"title":"room_countArguments","type":"object"}
}

func ExampleWithText() {
	temperature := func(ctx context.Context, _ struct{}) (float64, error) { return 16.2, nil }
	showAnswer(diptych.WithText(temperature, func(celsius float64) string {
		return fmt.Sprintf("It is %.0f degrees.", celsius)
	}), `{}`)
	// Output:
	// structured {"result":16.2}
	// content    It is 16 degrees.
}

func ExampleResult() {
	showAnswer(func(ctx context.Context, _ struct{}) (diptych.Result[int], error) {
		return diptych.Result[int]{
			Value:   17,
			Content: []mcp.Content{&mcp.TextContent{Text: "Seventeen degrees."}},
			Meta:    mcp.Meta{"example.com/station": "heathrow"},
		}, nil
	}, `{}`)
	// Output:
	// structured {"result":17}
	// content    Seventeen degrees.
}

func ExampleErrorf() {
	errDown := errors.New("dial tcp 10.0.0.7:5432: connection refused")
	type Room struct {
		ID string `json:"id"`
	}
	book := func(ctx context.Context, in Room) (string, error) {
		if in.ID != "nook" {
			return "", diptych.Errorf("no room %q; there is nook", in.ID)
		}
		return "", errDown // for the log alone
	}
	showAnswer(book, `{"id": "attic"}`)
	showAnswer(book, `{"id": "nook"}`)
	// Output:
	// content    Error executing tool demo: no room "attic"; there is nook
	// content    Error executing tool demo
}

func ExampleJSON() {
	type Weather struct {
		Temperature float64 `json:"temperature"`
		Humidity    float64 `json:"humidity"`
	}
	passOn := func(document string) diptych.Func[struct{}, diptych.JSON[Weather]] {
		return func(context.Context, struct{}) (diptych.JSON[Weather], error) {
			return diptych.JSON[Weather](document), nil
		}
	}
	showAnswer(passOn(`{"humidity": 0.830, "temperature": 16.2}`), `{}`)
	showAnswer(passOn(`{"temperature": 16.2}`), `{}`)
	// Output:
	// structured {"humidity":0.830,"temperature":16.2}
	// content    {
	//   "humidity": 0.830,
	//   "temperature": 16.2
	// }
	// content    Error executing tool demo: the tool ran, but its result does not match Weather: humidity: required but missing
}

func ExampleOptional() {
	type City struct {
		City string `json:"city"`
	}
	nextTrain := func(ctx context.Context, in City) (diptych.Optional[string], error) {
		if in.City == "London" {
			return diptych.Some("09:14"), nil
		}
		return diptych.Optional[string]{}, nil
	}
	showAnswer(nextTrain, `{"city": "London"}`)
	showAnswer(nextTrain, `{"city": "Atlantis"}`)
	// Output:
	// structured {"result":"09:14"}
	// content    09:14
	// structured {"result":null}
	// content    null
}

func ExampleAnyOf() {
	showAnswer(func(ctx context.Context, _ struct{}) (diptych.AnyOf[float64, string], error) {
		return diptych.AnyOf[float64, string]{B: new("the station is off")}, nil
	}, `{}`)
	// Output:
	// structured {"result":"the station is off"}
	// content    the station is off
}

func ExampleTuple2() {
	showAnswer(func(ctx context.Context, _ struct{}) (diptych.Tuple2[string, float64], error) {
		return diptych.Tuple2[string, float64]{A: "Cairo", B: 34.1}, nil
	}, `{}`)
	// Output:
	// structured {"result":["Cairo",34.1]}
	// content    Cairo
	// content    34.1
}

func ExampleUnstructured() {
	showAnswer(func(ctx context.Context, _ struct{}) (string, error) {
		return "Studio B is nearly full.", nil
	}, `{}`, diptych.Unstructured())
	// Output:
	// content    Studio B is nearly full.
}

func ExampleRequireSchema() {
	showAnswer(func(ctx context.Context, _ struct{}) (any, error) { return 17, nil }, `{}`, diptych.RequireSchema())
	// Output:
	// tool "demo": output any promises nothing, so it has no schema; return a type, or JSON[T] for raw JSON that is a T
}

func ExampleTimeout() {
	showAnswer(func(ctx context.Context, _ struct{}) (int, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	}, `{}`, diptych.Timeout(10*time.Millisecond))
	// Output:
	// content    Error executing tool demo: timed out after 10ms
}

func ExampleMismatch() {
	type Reading struct {
		Share float64 `json:"share" minimum:"0" maximum:"1"`
	}
	showAnswer(func(ctx context.Context, _ struct{}) (Reading, error) { return Reading{83}, nil }, `{}`)
	// Output:
	// content    Error executing tool demo: the tool ran, but its result does not match Reading: share: must be at most 1
}

func ExampleNeedInput() {
	type Room struct {
		ID string `json:"id"`
	}
	deleteRoom := func(ctx context.Context, in Room) (string, error) {
		switch answer, _ := diptych.Request(ctx).Params.InputResponses["sure"].(*mcp.ElicitResult); {
		case answer == nil:
			return "", diptych.NeedInput(mcp.InputRequestMap{"sure": &mcp.ElicitParams{
				Message:         "Delete " + in.ID + "?",
				RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
			}}, "")
		case answer.Action != "accept":
			return "", diptych.Errorf("the user said no")
		}
		return in.ID + " is gone", nil
	}

	server := mcp.NewServer(&mcp.Implementation{Name: "rooms", Version: "1.0.0"}, nil)
	if err := diptych.Add(server, &mcp.Tool{Name: "delete_room"}, deleteRoom); err != nil {
		fmt.Println(err)
		return
	}
	session, err := sessionWith(server, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			fmt.Println(req.Params.Message, "Yes.")
			return &mcp.ElicitResult{Action: "accept"}, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	res, err := diptych.Call[string](context.Background(), session, "delete_room", Room{"nook"})
	fmt.Println(res.Value, err)
	// Output:
	// Delete nook? Yes.
	// nook is gone <nil>
}

// sessionWith connects a client to server.
func sessionWith(server *mcp.Server, opts *mcp.ClientOptions) (*mcp.ClientSession, error) {
	ctx := context.Background()
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		return nil, err
	}
	return mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, opts).Connect(ctx, diptych.Exact(here), nil)
}

func ExampleHandler() {
	server := mcp.NewServer(&mcp.Implementation{Name: "rooms", Version: "1.0.0"}, nil)
	count := func(ctx context.Context, _ struct{}) (int, error) { return 3, nil }
	if err := diptych.Add(server, &mcp.Tool{Name: "room_count"}, count); err != nil {
		fmt.Println(err)
		return
	}
	web := httptest.NewServer(diptych.Handler(server))
	defer web.Close()

	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, diptych.Exact(&mcp.StreamableClientTransport{Endpoint: web.URL}), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	rooms, err := diptych.Call[int](ctx, session, "room_count", nil)
	fmt.Println(rooms.Value, err)
	// Output:
	// 3 <nil>
}
