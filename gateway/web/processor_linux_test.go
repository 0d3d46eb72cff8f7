package web

import (
	"runtime"
	"syscall"
	"time"
)

// processorTime is what this thread has used: others on the machine do not count. The caller stays on its thread.
func processorTime() time.Duration {
	runtime.LockOSThread()
	var u syscall.Rusage
	const thread = 1 // RUSAGE_THREAD
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
