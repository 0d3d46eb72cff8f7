package audit

// A Severity says how much a finding matters.
type Severity string

const (
	Error   Severity = "error"   // a host will fail, or the tool does not keep its promise
	Warning Severity = "warning" // some hosts will fail, or a model will be misled
	Note    Severity = "note"    // it could be better
)

// A Rule is one thing that check looks for.
type Rule struct {
	ID       string
	Severity Severity
	Summary  string
	Remedy   string
}

// Rules returns the catalogue, family by family.
func Rules() []Rule {
	return []Rule{
		{"name-invalid", Error, "the name is outside what the protocol allows", "use 1 to 128 of the characters A-Z a-z 0-9 _ - ."},
		{"name-dot", Error, "the name has a dot", "use A-Z a-z 0-9 _ and - alone"},
		{"name-long", Error, "the name has 64 characters or more", "use at most 54: hosts put the server's name before it"},
		{"name-prefix", Warning, "the name is too long with what hosts put before it", "use at most 54 characters"},
		{"name-twice", Error, "two tools have the same name", "give each tool a name of its own"},
		{"description-missing", Warning, "the tool has no description", "say in a sentence what the tool does and when to use it"},
		{"parameter-undescribed", Note, "parameters have no description", "describe each parameter: its meaning, unit and form"},

		{"output-missing", Warning, "the tool publishes no output schema", "publish an outputSchema and fill structuredContent"},
		{"output-root", Error, "the root of the output schema is not an object", `wrap it: {"type": "object", "properties": {"result": …}, "required": ["result"]}`},
		{"output-refused", Error, "the output schema cannot be used", "correct the schema; a host that checks results will refuse it"},
		{"output-pattern", Error, "a pattern in the output schema does not compile in JavaScript", "write it for JavaScript's u mode, without needless escapes: hosts built on the TypeScript client drop the whole list"},
		{"input-root", Error, "the root of the input schema is not an object", `give it "type": "object"`},
		{"input-refused", Error, "the input schema cannot be used", "correct the schema; a host that checks arguments will refuse it"},

		{"output-dialect", Warning, "the output schema names an older dialect", "leave $schema out, or name https://json-schema.org/draft/2020-12/schema and keep to it"},
		{"host-reference", Warning, "the input schema uses $ref", "write the schema in the place of the reference"},
		{"host-recursion", Error, "an argument may hold its own type", "give the tree a depth, or take it as a flat list whose items name their parent"},
		{"host-properties", Warning, "the input schema has no properties", `write "properties": {}`},
		{"host-type", Warning, "an argument has no type", `give it a "type"`},
		{"host-type-list", Warning, "an argument has a list of types", `write {"anyOf": [{"type": "string"}, {"type": "null"}]}, or leave out what may be left out`},
		{"host-enum-type", Warning, "an enum holds something other than text", "say the values in the description and bound the number, or make them text"},
		{"host-enum-empty", Warning, `an enum holds ""`, `leave "" out, and let the argument be left out instead`},
		{"host-hidden", Note, "a default or a bound stands in no description", "say it in the description too"},
		{"host-email", Note, `an argument has the format "email"`, "use a pattern, or a description"},
		{"host-composition", Error, "the root of the input schema is a union", "move anyOf, oneOf and allOf below the root: models' APIs refuse the tool"},
		{"host-pattern", Warning, "a pattern does not compile everywhere", "keep to what JavaScript's u mode and RE2 share: no lookaround, no inline flags, no needless escapes"},
		{"host-format", Note, "a format is none that JSON Schema knows", "use a format of JSON Schema 2020-12, or bounds and a description"},
		{"host-dialect", Note, "the output schema names a dialect", "leave $schema out: older hosts know draft-07 alone, newer ones 2020-12 alone"},
		{"host-key", Warning, "a parameter's name is outside what some hosts allow", "use at most 64 of the characters A-Z a-z 0-9 _ - ."},
		{"host-items", Warning, "a list says nothing about its items", "give every array in the input schema an items schema: some models' APIs refuse it"},

		{"structured-missing", Error, "structured content was promised and did not come", "fill structuredContent in every result that is no error"},
		{"structured-invalid", Error, "structured content breaks the published schema", "return what the schema says, or publish what is returned"},
		{"structured-null", Error, "structured content holds a null where the schema has none", "leave the field out, or allow null in the schema"},
		{"structured-undeclared", Warning, "structured content comes without an output schema", "publish an outputSchema for it"},
		{"panels-unequal", Warning, "the text is JSON, but not the structured content's", "derive both from the same value"},
		{"digits-lost", Error, "the text and the structured content differ in the digits of a number", "keep large numbers out of floats on their way, or send them as text"},
		{"digits-unsafe", Warning, "an integer is past 2^53", "send it as text: JavaScript hosts round it"},

		{"panel-figures", Note, "the text has a figure that the structured content does not have", "put it into the structured content too: some models read nothing else"},
		{"blocks-many", Note, "the answer has several text blocks", "send one block, or put what matters most into the first"},
		{"blocks-foreign", Warning, "the answer has a block that is neither text nor a picture", "send its text, or its address, as text too"},
		{"picture-beside", Note, "there is a picture beside structured content", "say in the structured content what the picture shows"},
		{"answer-long", Note, "the answer is longer than some hosts show their model", "answer with a page, and an argument for the next one"},
		{"answer-event", Error, "the answer is larger than 1 MiB in an event stream", "answer with application/json, with less, or with a link"},

		{"content-empty", Error, "the result has no content", "send at least one content block: some hosts refuse an empty list"},
		{"text-empty", Warning, "a text block is empty", "say what the result is, also when there is nothing"},
		{"json-in-string", Warning, "JSON hides in a string", "send the value itself as structuredContent, under an outputSchema"},

		{"no-answer", Error, "the tool did not answer", "answer every call, if need be with an error"},
		{"server-ended", Error, "the call ended the server", "catch the failure and answer with isError"},
		{"call-failed", Error, "the tool fails when it is called as its schema allows", "mend the tool, or let the schema say what a call needs"},
		{"call-guessed", Warning, "the tool fails on arguments that were made from its schema", "mend the tool, or give --example with arguments that it takes"},
		{"call-refused", Note, "the tool refuses arguments that were made from its schema", "give --example"},
		{"null-refused", Warning, "null for an optional argument is refused", "take null for an argument that is absent"},
		{"error-unmarked", Warning, "a failure looks like an answer", "answer a failure with isError"},
		{"error-structured", Warning, "an error has structured content that breaks the output schema", "leave structuredContent out of errors"},
		{"protocol-error", Warning, "the failure is a protocol error", "answer with isError and a text: hosts do not show protocol errors to the model"},
		{"error-accepted", Warning, "an argument of the wrong type is taken without a word", "check arguments against the input schema and say what is wrong"},
		{"error-empty", Warning, "the error says nothing", "say what was wrong and what would be right: the model reads it"},
		{"error-secret", Error, "the error text holds a secret", "mask causes; show the model only what was meant for it"},
		{"error-path", Warning, "the error text shows a path of the host", "mask causes; show the model only what was meant for it"},
		{"error-trace", Warning, "the error text shows a stack trace", "log the trace; tell the model what was wrong"},

		{"data-undemanded", Warning, "sources are published and not demanded", "demand sources in the output schema"},
		{"data-contract", Error, "the result breaks the rules for sources, tables and charts", "keep to the contract of data tools, or do not demand sources in the output schema"},
		{"data-blind", Warning, "the model reads none of the figures that the screen shows", "compose content from the same table"},
		{"data-orphan", Warning, "the model reads a figure that stands nowhere on the screen", "say only what the table, the charts or the sources hold"},
		{"data-silent", Warning, "nothing was found, and no word says so", "say that nothing was found, and why"},
		{"data-long", Note, "content costs more tokens than it should", "shorten it; the screen shows the rest"},
	}
}

// rule is the rule called id.
func rule(id string) Rule {
	for _, r := range Rules() {
		if r.ID == id {
			return r
		}
	}
	return Rule{ID: id, Severity: Error, Summary: id}
}
