package targetinfo

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

var (
	instLine = regexp.MustCompile(`^\s*\{ (\d+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\S+?)(?: \+ (\d+))?,\s*(\d+),\s*(\S+), 0x([0-9a-f]+)ULL \},\s*// (\S+)`)
	opsLine  = regexp.MustCompile(`^\s*/\* (\d+) \*/ (\{ .*)$`)
	oneOp    = regexp.MustCompile(`\{ ([^,]+), ([^,]+), ([^,]+), ([^}]*?) \}`)
	impLine  = regexp.MustCompile(`^\s*/\* (\d+) \*/((?: ?\w+(?:::\w+)?,)+)$`)
)

// llvmInstrs reads the table that llvm-tblgen -gen-instr-info writes, a line an
// instruction.
func llvmInstrs(t *testing.T, file string, dirs ...string) []string {
	text := llvmTblgen(t, "-gen-instr-info", file, dirs...)
	var ops, implicit []string
	type row struct {
		n int
		m []string
	}
	var rows []row
	for _, line := range strings.Split(text, "\n") {
		if m := instLine.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			rows = append(rows, row{n: n, m: m})
		} else if m := opsLine.FindStringSubmatch(line); m != nil {
			for _, o := range oneOp.FindAllStringSubmatch(m[2], -1) {
				ops = append(ops, canonOp(o[1:]))
			}
		} else if m := impLine.FindStringSubmatch(line); m != nil {
			for _, r := range strings.Split(strings.TrimSuffix(strings.TrimSpace(m[2]), ","), ",") {
				r = strings.TrimSpace(r)
				implicit = append(implicit, r[strings.LastIndexByte(r, ':')+1:])
			}
		}
	}
	slices.SortFunc(rows, func(x, y row) int { return x.n - y.n })
	var res []string
	for _, r := range rows {
		num := func(i int) int { v, _ := strconv.Atoi(r.m[i]); return v }
		if r.n < int(desc.FirstTargetOpcode) {
			r.m[13] = "" // the table has the name of a record that stands for it
		}
		line := fmt.Sprintf("%d %s ops %d defs %d size %d uses %d", r.n, r.m[13], num(2), num(3), num(4), num(6))
		line += fmt.Sprintf(" impdefs %d", num(7))
		var flags []string
		for _, f := range strings.Split(r.m[11], "|") {
			if f, ok := strings.CutPrefix(f, "(1ULL<<MCID::"); ok {
				flags = append(flags, strings.TrimSuffix(f, ")"))
			}
		}
		slices.Sort(flags)
		ts, _ := strconv.ParseUint(r.m[12], 16, 64)
		line += fmt.Sprintf(" flags %s ts %x", strings.Join(flags, ","), ts)
		if n := num(2); n > 0 {
			line += " operands " + strings.Join(ops[num(9):num(9)+n], " ")
		}
		if n := num(6) + num(7); n > 0 {
			line += " implicit " + strings.Join(implicit[num(10):num(10)+n], " ")
		}
		res = append(res, line)
	}
	return res
}

func canonOp(o []string) string {
	class, flags, typ, tie := o[0], o[1], o[2], strings.TrimSpace(o[3])
	class = strings.TrimSuffix(class[strings.LastIndexByte(class, ':')+1:], "RegClassID")
	byMode := strings.Contains(flags, "LookupRegClassByHwMode")
	if byMode {
		class = "?"
	}
	f := 0
	for i, name := range []string{"LookupRegClassByHwMode", "Predicate", "OptionalDef", "BranchTarget"} {
		if strings.Contains(flags, "MCOI::"+name+")") {
			f |= 1 << i
		}
	}
	if !strings.HasPrefix(typ, "MCOI::") {
		typ = "target"
	}
	typ = strings.TrimPrefix(typ, "MCOI::OPERAND_")
	switch {
	case strings.Contains(tie, "TIED_TO"):
		tie = "tied" + strings.TrimSuffix(tie[strings.IndexByte(tie, '(')+1:], ")")
	case strings.Contains(tie, "EARLY"):
		tie = "ec"
	default:
		tie = ""
	}
	return fmt.Sprintf("%s/%d/%s/%s", class, f, typ, tie)
}

