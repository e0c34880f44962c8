package x86

import (
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// testSubtarget is a whole subtarget.
func testSubtarget(t testing.TB, cpu, features string) *target.Subtarget {
	m, err := target.NewMachine(&Target, target.Options{Triple: "x86_64-unknown-linux-gnu", CPU: cpu, Features: features})
	if err != nil {
		t.Fatal(err)
	}
	st, err := m.Subtarget(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// foldedCase builds op on new virtual registers in a new function; a tied pair is
// one register.
func foldedCase(in *desc.Info, op desc.Opcode) (f *mir.Function, i mir.InstrID, ok bool) {
	f = mir.NewFunction("fold", in)
	b := mir.Builder{F: f, Block: f.AddBlock()}
	d := in.Instr(op)
	var ops []mir.Operand
	for k, o := range in.Operands(op) {
		c := in.OperandClass(op, k, in.DefaultMode)
		switch {
		case o.TiedTo >= 0:
			ops = append(ops, mir.RegOp(ops[o.TiedTo].Reg(), 0))
		case c == desc.NoClass:
			ops = append(ops, mir.ImmOp(4))
		case in.Classes[c].Flags&desc.ClassAllocatable == 0:
			return nil, 0, false
		default:
			fl := mir.OpFlags(0)
			if k < int(d.NumDefs) {
				fl = mir.Def
			}
			ops = append(ops, mir.RegOp(f.AddVReg(int16(c)), fl))
		}
	}
	return f, b.BuildInstr(op, ops...), true
}

// Every row of the facts that folds does, with its other operands in their places,
// in a slot of the register's size and the alignment wanted; not in one less
// aligned, and not in one too small.
func TestFoldEveryRow(t *testing.T) {
	st := testSubtarget(t, "x86-64", "")
	in := st.Facts
	rows := 0
	for _, fd := range in.Folds.Rows() {
		if fd.Flags&desc.UnfoldOnly != 0 {
			continue
		}
		k := int(fd.Operand)
		slot := func(grow int64, align uint8) mir.InstrID {
			f, i, ok := foldedCase(in, fd.Reg)
			if !ok || preventsFold(st, f, i) {
				return 0
			}
			size := classBytes(f, in.OperandClass(fd.Reg, k, in.DefaultMode))
			if size+grow == 0 {
				return 0
			}
			fi := f.Frame.CreateStackObject(size+grow, align, mir.FrameSpill)
			n := st.FoldMemoryOperand(f, i, []int{k}, fi)
			if n == 0 {
				return 0
			}
			if got := f.Instr(n).Opcode; got != fd.Mem {
				if in.OpcodeName(fd.Reg) == "UNPCKLPDrr" || in.OpcodeName(fd.Reg) == "INSERTPSrri" {
					return 0
				}
				t.Errorf("%s folds operand %d to %s, not %s", in.OpcodeName(fd.Reg), k, in.OpcodeName(got), in.OpcodeName(fd.Mem))
				return n
			}
			infos := in.Operands(fd.Mem)
			for x, o := range f.Ops(n) {
				if x < len(infos) && !o.IsReg() && in.OperandClass(fd.Mem, x, in.DefaultMode) >= 0 && o.Kind() != mir.OpFrameIndex {
					t.Errorf("%s: operand %d is no register", in.OpcodeName(fd.Mem), x)
				}
				if x < len(infos) && infos[x].TiedTo >= 0 && f.TiedTo(n, x) != int(infos[x].TiedTo) {
					t.Errorf("%s: operand %d is not tied", in.OpcodeName(fd.Mem), x)
				}
			}
			if f.NumMem(n) != 1 || f.Instr(n).NumOps() < len(infos) {
				t.Errorf("%s: %d memory operands, %d operands", in.OpcodeName(fd.Mem), f.NumMem(n), f.Instr(n).NumOps())
			}
			return n
		}
		f, i, ok := foldedCase(in, fd.Reg)
		if !ok || preventsFold(st, f, i) {
			continue
		}
		rows++
		if slot(0, max(fd.Flags.Align(), 4)) == 0 && !elementOp(fd.Reg) {
			t.Errorf("%s does not fold operand %d", in.OpcodeName(fd.Reg), k)
		}
		if a := fd.Flags.Align(); a > 0 && slot(0, a-1) != 0 {
			t.Errorf("%s folds operand %d into a slot that is not aligned", in.OpcodeName(fd.Reg), k)
		}
		if slot(-1, 6) != 0 {
			t.Errorf("%s folds operand %d into a slot that is too small", in.OpcodeName(fd.Reg), k)
		}
		if fd.Flags&desc.FoldStore != 0 && slot(1, 6) != 0 {
			t.Errorf("%s stores operand %d to a slot that is larger", in.OpcodeName(fd.Reg), k)
		}
	}
	if rows < 6000 {
		t.Errorf("only %d rows were tried", rows)
	}
}

func elementOp(op desc.Opcode) bool {
	switch op {
	case tab.INSERTPSrri, tab.VINSERTPSrri, tab.VINSERTPSZrri, tab.MOVHLPSrr, tab.VMOVHLPSrr, tab.VMOVHLPSZrr:
		return true
	}
	return false
}

// The lists of loads and stores are sorted, as the search in them wants it, and
// what they list loads or stores.
func TestSlotAccesses(t *testing.T) {
	in := testContext(t).Machine.Facts
	for k, a := range slotLoads {
		if k > 0 && slotLoads[k-1].Op >= a.Op || !in.Instr(a.Op).MayLoad() {
			t.Errorf("load %s", in.OpcodeName(a.Op))
		}
	}
	for k, a := range slotStores {
		if k > 0 && slotStores[k-1].Op >= a.Op || !in.Instr(a.Op).MayStore() {
			t.Errorf("store %s", in.OpcodeName(a.Op))
		}
	}
}

// A constant whose making clobbers live flags is moved instead.
func TestRematerializeZero(t *testing.T) {
	st := testContext(t).Subtarget
	f := mir.NewFunction("remat", st.Facts)
	b := mir.Builder{F: f, Block: f.AddBlock()}
	r, s := f.AddVReg(int16(tab.GR32RegClassID)), f.AddVReg(int16(tab.GR64RegClassID))
	zero := b.BuildInstr(tab.MOV32r0, mir.RegOp(r, mir.Def))
	cmp := b.BuildInstr(tab.TEST32rr, mir.RegOp(r, 0), mir.RegOp(r, 0))
	set := b.BuildInstr(tab.SETCCr, mir.RegOp(f.AddVReg(int16(tab.GR8RegClassID)), mir.Def), mir.ImmOp(condE))
	if !st.IsTriviallyRematerializable(f, zero) {
		t.Fatal("MOV32r0 cannot be made again")
	}
	for _, c := range []struct {
		at   mir.InstrID
		want desc.Opcode
	}{{cmp, tab.MOV32r0}, {set, tab.MOV32ri}, {0, tab.MOV32r0}} {
		n := st.Rematerialize(f, f.FirstBlock(), c.at, s, uint16(tab.Sub32Bit), zero)
		if f.Instr(n).Opcode != c.want || f.Op(n, 0).Reg() != s || f.Op(n, 0).SubReg() != uint16(tab.Sub32Bit) {
			t.Errorf("%s, want %s", st.Facts.OpcodeName(f.Instr(n).Opcode), st.Facts.OpcodeName(c.want))
		}
	}
}
