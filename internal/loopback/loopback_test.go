package loopback

import "testing"

func TestIs(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "127.8.9.1": true, "::1": true, "0:0:0:0:0:0:0:1": true, "::ffff:127.0.0.1": true,
		"": false, "LOCALHOST": false, "localhost.": false, "localhost.example": false, "127.0.0.1.example": false, "127.1": false,
		"0.0.0.0": false, "::": false, "128.0.0.1": false, "::2": false, "::ffff:10.0.0.1": false, "[::1]": false, "127.0.0.1:80": false,
	} {
		if got := Is(host); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
	}
}

func TestHost(t *testing.T) {
	for address, want := range map[string]string{
		"localhost:80": "localhost", "localhost": "localhost", "127.0.0.1:": "127.0.0.1", "[::1]:80": "::1", "[::1]": "::1", "::1": "::1",
		"app.example:443": "app.example", ":80": "", "": "", "a:b:c": "a:b:c",
	} {
		if got := Host(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}
