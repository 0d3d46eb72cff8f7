package main

import (
	"net"
	"os"
	"strconv"
)

// region production-socket

// listen takes the socket that systemd opened for this process, or opens one. Systemd's stays open while the program is replaced.
func listen(address string) (net.Listener, error) {
	if os.Getenv("LISTEN_PID") != strconv.Itoa(os.Getpid()) || os.Getenv("LISTEN_FDS") != "1" {
		return net.Listen("tcp", address)
	}
	const first = 3 // after standard input, output and error
	file := os.NewFile(first, "systemd")
	defer file.Close() // FileListener has its own
	return net.FileListener(file)
}

// endregion
