package check

import (
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// straightLine builds %0 = 1; %1 = 2; %0 = ADD %0, %1; $eax = COPY %0 and
// assigns registers as given: the definitions of %0 and %1, the ADD's operands, the copy's source.
func straightLine(t *testing.T, regs [6]mir.Reg) (*Snapshot, *mir.Function) {
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	f := mir.NewFunction("f", in)
	b := mir.Builder{F: f, Block: f.AddBlock()}
	v0, v1 := f.AddVReg(int16(tab.GR32RegClassID)), f.AddVReg(int16(tab.GR32RegClassID))
	i0 := b.Build(tab.MOV32ri, mir.RegOp(v0, mir.Def), mir.ImmOp(1))
	i1 := b.Build(tab.MOV32ri, mir.RegOp(v1, mir.Def), mir.ImmOp(2))
	i2 := b.Build(tab.ADD32rr, mir.RegOp(v0, mir.Def), mir.RegOp(v0, 0), mir.RegOp(v1, 0))
	i3 := b.Copy(mir.Reg(tab.EAX), v0)
	s := Record(f)
	f.SetReg(i0, 0, regs[0])
	f.SetReg(i1, 0, regs[1])
	f.SetReg(i2, 0, regs[2])
	f.SetReg(i2, 1, regs[3])
	f.SetReg(i2, 2, regs[4])
	f.SetReg(i3, 1, regs[5])
	return s, f
}

func TestVerify(t *testing.T) {
	const eax, ecx, edx = mir.Reg(tab.EAX), mir.Reg(tab.ECX), mir.Reg(tab.EDX)
	for _, tc := range []struct {
		name string
		regs [6]mir.Reg
		bad  bool
	}{
		{"right", [6]mir.Reg{eax, ecx, eax, eax, ecx, eax}, false},
		{"sources exchanged", [6]mir.Reg{eax, ecx, eax, ecx, eax, eax}, true},
		{"both in one register", [6]mir.Reg{eax, eax, eax, eax, eax, eax}, true},
		{"stale value read", [6]mir.Reg{eax, ecx, edx, eax, ecx, eax}, true},
		{"never written", [6]mir.Reg{eax, ecx, eax, eax, edx, eax}, true},
	} {
		s, f := straightLine(t, tc.regs)
		if errs := s.Verify(f); (len(errs) > 0) != tc.bad {
			t.Errorf("%s: got %v", tc.name, errs)
		}
	}
}

// TestManyPredecessors passes values to a block with n predecessors through
// stack slots, as PHIs do at -O0, and holds that one wrong store among them is
// found. Whole states or repeated meets would take minutes.
func TestManyPredecessors(t *testing.T) {
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	const n, phis = 20000, 3
	for _, wrong := range []int{-1, n / 2} {
		f := mir.NewFunction("f", in)
		entry, join := f.AddBlock(), f.AddBlock()
		var vs [phis]mir.Reg
		for k := range vs {
			vs[k] = f.AddVReg(int16(tab.GR32RegClassID))
		}
		b := mir.Builder{F: f, Block: join}
		var uses [phis]mir.InstrID
		for k, v := range vs {
			uses[k] = b.Copy(mir.Reg(tab.EAX), v)
		}
		var defs [][phis]mir.InstrID
		for range n {
			b.Block = f.AddBlock()
			f.AddSucc(entry, b.Block)
			f.AddSucc(b.Block, join)
			var d [phis]mir.InstrID
			for k, v := range vs {
				d[k] = b.Build(tab.MOV32ri, mir.RegOp(v, mir.Def), mir.ImmOp(1))
			}
			defs = append(defs, d)
		}
		s := Record(f)
		for k := range vs {
			r := temps[k]
			f.SetReg(uses[k], 1, r)
			f.InsertBefore(join, uses[k], f.New(tab.MOV32rm, append([]mir.Operand{mir.RegOp(r, mir.Def)}, address(k)...)...))
			for p, d := range defs {
				f.SetReg(d[k], 0, r)
				slot := k
				if p == wrong && k == 1 {
					slot = phis
				}
				f.InsertAfter(f.Instr(d[k]).Block(), d[k], f.New(tab.MOV32mr, append(address(slot), mir.RegOp(r, 0))...))
			}
		}
		errs := s.Verify(f)
		if wrong < 0 && len(errs) > 0 || wrong >= 0 && (len(errs) != 1 || errs[0].(*Error).Instr != uses[1]) {
			t.Errorf("wrong store in predecessor %d: %v", wrong, errs)
		}
	}
}

// TestUndefinedOnOneWay: where one way defines a register by IMPLICIT_DEF, nothing
// need be stored there for who loads it behind both.
func TestUndefinedOnOneWay(t *testing.T) {
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	for _, undefined := range []bool{true, false} {
		f := mir.NewFunction("f", in)
		entry, a, b, join := f.AddBlock(), f.AddBlock(), f.AddBlock(), f.AddBlock()
		f.AddSucc(entry, a)
		f.AddSucc(entry, b)
		f.AddSucc(a, join)
		f.AddSucc(b, join)
		v, r := f.AddVReg(int16(tab.GR32RegClassID)), mir.Reg(tab.ECX)
		at := mir.Builder{F: f, Block: a}
		def := at.Build(tab.MOV32ri, mir.RegOp(v, mir.Def), mir.ImmOp(1))
		at.Block = b
		other := at.Build(tab.MOV32ri, mir.RegOp(v, mir.Def), mir.ImmOp(2))
		if undefined {
			f.Erase(other)
			other = at.Build(desc.IMPLICIT_DEF, mir.RegOp(v, mir.Def))
		}
		at.Block = join
		use := at.Copy(mir.Reg(tab.EAX), v)
		s := Record(f)
		f.SetReg(def, 0, r)
		f.InsertAfter(a, def, f.New(tab.MOV32mr, append(address(0), mir.RegOp(r, 0))...))
		f.SetReg(other, 0, r)
		f.SetReg(use, 1, r)
		f.InsertBefore(join, use, f.New(tab.MOV32rm, append([]mir.Operand{mir.RegOp(r, mir.Def)}, address(0)...)...))
		if errs := s.Verify(f); (len(errs) == 0) != undefined {
			t.Errorf("undefined %v: %v", undefined, errs)
		}
	}
}
