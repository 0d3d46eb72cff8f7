package main

// handlers measures what happens between the function's return and the wire.
func (b *bench) handlers() error {
	ratios := table{head: []string{"answer", "bytes"}}
	allocs := table{head: []string{"answer"}}
	for _, w := range b.works() {
		scores, err := contest(b.rounds, append([]entrant{{"json.Marshal", w.marshal}, w.panels}, w.handlers...)...)
		if err != nil {
			return err
		}
		ratios.compare(scores, w.name, size(uint64(len(w.doc))))
		allocs.count(scores, w.name)
	}
	b.title("The handler", "From the function's return to the result; `encoding/json.Marshal` of the same value = 1. “Panels alone” is the check and "+
		"both panels with the result's own allocation; “diptych” adds the rest of the call: arguments, goroutine, cancellation. mcp-go and "+
		"trpc-mcp-go leave the structured content to their wire, which encodes it once more.")
	ratios.print(b.out)
	b.title("Allocations of the handler", "Count and bytes of one call.")
	allocs.print(b.out)
	return nil
}
