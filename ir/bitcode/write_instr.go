package bitcode

import "github.com/mirin-go/mirin/ir"

// orderingNums are bitcode's numbers of orderings.
var orderingNums = [...]uint64{ir.NotAtomic: 0, ir.Unordered: 1, ir.Monotonic: 2, ir.Acquire: 3, ir.Release: 4, ir.AcqRel: 5, ir.SeqCst: 6}

// known is an abbreviation for records whose operands are all defined before
// them; others bring types along and go without.
func known(id uint32, all bool) uint32 {
	if all {
		return id
	}
	return 0
}

// instr writes the record of an instruction.
func (w *writer) instr(i ir.InstrID, in *ir.Instr) {
	f := w.fn.f
	ops := f.Ops(i)
	r := w.rec[:0]
	vol := bit(in.Flags&ir.Volatile != 0)
	switch in.Op {
	case ir.OpRet:
		id := uint32(abvRetVoid)
		if len(ops) > 0 {
			r = w.relTyped(r, ops[0])
			id = known(abvRet, len(r) == 1)
		}
		w.inst(id, fnRet, r)
	case ir.OpBr:
		if len(ops) == 1 {
			w.inst(abvBr, fnBr, append(r, w.blk(ops[0])))
			break
		}
		w.inst(abvCondBr, fnBr, w.rel(append(r, w.blk(ops[1]), w.blk(ops[2])), ops[0]))
	case ir.OpSwitch:
		r = w.rel(append(r, w.typ(f.TypeOf(ops[0]))), ops[0])
		r = append(r, w.blk(ops[1]))
		for k := 2; k+1 < len(ops); k += 2 {
			r = append(r, uint64(w.value(ops[k])), w.blk(ops[k+1]))
		}
		w.record(fnSwitch, r...)
	case ir.OpIndirectBr:
		r = w.rel(append(r, w.typ(f.TypeOf(ops[0]))), ops[0])
		for _, v := range ops[1:] {
			r = append(r, w.blk(v))
		}
		w.record(fnIndirectBr, r...)
	case ir.OpUnreachable:
		w.inst(abvUnreachable, fnUnreachable, nil)
	case ir.OpResume:
		w.record(fnResume, w.relTyped(r, ops[0])...)
	case ir.OpCleanupRet, ir.OpCatchRet:
		r = w.rel(r, ops[0])
		for _, v := range ops[1:] {
			r = append(r, w.blk(v))
		}
		code := uint32(fnCleanupRet)
		if in.Op == ir.OpCatchRet {
			code = fnCatchRet
		}
		w.record(code, r...)
	case ir.OpCatchSwitch:
		n := f.Extras[in.Extra].NumHandlers
		r = append(w.rel(r, ops[0]), uint64(n))
		for _, v := range ops[1:] {
			r = append(r, w.blk(v))
		}
		w.record(fnCatchSwitch, r...)
	case ir.OpCatchPad, ir.OpCleanupPad:
		r = append(w.rel(r, ops[0]), uint64(len(ops)-1))
		for _, v := range ops[1:] {
			r = w.relTyped(r, v)
		}
		code := uint32(fnCatchPad)
		if in.Op == ir.OpCleanupPad {
			code = fnCleanupPad
		}
		w.record(code, r...)
	case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
		w.call(i, in, ops)
		return
	case ir.OpFNeg:
		r = append(w.relTyped(r, ops[0]), 0)
		id := known(abvUnop, len(r) == 2)
		if n := fmfBits(in.Flags); n != 0 {
			r = append(r, n)
			id = known(abvUnopFlags, id != 0)
		}
		w.inst(id, fnUnop, r)
	case ir.OpAlloca:
		a := uint64(in.Align)
		r = append(r, w.typ(in.SrcType), w.typ(f.TypeOf(ops[0])), uint64(w.value(ops[0])),
			a&31|bit(in.Flags&ir.InAlloca != 0)<<5|1<<6|bit(in.Flags&ir.SwiftError != 0)<<7|a>>5<<8)
		if as := w.t.AddrSpace(in.Type); as != w.allocaAS() {
			r = append(r, uint64(as))
		}
		w.record(fnAlloca, r...)
	case ir.OpLoad:
		r = append(w.relTyped(r, ops[0]), w.typ(in.Type), uint64(in.Align), vol)
		if in.Order == ir.NotAtomic {
			w.inst(known(abvLoad, len(r) == 4), fnLoad, r)
			break
		}
		w.record(fnLoadAtomic, append(r, orderingNums[in.Order], w.scopeIDs[in.Scope])...)
	case ir.OpStore:
		r = w.relTyped(w.relTyped(r, ops[1]), ops[0])
		r = append(r, uint64(in.Align), vol)
		if in.Order == ir.NotAtomic {
			w.inst(known(abvStore, len(r) == 4), fnStore, r)
			break
		}
		w.record(fnStoreAtomic, append(r, orderingNums[in.Order], w.scopeIDs[in.Scope])...)
	case ir.OpGEP:
		r = append(r, gepBits(in.Flags), w.typ(in.SrcType))
		for _, v := range ops {
			r = w.relTyped(r, v)
		}
		w.inst(known(abvGEP, len(r) == 2+len(ops)), fnGEP, r)
	case ir.OpFence:
		w.record(fnFence, orderingNums[in.Order], w.scopeIDs[in.Scope])
	case ir.OpCmpXchg:
		r = w.rel(w.relTyped(w.relTyped(r, ops[0]), ops[1]), ops[2])
		w.record(fnCmpXchg, append(r, vol, orderingNums[in.Order], w.scopeIDs[in.Scope], orderingNums[in.Order2],
			bit(in.Flags&ir.Weak != 0), uint64(in.Align))...)
	case ir.OpAtomicRMW:
		r = w.relTyped(w.relTyped(r, ops[0]), ops[1])
		w.record(fnAtomicRMW, append(r, uint64(in.Pred), vol, orderingNums[in.Order], w.scopeIDs[in.Scope], uint64(in.Align))...)
	case ir.OpICmp, ir.OpFCmp:
		r = append(w.rel(w.relTyped(r, ops[0]), ops[1]), uint64(in.Pred))
		id := known(abvCmp, len(r) == 3)
		n := fmfBits(in.Flags)
		if in.Op == ir.OpICmp {
			n = bit(in.Flags&ir.SameSign != 0)
		}
		if n != 0 {
			r = append(r, n)
			id = known(abvCmpFlags, id != 0)
		}
		w.inst(id, fnCmp2, r)
	case ir.OpPhi:
		r = append(r, w.typ(in.Type))
		for k := 0; k+1 < len(ops); k += 2 {
			r = append(r, sign(int64(w.fn.next)-int64(w.value(ops[k]))), w.blk(ops[k+1]))
		}
		if n := fmfBits(in.Flags); n != 0 {
			r = append(r, n)
		}
		w.record(fnPhi, r...)
	case ir.OpSelect:
		r = w.relTyped(w.rel(w.relTyped(r, ops[1]), ops[2]), ops[0])
		if n := fmfBits(in.Flags); n != 0 {
			r = append(r, n)
		}
		w.record(fnVSelect, r...)
	case ir.OpVAArg:
		w.record(fnVAArg, append(w.rel(append(r, w.typ(f.TypeOf(ops[0]))), ops[0]), w.typ(in.Type))...)
	case ir.OpExtractElement:
		w.record(fnExtractElt, w.relTyped(w.relTyped(r, ops[0]), ops[1])...)
	case ir.OpInsertElement:
		w.record(fnInsertElt, w.relTyped(w.rel(w.relTyped(r, ops[0]), ops[1]), ops[2])...)
	case ir.OpShuffleVector:
		r = w.rel(w.relTyped(r, ops[0]), ops[1])
		w.record(fnShuffleVec, append(r, uint64(w.fn.next-w.fn.maskOf[i]))...)
	case ir.OpExtractValue, ir.OpInsertValue:
		code := uint32(fnExtractVal)
		if in.Op == ir.OpInsertValue {
			code = fnInsertVal
		}
		for _, v := range ops {
			r = w.relTyped(r, v)
		}
		for _, n := range f.Extras[in.Extra].Ints {
			r = append(r, uint64(n))
		}
		w.record(code, r...)
	case ir.OpLandingPad:
		r = append(r, w.typ(in.Type), bit(in.Flags&ir.Cleanup != 0), uint64(len(ops)))
		for k, v := range ops {
			r = w.relTyped(append(r, bit(f.Extras[in.Extra].ClauseFilters[k])), v)
		}
		w.record(fnLandingPad, r...)
	case ir.OpFreeze:
		w.record(fnFreeze, w.relTyped(r, ops[0])...)
	default:
		r = w.plainInstr(r, in, ops)
	}
	w.rec = r
}

