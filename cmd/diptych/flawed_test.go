package main

var flawedTools = []fixtureTool{}
