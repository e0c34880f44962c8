package irpass

import "github.com/mirin-go/mirin/ir"

// SimplifySpaces is bpf-aspace-simplify of one function: an address that is computed
// in another address space, into which its base was cast and out of which it is cast
// again, is computed in the first.
func SimplifySpaces(f *ir.Function) {
	var work []ir.InstrID
	eachInstr(f, func(i ir.InstrID) {
		if thereAndBack(f, i) {
			work = append(work, i)
		}
	})
	if len(work) == 0 {
		return
	}
	f.IndexUses()
	defer f.DropUses()
	b := ir.NewBuilder(f)
	for len(work) > 0 {
		outer := work[len(work)-1]
		work = work[:len(work)-1]
		if f.Instrs[outer].Block == 0 || !thereAndBack(f, outer) {
			continue
		}
		gep := f.Op(outer, 0).Instr()
		inner := f.Op(gep, 0).Instr()
		in := f.Instrs[gep]
		in.Type, in.Records = f.Instrs[outer].Type, 0
		ops := append([]ir.Value(nil), f.Ops(gep)...)
		ops[0] = f.Op(inner, 0)
		n := insert(f, outer, in, ops...)
		name := f.ValueNames[gep]
		replace(f, outer, ir.Local(n))
		for _, i := range [...]ir.InstrID{gep, inner} {
			if !f.HasUses(ir.Local(i)) {
				f.Erase(i)
			}
		}
		if name != "" {
			if f.Instrs[gep].Block == 0 {
				f.ValueNames[n] = name
			} else {
				f.ValueNames[n] = b.Unique(name)
			}
		}
		for u := range f.Uses(ir.Local(n)) {
			if thereAndBack(f, u.I) {
				work = append(work, u.I)
			}
		}
	}
}

// thereAndBack reports a cast of an address relative to what was cast from the space that it casts to.
func thereAndBack(f *ir.Function, i ir.InstrID) bool {
	if f.Instrs[i].Op != ir.OpAddrSpaceCast {
		return false
	}
	gep := f.Op(i, 0).Instr()
	if gep == 0 || f.Instrs[gep].Op != ir.OpGEP {
		return false
	}
	inner := f.Op(gep, 0).Instr()
	return inner != 0 && f.Instrs[inner].Op == ir.OpAddrSpaceCast && f.TypeOf(f.Op(inner, 0)) == f.Instrs[i].Type
}
