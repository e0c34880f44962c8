package targetinfo

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

var (
	resLine   = regexp.MustCompile(`^\s*\{\s*(\d+),\s*(\d+),\s*(\d+)\},? // #(\d+)`)
	latLine   = regexp.MustCompile(`^\s*\{\s*(-?\d+),\s*(\d+)\},? // #(\d+) `)
	advLine   = regexp.MustCompile(`^\s*\{\s*(\d+),\s*(\d+),\s*(-?\d+)\},? // #(\d+)`)
	classLine = regexp.MustCompile(`^\s*\{DBGFIELD\((?:/\*(.*?)\*/)?.*?\)\s*(\d+), (true|false), (true|false), (true|false),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+)\}, // #(\d+)`)
	procLine  = regexp.MustCompile(`^ \{ "(\S+)", \{ \{ \{ (.*?) \} \} \}, \{ \{ \{ (.*?) \} \} \}, &(\w+) \}`)
	prLine    = regexp.MustCompile(`^\s*\{"(\w+)",\s*(\d+), (\d+), (-?\d+),`)
)

// llvmSched reads what llvm-tblgen -gen-subtarget writes as lines.
func llvmSched(t *testing.T, file string, dirs ...string) []string {
	text := llvmTblgen(t, "-gen-subtarget", file, dirs...)
	num := func(s string) int { v, _ := strconv.Atoi(s); return v }
	var res, lat, adv, lines []string
	res, lat, adv = []string{""}, []string{""}, []string{""}
	section := ""
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.Contains(line, "WriteProcResTable[] = {"):
			section = "res"
		case strings.Contains(line, "WriteLatencyTable[] = {"):
			section = "lat"
		case strings.Contains(line, "ReadAdvanceTable[] = {"):
			section = "adv"
		case strings.HasPrefix(line, "}"):
			section = ""
		}
		asked := func(s string) string {
			if s != "0" {
				return "write"
			}
			return "any"
		}
		if m := resLine.FindStringSubmatch(line); m != nil && section == "res" {
			res = append(res, fmt.Sprintf("%s:%s-%s", m[1], m[3], m[2]))
		} else if m := latLine.FindStringSubmatch(line); m != nil && section == "lat" {
			lat = append(lat, m[1]+asked(m[2]))
		} else if m := advLine.FindStringSubmatch(line); m != nil && section == "adv" {
			adv = append(adv, m[1]+asked(m[2])+m[3])
		} else if m := classLine.FindStringSubmatch(line); m != nil {
			list := func(l []string, at, n int) string { return strings.Join(l[at:at+n], " ") }
			micro, uses, lats, advs := m[2], list(res, num(m[6]), num(m[7])), list(lat, num(m[8]), num(m[9])), list(adv, num(m[10]), num(m[11]))
			lines = append(lines, fmt.Sprintf("class %s %s micro %s begin %s end %s ooo %s uses %s lat %s adv %s", m[12], m[1], micro, m[3], m[4], m[5], uses, lats, advs))
		} else if m := procLine.FindStringSubmatch(line); m != nil {
			lines = append(lines, fmt.Sprintf("cpu %s %s tune %s", m[1], canonWords(m[2]), canonWords(m[3])))
		} else if m := prLine.FindStringSubmatch(line); m != nil && m[1] != "InvalidUnit" {
			lines = append(lines, fmt.Sprintf("resource %s %s super %s buffer %s", m[1], m[2], m[3], m[4]))
		}
	}
	return lines
}

