package mir

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
)

// A bundle is a run of instructions of a block that issue together. Its
// instructions but the last have BundledSucc, those but the first BundledPred;
// an instruction without either is a bundle of its own. What is inserted
// between two instructions of a bundle joins it, what is removed leaves it.

// Bundles iterates over the first instructions of the bundles of b. The current
// bundle may be removed or moved.
func (f *Function) Bundles(b BlockID) func(yield func(InstrID) bool) {
	return func(yield func(InstrID) bool) {
		for i := f.blocks[b].first; i != 0; {
			next := f.NextBundle(i)
			if !yield(i) {
				return
			}
			i = next
		}
	}
}

// InBundle iterates over the instructions of the bundle that head begins. The
// current instruction may be removed.
func (f *Function) InBundle(head InstrID) func(yield func(InstrID) bool) {
	return func(yield func(InstrID) bool) {
		for i := head; i != 0; {
			next := InstrID(0)
			if f.instrs[i].flags&BundledSucc != 0 {
				next = f.instrs[i].next
			}
			if !yield(i) {
				return
			}
			i = next
		}
	}
}

// IsBundled reports whether i shares a bundle with another instruction.
func (f *Function) IsBundled(i InstrID) bool {
	return f.instrs[i].flags&(BundledPred|BundledSucc) != 0
}

// BundleHead returns the first instruction of the bundle that i is in.
func (f *Function) BundleHead(i InstrID) InstrID {
	for f.instrs[i].flags&BundledPred != 0 && f.instrs[i].prev != 0 {
		i = f.instrs[i].prev
	}
	return i
}

// NextBundle returns the first instruction of the bundle behind that of i, 0 at the end.
func (f *Function) NextBundle(i InstrID) InstrID {
	for f.instrs[i].flags&BundledSucc != 0 && f.instrs[i].next != 0 {
		i = f.instrs[i].next
	}
	return f.instrs[i].next
}

// BundleWithPred makes i and the instruction before it part of one bundle.
func (f *Function) BundleWithPred(i InstrID) {
	f.instrs[f.instrs[i].prev].flags |= BundledSucc
	f.instrs[i].flags |= BundledPred
}

// UnbundleFromPred ends the bundle before i.
func (f *Function) UnbundleFromPred(i InstrID) {
	f.instrs[f.instrs[i].prev].flags &^= BundledSucc
	f.instrs[i].flags &^= BundledPred
}

// EraseBundle erases the bundle that head begins.
func (f *Function) EraseBundle(head InstrID) {
	for i := range f.InBundle(head) {
		f.Erase(i)
	}
}

// MoveBundle puts the bundle that head begins before at, or at the end of b
// when at is 0; at begins a bundle that is not moved.
func (f *Function) MoveBundle(b BlockID, at, head InstrID) {
	prev := InstrID(0)
	for i := range f.InBundle(head) {
		f.Move(b, at, i)
		if prev != 0 {
			f.BundleWithPred(i)
		}
		prev = i
	}
}

// FinalizeBundle makes the instructions from first to last, of physical registers,
// one bundle behind a BUNDLE that says what they define and read; what one of them
// reads of another's is marked so. It returns the BUNDLE.
func (f *Function) FinalizeBundle(first, last InstrID) InstrID {
	var defs, uses []Operand
	covers := func(o *Operand, r Reg) bool {
		return o.Reg() == r || o.Reg().IsPhysical() && r.IsPhysical() && f.Facts.IsSubRegister(desc.PhysReg(o.Reg()), desc.PhysReg(r))
	}
	for i := first; ; i = f.instrs[i].next {
		for n := range f.Instr(i).NumOps() {
			o := f.Op(i, n)
			if !o.IsUse() || o.Reg() == NoReg || o.IsDebug() {
				continue
			}
			inside := false
			for k := range defs {
				if covers(&defs[k], o.Reg()) {
					inside = true
					defs[k] = defs[k].WithFlag(Dead, defs[k].IsDead() || o.IsKill())
				}
			}
			if inside {
				f.SetOpFlag(i, n, InternalRead, true)
				continue
			}
			k := slices.IndexFunc(uses, func(u Operand) bool { return u.Reg() == o.Reg() })
			if k < 0 {
				uses, k = append(uses, RegOp(o.Reg(), Implicit|o.Flags()&Undef)), len(uses)
			}
			uses[k] = uses[k].WithFlag(Kill, uses[k].IsKill() || o.IsKill())
		}
		for n := range f.Instr(i).NumOps() {
			o := f.Op(i, n)
			if !o.IsDef() || o.Reg() == NoReg {
				continue
			}
			k := slices.IndexFunc(defs, func(d Operand) bool { return d.Reg() == o.Reg() })
			if k < 0 {
				defs, k = append(defs, RegOp(o.Reg(), Def|Implicit)), len(defs)
			}
			defs[k] = defs[k].WithFlag(Dead, o.IsDead())
		}
		if i == last {
			break
		}
	}
	head := f.New(desc.BUNDLE, append(defs, uses...)...)
	f.instrs[head].Loc = f.instrs[first].Loc
	f.InsertBefore(f.instrs[first].block, first, head)
	for i := first; ; i = f.instrs[i].next {
		f.BundleWithPred(i)
		if i == last {
			return head
		}
	}
}
