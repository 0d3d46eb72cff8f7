package client

const (
	// maxComment is how many characters of a foreign text a comment has.
	maxComment = 300
	// maxDepth is how deep types are nested before the rest is raw JSON.
	maxDepth = 32
	// maxConstants is how many values of an enum get a constant.
	maxConstants = 200
)
