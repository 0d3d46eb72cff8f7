package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/diptych-mcp/diptych/internal/schema/testdata/a"
	"github.com/diptych-mcp/diptych/internal/schema/testdata/b"
	"github.com/diptych-mcp/diptych/internal/shape"
)

type (
	Tree struct {
		Name string `json:"name"`
		Kids []Tree `json:"kids,omitempty"`
	}
	Colour string
	Car    struct {
		Colour Colour  `json:"colour" jsonschema:"Of the body."`
		Other  *Colour `json:"other"`
	}
	Garage struct {
		Cars []Car `json:"cars"`
		Best Car   `json:"best" jsonschema:"The best of them."`
	}
	Page[T any] struct {
		Items []T `json:"items"`
	}
	Pages struct {
		A Page[a.Item] `json:"a"`
		B Page[b.Item] `json:"b"`
	}
)

func (Colour) Enum() []Colour { return []Colour{"red", "green"} }

func input[T any](t *testing.T) Input {
	t.Helper()
	in, err := ForInput(shape.NewReader(nil).Read(reflect.TypeFor[T]()), Config{})
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(in.For("f")) || !json.Valid(in.Checked) {
		t.Fatalf("no JSON: %s, %s", in.For("f"), in.Checked)
	}
	return in
}

// TestInputInPlace compares whole input schemas: what is published has no reference, what is checked is the whole rule.
func TestInputInPlace(t *testing.T) {
	const car = `{"additionalProperties":false,"properties":{` +
		`"colour":{"description":"Of the body.","enum":["red","green"],"title":"Colour","type":"string"},` +
		`"other":{"anyOf":[{"enum":["red","green"],"title":"Colour","type":"string"},{"type":"null"}]}},` +
		`"required":["colour","other"],"title":"Car","type":"object"}`
	garage := input[Garage](t)
	want := `{"additionalProperties":false,"properties":{"cars":{"items":` + car + `,"title":"Cars","type":"array"},` +
		`"best":{"additionalProperties":false,"description":"The best of them.",` + strings.TrimPrefix(car, `{"additionalProperties":false,`) +
		`},"required":["cars","best"],"title":"fArguments","type":"object"}`
	if got := string(garage.For("f")); got != want {
		t.Errorf("published\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(string(garage.Checked), `"$ref":"#/$defs/Car"`) || garage.Large {
		t.Errorf("checked %s", garage.Checked)
	}

	const level = `{"additionalProperties":false,"properties":{"name":{"title":"Name","type":"string"},"kids":{"items":%s,"title":"Kids","type":"array"}},"required":["name"],"title":"%s","type":"object"}`
	want = fmt.Sprintf(level, fmt.Sprintf(level, fmt.Sprintf(level, `{"type":"object"}`, "Tree"), "Tree"), "fArguments")
	if got := string(input[Tree](t).For("f")); got != want {
		t.Errorf("a type that holds itself is published as\n%s\nwant\n%s", got, want)
	}
}

// Ladders double at each step when they are written in place.
type (
	step[T any]  struct{ A, B T }
	step2[T any] step[step[T]]
	step4[T any] step2[step2[T]]
)

// TestInputLimits crosses the bounds on input schemas: where one is too large in place it keeps its definitions.
func TestInputLimits(t *testing.T) {
	if in := input[step4[Car]](t); in.Large || strings.Contains(string(in.For("f")), "$ref") || len(in.For("f")) > maxInput {
		t.Errorf("%d bytes, large %v", len(in.For("f")), in.Large)
	}
	for name, in := range map[string]Input{"bytes": input[step4[step4[Car]]](t), "definitions": input[step4[step4[step4[Car]]]](t)} {
		if !in.Large || !strings.Contains(string(in.For("f")), `"$ref":"#/$defs/Car"`) {
			t.Errorf("%s: %d bytes in place, large %v", name, len(in.For("f")), in.Large)
		}
	}
}

// TestDefinitionNames gives instances of a generic type over types of one name a definition each.
func TestDefinitionNames(t *testing.T) {
	out, err := ForOutput("f", shape.NewReader(nil).Read(reflect.TypeFor[Pages]()), Config{})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(out.JSON, &got); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Page_a__Item_", "Page_b__Item_", "a__Item", "b__Item"} {
		if got.Defs[name] == nil || len(got.Defs) != 4 {
			t.Errorf("no %s among %v", name, reflect.ValueOf(got.Defs).MapKeys())
		}
	}
}

// TestTitles are words as the reference writes them.
func TestTitles(t *testing.T) {
	for name, want := range map[string]string{"room_id": "Room Id", "userID": "Userid", "x2y": "X2Y", "result": "Result", "a__b": "A  B", "": ""} {
		if got := titleOf(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestTypeNames drops the packages inside of a generic's brackets too.
func TestTypeNames(t *testing.T) {
	for typ, want := range map[reflect.Type]string{
		reflect.TypeFor[Page[a.Item]]():            "Page[Item]",
		reflect.TypeFor[Page[map[string]a.Item]](): "Page[map[string]Item]",
		reflect.TypeFor[Tree]():                    "Tree",
		reflect.TypeFor[[]Tree]():                  "[]schema.Tree",
	} {
		if got := typeName(typ); got != want {
			t.Errorf("%v is called %q, want %q", typ, got, want)
		}
	}
}
