package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// IsTriviallyDead reports whether i defines registers that nothing reads (debug
// instructions aside) and does nothing else.
func IsTriviallyDead(f *mir.Function, i mir.InstrID) bool {
	ops := f.Ops(i)
	if len(ops) > 0 && ops[0].IsDef() && ops[0].Reg().IsVirtual() && f.HasUses(ops[0].Reg()) {
		return false // as most
	}
	d := f.Desc(i)
	const effects = desc.MayStore | desc.Call | desc.UnmodeledSideEffects | desc.Terminator | desc.Return
	if d.Flags&effects != 0 || f.IsDebugInstr(i) {
		return false
	}
	switch f.Instr(i).Opcode {
	case desc.INLINEASM, desc.INLINEASM_BR, desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL, desc.CFI_INSTRUCTION,
		desc.LIFETIME_START, desc.LIFETIME_END, desc.PSEUDO_PROBE, desc.FAKE_USE, desc.MEMBARRIER:
		return false
	}
	if d.MayLoad() {
		if f.NumMem(i) == 0 {
			return false
		}
		for n := range f.NumMem(i) {
			if m := f.MemOf(i, n); m.Flags&mir.MemVolatile != 0 || m.Order > ir.Unordered {
				return false
			}
		}
	}
	defs := 0
	for n := range ops {
		o := &ops[n]
		if !o.IsDef() {
			continue
		}
		if !o.Reg().IsVirtual() && !o.IsDead() || o.Reg().IsVirtual() && f.HasUses(o.Reg()) {
			return false
		}
		defs++
	}
	return defs > 0
}

// EraseDead erases an instruction whose results have no uses but debug ones,
// which become undefined.
func EraseDead(f *mir.Function, i mir.InstrID) {
	for n := range f.Instr(i).NumOps() {
		if o := f.Op(i, n); o.IsDef() && o.Reg().IsVirtual() {
			f.DropDebugUses(o.Reg())
		}
	}
	f.Erase(i)
}
