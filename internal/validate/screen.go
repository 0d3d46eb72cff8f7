package validate

import "fmt"

// Screen reports what speaks against compiling a schema that came from elsewhere: its size, its depth, a reference out of
// the document or in a circle, alternatives that multiply, a pattern that RE2 cannot run or that grows too large. What
// passes can be compiled, and then checks any document in time that is in proportion to the document.
func Screen(schema []byte) error {
	if len(schema) > screenSize {
		return fmt.Errorf("schema: larger than %d KiB", screenSize>>10)
	}
	root, err := parseSchema(schema, screenDepth)
	if err != nil {
		return err
	}
	c := compiler{root: root, limit: screenSchemas, ways: screenWays}
	_, err = c.compile()
	return err
}
