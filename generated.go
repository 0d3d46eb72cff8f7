package diptych

// GeneratedVersion1 is the handshake between this library and the files that "diptych gen" writes. Every such file
// refers to the version that it was written for, so that a file and a library that disagree do not compile.
//
// A file that is newer than the library names a version that the library does not know; update the library:
//
//	go get github.com/diptych-mcp/diptych@latest
//
// A file that is older than the library names a version that the library has dropped; write the file again:
//
//	go generate ./...
//
// A version is dropped only by a new major version of the module. There is no other use for the constant.
const GeneratedVersion1 = true
