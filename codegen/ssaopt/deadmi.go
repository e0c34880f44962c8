package ssaopt

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// DeadMI removes instructions whose results nobody reads and that have no
// other effect. Walking blocks and instructions backwards, a chain of dead
// instructions within a block goes in one walk.
var DeadMI = pass.Pass{
	Name:     "dead-mi-elimination",
	Title:    "Remove dead machine instructions",
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runDeadMI,
}

func runDeadMI(c *pass.Context, f *mir.Function) error {
	for changed := true; changed; {
		changed = false
		for b := f.LastBlock(); b != 0; b = f.PrevBlock(b) {
			for i := f.Block(b).Last(); i != 0; {
				prev := f.Instr(i).Prev()
				if IsDead(f, i) {
					changed = f.IsPHI(i) || changed // its sources may stand in blocks walked already
					dropDebugUses(f, i)
					f.Erase(i)
					c.Count("dead-mi-elimination", "Number of dead instructions deleted", 1)
				}
				i = prev
			}
		}
	}
	return nil
}

// IsDead reports that i, in SSA form, can go: no effect but on registers, and
// no reader of any of them.
func IsDead(f *mir.Function, i mir.InstrID) bool {
	d := f.Desc(i)
	const effects = desc.MayStore | desc.Call | desc.Terminator | desc.UnmodeledSideEffects | desc.Return
	if d.Flags&effects != 0 || f.IsDebugInstr(i) {
		return false
	}
	switch f.Instr(i).Opcode {
	case desc.INLINEASM, desc.INLINEASM_BR, desc.CFI_INSTRUCTION, desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL,
		desc.LIFETIME_START, desc.LIFETIME_END, desc.PSEUDO_PROBE:
		return false
	}
	if d.MayLoad() {
		for n := range f.NumMem(i) {
			if m := f.MemOf(i, n); m.Flags&mir.MemVolatile != 0 || m.Order > 1 {
				return false
			}
		}
		if f.NumMem(i) == 0 {
			return false
		}
	}
	ops := f.Ops(i)
	defs := 0
	for k := range ops {
		o := &ops[k]
		if !o.IsDef() {
			continue
		}
		defs++
		if o.Reg().IsPhysical() {
			if !o.IsDead() {
				return false
			}
		} else if o.Reg() != mir.NoReg && f.HasUses(o.Reg()) {
			return false
		}
	}
	return defs > 0
}

// dropDebugUses makes debug instructions that name the results of i name no register.
func dropDebugUses(f *mir.Function, i mir.InstrID) {
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsDef() && o.Reg().IsVirtual() {
			f.DropDebugUses(o.Reg())
		}
	}
}
