package main

import (
	"errors"
	"flag"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// A config is what differs between one place where the server runs and another.
type config struct {
	url         *url.URL // the address that clients use; its path is the base path
	issuer      string
	origins     []string
	listen      string
	metrics     string
	callTimeout time.Duration
	drain       time.Duration // between "not ready" and closing the listener
	grace       time.Duration // for the calls that are still running then
}

func readConfig(args []string) (*config, error) {
	c := &config{}
	var address, origins string
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.StringVar(&address, "url", "", "`address` under which clients reach the server, such as https://mcp.example/rooms/mcp")
	flags.StringVar(&c.issuer, "issuer", "", "`address` of the authorization server whose tokens are accepted")
	flags.StringVar(&origins, "origins", "", "`origins` of pages that may call the server, separated by commas")
	flags.StringVar(&c.listen, "listen", "127.0.0.1:8080", "serve at `host:port`; systemd's socket is taken where there is one")
	flags.StringVar(&c.metrics, "metrics", "127.0.0.1:9090", "serve /metrics at `host:port`, which clients must not reach")
	flags.DurationVar(&c.callTimeout, "call-timeout", time.Minute, "longest `time` of a call")
	flags.DurationVar(&c.drain, "drain", 5*time.Second, "`time` for the proxy to notice that the server stops")
	flags.DurationVar(&c.grace, "grace", 70*time.Second, "`time` for running calls when the server stops")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	var err error
	if c.url, err = url.Parse(address); err != nil || c.url.Host == "" || c.url.Path == "" || c.url.Path == "/" {
		return nil, errors.New("-url is no address with a path; give the one that clients use, such as https://mcp.example/rooms/mcp")
	}
	if c.issuer == "" {
		return nil, errors.New("-issuer is missing; give the address of the authorization server")
	}
	if c.grace <= c.callTimeout {
		return nil, fmt.Errorf("-grace %v is not longer than -call-timeout %v; calls would be cut when the server stops", c.grace, c.callTimeout)
	}
	if origins != "" {
		c.origins = strings.Split(origins, ",")
	}
	return c, nil
}
