package main

import "context"

type checkCommand struct {
	target `embed:""`
}

func (k *checkCommand) Run(ctx context.Context, c *console) error { return nil }
