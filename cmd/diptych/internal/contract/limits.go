package contract

// How far two schemas are compared. Both are foreign; each was screened, but their pairs may be many.
const (
	// maxPairs is how many pairs of subschemas are compared.
	maxPairs = 20_000
	// maxDepth is how deep they are nested.
	maxDepth = 64
	// maxValues is how many values are tried as evidence, and maxValue how many bytes one of them has.
	maxValues = 500
	maxValue  = 64 << 10
	// maxSampled is how deep a made value is nested.
	maxSampled = 8
	// maxShown is how many bytes of a value are shown.
	maxShown = 200
)
