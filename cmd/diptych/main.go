// Command diptych lists, calls and checks any MCP server from a terminal, and generates tools from Go source.
package main

func main() {}
