package host

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var rang time.Duration
		c := newClock(10*time.Second, func() { rang = time.Since(began) })
		time.Sleep(4 * time.Second)
		c.pause()
		time.Sleep(time.Minute)
		c.pause() // two questions at once
		c.resume()
		time.Sleep(time.Minute)
		c.resume()
		time.Sleep(3 * time.Second)
		c.pause()
		c.resume()
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := 2*time.Minute + 10*time.Second; rang != want {
			t.Errorf("rang after %v, want %v", rang, want)
		}
		c = newClock(time.Second, func() { t.Error("a stopped clock rang") })
		c.stop()
		time.Sleep(time.Minute)
	})
}
