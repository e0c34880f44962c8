package targetinfo

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

var (
	withHead = regexp.MustCompile(`^\s*\{\s*// (\S+)$`)
	withLine = regexp.MustCompile(`^\s*\d+,\s*// (\S+)(?: -> (\S+))?$`)
	number   = regexp.MustCompile(`-?\d+`)
)

// llvmTables reads pressure sets and the classes with sub-registers of the file
// that llvm-tblgen -gen-register-info writes, as lines.
func llvmTables(t *testing.T, base string) []string {
	text, err := os.ReadFile(base + "TargetDesc.inc")
	if err != nil {
		t.Fatal(err)
	}
	s := string(text)
	// body gives the text between the braces of a table.
	body := func(name string) string {
		i := strings.Index(s, name+"[] = {")
		if i < 0 {
			return ""
		}
		rest := s[i+len(name)+len("[] = {"):]
		return rest[:strings.Index(rest, "};")]
	}
	strip := regexp.MustCompile(`//.*|/\*.*?\*/`)
	nums := func(text string) []int {
		var out []int
		for _, m := range number.FindAllString(strip.ReplaceAllString(text, ""), -1) {
			v, _ := strconv.Atoi(m)
			out = append(out, v)
		}
		return out
	}
	var lines []string
	limits := nums(body("PressureLimitTable"))
	for i, name := range regexp.MustCompile(`"[^"]+"`).FindAllString(body("PressureNameTable"), -1) {
		lines = append(lines, fmt.Sprintf("set %s %d", cut(strings.Trim(name, `"`)), limits[i]))
	}
	sets := nums(body("RCSetsTable"))
	list := func(at int) string {
		end := at
		for end < len(sets) && sets[end] >= 0 {
			end++
		}
		if at >= len(sets) {
			return "[]"
		}
		return fmt.Sprint(sets[at:end])
	}
	starts, weights := nums(body("RCSetStartTable")), nums(body("RCWeightTable"))
	for i, at := range starts {
		lines = append(lines, fmt.Sprintf("class %d weight %d limit %d sets %s", i, weights[2*i], weights[2*i+1], list(at)))
	}
	unitWeights := nums(body("RUWeightTable"))
	for i, at := range nums(body("RUSetStartTable")) {
		w := 1 // no table: all weigh 1
		if len(unitWeights) > 0 {
			w = unitWeights[i]
		}
		lines = append(lines, fmt.Sprintf("unit %d weight %d sets %s", i, w, list(at)))
	}
	if i := strings.Index(s, "::getSubClassWithSubReg("); i >= 0 {
		part, class := s[i:], ""
		if k := strings.Index(part, "::getSubRegisterClass("); k >= 0 {
			part = part[:k]
		}
		for _, line := range strings.Split(part, "\n") {
			if m := withHead.FindStringSubmatch(line); m != nil {
				class = m[1]
			} else if m := withLine.FindStringSubmatch(line); m != nil {
				lines = append(lines, fmt.Sprintf("%s with %s is %s", cut(class), cut(m[1]), cut(m[2])))
			}
		}
	}
	return lines
}

// cut gives what the tables hold of a name.
func cut(name string) string { return name[:min(len(name), 511)] }

func ourTables(in *desc.Info) []string {
	var lines []string
	for _, s := range in.PressureSets {
		lines = append(lines, fmt.Sprintf("set %s %d", in.Str(s.Name), s.Limit))
	}
	list := func(d desc.PressureDesc) string {
		return fmt.Sprint(in.PressureLists[d.Sets : d.Sets+uint32(d.NumSets)])
	}
	for i, d := range in.ClassPressure {
		lines = append(lines, fmt.Sprintf("class %d weight %d limit %d sets %s", i, d.Weight, d.Limit, list(d)))
	}
	for i, d := range in.UnitPressure {
		lines = append(lines, fmt.Sprintf("unit %d weight %d sets %s", i, d.Weight, list(d)))
	}
	if len(in.SubRegIndices) > 1 {
		for c := range in.Classes {
			for x := 1; x < len(in.SubRegIndices); x++ {
				w := in.SubClassWithSubReg(desc.ClassID(c), desc.SubRegIdx(x))
				name := ""
				if w != desc.NoClass {
					name = in.RegClassName(w)
				}
				lines = append(lines, fmt.Sprintf("%s with %s is %s", in.RegClassName(desc.ClassID(c)), in.SubRegIndexName(desc.SubRegIdx(x)), name))
			}
		}
	}
	return lines
}
