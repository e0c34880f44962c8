package irpass

import (
	"slices"

	"github.com/mirin-go/mirin/ir"
)

// The arguments of llvm.bpf.getelementptr.and.load, and, behind the value, of …store:
// pointer, volatile, ordering, scope, log2 of the alignment, inbounds, indices.
const (
	accessPtr = iota
	accessVolatile
	accessOrder
	accessScope
	accessAlign
	accessInBounds
	accessIndex
)

// unfoldAccesses makes those calls an address and an access again.
func unfoldAccesses(f *ir.Function) {
	n := numbersOf()
	b := ir.NewBuilder(f)
	eachInstr(f, func(i ir.InstrID) {
		if f.Instrs[i].Op != ir.OpCall {
			return
		}
		switch f.IntrinsicOf(i) {
		case n.gepLoad:
			replace(f, i, ir.Local(unfold(f, b, i, 0)))
		case n.gepStore:
			unfold(f, b, i, 1)
			f.Erase(i)
		}
	})
}

// unfold adds address and access before a call, in which the pointer is argument at.
func unfold(f *ir.Function, b ir.Builder, i ir.InstrID, at int) (access ir.InstrID) {
	r := f.Instrs[i]
	args := append([]ir.Value(nil), f.Ops(i)[:f.NumArgOps(i)]...)
	num := func(k int) uint64 { return constant(f, args[at+k]) }
	elem, _ := f.Module.Attrs.At(r.Attrs).Param(at).Get("elementtype")
	gep := ir.Instr{Op: ir.OpGEP, Type: f.TypeOf(args[at]), SrcType: elem.Type, Loc: r.Loc}
	if num(accessInBounds) != 0 {
		gep.Flags = ir.InBounds | ir.NUSW
	}
	ops := append([]ir.Value{args[at+accessPtr]}, args[at+accessIndex:]...)
	address := insert(f, i, gep, ops...)
	if name := f.ValueNames[i]; name != "" {
		f.ValueNames[address] = b.Unique(name)
	}
	in := ir.Instr{Op: ir.OpLoad, Type: r.Type, SrcType: r.Type, Order: ir.Ordering(num(accessOrder)), Align: uint8(num(accessAlign)) + 1, Loc: r.Loc}
	if in.Order != ir.NotAtomic {
		in.Scope = scopeOf(f.Module, num(accessScope))
	}
	if num(accessVolatile) != 0 {
		in.Flags = ir.Volatile
	}
	operands := []ir.Value{ir.Local(address)}
	if at == 1 {
		in.Op, in.Type, in.SrcType = ir.OpStore, ir.Void, f.TypeOf(args[0])
		operands = []ir.Value{args[0], ir.Local(address)}
	}
	access = insert(f, i, in, operands...)
	copyAliasing(f, i, access)
	return access
}

// aliasKinds are the attachments that say what memory an access may touch.
var aliasKinds = [...]string{"tbaa", "tbaa.struct", "alias.scope", "noalias", "noalias.addrspace"}

// copyAliasing gives an instruction what another says of the memory that it touches.
func copyAliasing(f *ir.Function, from, to ir.InstrID) {
	tail := uint32(0) // of what `to` has got
	for a := f.Instrs[from].MD; a != 0; a = f.Attachments[a].Next {
		x := f.Attachments[a]
		if !slices.Contains(aliasKinds[:], f.Module.MDKinds()[x.Kind]) {
			continue
		}
		n := uint32(len(f.Attachments))
		f.Attachments = append(f.Attachments, ir.Attachment{Kind: x.Kind, Node: x.Node})
		if tail == 0 {
			f.Instrs[to].MD = n
		} else {
			f.Attachments[tail].Next = n
		}
		tail = n
	}
}

// scopeThread is LLVM's number of the scope "singlethread"; that of the whole system is 1.
const scopeThread = 0

func scopeOf(m *ir.Module, n uint64) uint32 {
	if n == scopeThread {
		return m.SyncScope("singlethread")
	}
	return 0
}
