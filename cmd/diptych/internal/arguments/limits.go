package arguments

// What is made of a foreign schema.
const (
	// maxExample is how many bytes made arguments may have: a schema may ask for a text of any length.
	maxExample = 1 << 20
	// maxLevels is how deep made arguments are nested: a required member may be of its own type.
	maxLevels = 12
	// maxItems is how many items a made list has at most, whatever minItems asks for.
	maxItems = 64
	// maxVisits bounds the way through alternatives that lead to each other.
	maxVisits = 1000
	// maxChoices is how many allowed values an error lists.
	maxChoices = 12
)
