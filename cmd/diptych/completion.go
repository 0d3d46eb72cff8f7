package main

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"${enum}"`
}

func (k *completionCommand) Run(c *console) error { return nil }
