package mirverify

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/triple"
)

// parse reads MIR text for a triple or architecture as llc's flags name it.
func parse(name string, src []byte, of, arch, cpu, features string) (*mirtext.File, error) {
	if of != "" {
		of = triple.Normalize(of)
	}
	return mirtext.Parse(name, src, mirtext.ParseOptions{Triple: of, Arch: arch, CPU: cpu, Features: features, EmitCallSiteInfo: true, Facts: func(t string) (*desc.Info, error) {
		if arch != "" {
			t = arch
		}
		if t == "" {
			t = "x86_64-unknown-linux-gnu"
		}
		return facts.Load(family.NameOf(family.ArchOfMarch(t)))
	}})
}

// TestAgainstLLVM compares verdicts with those that the reference gave: the
// environment names a folder of results, each with the flags, the path of the
// input and llc's messages (made by tools of the maintainer, see doc.go).
func TestAgainstLLVM(t *testing.T) {
	dir := os.Getenv("MIRVERIFY_REF")
	if dir == "" {
		t.Skip("MIRVERIFY_REF is not set")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.err"))
	sort.Strings(files)
	flag := regexp.MustCompile(`-(mtriple|march|mcpu|mattr)[= ](\S+)`)
	var v Verifier
	same, total, clean, cleanOK, unread := 0, 0, 0, 0, 0
	kinds := map[string]int{}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		lines := strings.SplitN(text, "\n", 4)
		path := strings.TrimPrefix(lines[1], "FILE ")
		want := badLine.FindAllString(text, -1)
		if lines[2] != "RC 0" && len(want) == 0 {
			continue // refused by the reader, or a crash
		}
		flags := map[string]string{}
		for _, m := range flag.FindAllStringSubmatch(lines[0], -1) {
			flags[m[1]] = strings.Trim(m[2], `"'`)
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parse(path, src, flags["mtriple"], flags["march"], flags["mcpu"], flags["mattr"])
		if err != nil {
			unread++
			if testing.Verbose() {
				t.Logf("UNREAD %s: %v", path, err)
			}
			continue
		}
		total++
		if len(want) == 0 {
			clean++
		}
		var got []string
		text = ""
		for _, mf := range f.Functions {
			r := v.Verify(mf, Options{})
			if !r.OK() {
				// LLVM stops at the first function with faults.
				text = string(r.AppendText(nil))
				got = badLine.FindAllString(text, -1)
				break
			}
		}
		if strings.Join(got, "\n") == strings.Join(want, "\n") {
			same++
			if len(want) == 0 {
				cleanOK++
			}
			continue
		}
		count := map[string]int{}
		for _, m := range got {
			count[m]++
		}
		for _, m := range want {
			count[m]--
		}
		for m, n := range count {
			if n > 0 {
				kinds["+ "+m] += 1
			} else if n < 0 {
				kinds["- "+m] += 1
			}
		}
		if testing.Verbose() {
			t.Logf("DIFF %s\n got %d want %d", path, len(got), len(want))
			for k := range max(len(got), len(want)) {
				g, w := "", ""
				if k < len(got) {
					g = got[k]
				}
				if k < len(want) {
					w = want[k]
				}
				if g != w {
					t.Logf("  #%d got  %s\n      want %s", k, g, w)
					break
				}
			}
			if i := strings.Index(text, "*** Bad"); i >= 0 && len(want) == 0 {
				t.Logf("%.600s", text[i:])
			}
		}
	}
	var l []string
	for k, n := range kinds {
		l = append(l, fmt.Sprintf("%5d files %s", n, k))
	}
	sort.Sort(sort.Reverse(sort.StringSlice(l)))
	t.Logf("same %d of %d (clean: %d of %d accepted), %d not read\n%s", same, total, cleanOK, clean, unread, strings.Join(l, "\n"))
}
