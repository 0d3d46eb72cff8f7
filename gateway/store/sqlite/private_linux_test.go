package sqlite

import (
	"strings"
	"testing"
)

// TestOpenRefusesForeign opens a file whose mode this user may not change, as where it belongs to another one.
func TestOpenRefusesForeign(t *testing.T) {
	s, err := Open(t.Context(), "/proc/self/comm") // even root may not
	if err == nil {
		s.Close()
		t.Fatal("it was opened")
	}
	for _, part := range []string{"others may use /proc/", "comm (mode 0644)", "not permitted; ", `run "chmod 600 /proc/`, "as its owner"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v; want %s", err, part)
		}
	}
}
