package terminal

// maxBarLines is how many lines of progress are written where there is no terminal: a server may report without end.
const maxBarLines = 1000
