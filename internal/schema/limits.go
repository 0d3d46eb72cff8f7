package schema

// The bounds on what is published of a tool's arguments. Models and hosts read it with every request.
const (
	maxInput   = 32 << 10 // bytes of an input schema without definitions
	maxInPlace = 1000     // definitions written in place: more do not fit into maxInput
	maxLevels  = 3        // levels of a type that holds itself
)
