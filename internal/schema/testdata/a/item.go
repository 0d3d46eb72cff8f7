package a

// An Item has the name of a type in another package.
type Item struct {
	A int
}
