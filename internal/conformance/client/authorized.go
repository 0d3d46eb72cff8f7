package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// redirect is where the suite's authorization server sends a user who said yes. No server listens there: the answer is read
// from the redirection itself.
const redirect = "http://localhost:3000/callback"

// authorized plays with a user who allows everything.
func authorized(play func(context.Context, *host) error) func(context.Context, *host) error {
	return func(ctx context.Context, h *host) error {
		cfg := &auth.AuthorizationCodeHandlerConfig{
			RedirectURL:                    redirect,
			AuthorizationCodeFetcher:       allow,
			ClientIDMetadataDocumentConfig: &auth.ClientIDMetadataDocumentConfig{URL: "https://conformance-test.local/client-metadata.json"},
			DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
				Metadata: &oauthex.ClientRegistrationMetadata{RedirectURIs: []string{redirect}},
			},
		}
		if id, secret := h.settings.ClientID, h.settings.ClientSecret; id != "" && secret != "" {
			cfg.PreregisteredClient = &oauthex.ClientCredentials{
				ClientID: id, ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: secret},
			}
		}
		var err error
		if h.oauth, err = auth.NewAuthorizationCodeHandler(cfg); err != nil {
			return err
		}
		return play(ctx, h)
	}
}

// allow is the user: it opens the page and takes what the server answers at once.
func allow(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, args.URL, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultTransport.RoundTrip(req) // a client would follow the redirection
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	at, err := url.Parse(resp.Header.Get("Location"))
	if err != nil {
		return nil, fmt.Errorf("redirection: %w", err)
	}
	q := at.Query()
	return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
}
