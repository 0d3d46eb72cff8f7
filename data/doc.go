// Package data is the profile for tools that publish data: no answer without a source.
//
// A data tool answers two readers at once. Its content is prose that the model reads; its structured content holds the
// sources, the table and the charts that the screen draws without the model touching a digit. A [Result] is built only
// from a text and a source; without a source argument the call does not compile:
//
//	data.NewResult(data.Text(table), data.Source{URL: "https://example.org/cities"}, table)
//
// What the compiler cannot see, such as an empty Result or an empty Source, is checked on every result before it leaves ([Check]):
// a result that breaks a rule becomes a tool error that names each place, and nothing of it is shown.
//
// A [Registry] decides which tools a server has. [Add] adds one of the author's, and [Registry.AddTool] one from
// elsewhere, if its output schema demands sources ([DemandsSources]). What did not come through is in no list and cannot be
// called. [TableOf], [Bar] and its like, and [Text] make the table, the charts and the words of the same rows, so that each fact
// is typed once. Package datatest checks a server for all of this in its author's tests; package lint judges one answer.
//
// In a host that speaks MCP Apps the answer is drawn by a page that the registry publishes; see [View].
package data
