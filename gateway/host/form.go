package host

// The form that a question's schema describes: a flat object of text, numbers, yes or no, and choices. What a schema says
// beyond that is not drawn, and holds all the same when the answer is checked.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// A Field is one thing to fill in. Numbers in it are text, so that every digit reaches the page.
type Field struct {
	Name        string    `json:"name"`
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	Kind        FieldKind `json:"kind"`
	Format      string    `json:"format,omitempty"` // of text: email, uri, date or date-time
	Required    bool      `json:"required,omitempty"`
	Min         string    `json:"min,omitempty"` // of a number; of the length of text; of how many are chosen
	Max         string    `json:"max,omitempty"`
	Choices     []Choice  `json:"choices,omitempty"`
	Default     []string  `json:"default,omitempty"` // one, but for SeveralOf
}

// A Choice is one of those that a field offers.
type Choice struct {
	Value string `json:"value"`
	Title string `json:"title,omitempty"`
}

// A FieldKind says what a field takes.
type FieldKind string

// The kinds of fields.
const (
	TextField FieldKind = "text"
	Number    FieldKind = "number"
	Integer   FieldKind = "integer"
	YesNo     FieldKind = "boolean"
	OneOf     FieldKind = "one_of"
	SeveralOf FieldKind = "several_of"
)

// readForm reads the fields of a schema in its order.
func readForm(schema json.RawMessage) ([]Field, error) {
	var form struct {
		Type       string          `json:"type"`
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if err := json.Unmarshal(schema, &form); err != nil || form.Type != "object" && form.Type != "" {
		return nil, errors.New("requestedSchema: not an object schema")
	}
	if form.Properties == nil {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(form.Properties))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("requestedSchema: its properties are no object")
	}
	var fields []Field
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var p property
		if err := d.Decode(&p); err != nil {
			return nil, fmt.Errorf("requestedSchema: property %s: not a schema of one value", cut(name.(string), maxQuotedName))
		}
		f, err := p.field()
		if err != nil {
			return nil, fmt.Errorf("requestedSchema: property %s: %w", cut(name.(string), maxQuotedName), err)
		}
		f.Name, f.Required = name.(string), slices.Contains(form.Required, name.(string))
		if fields = append(fields, f); len(fields) > maxFields {
			return nil, fmt.Errorf("requestedSchema: more than %d properties", maxFields)
		}
	}
	return fields, nil
}

// A property is a field's schema.
type property struct {
	Type        string          `json:"type"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Format      string          `json:"format"`
	Minimum     json.Number     `json:"minimum"`
	Maximum     json.Number     `json:"maximum"`
	MinLength   json.Number     `json:"minLength"`
	MaxLength   json.Number     `json:"maxLength"`
	MinItems    json.Number     `json:"minItems"`
	MaxItems    json.Number     `json:"maxItems"`
	Default     json.RawMessage `json:"default"`
	Items       *offer          `json:"items"`
	offer
}

// An offer lists choices, in one of the three ways that servers do.
type offer struct {
	Enum      []string `json:"enum"`
	EnumNames []string `json:"enumNames"`
	OneOf     []titled `json:"oneOf"`
	AnyOf     []titled `json:"anyOf"`
}

type titled struct {
	Const *string `json:"const"`
	Title string  `json:"title"`
}

func (p property) field() (Field, error) {
	f := Field{Title: cut(p.Title, maxTitle), Description: cut(p.Description, maxFieldText)}
	var err error
	switch {
	case p.Type == "array" && p.Items != nil:
		f.Kind, f.Min, f.Max = SeveralOf, p.MinItems.String(), p.MaxItems.String()
		if f.Choices, err = p.Items.choices(); err == nil && f.Choices == nil {
			err = errors.New("a list without choices cannot be asked for")
		}
	case p.Type == "boolean":
		f.Kind = YesNo
	case p.Type == "integer" || p.Type == "number":
		f.Kind, f.Min, f.Max = FieldKind(p.Type), p.Minimum.String(), p.Maximum.String()
	case p.Type == "string" || p.Type == "":
		f.Kind, f.Format, f.Min, f.Max = TextField, cut(p.Format, maxTitle), p.MinLength.String(), p.MaxLength.String()
		if f.Choices, err = p.choices(); f.Choices != nil {
			f.Kind, f.Format, f.Min, f.Max = OneOf, "", "", ""
		} else if err == nil && p.Type == "" {
			err = errors.New("has no type")
		}
	default:
		err = errors.New("only text, numbers, yes or no, and choices can be asked for")
	}
	if err != nil {
		return f, err
	}
	f.Default = f.given(p.Default)
	return f, nil
}

// choices are nil where the schema offers none.
func (o offer) choices() ([]Choice, error) {
	var all []Choice
	for i, value := range o.Enum {
		c := Choice{Value: value}
		if i < len(o.EnumNames) {
			c.Title = cut(o.EnumNames[i], maxTitle)
		}
		all = append(all, c)
	}
	for _, one := range append(o.OneOf, o.AnyOf...) {
		if one.Const == nil {
			return nil, errors.New("a choice is not given by const")
		}
		all = append(all, Choice{*one.Const, cut(one.Title, maxTitle)})
	}
	if len(all) > maxChoices {
		return nil, fmt.Errorf("more than %d choices", maxChoices)
	}
	return all, nil
}

// given is a default as text; one that the field does not take is none.
func (f Field) given(raw json.RawMessage) []string {
	var list []string
	var one string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil
	case f.Kind == SeveralOf:
		if json.Unmarshal(raw, &list) != nil {
			return nil
		}
	case f.Kind == TextField || f.Kind == OneOf:
		if json.Unmarshal(raw, &one) != nil {
			return nil
		}
		list = []string{one}
	case f.Kind == YesNo && (raw[0] == 't' || raw[0] == 'f') || f.Kind != YesNo && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'):
		list = []string{string(raw)}
	}
	if f.Choices != nil {
		list = slices.DeleteFunc(list, func(v string) bool {
			return !slices.ContainsFunc(f.Choices, func(c Choice) bool { return c.Value == v })
		})
	}
	return list
}
