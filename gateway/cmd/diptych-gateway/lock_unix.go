//go:build unix

package main

import (
	"fmt"
	"os"
	"syscall"
)

// lock keeps a second gateway from the folder: each would take the other's runs for broken off. The lock goes with the
// process, however it ends.
func lock(path string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("another gateway uses this folder (%s: %w); end it or name another with --data", path, err)
	}
	return f.Close, nil
}
