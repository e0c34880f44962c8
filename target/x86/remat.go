package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// isRematerializable is InstrHooks.IsRematerializable: constants that are made
// without reading anything, constant memory, and addresses that need no register.
// Constants whose making clobbers the flags count too: see rematerialize.
func isRematerializable(_ *target.Subtarget, f *mir.Function, i mir.InstrID) bool {
	switch f.Instr(i).Opcode {
	case tab.LEA32r, tab.LEA64r, tab.LEA64_32r:
		return noRegisters(f, i, 1)
	default:
		if f.Desc(i).NumOperands >= 1+addrOps && f.Desc(i).MayLoad() {
			return noRegisters(f, i, 1) && f.Op(i, 1).IsReg() && f.IsInvariantLoad(i)
		}
		return constantOp(f, i)
	}
}

// constantOp reports an instruction whose sources are immediates only.
func constantOp(f *mir.Function, i mir.InstrID) bool {
	d := f.Desc(i)
	if d.NumDefs != 1 || d.MayStore() || d.HasUnmodeledSideEffects() {
		return false
	}
	for k := 1; k < f.Instr(i).NumOps(); k++ {
		switch o := f.Op(i, k); {
		case o.IsReg() && (!o.IsImplicit() || o.Reg() != reg(tab.EFLAGS) || !o.IsDef()):
			return false
		case o.Kind() == mir.OpFrameIndex:
			return false
		}
	}
	return true
}

// noRegisters reports an address, from operand k on, that is the same all over
// the function: a constant, something relative to the instruction pointer or a
// stack slot, without an index.
func noRegisters(f *mir.Function, i mir.InstrID, k int) bool {
	if o := f.Op(i, k+addrScale); !o.IsImm() {
		return false
	}
	if o := f.Op(i, k+addrIndex); !o.IsReg() || o.Reg() != 0 || f.Op(i, k+addrDisp).IsReg() {
		return false
	}
	base := f.Op(i, k+addrBase)
	return !base.IsReg() || base.Reg() == 0 || base.Reg() == reg(tab.RIP)
}

// rematerialize is InstrHooks.Rematerialize: a constant that would clobber live
// flags is moved instead.
func rematerialize(_ *target.Subtarget, f *mir.Function, b mir.BlockID, at, orig mir.InstrID) mir.InstrID {
	clobbers := false
	for _, o := range f.Ops(orig) {
		clobbers = clobbers || o.IsDef() && o.Reg() == reg(tab.EFLAGS)
	}
	if !clobbers || !flagsLive(f, b, at) {
		return 0
	}
	v := int64(0)
	switch f.Instr(orig).Opcode {
	case tab.MOV32r0:
	case tab.MOV32r1:
		v = 1
	case tab.MOV32r_1:
		v = -1
	default:
		return 0
	}
	n := f.New(tab.MOV32ri, *f.Op(orig, 0), mir.ImmOp(v))
	f.Instr(n).Loc = f.Instr(orig).Loc
	return n
}

// flagsLive reports whether EFLAGS may be read as they are before at in b.
func flagsLive(f *mir.Function, b mir.BlockID, at mir.InstrID) bool {
	eflags := reg(tab.EFLAGS)
	for i := at; i != 0; i = f.Instr(i).Next() {
		read, written := flagsUse(f, i)
		if read {
			return true
		}
		if written {
			return false
		}
	}
	for _, s := range f.Succs(b) {
		if f.IsLiveIn(s.Block, eflags) {
			return true
		}
	}
	return false
}

// flagsUse reports whether i reads EFLAGS, and whether it writes them.
func flagsUse(f *mir.Function, i mir.InstrID) (read, written bool) {
	eflags := reg(tab.EFLAGS)
	for _, o := range f.Ops(i) {
		switch {
		case o.Kind() == mir.OpRegMask:
			written = true
		case !o.IsReg() || o.Reg() != eflags || o.IsDebug():
		case o.IsDef():
			written = true
		case !o.IsUndef():
			read = true
		}
	}
	return read, written
}

