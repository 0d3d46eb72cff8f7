// Package loopback tells which hosts are this machine, by their names.
package loopback

import (
	"net"
	"net/netip"
	"strings"
)

// Is reports whether a host, which is given without a port, is the loopback interface: localhost in lower case, or an
// address such as 127.0.0.1 or ::1. No name is looked up. The official SDK decides alike.
func Is(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Host is the host of an address or of a Host header: without its port, and without the brackets of IPv6.
func Host(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return strings.Trim(address, "[]")
}
