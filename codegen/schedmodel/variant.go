package schedmodel

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// choose finds the class that a variant is for an instruction.
func (x *Model) choose(c *desc.SchedClassDesc, f *mir.Function, i mir.InstrID) (class int, ok bool) {
	for _, ch := range x.t.Choices[c.Advances : int(c.Advances)+int(c.NumChoices)] {
		holds := true
		for k := range x.t.Preds[ch.Pred : int(ch.Pred)+int(ch.NumPreds)] {
			if !x.holds(&x.t.Preds[int(ch.Pred)+k], f, i) {
				holds = false
				break
			}
		}
		if holds {
			return int(ch.To), true
		}
	}
	return 0, false
}

// holds answers a predicate. One of a .td description is not evaluated and does not
// hold: what it would choose is left out, and the last choice, which LLVM demands
// to be without conditions, counts.
func (x *Model) holds(p *desc.SchedPred, f *mir.Function, i mir.InstrID) bool {
	ops := f.Ops(i)
	set := x.t.PredSets[p.Set : int(p.Set)+int(p.NumSet)]
	switch p.Kind {
	case desc.SchedPredOpcode:
		_, ok := slices.BinarySearch(set, uint16(f.Instr(i).Opcode))
		return ok
	case desc.SchedPredCount:
		n := 0
		for k := range ops {
			if !ops[k].IsReg() || !ops[k].IsImplicit() {
				n++
			}
		}
		return inRanges(set, n)
	case desc.SchedPredText:
		return false
	}
	if int(p.A) >= len(ops) {
		return false
	}
	o := &ops[p.A]
	switch p.Kind {
	case desc.SchedPredSame:
		return int(p.B) < len(ops) && o.IsReg() && ops[p.B].IsReg() && o.Reg() == ops[p.B].Reg()
	case desc.SchedPredReg:
		if !o.IsReg() || o.Reg().IsVirtual() || o.Reg() > 0xffff {
			return false
		}
		return slices.Contains(set, uint16(o.Reg()))
	case desc.SchedPredImm:
		v := int64(desc.SchedImmMax)
		if o.IsImm() {
			v = max(desc.SchedImmMin, min(o.Imm(), desc.SchedImmMax))
		}
		return inRanges(set, int(v))
	}
	return false
}

// inRanges reports whether v lies in one of the ranges of a set.
func inRanges(set []uint16, v int) bool {
	for k := 0; k+1 < len(set); k += 2 {
		if v >= int(int16(set[k])) && v <= int(int16(set[k+1])) {
			return true
		}
	}
	return false
}