// unfoldMemory is InstrHooks.UnfoldMemory.
func unfoldMemory(st *target.Subtarget, f *mir.Function, i mir.InstrID, r mir.Reg, load, store bool) mir.InstrID {
	op, k, ok := st.UnfoldedOpcode(f.Instr(i).Opcode, load, store)
	if !ok || f.Desc(i).NumOperands < addrOps {
		return 0
	}
	fd, _ := f.Facts.UnfoldOf(f.Instr(i).Opcode)
	load, store = fd.Flags&desc.FoldLoad != 0, fd.Flags&desc.FoldStore != 0
	class := f.Facts.OperandClass(op, k, f.Facts.DefaultMode)
	move := movesOf(st, class, f, i)
	if move == nil {
		return 0
	}
	var abuf [addrOps]mir.Operand
	addr := append(abuf[:0], f.Ops(i)[k:k+addrOps]...)
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	if load {
		var buf [1 + addrOps]mir.Operand
		ops := append(append(buf[:0], mir.RegOp(r, mir.Def)), addr...)
		if store {
			for x := range ops[1:] {
				if o := &ops[1+x]; o.IsReg() {
					*o = o.WithFlag(mir.Kill, false)
				}
			}
		}
		n := b.Build(move.Load, ops...)
		memOnly(f, n, i, mir.MemLoad)
	}
	n := newFused(f, i, op)
	f.SetMem(n)
	for x := 0; x < f.Instr(i).NumOps(); x++ {
		switch o := *f.Op(i, x); {
		case x == k && store:
			f.AddOp(n, mir.RegOp(r, mir.Def))
			if load {
				f.AddOp(n, mir.RegOp(r, mir.Kill))
			}
			x += addrOps - 1
		case x == k:
			f.AddOp(n, mir.RegOp(r, mir.Kill))
			x += addrOps - 1
		default:
			f.AddOp(n, o)
		}
	}
	f.TieDeclared(n)
	f.InsertBefore(f.Instr(i).Block(), i, n)
	if store {
		var buf [1 + addrOps]mir.Operand
		s := b.Build(move.Store, append(append(buf[:0], addr...), mir.RegOp(r, mir.Kill))...)
		memOnly(f, s, i, mir.MemStore)
	}
	f.Erase(i)
	return n
}

// movesOf finds what loads and stores registers of a class; i's access must be
// aligned as these want it.
func movesOf(st *target.Subtarget, class desc.ClassID, f *mir.Function, i mir.InstrID) *target.SpillRow {
	size := st.Facts.ClassSize(class, st.Facts.DefaultMode).SpillSize
	for k := range st.Instr.Spills {
		row := &st.Instr.Spills[k]
		if !st.Facts.HasSubClassEq(row.Class, class) || st.Facts.ClassSize(row.Class, st.Facts.DefaultMode).SpillSize != size {
			continue
		}
		if size >= 16 {
			for m := range f.NumMem(i) {
				if 1<<accessAlign(f.MemOf(i, m)) < int(size) {
					return nil
				}
			}
			if f.NumMem(i) == 0 {
				return nil
			}
		}
		return row
	}
	return nil
}

// memOnly gives n those memory operands of i that read or write.
func memOnly(f *mir.Function, n, i mir.InstrID, fl mir.MemFlags) {
	var buf [4]mir.MemID
	ms := append(buf[:0], f.MemIDs(i)...)
	keep := ms[:0]
	for k, id := range ms {
		m := *f.MemOf(i, k)
		if m.Flags&fl == 0 {
			continue
		}
		if both := mir.MemLoad | mir.MemStore; m.Flags&both == both {
			m.Flags = m.Flags&^both | fl
			id = f.AddMem(m)
		}
		keep = append(keep, id)
	}
	f.SetMem(n, keep...)
}