func (w *writer) allocaAS() uint32 {
	if dl, err := ir.ParseDataLayout(w.m.DataLayout); err == nil {
		return dl.AllocaAS
	}
	return 0
}

// plainInstr writes casts and binary operations.
func (w *writer) plainInstr(r []uint64, in *ir.Instr, ops []ir.Value) []uint64 {
	if in.Op >= ir.OpTrunc && in.Op <= ir.OpAddrSpaceCast {
		r = append(w.relTyped(r, ops[0]), w.typ(in.Type), castNum(in.Op))
		id := known(abvCast, len(r) == 3)
		n, m := binFlagBits(in.Op, in.Flags), fmfBits(in.Flags)
		switch {
		case in.Op == ir.OpUIToFP && m != 0:
			r = append(r, n, m)
			id = 0
		case n|m != 0:
			r = append(r, n|m)
			id = known(abvCastFlags, id != 0)
		}
		w.inst(id, fnCast, r)
		return r
	}
	n, ok := binNum(in.Op)
	if !ok {
		w.fail("instruction %v is not supported", in.Op)
		return r
	}
	r = append(w.rel(w.relTyped(r, ops[0]), ops[1]), n)
	id := known(abvBinop, len(r) == 3)
	if x := binFlagBits(in.Op, in.Flags) | fmfBits(in.Flags); x != 0 {
		r = append(r, x)
		id = known(abvBinopFlags, id != 0)
	}
	w.inst(id, fnBinop, r)
	return r
}

