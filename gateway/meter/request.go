package meter

// HTTP requests, by the route that took them.

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// HTTP watches next, which must leave the request's Pattern where its ServeMux puts it.
func (m *Meter) HTTP(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		watched := &response{ResponseWriter: w, m: m}
		defer func() {
			if watched.stream {
				m.streams.Dec()
			}
			route := r.Pattern
			if route == "" {
				route = noServer // refused before it came to a route, or none has its path
			}
			if watched.status == 0 {
				watched.status = http.StatusOK // what a handler that says nothing has said
			}
			m.requests.WithLabelValues(route, strconv.Itoa(watched.status)).Observe(time.Since(began).Seconds())
		}()
		next.ServeHTTP(watched, r)
	})
}

type response struct {
	http.ResponseWriter
	m      *Meter
	status int
	stream bool
}

func (w *response) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
			w.stream = true
			w.m.streams.Inc()
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets an http.ResponseController flush.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }
