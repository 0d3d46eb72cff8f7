// Package wire is what the model clients share on their way to a server: patience, bounds, names and readable errors.
package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The errors of answers that make no sense or no end.
var (
	ErrTooLong  = fmt.Errorf("the answer is longer than %d MiB; set a token limit", MaxKept>>20)
	ErrTooMany  = fmt.Errorf("the model asked for more than %d calls at once; ask for less", MaxCalls)
	ErrEnded    = errors.New("the server ended the answer early; ask again")
	ErrNoCall   = errors.New("the server sent arguments without a call; ask again")
	ErrWebPage  = errors.New("the server answered with a web page; check the base URL")
	ErrUnspoken = errors.New("the server reports an error and does not say which; look at its log")
)

// A Client sends requests to a model server. It tries again, a bounded number of times, what the server was too busy
// for, and gives up on a server that sends no byte for too long. It follows no redirect: a key in a header would
// travel with it. All retries happen before the first byte of an answer is handed on.
type Client struct {
	Transport http.RoundTripper                          // nil: http.DefaultTransport
	Idle      time.Duration                              // 0: two minutes
	Wait      func(context.Context, time.Duration) error // between two tries; nil: a timer
	Waits     func(why string, d time.Duration) error    // is called before each wait; may be nil
}

// Do sends req, whose body must be one that can be read again. The body of the answer is bounded.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	for try := 0; ; try++ {
		res, err := c.once(req)
		if try == maxRetries || !passing(req.Context(), res, err) {
			return res, err
		}
		wait := firstWait<<try + rand.N(firstWait)
		if res != nil {
			if asked, ok := retryAfter(res.Header); ok {
				wait = asked
			}
			if wait > maxWait {
				return res, nil
			}
			io.Copy(io.Discard, io.LimitReader(res.Body, maxError)) // so that the connection can be used again
			res.Body.Close()
		}
		if c.Waits != nil {
			why := "it could not be reached"
			if res != nil {
				why = strings.TrimSpace(fmt.Sprint(res.StatusCode, " ", http.StatusText(res.StatusCode)))
			}
			if err := c.Waits(why, wait); err != nil {
				return nil, err
			}
		}
		if err := c.wait(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// passing reports whether a failure may pass by itself. Silence does not count: it has cost enough already.
func passing(ctx context.Context, res *http.Response, err error) bool {
	if err != nil {
		var idle idleError
		return ctx.Err() == nil && !errors.As(err, &idle)
	}
	switch res.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout, 529:
		return true
	}
	return false
}

func retryAfter(h http.Header) (time.Duration, bool) {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s >= 0 {
		return time.Duration(min(s, 1e6) * float64(time.Second)), true
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, time.Until(t)), true
	}
	return 0, false
}

func (c *Client) wait(ctx context.Context, d time.Duration) error {
	if c.Wait != nil {
		return c.Wait(ctx, d)
	}
	return Sleep(ctx, d)
}

// Sleep waits for d, or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// once sends req a single time, under a watch that ends with the body of the answer.
func (c *Client) once(req *http.Request) (*http.Response, error) {
	idle := c.Idle
	if idle == 0 {
		idle = defaultIdle
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	watch := time.AfterFunc(idle, func() { cancel(idleError(idle)) })
	out := req.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			watch.Stop()
			cancel(nil)
			return nil, err
		}
		out.Body = body
	}
	transport := c.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	res, err := transport.RoundTrip(out)
	if err != nil {
		watch.Stop()
		err = cause(ctx, err)
		cancel(nil)
		return nil, err
	}
	res.Body = &watched{ReadCloser: res.Body, ctx: ctx, cancel: cancel, watch: watch, idle: idle, left: maxBody}
	return res, nil
}

// cause prefers what ended the context to how the transport noticed.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil {
		return c
	}
	return err
}

type idleError time.Duration

func (e idleError) Error() string {
	return fmt.Sprintf("the server sent nothing for %v; try again, or allow it more time", time.Duration(e))
}

// watched is a body that must keep coming, and must end.
type watched struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	watch  *time.Timer
	idle   time.Duration
	left   int64
}

func (w *watched) Read(p []byte) (int, error) {
	if w.left <= 0 {
		return 0, fmt.Errorf("the server sent more than %d MiB; set a token limit", maxBody>>20)
	}
	n, err := w.ReadCloser.Read(p[:min(int64(len(p)), w.left)])
	w.left -= int64(n)
	if err == nil {
		w.watch.Reset(w.idle)
		return n, nil
	}
	w.watch.Stop()
	if err != io.EOF {
		err = cause(w.ctx, err)
	}
	return n, err
}

func (w *watched) Close() error {
	w.watch.Stop()
	w.cancel(nil)
	return w.ReadCloser.Close()
}
