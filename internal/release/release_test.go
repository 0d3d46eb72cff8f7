//go:build release

// Package release tests that what `make release` makes can be installed: in a clone of what is committed it makes two
// releases, and with nothing but those it does what a user does.
package release

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const library = "github.com/diptych-mcp/diptych"

// published are the modules of a release, as Go knows them.
var published = []string{library, library + "/gateway"}

// A stage is a clone in which releases are made, and the folders in which they are used.
type stage struct {
	*testing.T
	clone, bin, outside string
	earlier, version    string   // the two releases; version is the one that the rest of the test uses
	env                 []string // of commands that see the releases
}

func TestRelease(t *testing.T) {
	dir := t.TempDir()
	s := &stage{
		T: t, clone: filepath.Join(dir, "clone"), bin: filepath.Join(dir, "bin"), outside: filepath.Join(dir, "outside"),
	}
	// Go's cache remembers versions, so each run has its own.
	s.earlier = fmt.Sprintf("v0.0.1-test.%d", time.Now().UnixNano())
	s.version = s.earlier + ".later"
	// The person who runs this may have no name in git yet, sign commits, or not own the tree.
	settings := filepath.Join(dir, "gitconfig")
	if err := os.WriteFile(settings, []byte("[user]\nname = Release\nemail = release@example.test\n[safe]\ndirectory = *\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+settings)
	s.run(".", "git", "clone", "-q", filepath.Join("..", ".."), s.clone)
	s.releasesEarlier()
	s.changesInternals()
	s.refusesBefore()
	s.releases()
	s.serves(filepath.Join(dir, "fetched"))
	s.requiresWhatItNeeds()
	s.raisesTheLibraryAlone(filepath.Join(dir, "raised"))
	s.run(dir, "go", "install", library+"/cmd/diptych@latest")
	s.run(dir, "go", "install", library+"/gateway/cmd/diptych-gateway@latest")
	s.buildsOutside()
	s.listsTools()
	s.publishesView()
	s.showsPage()
}

// run runs a command that has to succeed and returns what it prints.
func (s *stage) run(dir, name string, args ...string) string {
	s.Helper()
	begun := time.Now()
	out, err := s.command(dir, name, args...).Output()
	if err != nil {
		s.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	s.Logf("%5.1f s  %s %s", time.Since(begun).Seconds(), name, strings.Join(args, " "))
	return string(out)
}

func (s *stage) command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.Context(), name, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, s.env, s.Output()
	return cmd
}

// refuses asks for a release that must not be made.
func (s *stage) refuses(version, reason string) {
	s.Helper()
	cmd := s.command(s.clone, "make", "release", "VERSION="+version)
	cmd.Stderr = nil
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), reason) {
		s.Errorf("%q: error %v, wanted %q in %s", version, err, reason, out)
	}
}

// releasesEarlier makes the first of the two releases.
func (s *stage) releasesEarlier() {
	s.run(s.clone, "make", "release", "VERSION="+s.earlier)
}

// changesInternals commits what a later version of the library may do at any time: a package of internal/ that the command
// imports has another path.
func (s *stage) changesInternals() {
	const before, after = library + "/internal/validate", library + "/internal/validated"
	files := strings.Fields(s.run(s.clone, "git", "grep", "-l", "-F", `"`+before, "--", "*.go"))
	if !strings.Contains(strings.Join(files, " "), "cmd/diptych/") {
		s.Fatalf("the command does not import %s: %v", before, files)
	}
	for _, name := range files {
		path := filepath.Join(s.clone, name)
		src, err := os.ReadFile(path)
		if err != nil {
			s.Fatal(err)
		}
		text := strings.NewReplacer(`"`+before+`"`, `"`+after+`"`, `"`+before+"/", `"`+after+"/").Replace(string(src))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			s.Fatal(err)
		}
	}
	s.run(s.clone, "git", "mv", "internal/validate", "internal/validated")
	s.run(s.clone, "go", "build", "./...")
	s.run(s.clone, "git", "commit", "-q", "-a", "-m", "Move a package of internal/")
}

