package countdown

import (
	"testing"
	"testing/synctest"
	"time"
)

// bubble runs f on a simulated clock and returns when the timer rang.
func bubble(t *testing.T, f func(timer *Timer)) (rings []time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		f(New(10*time.Second, func() { rings = append(rings, time.Since(began)) }))
		time.Sleep(time.Hour)
		synctest.Wait()
	})
	return rings
}

func TestTimer(t *testing.T) {
	for name, c := range map[string]struct {
		run  func(timer *Timer)
		want time.Duration // 0: it does not ring
	}{
		"not started": {func(*Timer) {}, 0},
		"started":     {func(timer *Timer) { timer.Resume() }, 10 * time.Second},
		"started later": {func(timer *Timer) {
			time.Sleep(time.Minute)
			timer.Resume()
		}, 70 * time.Second},
		"paused before the start": {func(timer *Timer) {
			timer.Pause()
			timer.Resume()
			time.Sleep(time.Minute)
			timer.Resume()
		}, 70 * time.Second},
		"paused twice at once, and once more": {func(timer *Timer) {
			timer.Resume()
			time.Sleep(4 * time.Second)
			timer.Pause()
			time.Sleep(time.Minute)
			timer.Pause()
			timer.Resume()
			time.Sleep(time.Minute)
			timer.Resume()
			time.Sleep(3 * time.Second)
			timer.Pause()
			timer.Resume()
		}, 130 * time.Second},
		"paused after it rang": {func(timer *Timer) {
			timer.Resume()
			time.Sleep(time.Minute)
			timer.Pause()
			timer.Resume()
		}, 10 * time.Second},
		"stopped": {func(timer *Timer) {
			timer.Resume()
			timer.Stop()
			timer.Pause()
			timer.Resume()
		}, 0},
		"stopped in a pause": {func(timer *Timer) {
			timer.Resume()
			timer.Pause()
			timer.Stop()
			timer.Resume()
		}, 0},
		"stopped before the start": {func(timer *Timer) {
			timer.Stop()
			timer.Resume()
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			rings := bubble(t, c.run)
			if c.want == 0 && len(rings) > 0 || c.want > 0 && (len(rings) != 1 || rings[0] != c.want) {
				t.Errorf("rang after %v, want %v", rings, c.want)
			}
		})
	}
}
