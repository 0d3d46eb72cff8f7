package diptych

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"github.com/diptych-mcp/diptych/internal/shape"
)

// TestWhatIsReturnedIsAccepted sends back, as arguments of the same type, what a tool returned: over random types and values,
// with null for some of what was left out.
func TestWhatIsReturnedIsAccepted(t *testing.T) {
	cfg := newConfig([]Option{Logger(slog.New(slog.DiscardHandler))})
	sprinkled, same := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var fields []reflect.StructField
		for i := range rapid.IntRange(1, 4).Draw(t, "fields") {
			ft := drawType(t, 2)
			fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: ft, Tag: drawTag(t, i, ft)})
		}
		typ := reflect.StructOf(fields)
		o, err := newOutput(&mcp.Tool{Name: "f"}, typ, &cfg)
		if err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
		in, err := newInput(&mcp.Tool{Name: "f"}, typ, &cfg)
		if err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
		for range 4 {
			v := reflect.New(typ).Elem()
			fillValue(t, v, 5)
			res, err := o.fill(v)
			if err != nil {
				continue // no tool can return it
			}
			sent := res.StructuredContent.(json.RawMessage)
			args := withNulls(t, sent, in.shape, &sprinkled)
			back := reflect.New(typ)
			if err := in.read(args, back.Interface()); err != nil {
				t.Fatalf("%s: %v\nreturned  %s\nsent back %s\nschema    %s", typ, err, sent, args, in.schema)
			}
			if bytes.Contains(sent, []byte("null")) || strings.Contains(typ.String(), "omitzero") {
				continue // null decodes to a nil pointer, whatever it points at, and what omitzero left out may not have been zero
			}
			again, err := o.fill(back.Elem())
			if err != nil {
				t.Fatal(err)
			}
			if same++; !bytes.Equal(again.StructuredContent.(json.RawMessage), sent) {
				t.Fatalf("%s: returned %s, read back as %s", typ, sent, again.StructuredContent)
			}
		}
	})
	if sprinkled == 0 || same == 0 {
		t.Errorf("%d nulls were added, and %d values compared", sprinkled, same)
	}
}

// withNulls adds null for some of the fields that doc leaves out, at every depth.
func withNulls(t *rapid.T, doc json.RawMessage, s *shape.Shape, count *int) json.RawMessage {
	switch s.Kind {
	case shape.Pointer, shape.Optional:
		return withNulls(t, doc, s.Elem, count)
	case shape.List, shape.Array, shape.Tuple:
		var list []json.RawMessage
		if json.Unmarshal(doc, &list) != nil || list == nil {
			return doc
		}
		for i, item := range list {
			list[i] = withNulls(t, item, itemShape(s, i), count)
		}
		return joined(list, doc)
	case shape.Map, shape.Struct:
		var members map[string]json.RawMessage
		if json.Unmarshal(doc, &members) != nil || members == nil {
			return doc
		}
		for name, value := range members {
			inside, _ := memberShape(s, name)
			members[name] = withNulls(t, value, inside, count)
		}
		for i := range s.Fields {
			f := &s.Fields[i]
			if _, ok := members[f.Name]; !ok && f.Optional() && rapid.Bool().Draw(t, "null") {
				members[f.Name] = json.RawMessage("null")
				*count++
			}
		}
		return joined(members, doc)
	}
	return doc
}
