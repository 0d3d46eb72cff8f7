package data

// Whether a tool promises sources, asked of a validator.

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/diptych-mcp/diptych/internal/validate"
)

// DemandsSources reports, as an error with the remedy, why a tool's output schema does not promise sources. The schema is
// asked, not read: a validator must take a data tool's result, and refuse it once its sources are gone, empty or null. A schema
// that takes none (it requires a member that no result has) promises nothing either.
func DemandsSources(outputSchema any) error {
	const remedy = `publish "sources" as a required list with minItems 1, or return data.Result`
	if outputSchema == nil {
		return errors.New("no output schema; " + remedy)
	}
	schema, err := json.Marshal(outputSchema)
	if err != nil {
		return fmt.Errorf("its output schema cannot be written as JSON; %s", remedy)
	}
	if err := validate.Screen(schema); err != nil {
		return fmt.Errorf("its output schema cannot be trusted: %w; %s", err, remedy)
	}
	checker, err := validate.Compile(schema)
	if err != nil {
		return fmt.Errorf("its output schema cannot be read: %w; %s", err, remedy)
	}
	taken := false
	for _, rest := range rests() {
		for _, sources := range []string{`"sources":[]`, `"sources":null`, ``} {
			if doc := object(sources, rest); checker.Check([]byte(doc)) {
				return fmt.Errorf("its output schema accepts %s; %s", doc, remedy)
			}
		}
		for _, source := range []string{`"https://example.org/"`, `{"url":"https://example.org/"}`} {
			taken = taken || checker.Check([]byte(object(`"sources":[`+source+`]`, rest)))
		}
	}
	if !taken {
		return fmt.Errorf("its output schema accepts no data tool's result; %s", remedy)
	}
	return nil
}

// rests are the shapes that a result can have beside its sources, in order of size.
func rests() []string {
	const chart = `{"type":"bar","data":{"labels":["a"],"datasets":[{"label":"b","data":[1]}]}}`
	var rests []string
	for _, force := range []string{``, `"force":"a"`} {
		for _, charts := range []string{``, `"charts":[]`, `"charts":[` + chart + `]`} {
			for _, table := range []string{``, `"table":[["a"],["1"]]`, `"table":[["a"],[1]]`} {
				rests = append(rests, join(join(table, charts), force))
			}
		}
	}
	return rests
}

func object(first, rest string) string { return "{" + join(first, rest) + "}" }

func join(first, rest string) string {
	if first == "" || rest == "" {
		return first + rest
	}
	return first + "," + rest
}
