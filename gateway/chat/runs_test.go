//go:build !race

package chat

// runs is how many runs prove the wall for each model client.
const runs = 1000
