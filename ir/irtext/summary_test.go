package irtext

import (
	"os"
	"strings"
	"testing"
)

// TestSummary: an index with every kind of entry and field prints as it is
// written, and an unknown field anywhere is refused with its place.
func TestSummary(t *testing.T) {
	src, err := os.ReadFile("testdata/summary/index.ll")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse("summary.ll", src, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(AppendModule(nil, m)); !strings.HasSuffix(got, "\n"+string(src)) {
		t.Errorf("got\n%s", got)
	}
	for _, word := range []string{"insts", "linkage", "hotness", "virtFunc", "memProf", "stackIds", "noRecurse", "alignLog2", "singleImplName"} {
		bad := strings.Replace(string(src), word+": ", "bogus: ", 1)
		if _, err := Parse("summary.ll", []byte(bad), Options{}); err == nil || !strings.Contains(err.Error(), "invalid field 'bogus' of a summary") {
			t.Errorf("bogus for %s: %v", word, err)
		}
	}
}