// raisesTheLibraryAlone has the command of the earlier release as a tool, and then takes the later library without a word
// about the command: it keeps building, because it is raised with the library.
func (s *stage) raisesTheLibraryAlone(dir string) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		s.Fatal(err)
	}
	const source = "package raised\n\n// Double doubles a number.\n//\n//diptych:tool readonly\nfunc Double(n int) int { return 2 * n }\n"
	if err := os.WriteFile(filepath.Join(dir, "double.go"), []byte(source), 0o600); err != nil {
		s.Fatal(err)
	}
	s.run(dir, "go", "mod", "init", "example.test/raised")
	s.run(dir, "go", "get", "-tool", library+"/cmd/diptych@"+s.earlier)
	for _, version := range []string{s.earlier, s.version} {
		s.run(dir, "go", "get", library+"@"+version)
		s.run(dir, "go", "tool", "diptych", "gen", ".")
		s.run(dir, "go", "mod", "tidy")
		s.run(dir, "go", "build", "./...")
		if said := s.run(dir, "go", "tool", "diptych", "--version"); !strings.Contains(said, version) {
			s.Errorf("the command says %q, want %s", said, version)
		}
	}
}

func (s *stage) refusesBefore() {
	for _, version := range []string{"", "0.1.0", "v1", "v0.1", "v2.0.0", "v0.01.0", "v0.1.0-01", "v0.1.0-", "v0.1.0+linux", "v0.1.0;ls"} {
		s.refuses(version, "no version that can be released; give")
	}
	changed := filepath.Join(s.clone, "changed")
	if err := os.WriteFile(changed, nil, 0o600); err != nil {
		s.Fatal(err)
	}
	s.refuses(s.version, "in no commit; commit them")
	if err := os.Remove(changed); err != nil {
		s.Fatal(err)
	}
	if tags := s.run(s.clone, "git", "tag", "--list", s.version); tags != "" {
		s.Errorf("made in spite of it: %s", tags)
	}
}

// releases makes the release. Where it was made, nothing but tags may have come.
func (s *stage) releases() {
	look := func() string {
		return s.run(s.clone, "git", "rev-parse", "HEAD") + s.run(s.clone, "git", "status", "--porcelain", "--ignored", "--branch") +
			s.run(s.clone, "git", "worktree", "list")
	}
	before := look()
	said := s.run(s.clone, "make", "release", "VERSION="+s.version)
	if push := fmt.Sprintf("git push --atomic origin %s gateway/%[1]s\n", s.version); !strings.Contains(said, push) {
		s.Errorf("says %q, without %q", said, push)
	}
	if after := look(); after != before {
		s.Errorf("the clone was\n%sand is\n%s", before, after)
	}
	s.refuses(s.version, "exists; take the next version")
	for _, folder := range []string{"data/assets", "gateway/web/assets"} {
		if notices := s.released(folder + "/notices.md"); !strings.Contains(notices, "\n## chart.js - ") || !strings.Contains(notices, "Copyright (c) ") {
			s.Errorf("%s: the notices are %q", folder, notices)
		}
	}
}

// released is a file as it was released.
func (s *stage) released(path string) string {
	s.Helper()
	return s.run(s.clone, "git", "show", s.version+":"+path)
}

