package main

// handlers measures what happens between the function's return and the wire.
func (b *bench) handlers() error {
	ratios := table{head: []string{"answer", "bytes", "json.Marshal"}}
	allocs := table{head: []string{"answer", "json.Marshal"}}
	for i, w := range b.works() {
		scores, err := contest(b.rounds, append([]entrant{{"json.Marshal", w.marshal}}, w.handlers...)...)
		if err != nil {
			return err
		}
		row, counts := []string{w.name, size(uint64(w.size)), duration(scores[0].cpu)}, []string{w.name, allocations(scores[0])}
		for _, s := range scores[1:] {
			if i == 0 {
				ratios.head = append(ratios.head, s.name)
				allocs.head = append(allocs.head, s.name)
			}
			row = append(row, figure(s.ratio))
			counts = append(counts, allocations(s))
		}
		ratios.add(row...)
		allocs.add(counts...)
	}
	b.title("The handler", "From the function's return to the result; `encoding/json.Marshal` of the same value = 1. “Panels alone” is the check and "+
		"both panels with the result's own allocation; the column beside it adds the rest of the call: arguments, goroutine, cancellation. mcp-go and "+
		"trpc-mcp-go leave the structured content to their wire, which encodes it once more.")
	ratios.print(b.out)
	b.title("Allocations of the handler", "Count and bytes of one call.")
	allocs.print(b.out)
	return nil
}
