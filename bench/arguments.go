package main

// arguments measures a call that says something: what the handlers above do, and before it the arguments are decoded and,
// by those that check, checked.
func (b *bench) arguments() error {
	endpoints, err := b.candidates.listen()
	if err != nil {
		return err
	}
	defer closeEndpoints(endpoints)
	t := table{head: []string{"three arguments"}}
	for _, layer := range []struct {
		name     string
		entrants []entrant
	}{{"the handler", b.candidates.asked.handlers}, {"the whole call over HTTP", b.candidates.asked.calls(endpoints)}} {
		scores, err := contest(b.rounds, layer.entrants...)
		if err != nil {
			return err
		}
		t.compare(scores, layer.name)
		t.count(scores, "allocations")
	}
	b.title("Arguments", "`"+question+"` in, three fields out: a string, an integer with a minimum and an enum, all required. The official SDK's raw "+
		"path, by hand, decodes and checks nothing, = 1; mcp-go without validation and trpc-mcp-go check nothing either. In the handler alone trpc-mcp-go "+
		"finds its arguments decoded to a map; mcp-go decodes its whole request there.")
	t.print(b.out)
	return nil
}