// serves lets Go fetch the release from the clone by its tags, and sets the environment to take it from there, and all
// else from where it always comes. Go's cache is the user's, because there all else is built already; what came into it
// is taken out in the end.
func (s *stage) serves(fetched string) {
	proxy, cache := strings.TrimSpace(s.run(".", "go", "env", "GOPROXY")), strings.TrimSpace(s.run(".", "go", "env", "GOMODCACHE"))
	s.env = append(s.env, "GOWORK=off", "GOFLAGS=-modcacherw", "GONOSUMDB="+library, "GOBIN="+s.bin,
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://"+s.clone+".insteadOf", "GIT_CONFIG_VALUE_0=https://"+library)
	env := s.env
	s.env = append(env, "GOPROXY=direct", "GOMODCACHE="+fetched)
	download := []string{"mod", "download"}
	for _, module := range published {
		download = append(download, module+"@"+s.earlier, module+"@"+s.version)
	}
	s.run(s.TempDir(), "go", download...)
	s.env = append(env, "GOPROXY=file://"+filepath.Join(fetched, "cache", "download")+","+proxy)

	s.Cleanup(func() {
		for _, module := range published {
			left, err := filepath.Glob(filepath.Join(cache, "cache", "download", module, "@v", s.earlier+".*"))
			if err != nil {
				s.Error(err)
			}
			list := filepath.Join(cache, "cache", "download", module, "@v", "list") // Go writes it anew
			for _, path := range append(left, list, filepath.Join(cache, module+"@"+s.earlier), filepath.Join(cache, module+"@"+s.version)) {
				if err := os.RemoveAll(path); err != nil {
					s.Error(err)
				}
			}
		}
	})
}

// requiresWhatItNeeds looks at the modules in a checkout of the release: their go.mod and go.sum are complete.
func (s *stage) requiresWhatItNeeds() {
	s.run(s.clone, "git", "checkout", "-q", s.version)
	for _, module := range published[1:] {
		s.run(filepath.Join(s.clone, strings.TrimPrefix(module, library)), "go", "list", "-deps", "./...")
	}
}

// buildsOutside makes a module of the cities example, whose tools are written by the installed command.
func (s *stage) buildsOutside() {
	example := filepath.Join(s.clone, "examples", "cities")
	if err := os.CopyFS(s.outside, os.DirFS("testdata")); err != nil {
		s.Fatal(err)
	}
	for _, pattern := range []string{"atlas.go", "tools.go", "*.csv"} {
		files, err := filepath.Glob(filepath.Join(example, pattern))
		if err != nil || len(files) == 0 {
			s.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		s.run(s.clone, "cp", append(files, s.outside)...)
	}
	s.run(s.outside, "go", "mod", "init", "example.test/outside")
	s.run(s.outside, "go", "get", library+"@latest", ".")
	s.run(s.outside, filepath.Join(s.bin, "diptych"), "gen", ".")
	want, err := os.ReadFile(filepath.Join(example, "tools_gen.go"))
	if err != nil {
		s.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(s.outside, "tools_gen.go")); err != nil || string(got) != string(want) {
		s.Errorf("outside the tree the command generates something else: %v\n%s", err, got)
	}
	s.run(s.outside, "go", "build", "-o", s.bin, ".")
	s.run(s.outside, "go", "mod", "tidy")
	if mod, err := os.ReadFile(filepath.Join(s.outside, "go.mod")); err != nil || !strings.Contains(string(mod), library) || strings.Contains(string(mod), "kong") {
		s.Errorf("a module that imports the library requires what only the command needs: %v\n%s", err, mod)
	}
}

func (s *stage) server() string { return filepath.Join(s.bin, "outside") }

func (s *stage) listsTools() {
	if got := s.run(s.outside, filepath.Join(s.bin, "diptych"), "ls", "--", s.server()); !strings.Contains(got, "compare_cities(cities: [string]") {
		s.Errorf("ls says %s", got)
	}
}

// publishesView asks the server for the page that hosts draw its results with.
func (s *stage) publishesView() {
	client := mcp.NewClient(&mcp.Implementation{Name: "release", Version: "0"}, nil)
	session, err := client.Connect(s.Context(), &mcp.CommandTransport{Command: s.command(s.outside, s.server())}, nil)
	if err != nil {
		s.Fatal(err)
	}
	defer session.Close()
	listed, err := session.ListResources(s.Context(), nil)
	if err != nil || len(listed.Resources) != 1 {
		s.Fatalf("resources are %+v, %v", listed, err)
	}
	read, err := session.ReadResource(s.Context(), &mcp.ReadResourceParams{URI: listed.Resources[0].URI})
	if err != nil {
		s.Fatal(err)
	}
	if got := read.Contents[0].Text; got != s.released("data/assets/view.html") {
		s.Errorf("the view is not the released one: %.300s", got)
	}
}

// showsPage starts the installed gateway and looks at its page as a browser would.
func (s *stage) showsPage() {
	gateway := s.command(s.outside, filepath.Join(s.bin, "diptych-gateway"), "--listen", "127.0.0.1:0", "--data", s.TempDir(), "--model", "scripted")
	gateway.Cancel = func() error { return gateway.Process.Signal(os.Interrupt) }
	out, err := gateway.StdoutPipe()
	if err != nil {
		s.Fatal(err)
	}
	if err := gateway.Start(); err != nil {
		s.Fatal(err)
	}
	defer func() {
		_ = gateway.Cancel() // it has ended where this fails, which Wait says
		if err := gateway.Wait(); err != nil {
			s.Error(err)
		}
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "Listening on ")
	if !ok {
		s.Errorf("the gateway says %q, %v", line, err)
		return
	}
	if page := s.get(url); !strings.Contains(page, "/assets/app.js") {
		s.Errorf("the page loads no script: %s", page)
	}
	for _, name := range []string{"app.js", "app.css"} {
		if got := s.get(url + "assets/" + name); got != s.released("gateway/web/assets/"+name) {
			s.Errorf("%s is not the released one: %.300s", name, got)
		}
	}
}

func (s *stage) get(url string) string {
	s.Helper()
	res, err := http.Get(url)
	if err != nil {
		s.Error(err)
		return ""
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		s.Errorf("%s: status %d, %v", url, res.StatusCode, err)
	}
	return string(body)
}
