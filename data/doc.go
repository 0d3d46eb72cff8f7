// Package data is the profile for tools that publish data: no answer without a source.
//
// A data tool answers two readers at once. Its content is prose that the model reads; its structured content holds the
// sources, the table and the charts that the screen draws without the model touching a digit. A [Result] is built only
// from a text and a source, so a tool that names no source does not compile:
//
//	data.NewResult(data.Text(table), data.Source{URL: "https://example.org/cities"}, table)
//
// What the compiler cannot see is checked on every result before it leaves ([Check]): a result that breaks a rule becomes
// a tool error that names each place, and nothing of it is shown.
package data
