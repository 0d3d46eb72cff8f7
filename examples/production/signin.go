package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// A signIn decides whose requests are answered. It issues no tokens: that is the authorization server's work.
type signIn struct {
	verifier *oidc.IDTokenVerifier
	resource oauthex.ProtectedResourceMetadata
	metadata string // the address of the metadata
}

const wellKnown = "/.well-known/oauth-protected-resource"

// newSignIn reads the issuer's metadata, so that a wrong address is found at the start.
func newSignIn(ctx context.Context, c *config) (*signIn, error) {
	// region production-issuer
	ctx = oidc.ClientContext(ctx, &http.Client{Timeout: 10 * time.Second})
	issuer, err := oidc.NewProvider(ctx, c.issuer) // reads its metadata, and its keys when they are needed
	if err != nil {
		return nil, fmt.Errorf("the authorization server: %w; give its address as -issuer", err)
	}
	// A token for another server is refused: its audience is not this address.
	verifier := issuer.VerifierContext(ctx, &oidc.Config{ClientID: c.url.String()})
	// endregion

	// region production-metadata
	resource := oauthex.ProtectedResourceMetadata{
		Resource:               c.url.String(), // exactly the address that people enter in a client
		ResourceName:           "Rooms",
		AuthorizationServers:   []string{c.issuer},
		ScopesSupported:        allScopes(),
		BearerMethodsSupported: []string{"header"},
	}
	metadata := *c.url
	metadata.Path = wellKnown + c.url.Path
	// endregion
	return &signIn{verifier, resource, metadata.String()}, nil
}

// region production-verify

// claims are what is read of a token. The scopes are one string (RFC 9068), or a list under another name (Okta).
type claims struct {
	Scope  string   `json:"scope"`
	Scopes []string `json:"scp"`
}

func (s *signIn) verify(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	verified, err := s.verifier.Verify(ctx, token) // signature, issuer, audience, expiry
	if err != nil {
		slog.InfoContext(ctx, "token refused", "error", err)
		return nil, auth.ErrInvalidToken
	}
	var c claims
	if err := verified.Claims(&c); err != nil {
		slog.InfoContext(ctx, "token refused", "error", err)
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{
		UserID: verified.Subject, Expiration: verified.Expiry, Scopes: append(c.Scopes, strings.Fields(c.Scope)...),
	}, nil
}

// guard answers requests without a valid token with 401, and says where to sign in.
func (s *signIn) guard(next http.Handler) http.Handler {
	return auth.RequireBearerToken(s.verify, &auth.RequireBearerTokenOptions{
		ResourceMetadataURL: s.metadata, ClockSkew: 30 * time.Second,
	})(next)
}

// endregion
