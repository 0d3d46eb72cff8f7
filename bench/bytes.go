package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	kaptinlin "github.com/kaptinlin/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	santhosh "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/diptych-mcp/diptych"
	"github.com/diptych-mcp/diptych/internal/validate"
)

// bytes measures raw JSON that promises to be of a type, against validators on the same bytes and the same schema.
func (b *bench) bytes() error {
	t := table{head: []string{"10,000 rows as bytes"}}
	for _, w := range []struct {
		name string
		make func() ([]entrant, error)
	}{
		{"untagged", func() ([]entrant, error) { return validators(rows(10_000)) }},
		{"tags", func() ([]entrant, error) { return validators(taggedRows(10_000)) }},
	} {
		entrants, err := w.make()
		if err != nil {
			return err
		}
		scores, err := contest(b.rounds, entrants...)
		if err != nil {
			return err
		}
		t.compare(scores, w.name)
	}
	b.title("Bytes against a schema", "`JSON[T]` of 10,000 rows, from bytes to a result; the validators decode and judge the same bytes and make no result. This library = 1.")
	t.print(b.out)
	return nil
}

func validators[T any](v T) ([]entrant, error) {
	doc, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	whole := slices.Concat([]byte(`{"result":`), doc, []byte(`}`))
	tool, handler, err := diptych.New(&mcp.Tool{Name: "rows"}, func(context.Context, struct{}) (diptych.JSON[T], error) { return doc, nil })
	if err != nil {
		return nil, err
	}
	schema := tool.OutputSchema.(json.RawMessage)
	check, err := validate.Compile(schema)
	if err != nil {
		return nil, err
	}
	google, err := googleValidator(schema)
	if err != nil {
		return nil, err
	}
	tekuri, err := tekuriValidator(schema)
	if err != nil {
		return nil, err
	}
	kapt, err := kaptinlin.NewCompiler().Compile(schema)
	if err != nil {
		return nil, err
	}
	return []entrant{
		{"diptych: check and both panels", runHandler(handler, "{}", whole)},
		{"diptych: check alone", func() error { return verdict(check.Check(whole)) }},
		{"jsonschema-go", func() error { return google(whole) }},
		{"santhosh-tekuri", func() error { return tekuri(whole) }},
		{"kaptinlin", func() error { return verdict(kapt.ValidateJSON(whole).IsValid()) }},
	}, nil
}

func verdict(ok bool) error {
	if !ok {
		return fmt.Errorf("the bytes were refused")
	}
	return nil
}

func googleValidator(schema []byte) (func([]byte) error, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, err
	}
	return func(doc []byte) error {
		var v any
		if err := json.Unmarshal(doc, &v); err != nil {
			return err
		}
		return resolved.Validate(v)
	}, nil
}

func tekuriValidator(schema []byte) (func([]byte) error, error) {
	s, err := santhosh.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := santhosh.NewCompiler()
	if err := c.AddResource("schema.json", s); err != nil {
		return nil, err
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return nil, err
	}
	return func(doc []byte) error {
		v, err := santhosh.UnmarshalJSON(bytes.NewReader(doc))
		if err != nil {
			return err
		}
		return compiled.Validate(v)
	}, nil
}
