package tree

// What is read of a foreign document.
const (
	// maxDepth is how deep arrays and objects may be nested: the walks over a tree are recursive.
	maxDepth = 128
	// maxNodes is how many values a document may have: a value costs about 100 bytes of memory.
	maxNodes = 1 << 20
	// maxSteps is how many references in a row are followed: they may lead in a circle.
	maxSteps = 16
)
