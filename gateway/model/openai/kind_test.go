package openai

import (
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/diptych-mcp/diptych/gateway/model"
	"github.com/diptych-mcp/diptych/gateway/model/modeltest"
)

// Every failure has a kind that it can be counted by.
func TestKinds(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	body := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
	}
	for name, test := range map[string]struct {
		play http.HandlerFunc
		want model.Kind
	}{
		"no key":         {status(401), model.Denied},
		"no permission":  {status(403), model.Denied},
		"no such model":  {status(404), model.Refused},
		"busy":           {status(429), model.Busy},
		"overloaded":     {status(503), model.Busy},
		"broken":         {status(500), model.Broken},
		"said midway":    {body(sse(delta(`"content":"Hel"`), `{"error":{"message":"out of memory"}}`)), model.Broken},
		"said nothing":   {body(sse(`{"error":{}}`)), model.Broken},
		"cut":            {body(sse(delta(`"content":"Hel"`))), model.Cut},
		"a web page":     {body("<!doctype html>"), model.Unreadable},
		"hung up before": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, model.Unreachable},
		"silent": {func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}, model.Silent},
	} {
		c := serve(t, test.play, func(c *Config) { c.Idle = 200 * time.Millisecond })
		_, err := modeltest.Stream(t, c, asked)
		var got *model.Error
		if !errors.As(err, &got) || got.Kind != test.want {
			t.Errorf("%s: %v, want the kind %s", name, err, test.want)
		}
	}
}