func (w *writer) call(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	f := w.fn.f
	r := w.rec[:0]
	for _, x := range f.Extras[in.Extra].Bundles {
		r = append(r[:0], w.bundles[x.Tag]-1)
		for _, v := range x.Args {
			if v.Tag() == ir.TagMetadata {
				r = w.rel(append(r, bundleMetadataFlag), v)
			} else {
				r = w.relTyped(r, v)
			}
		}
		w.record(fnBundle, r...)
	}
	n := f.NumArgOps(i)
	fm := fmfBits(in.Flags)
	r = append(r[:0], w.listID(in.Attrs))
	code := uint32(fnCall)
	switch in.Op {
	case ir.OpCall:
		cc := uint64(in.CC)<<callCC | 1<<callExplicitType | bit(in.Flags&(ir.TailCall|ir.MustTail) != 0) | bit(in.Flags&ir.MustTail != 0)<<callMustTail |
			bit(in.Flags&ir.NoTail != 0)<<callNoTail | bit(fm != 0)<<callFMF
		r = append(r, cc)
		if fm != 0 {
			r = append(r, fm)
		}
	case ir.OpInvoke:
		code = fnInvoke
		r = append(r, uint64(in.CC)|1<<13, w.blk(ops[n+1]), w.blk(ops[n+2]))
	case ir.OpCallBr:
		code = fnCallBr
		r = append(r, uint64(in.CC)<<callCC|1<<callExplicitType, w.blk(ops[n+1]), uint64(len(ops)-n-2))
		for _, v := range ops[n+2:] {
			r = append(r, w.blk(v))
		}
	}
	r = w.relTyped(append(r, w.typ(in.SrcType)), ops[n])
	params := w.t.Subtypes(in.SrcType)
	for k, v := range ops[:n] {
		if k >= len(params) {
			r = w.relTyped(r, v)
			continue
		}
		if v.Tag() == ir.TagBlock {
			r = append(r, w.blk(v))
		} else {
			r = w.rel(r, v)
		}
	}
	w.record(code, r...)
	w.rec = r
}
