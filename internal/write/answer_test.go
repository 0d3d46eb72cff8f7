package write_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/diptych-mcp/diptych/internal/shape"
	"github.com/diptych-mcp/diptych/internal/validate"
	"github.com/diptych-mcp/diptych/internal/write"
)

func filler(t *testing.T) *write.Writer {
	t.Helper()
	check, err := validate.Compile([]byte(`{"type":"object","properties":{"result":{"type":"array","items":{"type":"string"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return write.Compile(shape.NewReader(nil).Read(reflect.TypeFor[[]string]()), nil, check, true)
}

// TestResultsStayTheirOwn says that no result changes when the next one is made, whether it was copied out of shared
// buffers or given away, and however sizes alternate.
func TestResultsStayTheirOwn(t *testing.T) {
	f := filler(t)
	type kept struct {
		answer *write.Answer
		want   []string
	}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			var all []kept
			for i := range 60 {
				list := make([]string, []int{0, 1, 3, 3000}[(i+w)%4])
				for j := range list {
					list[j] = fmt.Sprint("worker ", w, " call ", i, " item ", j)
				}
				a := new(write.Answer)
				if i%5 == 0 {
					a.Say("the author's words")
				}
				if refused, err := f.Fill(a, reflect.ValueOf(&list).Elem(), write.Style{}); err != nil || refused != nil {
					t.Errorf("refused %s, %v", refused, err)
					return
				}
				all = append(all, kept{a, list})
			}
			for i, k := range all {
				doc, err := json.Marshal(map[string]any{"result": k.want})
				if err != nil {
					t.Error(err)
				}
				if got := k.answer.Result.StructuredContent.(json.RawMessage); string(got) != string(doc) {
					t.Errorf("structured content became %.80s, want %.80s", got, doc)
				}
				var texts []string
				for _, c := range k.answer.Result.Content {
					texts = append(texts, c.(*mcp.TextContent).Text)
				}
				want := strings.Join(k.want, "\n")
				if i%5 == 0 {
					want = "the author's words"
				} else if len(k.want) == 0 {
					want = "[]"
				}
				if got := strings.Join(texts, "\n"); got != want {
					t.Errorf("text became %.80s, want %.80s", got, want)
				}
			}
		})
	}
	wg.Wait()
}

func TestRefused(t *testing.T) {
	list := []string{"\xff"}
	refused, err := filler(t).Fill(new(write.Answer), reflect.ValueOf(&list).Elem(), write.Style{})
	if err != nil || string(refused) != "{\"result\":[\"\xff\"]}" {
		t.Errorf("refused %q, %v", refused, err)
	}
}
