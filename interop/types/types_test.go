//go:build interop

// Package types publishes tools with types of well-known modules. It is a module of its own, so that the library's users do not
// build them.
package types

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych"
	"github.com/google/go-github/v69/github"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/prometheus/common/model"
	"github.com/shopspring/decimal"
	"google.golang.org/protobuf/types/known/structpb"
	"gopkg.in/guregu/null.v4"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func schema(text string) json.RawMessage { return json.RawMessage(text) }

// options are those of the guide, docs/results.md. All of them are given to every tool, as to a generated AddTools.
var options = []diptych.Option{
	diptych.Schema[decimal.Decimal](schema(`{"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?$"}`)),
	diptych.Schema[pgtype.Text](schema(`{"type": ["string", "null"]}`)),
	diptych.Schema[pgtype.Int8](schema(`{"type": ["integer", "null"]}`)),
	diptych.Schema[pgtype.Timestamptz](schema(`{"type": ["string", "null"], "format": "date-time"}`)),
	diptych.Schema[null.String](schema(`{"type": ["string", "null"]}`)),
	diptych.Schema[null.Int](schema(`{"type": ["integer", "null"]}`)),
	diptych.Schema[null.Time](schema(`{"type": ["string", "null"], "format": "date-time"}`)),
	diptych.Schema[metav1.Time](schema(`{"type": ["string", "null"], "format": "date-time"}`)),
	diptych.Schema[metav1.FieldsV1](schema(`{"type": "object"}`)),
	diptych.Schema[resource.Quantity](schema(`{"type": "string"}`)),
	diptych.Schema[intstr.IntOrString](schema(`{"type": ["integer", "string"]}`)),
	diptych.Schema[github.Timestamp](schema(`{"type": ["string", "null"], "format": "date-time"}`)),
	diptych.Schema[structpb.Struct](schema(`{"type": "object"}`)),
	diptych.Schema[model.SampleStream](schema(`{"type": "object", "properties": {"metric": {"type": "object"}, "values": {"type": "array"}}, "required": ["metric"]}`)),
}

// Row has a field of each small type.
type Row struct {
	Price  decimal.Decimal    `json:"price"`
	ID     uuid.UUID          `json:"id"`
	Text   pgtype.Text        `json:"text"`
	Count  pgtype.Int8        `json:"count"`
	At     pgtype.Timestamptz `json:"at"`
	Name   null.String        `json:"name"`
	Number null.Int           `json:"number"`
	Since  null.Time          `json:"since"`
	Made   metav1.Time        `json:"made"`
	Whole  *big.Int           `json:"whole"`
	Site   *Site              `json:"site,omitempty"`
}

// A Site is a url.URL as text.
type Site struct{ url.URL }

// MarshalText writes the address.
func (s Site) MarshalText() ([]byte, error) { return []byte(s.URL.String()), nil }

// UnmarshalText reads it.
func (s *Site) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err == nil {
		s.URL = *u
	}
	return err
}

func serve[T any](t *testing.T, value T) (*mcp.Tool, *mcp.CallToolResult, *mcp.ClientSession) {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "types", Version: "1.0.0"}, nil)
	tool := &mcp.Tool{Name: "f"}
	must(t, diptych.Add(server, tool, func(context.Context, struct{}) (T, error) { return value, nil }, options...))
	here, there := mcp.NewInMemoryTransports()
	_, err := server.Connect(t.Context(), there, nil)
	must(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, nil).Connect(t.Context(), diptych.Exact(here), nil)
	must(t, err)
	t.Cleanup(func() { _ = session.Close() })
	tools, err := session.ListTools(t.Context(), nil)
	must(t, err)
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "f"})
	must(t, err)
	if res.IsError {
		text, _ := json.Marshal(res.Content)
		t.Errorf("%T: %s", value, text)
	}
	return tools.Tools[0], res, session
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same compares what left with what encoding/json writes, and what Call reads with the value.
func same[T any](t *testing.T, value T) {
	t.Helper()
	_, res, session := serve(t, value)
	raw, err := json.Marshal(value)
	must(t, err)
	got := fmt.Sprint(res.StructuredContent)
	got = strings.TrimSuffix(strings.TrimPrefix(got, `{"result":`), "}")
	want := strings.TrimSuffix(string(raw), "}")
	if _, wrapped := strings.CutPrefix(fmt.Sprint(res.StructuredContent), `{"result":`); wrapped {
		want = string(raw)
	}
	if !reflect.DeepEqual(untyped(got), untyped(want)) && got != want {
		t.Errorf("%T: sent %s\nwant %s", value, got, want)
	}
	back, err := diptych.Call[T](t.Context(), session, "f", nil)
	if err != nil {
		t.Errorf("%T: read: %v", value, err)
		return
	}
	again, err := json.Marshal(back.Value)
	must(t, err)
	if string(again) != string(raw) {
		t.Errorf("%T: read back as %s\nwant %s", value, again, raw)
	}
}

