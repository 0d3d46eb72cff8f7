//go:build race

package chat

// runs is how many runs prove the wall for each model client: a thousand in all, because the race detector slows SQLite down
// many times.
const runs = 500
