package targetinfo

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
)

// registersAsTd writes the registers of one of LLVM's targets as records: all
// registers and indices with names of their own, and the classes that are not
// inferred. What LLVM infers must come out again.
func registersAsTd(in *desc.Info) string {
	var w bytes.Buffer
	w.WriteString("include \"llvm/Target/Target.td\"\ndef T : Target;\n")
	explicit := map[string]bool{}
	parts := make([][]int, len(in.Regs)) // positions in SubRegs of what a register names
	for r := 1; r < len(in.Regs); r++ {
		parts[r] = explicitParts(in, desc.PhysReg(r))
		for _, i := range parts[r] {
			explicit[in.SubRegIndexName(in.SubRegIndexList(desc.PhysReg(r))[i])] = true
		}
	}
	composed := compositions(in)
	byNeed := make([]int, 0, len(in.SubRegIndices))
	for i := 1; i < len(in.SubRegIndices); i++ {
		byNeed = append(byNeed, i)
	}
	need := func(i int) int { // composed indices behind what they are made of
		n := 0
		for c, ok := composed[desc.SubRegIdx(i)]; ok && n < 9 && !explicit[in.SubRegIndexName(desc.SubRegIdx(i))]; n++ {
			i = int(max(c[0], c[1]))
			c, ok = composed[desc.SubRegIdx(i)]
		}
		return n
	}
	slices.SortStableFunc(byNeed, func(x, y int) int { return need(x) - need(y) })
	for _, i := range byNeed {
		d := &in.SubRegIndices[i]
		name := in.Str(d.Name)
		if !explicit[name] && (strings.Contains(name, "_then_") || joined(in, name)) {
			continue
		}
		fmt.Fprintf(&w, "def %s : SubRegIndex<%d, %d>", name, int16(d.Size), int16(d.Offset))
		if c, ok := composed[desc.SubRegIdx(i)]; ok && !explicit[name] {
			fmt.Fprintf(&w, " { let ComposedOf = [%s, %s]; }", in.SubRegIndexName(c[0]), in.SubRegIndexName(c[1]))
		} else {
			w.WriteString(";")
		}
		w.WriteString("\n")
	}
	order := make([]int, 0, len(in.Regs))
	for r := 1; r < len(in.Regs); r++ {
		order = append(order, r)
	}
	slices.SortStableFunc(order, func(x, y int) int { return int(in.Regs[x].NumSubRegs) - int(in.Regs[y].NumSubRegs) })
	for _, r := range order {
		fmt.Fprintf(&w, "def %s : Register<\"\"> { let PositionOrder = %d;", in.RegName(desc.PhysReg(r)), r)
		var subs, idx []string
		covered := in.SubRegs(desc.PhysReg(r)).Len() > 1
		for _, i := range parts[r] {
			subs = append(subs, in.RegName(in.SubRegs(desc.PhysReg(r)).At(i)))
			idx = append(idx, in.SubRegIndexName(in.SubRegIndexList(desc.PhysReg(r))[i]))
		}
		if len(subs) > 0 {
			fmt.Fprintf(&w, " let SubRegs = [%s]; let SubRegIndices = [%s];", strings.Join(subs, ", "), strings.Join(idx, ", "))
		}
		if in.Regs[r].Flags&desc.RegArtificial != 0 {
			w.WriteString(" let isArtificial = 1;")
		}
		if covered {
			w.WriteString(" let CoveredBySubRegs = 1;")
		}
		w.WriteString("}\n")
	}
	for c := range in.Classes {
		name := in.RegClassName(desc.ClassID(c))
		if strings.Contains(name, "_with_") || strings.Contains(name, "_and_") {
			continue
		}
		var regs []string
		for _, r := range in.ClassMembers(desc.ClassID(c)) {
			regs = append(regs, in.RegName(r))
		}
		s := in.ClassSize(desc.ClassID(c), in.DefaultMode)
		alloc := 0
		if in.Classes[c].Flags&desc.ClassAllocatable != 0 {
			alloc = 1
		}
		if len(regs) == 0 {
			continue
		}
		fmt.Fprintf(&w, "def %s : RegisterClass<\"T\", [i32], %d, (add %s)> { let Size = %d; let isAllocatable = %d; }\n",
			name, int(s.SpillAlign)*8, strings.Join(regs, ", "), s.RegSize, alloc)
	}
	return w.String()
}

// explicitParts finds what a record would name: the parts in the name of a
// tuple, else the sub-registers that are part of no other one.
func explicitParts(in *desc.Info, r desc.PhysReg) []int {
	subs := in.SubRegs(r)
	var out []int
	for _, word := range strings.Split(in.RegName(r), "_") {
		at := -1
		for i := range subs.Len() {
			if in.RegName(subs.At(i)) == word {
				at = i
			}
		}
		if at < 0 {
			out = nil
			break
		}
		out = append(out, at)
	}
	if len(out) > 1 {
		return out
	}
	out = nil
	for i := range subs.Len() {
		if direct(in, r, subs.At(i)) {
			out = append(out, i)
		}
	}
	return out
}

// joined reports a name that is those of several indices.
func joined(in *desc.Info, name string) bool {
	for i := range name {
		if name[i] != '_' {
			continue
		}
		if _, ok := in.SubRegIndexByName(name[:i]); ok {
			rest := name[i+1:]
			if _, ok := in.SubRegIndexByName(rest); ok || joined(in, rest) {
				return true
			}
		}
	}
	return false
}

// compositions finds for indices two others that some register composes to it.
func compositions(in *desc.Info) map[desc.SubRegIdx][2]desc.SubRegIdx {
	out := map[desc.SubRegIdx][2]desc.SubRegIdx{}
	for r := 1; r < len(in.Regs); r++ {
		reg := desc.PhysReg(r)
		for i := range in.SubRegs(reg).Len() {
			s, x := in.SubRegs(reg).At(i), in.SubRegIndexList(reg)[i]
			for k := range in.SubRegs(s).Len() {
				y := in.SubRegIndexList(s)[k]
				z := in.SubRegIndexOf(reg, in.SubRegs(s).At(k))
				plain := func(x desc.SubRegIdx) bool {
					n := in.SubRegIndexName(x)
					return !strings.Contains(n, "_then_") && !joined(in, n)
				}
				if _, ok := out[z]; !ok && z != x && z != y && plain(x) && plain(y) {
					out[z] = [2]desc.SubRegIdx{x, y}
				}
			}
		}
	}
	return out
}

// direct reports that s is a part of r and of no other part of it.
func direct(in *desc.Info, r, s desc.PhysReg) bool {
	for o := range in.SubRegs(r).All() {
		if o != s && in.IsSubRegister(o, s) {
			return false
		}
	}
	return true
}

// TestRegistersOfTargets describes LLVM's targets by records and compares what
// is inferred with llvm-tblgen (MIRIN_TD_TARGETS names them, or "all").
func TestRegistersOfTargets(t *testing.T) {
	want := os.Getenv("MIRIN_TD_TARGETS")
	if want == "" {
		want = "BPF Lanai"
	}
	dir := llvmInclude(t)
	for _, name := range facts.Names() {
		if want != "all" && !strings.Contains(" "+want+" ", " "+name+" ") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			in, err := facts.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), name+".td")
			if keep := os.Getenv("MIRIN_TD_KEEP"); keep != "" {
				file = filepath.Join(keep, name+".td")
			}
			if err := os.WriteFile(file, []byte(registersAsTd(in)), 0o644); err != nil {
				t.Fatal(err)
			}
			compareRegisters(t, file, dir)
		})
	}
}
