package facts

import (
	"testing"

	"github.com/mirin-go/mirin/desc"
)

// Laws that hold for every target.
func TestAllTargets(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			in, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			if in.Target != name {
				t.Errorf("the file is of %s", in.Target)
			}
			checkInstrs(t, in)
			checkRegs(t, in)
			checkSubRegs(t, in)
			checkClasses(t, in)
		})
	}
}

func checkInstrs(t *testing.T, in *desc.Info) {
	base := x86(t)
	for i := range in.NumInstrs() {
		op := desc.Opcode(i)
		name := in.OpcodeName(op)
		if got, ok := in.OpcodeByName(name); !ok || got != op {
			t.Errorf("opcode %d %s is found as %d", op, name, got)
		}
		if op < desc.FirstTargetOpcode {
			if want := base.OpcodeName(op); name != want {
				t.Errorf("opcode %d is %s, on x86 %s", op, name, want)
			}
		}
		in.ImplicitUses(op)
		in.ImplicitDefs(op)
		for j, o := range in.Operands(op) {
			if int(o.TiedTo) >= j && o.TiedTo >= 0 {
				t.Errorf("%s: operand %d is tied to %d", name, j, o.TiedTo)
			}
			for m := range in.Modes {
				if c := in.OperandClass(op, j, m); c != desc.NoClass && int(c) >= len(in.Classes) {
					t.Errorf("%s: operand %d has class %d", name, j, c)
				}
			}
		}
	}
	if in.OpcodeName(desc.COPY) != "COPY" || in.OpcodeName(desc.G_UBFX) != "G_UBFX" {
		t.Error("generic opcodes")
	}
}

func checkRegs(t *testing.T, in *desc.Info) {
	var b []byte
	byUnit := make([]int, in.NumUnits())
	for i := 1; i < len(in.Regs); i++ {
		r := desc.PhysReg(i)
		b = in.AppendLowerReg(b[:0], r)
		if got, ok := in.RegByName(string(b)); !ok || got != r {
			t.Errorf("register %s is found as %d", b, got)
		}
		last := -1
		for u := range in.RegUnits(r).All() {
			if int(u) <= last {
				t.Fatalf("%s: units are not ascending", b)
			}
			last = int(u)
			byUnit[u]++
		}
		if last < 0 {
			t.Errorf("%s has no unit", b)
		}
		for s := range in.SubRegs(r).All() {
			if !in.Overlap(r, s) {
				t.Errorf("%s does not overlap its part %s", b, in.RegName(s))
			}
		}
	}
	for u, n := range byUnit {
		if n == 0 || in.Units[u][0] == 0 {
			t.Errorf("unit %d has %d registers, root %d", u, n, in.Units[u][0])
		}
	}
}

func checkSubRegs(t *testing.T, in *desc.Info) {
	step := 1 + len(in.Regs)/500 // AMDGPU has 21000
	for i := 1; i < len(in.Regs); i += step {
		r := desc.PhysReg(i)
		for k, a := range in.SubRegIndexList(r) {
			s := in.SubRegs(r).At(k)
			if in.SubReg(r, a) != s || in.SubRegIndexOf(r, s) != a {
				t.Fatalf("%s:%s is not %s", in.RegName(r), in.SubRegIndexName(a), in.RegName(s))
			}
			for j, b := range in.SubRegIndexList(s) {
				if c := in.ComposeSubRegs(a, b); c != 0 && in.SubReg(r, c) != in.SubRegs(s).At(j) {
					t.Fatalf("%s:%s:%s is not %s:%s", in.RegName(r), in.SubRegIndexName(a), in.SubRegIndexName(b), in.RegName(r), in.SubRegIndexName(c))
				} else if c != 0 {
					checkLanes(t, in, a, b, c)
				}
			}
		}
	}
	for a := 1; a < len(in.SubRegIndices); a++ {
		if got, ok := in.SubRegIndexByName(in.SubRegIndexName(desc.SubRegIdx(a))); !ok || int(got) != a {
			t.Errorf("sub-register index %d is found as %d", a, got)
		}
	}
}

// checkLanes holds lanes to the composition of indices, where a register shows
// that they compose (LLVM's tables hold nonsense elsewhere).
func checkLanes(t *testing.T, in *desc.Info, x, y, c desc.SubRegIdx) {
	lanes := in.ComposeLanes(x, in.SubRegLanes(y))
	if lanes != in.SubRegLanes(c) {
		t.Fatalf("lanes of %s:%s are %x, want %x", in.SubRegIndexName(x), in.SubRegIndexName(y), lanes, in.SubRegLanes(c))
	}
	if back := in.ReverseComposeLanes(x, lanes); back != in.SubRegLanes(y) {
		t.Fatalf("lanes of %s back through %s are %x, want %x", in.SubRegIndexName(c), in.SubRegIndexName(x), back, in.SubRegLanes(y))
	}
}

func checkClasses(t *testing.T, in *desc.Info) {
	for i := range in.Classes {
		c := desc.ClassID(i)
		if got, ok := in.RegClassByName(string(in.AppendLowerClass(nil, c))); !ok || got != c {
			t.Errorf("class %s is found as %d", in.RegClassName(c), got)
		}
		if !in.HasSubClassEq(c, c) {
			t.Errorf("%s is no sub-class of itself", in.RegClassName(c))
		}
		in.ClassTypes(c, in.DefaultMode)
		in.ClassOrder(c)
		for x := 1; x < len(in.SubRegIndices); x++ {
			s := in.SubClassWithSubReg(c, desc.SubRegIdx(x))
			if s != desc.NoClass && (int(s) >= len(in.Classes) || in.SubReg(in.ClassMembers(s)[0], desc.SubRegIdx(x)) == 0) {
				t.Errorf("%s with %s: class %d", in.RegClassName(c), in.SubRegIndexName(desc.SubRegIdx(x)), s)
			}
		}
	}
	for k := range in.Banks {
		if got, ok := in.RegBankByName(string(in.AppendLowerBank(nil, desc.BankID(k)))); !ok || int(got) != k {
			t.Errorf("bank %d is found as %d", k, got)
		}
	}
	for m := range in.RegMasks {
		if got, ok := in.RegMaskByName(string(in.AppendLowerRegMask(nil, m))); !ok || got != m {
			t.Errorf("mask %d is found as %d", m, got)
		}
		in.RegMask(m)
	}
	for f := range in.Features {
		if got, ok := in.FeatureByName(in.Str(in.Features[f].Name)); !ok || got != f {
			t.Errorf("feature %s is found as %d", in.Str(in.Features[f].Name), got)
		}
	}
}

// The registers' flag says what the classes say.
func TestAllocatableRegs(t *testing.T) {
	for _, name := range Names() {
		in, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		set := make([]bool, len(in.Regs))
		for c := range in.Classes {
			if in.Classes[c].Flags&desc.ClassAllocatable == 0 {
				continue
			}
			for _, r := range in.ClassMembers(desc.ClassID(c)) {
				set[r] = true
			}
		}
		for r := range set {
			if got := in.Regs[r].Flags&desc.RegInAllocatableSet != 0; got != set[r] {
				t.Errorf("%s: %s in allocatable classes: %v, its flag %v", name, in.RegName(desc.PhysReg(r)), set[r], got)
			}
		}
	}
}
