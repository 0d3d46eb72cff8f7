//go:build !unix

package connect

import "os/exec"

func group(*exec.Cmd) {}

func interrupt(cmd *exec.Cmd) { kill(cmd) }

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
