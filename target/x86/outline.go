package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// outlineHooks: calls push an address, and so move what the stack pointer shows.
var outlineHooks = target.OutlineHooks{
	Call: tab.CALL64pcrel32, TailCall: tab.TAILJMPd64, Return: tab.RET64,
	CallSize: 1, TailCallSize: 1, ReturnSize: 1,
	MayOutline: mayOutline,
	MayMove:    mayMoveOut,
}

// mayOutline reports a function that keeps nothing below the stack pointer. What
// prologepilog knew is asked of what it left: objects and saved registers, and
// accesses by the stack pointer in MIR that says nothing of them.
func mayOutline(st *target.Subtarget, f *mir.Function) bool {
	if !st.UsesRedZone(f) {
		return true
	}
	if len(f.Frame.CalleeSaved) > 0 || st.HasFP(f) {
		return false
	}
	for _, o := range f.Frame.Objects[f.Frame.NumFixed:] {
		if o.Size > 0 {
			return false
		}
	}
	return !accessesBelowStack(f)
}

// accessesBelowStack reports a memory access at a negative offset from the stack pointer.
func accessesBelowStack(f *mir.Function) bool {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			ops := f.Ops(i)
			for k := 0; k+3 < len(ops); k++ {
				if ops[k].IsUse() && ops[k].Reg() == reg(tab.RSP) && !ops[k].IsImplicit() && ops[k+3].IsImm() && ops[k+3].Imm() < 0 {
					return true
				}
			}
		}
	}
	return false
}

// mayMoveOut reports an instruction that neither asks for nor changes the stack
// pointer and the place of the code, or that ends the function. That stack maps and
// what is called through them belong to their function no operand says, nor that an
// indirect branch must come to ENDBR itself: LLVM takes them out.
func mayMoveOut(_ *target.Subtarget, f *mir.Function, i mir.InstrID) bool {
	switch d, op := f.Desc(i), f.Instr(i).Opcode; {
	case d.IsTerminator() || d.IsReturn():
		return f.NumSuccs(f.Instr(i).Block()) == 0
	case d.IsCall() || op == desc.STACKMAP || op == tab.ENDBR64 || op == tab.ENDBR32:
		return false
	}
	for _, r := range [...]desc.PhysReg{tab.RSP, tab.RIP} {
		if names(f, i, r) {
			return false
		}
	}
	return true
}

// names reports an operand, or a register that the description implies, that
// shares a part with r; of a register mask, that it does not keep r.
func names(f *mir.Function, i mir.InstrID, r desc.PhysReg) bool {
	in := f.Facts
	for _, o := range f.Ops(i) {
		switch o.Kind() {
		case mir.OpReg:
			if o.Reg().IsPhysical() && in.Overlap(desc.PhysReg(o.Reg()), r) && (o.IsDef() || !o.IsUndef()) {
				return true
			}
		case mir.OpRegMask:
			if f.RegMasks[o.Index()][r/32]>>(r%32)&1 == 0 {
				return true
			}
		}
	}
	op := f.Instr(i).Opcode
	for _, list := range [...][]desc.PhysReg{in.ImplicitUses(op), in.ImplicitDefs(op)} {
		for _, x := range list {
			if x == r {
				return true
			}
		}
	}
	return false
}