func ourInstrs(t *Target) []string {
	in := t.Info
	typeNames := map[desc.OperandType]string{}
	for name, v := range operandTypes {
		typeNames[v] = strings.TrimPrefix(name, "OPERAND_")
	}
	var out []string
	for op := range desc.Opcode(in.NumInstrs()) {
		d := in.Instr(op)
		name := in.OpcodeName(op)
		if op < desc.FirstTargetOpcode {
			name = ""
		}
		line := fmt.Sprintf("%d %s ops %d defs %d size %d uses %d", op, name, d.NumOperands, d.NumDefs, d.Size, d.NumImplicitUses)
		line += fmt.Sprintf(" impdefs %d", d.NumImplicitDefs)
		flags := strings.Fields(string(d.Flags.AppendNames(nil)))
		slices.Sort(flags)
		line += fmt.Sprintf(" flags %s ts %x", strings.Join(flags, ","), d.TSFlags)
		if d.NumOperands > 0 {
			line += " operands"
		}
		for _, o := range in.Operands(op) {
			class := "-1"
			if o.Flags&desc.LookupClassByHwMode != 0 {
				class = "?"
			} else if o.RegClass >= 0 {
				class = in.RegClassName(o.RegClass)
			}
			typ := typeNames[o.Type]
			if typ == "" {
				typ = "target"
			}
			tie := ""
			if o.TiedTo >= 0 {
				tie = fmt.Sprintf("tied%d", o.TiedTo)
			} else if o.EarlyClobber {
				tie = "ec"
			}
			line += fmt.Sprintf(" %s/%d/%s/%s", class, o.Flags, typ, tie)
		}
		if d.NumImplicitUses+d.NumImplicitDefs > 0 {
			line += " implicit"
			for _, r := range append(slices.Clone(in.ImplicitUses(op)), in.ImplicitDefs(op)...) {
				line += " " + in.RegName(r)
			}
		}
		out = append(out, line)
	}
	return out
}

func compareInstrs(t *testing.T, file string, dirs ...string) {
	want := llvmInstrs(t, file, dirs...)
	if len(want) < int(desc.FirstTargetOpcode) {
		t.Fatal("llvm-tblgen's table was not read")
	}
	target, err := Build(parseFile(t, file, dirs...), Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	got := ourInstrs(target)
	bad := 0
	for i := range max(len(got), len(want)) {
		g, w := "", ""
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			if bad++; bad < 6 {
				t.Errorf("\ngot  %s\nwant %s", g, w)
			}
		}
	}
}

// withPointers includes a file and says what pointers are, which LLVM wants to
// know of every target with a table of instructions.
func withPointers(t *testing.T, file string, dirs ...string) string {
	rs := parseFile(t, file, dirs...)
	if rs.Class("RegisterClass") == nil || len(rs.DerivedSorted("RegisterClass")) == 0 || rs.Class("RemapPointerOperands") == nil || len(rs.DerivedFrom("RemapPointerOperands")) > 0 {
		return file
	}
	name := filepath.Join(t.TempDir(), filepath.Base(file))
	text := fmt.Sprintf("include %q\ndefm : RemapAllTargetPseudoPointerOperands<%s>;\n", file, rs.DerivedSorted("RegisterClass")[0].Name)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestInstrsOfFolder compares all files of a folder (MIRIN_TD_DIR).
func TestInstrsOfFolder(t *testing.T) {
	ofFolder(t, func(t *testing.T, f, inc, dir string) {
		all := []string{inc, dir, filepath.Join(dir, "Common"), filepath.Join(dir, ".."), filepath.Join(dir, "../Common")}
		compareInstrs(t, withPointers(t, f, all...), all...)
	})
}
