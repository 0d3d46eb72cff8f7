package chat

// The loop between a model and the tools.
const system = ``

func (r *run) converse() Reason { return ByAnswer }
func (r *run) byHand() Reason   { return ByAnswer }
