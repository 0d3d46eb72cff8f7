package diptych

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
)

func shapeOf[T any]() *shape.Shape { return shape.NewReader(forms).Read(reflect.TypeFor[T]()) }

// TestFaultLimits crosses the bounds on what is told of a document.
func TestFaultLimits(t *testing.T) {
	for n, want := range map[int]int{maxFault: maxFault, maxFault + 1: maxFault + len("…")} {
		if got := cut(strings.Repeat("x", n)); len(got) != want {
			t.Errorf("a fault of %d bytes is told in %d, want %d", n, len(got), want)
		}
	}

	number := `"x"`
	all := func(n int) []byte { return []byte("[" + strings.TrimSuffix(strings.Repeat(number+",", n), ",") + "]") }
	fail := func([]byte, any) error { return errors.New("no") }
	for n, want := range map[int]int{maxDecodeFaults: maxDecodeFaults, maxDecodeFaults + 1: maxDecodeFaults} {
		if got := len(findDecodeFaults(all(n), shapeOf[[]int](), fail)); got != want {
			t.Errorf("%d parts that do not decode: %d are named, want %d", n, got, want)
		}
	}

	search := faultFinder{decode: fail, left: 10}
	if search.look(shapeOf[int](), make([]byte, 10), ""); len(search.faults) != 1 {
		t.Error("the last bytes that may be read are not")
	}
	if search.look(shapeOf[int](), []byte("1"), ""); len(search.faults) != 1 {
		t.Error("more bytes are read than may be")
	}

	checker, err := validate.Compile([]byte(`{"items":{"type":"integer"}}`))
	if err != nil {
		t.Fatal(err)
	}
	o := &output{check: checker}
	for n, want := range map[int]int{maxFaults: maxFaults, maxFaults + 1: maxFaults + 1} {
		m, _ := errors.AsType[*Mismatch](o.mismatch(all(n)))
		if len(m.Faults) != want || (m.Faults[len(m.Faults)-1] == "and 1 more") != (n > maxFaults) {
			t.Errorf("%d faults are told as %q", n, m.Faults)
		}
	}
	for n, want := range map[int]int{maxPart - 2: maxPart, maxPart: maxPart} {
		m, _ := errors.AsType[*Mismatch](o.mismatch([]byte(`["` + strings.Repeat("x", n) + `"]`)))
		if len(m.part) != want {
			t.Errorf("of a part of %d bytes %d are logged, want %d", n+2, len(m.part), want)
		}
	}
}

// TestFillingLimit reads a document once for each hundred nulls, and once more to see that none is left.
func TestFillingLimit(t *testing.T) {
	lists, err := validate.Compile([]byte(`{"items":{"type":"array"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]bool{100 * (maxFillings - 1): true, 100 * maxFillings: false} {
		doc := "[" + strings.TrimSuffix(strings.Repeat("null,", n), ",") + "]"
		if full, ok := filled(lists, []byte(doc), shapeOf[[][]int]()); ok != want || ok && len(full) != len("[")+n*len("[],") {
			t.Errorf("%d nulls: filled in is %v", n, ok)
		}
	}
}

func TestNameLimit(t *testing.T) {
	if err := checkName(strings.Repeat("x", maxName)); err != nil {
		t.Error(err)
	}
	if err := checkName(strings.Repeat("x", maxName+1)); err == nil {
		t.Errorf("a name of %d bytes is accepted", maxName+1)
	}
}

// TestExactLimit refuses the first integer that a float may have rounded, and only from there on.
func TestExactLimit(t *testing.T) {
	for n, want := range map[float64]bool{maxExact - 1: false, maxExact: true, -maxExact: true} {
		if _, lost := rounded(n, shapeOf[int](), ""); lost != want {
			t.Errorf("%v: lost is %v", n, lost)
		}
	}
	if got := string(integer([]byte("9007199254740991.0"))); got != "9007199254740991" {
		t.Errorf("2^53-1 becomes %s", got)
	}
	if got := string(integer([]byte("9007199254740993.0"))); got != "9007199254740993.0" {
		t.Errorf("2^53+1 becomes %s", got)
	}
}

// TestGrace answers a caller whose function does not return, once the grace has passed and not at once.
func TestGrace(t *testing.T) {
	for _, wait := range []time.Duration{0, time.Hour} {
		quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
		stop := make(chan struct{})
		tool := func(ctx context.Context, _ struct{}) (int, error) {
			<-ctx.Done()
			if wait == 0 {
				return 17, nil
			}
			<-stop
			return 0, nil
		}
		_, handler, err := New(&mcp.Tool{Name: "f"}, tool, Timeout(time.Millisecond), Logger(quiet))
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan string, 1)
		start := time.Now()
		go func() {
			res, err := handler(context.Background(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}})
			done <- fmt.Sprint(res.IsError, err)
		}()
		select {
		case got := <-done:
			if want := fmt.Sprint(wait > 0, nil); got != want {
				t.Errorf("a function that takes %v more: %s, want %s", wait, got, want)
			}
			if took := time.Since(start); wait > 0 && took < grace {
				t.Errorf("answered after %v, before the grace of %v", took, grace)
			}
		case <-time.After(20 * time.Second):
			t.Error("a caller is not answered although the grace has passed")
		}
		close(stop)
	}
}
