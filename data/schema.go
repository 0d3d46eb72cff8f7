package data

// What a data tool publishes: small and open, so that a model reads it in one look and a later part breaks nobody. The
// limits are not in it; Check knows them.

import "encoding/json"

// schemaTitle names the structured content of every data tool, in the published schema and in errors.
const schemaTitle = "DataToolOutput"

// outputSchema returns the published output schema. Keys are sorted but for properties, which are in the order in which a
// result writes them.
func outputSchema() json.RawMessage {
	return json.RawMessage(`{"properties":{` +
		`"sources":{"description":"Links to the original data, shown under the answer: http or https URLs, or objects with one as url.",` +
		`"items":{"anyOf":[{"type":"string"},{"properties":{"url":{"type":"string"}},"required":["url"],"type":"object"}]},` +
		`"minItems":1,"title":"Sources","type":"array"},` +
		`"table":{"description":"Rows of text, numbers, booleans and nulls; the first row is the header. Drawn as a table.",` +
		`"items":{"items":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"}]},"type":"array"},"title":"Table","type":"array"},` +
		`"charts":{"description":"Chart.js 4 configurations {type, data, options?, alt?}. Drawn as charts.",` +
		`"items":{"type":"object"},"title":"Charts","type":"array"},` +
		`"force":{"description":"Plain text shown to the user exactly as it stands.","title":"Force","type":"string"}},` +
		`"required":["sources"],"title":"` + schemaTitle + `","type":"object"}`)
}