// canonWords drops zero words at the end.
func canonWords(s string) string {
	words := strings.Fields(strings.NewReplacer("ULL", "", ",", "").Replace(s))
	for len(words) > 1 && words[len(words)-1] == "0x0" {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

func ourSched(in *desc.Info) []string {
	var lines []string
	asked := func(w uint16) string {
		if w != 0 {
			return "write"
		}
		return "any"
	}
	if t := in.Sched(); t != nil {
		for mi, m := range t.Models {
			if m.NoModel {
				continue
			}
			known := false
			for n := 1; n < len(t.ClassNames); n++ {
				known = known || t.SchedClass(mi, n).MicroOps != desc.SchedInvalid
			}
			for n := 1; n < len(t.ClassNames) && known; n++ {
				c := t.SchedClass(mi, n)
				var uses, lats, advs []string
				for _, u := range t.Uses[c.Uses : int(c.Uses)+int(c.NumUses)] {
					uses = append(uses, fmt.Sprintf("%d:%d-%d", u.Resource+1, u.Acquire, u.Release))
				}
				for _, l := range t.Latencies[c.Latencies : int(c.Latencies)+int(c.NumLatencies)] {
					lats = append(lats, fmt.Sprint(l.Cycles, asked(l.Write)))
				}
				if c.NumAdvances > 0 {
					for _, a := range t.Advances[c.Advances : int(c.Advances)+int(c.NumAdvances)] {
						advs = append(advs, fmt.Sprintf("%d%s%d", a.Use, asked(a.Write), a.Cycles))
					}
				}
				lines = append(lines, fmt.Sprintf("class %d %s micro %d begin %v end %v ooo %v uses %s lat %s adv %s", n, t.Str(t.ClassNames[n]), c.MicroOps,
					c.Flags&desc.SchedBeginGroup != 0, c.Flags&desc.SchedEndGroup != 0, c.Flags&desc.SchedRetireOOO != 0,
					strings.Join(uses, " "), strings.ReplaceAll(strings.Join(lats, " "), " any", "any"), strings.Join(advs, " ")))
			}
			for _, r := range t.Resources[m.Resources : int(m.Resources)+int(m.NumResources)] {
				lines = append(lines, fmt.Sprintf("resource %s %d super %d buffer %d", t.Str(r.Name), r.NumUnits, r.Super, r.Buffer))
			}
		}
	}
	for _, p := range in.Processors {
		set := func(off uint32) string {
			var words []string
			for _, w := range in.FeatureSet(off) {
				words = append(words, fmt.Sprintf("0x%x", w))
			}
			return canonWords(strings.Join(words, " "))
		}
		lines = append(lines, fmt.Sprintf("cpu %s %s tune %s", in.Str(p.Name), set(p.Features), set(p.Tune)))
	}
	return lines
}

func compareSched(t *testing.T, file string, o Options, dirs ...string) {
	want := llvmSched(t, file, dirs...)
	if len(want) == 0 {
		t.Fatal("nothing was read of llvm-tblgen's tables")
	}
	target, err := Build(parseFile(t, file, dirs...), o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if d := firstDifference(strings.Join(ourSched(target.Info), "\n"), strings.Join(want, "\n")); d != "" {
		t.Error(d)
	}
}

// TestSchedOfFolder compares all files of a folder (MIRIN_TD_DIR).
func TestSchedOfFolder(t *testing.T) {
	ofFolder(t, func(t *testing.T, f, inc, dir string) {
		compareSched(t, f, Options{NoRegisters: true}, inc, dir, filepath.Join(dir, "Common"), filepath.Join(dir, ".."))
	})
}

// sampleWithLLVM is testdata/sample.td with LLVM's classes.
func sampleWithLLVM(t *testing.T) string {
	path, err := filepath.Abs("testdata/sample.td")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "sample.td")
	if err := os.WriteFile(file, []byte("#define LLVM\ninclude \""+path+"\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSample holds registers, instructions and machines of testdata/sample.td to
// llvm-tblgen.
func TestSample(t *testing.T) {
	dir := llvmInclude(t)
	file := sampleWithLLVM(t)
	t.Run("registers", func(t *testing.T) { compareRegisters(t, file, dir) })
	t.Run("instrs", func(t *testing.T) { compareInstrs(t, file, dir) })
	t.Run("sched", func(t *testing.T) { compareSched(t, file, Options{}, dir) })
}
