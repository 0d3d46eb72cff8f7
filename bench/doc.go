// Package bench measures this library beside its peers in one run.
package bench