func untyped(doc string) (v any) {
	if json.Unmarshal([]byte(doc), &v) != nil {
		return doc
	}
	return v
}

// TestWellKnownTypes sends and reads values of the types in the guide.
func TestWellKnownTypes(t *testing.T) {
	when := time.Date(2026, 9, 17, 6, 38, 0, 0, time.UTC)
	whole, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	same(t, Row{
		Price: decimal.RequireFromString("12.50"), ID: uuid.MustParse("f47ac10b-58cc-4372-a567-0e02b2c3d479"),
		Text: pgtype.Text{String: "x", Valid: true}, Count: pgtype.Int8{Int64: 9007199254740993, Valid: true},
		At: pgtype.Timestamptz{Time: when, Valid: true}, Name: null.StringFrom("n"), Number: null.IntFrom(3), Since: null.TimeFrom(when),
		Made: metav1.NewTime(when), Whole: whole, Site: &Site{url.URL{Scheme: "https", Host: "a.example", Path: "/x"}},
	})
	same(t, Row{Whole: new(big.Int)}) // all that may be null is
	same(t, decimal.RequireFromString("-0.1"))
	same(t, []metav1.Time{metav1.NewTime(when)})

	port := intstr.FromString("http")
	same(t, corev1.Pod{
		TypeMeta:   metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"},
		ObjectMeta: metav1.ObjectMeta{Name: "web", CreationTimestamp: metav1.NewTime(when), Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "web", Image: "web:1",
			Resources:     corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m")}},
			LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: port}}},
		}}},
	})
	same(t, &github.Issue{Number: github.Ptr(7), Title: github.Ptr("broken"), CreatedAt: &github.Timestamp{Time: when},
		Labels: []*github.Label{{Name: github.Ptr("bug")}}})
	document, err := structpb.NewStruct(map[string]any{"a": 1.5, "b": []any{"x", nil}})
	must(t, err)
	same(t, document)
	same(t, model.Matrix{{Metric: model.Metric{"job": "web"}, Values: []model.SamplePair{{Timestamp: 1000, Value: 1.5}, {Timestamp: 2000, Value: 2}}}})
}

// TestWellKnownArguments reads the same types as arguments.
func TestWellKnownArguments(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "types", Version: "1.0.0"}, nil)
	must(t, diptych.Add(server, &mcp.Tool{Name: "f"}, func(_ context.Context, in Row) (Row, error) { return in, nil }, options...))
	here, there := mcp.NewInMemoryTransports()
	_, err := server.Connect(t.Context(), there, nil)
	must(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0.0"}, nil).Connect(t.Context(), diptych.Exact(here), nil)
	must(t, err)
	defer session.Close()
	args := json.RawMessage(`{"price":"12.5","id":"f47ac10b-58cc-4372-a567-0e02b2c3d479","text":null,"count":9007199254740993,"at":"2026-09-17T06:38:00Z",` +
		`"name":"n","number":null,"since":"2026-09-17T06:38:00Z","made":"2026-09-17T06:38:00Z","whole":123456789012345678901234567890,"site":"https://a.example/x"}`)
	res, err := diptych.Call[Row](t.Context(), session, "f", args)
	must(t, err)
	if got := res.Value; got.Price.String() != "12.5" || got.Count.Int64 != 9007199254740993 || got.Text.Valid || got.Whole.String() != "123456789012345678901234567890" || got.Site.Host != "a.example" {
		t.Errorf("read %+v", got)
	}
	_, err = diptych.Call[Row](t.Context(), session, "f", json.RawMessage(strings.Replace(string(args), `"12.5"`, `"a lot"`, 1)))
	if err == nil || !strings.Contains(err.Error(), "price: must match the pattern") {
		t.Errorf("a price that is none: %v", err)
	}
}
