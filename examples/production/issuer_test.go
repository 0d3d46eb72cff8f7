package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// An issuer is an authorization server: what it publishes, and tokens that it has issued.
type issuer struct {
	*httptest.Server
	t   *testing.T
	key *ecdsa.PrivateKey
}

func newIssuer(t *testing.T) *issuer {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, req *http.Request) {
		self := "http://" + req.Host
		_ = json.NewEncoder(w).Encode(map[string]any{
			"issuer": self, "jwks_uri": self + "/keys", "authorization_endpoint": self + "/authorize", "token_endpoint": self + "/token",
			"code_challenge_methods_supported": []string{"S256"}, "id_token_signing_alg_values_supported": []string{"ES256"},
		})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &key.PublicKey, KeyID: "first", Algorithm: "ES256", Use: "sig"}}})
	})
	i := &issuer{Server: httptest.NewServer(mux), t: t, key: key}
	t.Cleanup(i.Close)
	return i
}

// token is one for ada and the server at audience. The changes replace its claims.
func (i *issuer) token(audience string, changes map[string]any) string {
	i.t.Helper()
	claims := map[string]any{
		"iss": i.URL, "aud": audience, "sub": "ada", "exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix(),
		"scope": "rooms:read rooms:write",
	}
	for name, value := range changes {
		claims[name] = value
	}
	return sign(i.t, i.key, claims)
}

func sign(t *testing.T, key *ecdsa.PrivateKey, claims map[string]any) string {
	t.Helper()
	options := (&jose.SignerOptions{}).WithHeader("kid", "first").WithType("at+jwt")
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, options)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}
