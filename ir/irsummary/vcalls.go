package irsummary

import (
	"slices"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
)

// orderOf tells which of two instructions of a function runs first.
type orderOf struct {
	dom *analysis.Dominators
	num []int32 // by InstrID, its place in the function
}

func (x *funcSummary) dominates(a, b ir.InstrID) bool {
	if x.order.dom == nil {
		x.order.dom = analysis.NewDominators(iranalysis.CFG(x.f))
		x.order.num = make([]int32, len(x.f.Instrs))
		n := int32(0)
		for _, blk := range x.f.Order {
			for i := x.f.Blocks[blk].First; i != 0; i = x.f.Instrs[i].Next {
				x.order.num[i] = n
				n++
			}
		}
	}
	ba, bb := x.f.Instrs[a].Block, x.f.Instrs[b].Block
	if ba == bb {
		return x.order.num[a] < x.order.num[b]
	}
	return x.order.dom.Dominates(int(ba), int(bb))
}

// usersOf lists the instructions that use a value, the last one first.
func (x *funcSummary) usersOf(i ir.InstrID) []ir.InstrID {
	if x.users == nil {
		x.users = map[ir.InstrID][]ir.InstrID{}
		for _, blk := range x.f.Order {
			for k := x.f.Blocks[blk].First; k != 0; k = x.f.Instrs[k].Next {
				for _, o := range x.f.Ops(k) {
					if o.IsLocal() {
						x.users[o.Instr()] = append(x.users[o.Instr()], k)
					}
				}
			}
		}
		for _, l := range x.users {
			slices.Reverse(l)
		}
	}
	return x.users[i]
}

// typeGUID is the GUID of the type identifier in a metadata argument.
func (x *funcSummary) typeGUID(v ir.Value) (uint64, bool) {
	n := x.m.MD.At(v.MD())
	if n == nil || n.Kind != ir.MDString {
		return 0, false
	}
	return ir.GUID(n.Str), true
}

// intrinsic summarises type tests and checked loads.
func (x *funcSummary) intrinsic(i ir.InstrID, k ir.Intrinsic) {
	switch k {
	case ir.IntrTypeTest, ir.IntrPublicTypeTest:
		if guid, ok := x.typeGUID(x.f.Op(i, 1)); ok {
			x.typeTest(i, guid)
		}
	case ir.IntrTypeCheckedLoad, ir.IntrTypeCheckedLoadRelative:
		if guid, ok := x.typeGUID(x.f.Op(i, 2)); ok {
			x.checkedLoad(i, guid)
		}
	}
}

func (x *funcSummary) addTypeTest(guid uint64) {
	if !slices.Contains(x.s.TypeTests, guid) {
		x.s.TypeTests = append(x.s.TypeTests, guid)
	}
}

func (x *funcSummary) typeTest(i ir.InstrID, guid uint64) {
	assumed := false
	for _, u := range x.usersOf(i) {
		if x.f.IntrinsicOf(u) == ir.IntrAssume {
			assumed = true
		} else {
			x.addTypeTest(guid)
		}
	}
	if !assumed {
		return
	}
	ptr := x.f.Op(i, 0)
	for p := ptr.Instr(); p != 0 && x.f.Instr(p).Op == ir.OpBitCast; p = ptr.Instr() {
		ptr = x.f.Op(p, 0)
	}
	if p := ptr.Instr(); p != 0 {
		x.vtableLoads(i, p, guid, 0, 0)
	}
}

// vtableLoads follows a vtable pointer to loads, and these to calls.
func (x *funcSummary) vtableLoads(test, ptr ir.InstrID, guid uint64, off int64, depth int) {
	if depth > 64 {
		return
	}
	for _, u := range x.usersOf(ptr) {
		switch in := x.f.Instr(u); in.Op {
		case ir.OpBitCast:
			x.vtableLoads(test, u, guid, off, depth+1)
		case ir.OpLoad:
			x.vcalls(test, u, ir.SummaryVFunc{GUID: guid, Offset: uint64(off)}, &x.s.AssumeVCalls, &x.s.AssumeConstVCalls, 0)
		case ir.OpGEP:
			if n, ok := x.dl.ConstGEPOffset(x.f, u); ok && x.f.Op(u, 0).Instr() == ptr {
				x.vtableLoads(test, u, guid, off+n, depth+1)
			}
		case ir.OpCall:
			if x.f.IntrinsicOf(u) == ir.IntrLoadRelative {
				if n, ok := x.f.Consts.SignedInt(x.m.Types, x.f.Op(u, 1)); ok {
					x.vcalls(test, u, ir.SummaryVFunc{GUID: guid, Offset: uint64(off + n)}, &x.s.AssumeVCalls, &x.s.AssumeConstVCalls, 0)
				}
			}
		}
	}
}

// vcalls notes the calls of a function pointer that run behind a test; it
// reports whether the pointer is used in another way.
func (x *funcSummary) vcalls(test, ptr ir.InstrID, v ir.SummaryVFunc, plain *[]ir.SummaryVFunc, consts *[]ir.SummaryConstVCall, depth int) (others bool) {
	for _, u := range x.usersOf(ptr) {
		if !x.dominates(test, u) {
			continue
		}
		switch x.f.Instr(u).Op {
		case ir.OpBitCast:
			if depth < 64 {
				others = x.vcalls(test, u, v, plain, consts, depth+1) || others
			}
		case ir.OpCall, ir.OpInvoke:
			x.vcall(u, v, plain, consts)
		default:
			others = true
		}
	}
	return others
}

// vcall notes one virtual call, with its arguments where all behind the first are plain numbers.
func (x *funcSummary) vcall(i ir.InstrID, v ir.SummaryVFunc, plain *[]ir.SummaryVFunc, consts *[]ir.SummaryConstVCall) {
	var args []uint64
	for k := 1; k < x.f.NumArgOps(i); k++ {
		c := x.f.Op(i, k).Const()
		if c == 0 || x.f.Consts.At(c).Kind != ir.ConstInt || x.f.Consts.At(c).N != 0 {
			if !slices.Contains(*plain, v) {
				*plain = append(*plain, v)
			}
			return
		}
		args = append(args, x.f.Consts.At(c).Bits)
	}
	if !slices.ContainsFunc(*consts, func(o ir.SummaryConstVCall) bool { return o.Func == v && slices.Equal(o.Args, args) }) {
		*consts = append(*consts, ir.SummaryConstVCall{Func: v, Args: args})
	}
}

func (x *funcSummary) checkedLoad(i ir.InstrID, guid uint64) {
	off, ok := x.f.Consts.SignedInt(x.m.Types, x.f.Op(i, 1))
	if !ok {
		x.addTypeTest(guid)
		return
	}
	others := false
	var ptrs []ir.InstrID
	for _, u := range x.usersOf(i) {
		in := x.f.Instr(u)
		if in.Op == ir.OpExtractValue {
			if idx := x.f.Extras[in.Extra].Ints; len(idx) == 1 && idx[0] <= 1 {
				if idx[0] == 0 {
					ptrs = append(ptrs, u)
				}
				continue
			}
		}
		others = true
	}
	for _, p := range ptrs {
		others = x.vcalls(i, p, ir.SummaryVFunc{GUID: guid, Offset: uint64(off)}, &x.s.CheckedLoadVCalls, &x.s.CheckedLoadConstVCall, 0) || others
	}
	if others {
		x.addTypeTest(guid)
	}
}
