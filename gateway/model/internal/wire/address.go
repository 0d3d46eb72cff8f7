package wire

import (
	"fmt"
	"net/url"
	"strings"
)

// Address checks a base URL and returns it without a slash at its end. Its errors repeat nothing of it, because people
// put keys into addresses.
func Address(client, base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%s: the base URL is no http or https address; write it as https://HOST/PATH", client)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("%s: the base URL holds more than host and path; keys belong in the environment", client)
	}
	return strings.TrimRight(u.String(), "/"), nil
}
