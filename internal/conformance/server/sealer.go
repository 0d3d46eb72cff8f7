package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// A sealer signs the state that a tool keeps with its client, which is not to be trusted with it. The key lives as long
// as the process.
type sealer struct{ key []byte }

func newSealer() (*sealer, error) {
	s := &sealer{key: make([]byte, 32)}
	_, err := rand.Read(s.key)
	return s, err
}

var encoding = base64.RawURLEncoding

func (s *sealer) seal(state string) string {
	return encoding.EncodeToString([]byte(state)) + "." + encoding.EncodeToString(s.sum(state))
}

// open returns the state, and false when it is not one that this process sealed.
func (s *sealer) open(sealed string) (string, bool) {
	left, right, _ := strings.Cut(sealed, ".")
	state, err := encoding.DecodeString(left)
	if err != nil {
		return "", false
	}
	sum, err := encoding.DecodeString(right)
	if err != nil || !hmac.Equal(sum, s.sum(string(state))) {
		return "", false
	}
	return string(state), true
}

func (s *sealer) sum(state string) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(state))
	return mac.Sum(nil)
}
