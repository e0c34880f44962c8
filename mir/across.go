package mir

import "encoding/binary"

// AppendContent appends a key of what instruction i, and its bundle when it heads
// one, does: equal for instructions of any functions of the module that are the
// same but for flags, memory operands, locations and debug instructions in the bundle
// (LLVM's isIdenticalTo, which compares the latter). What
// an operand names by a table of the function is in it as it stands there.
func (f *Function) AppendContent(b []byte, i InstrID) []byte {
	for in := range f.InBundle(i) {
		if in != i && f.IsDebugInstr(in) {
			continue
		}
		r := &f.instrs[in]
		b = binary.AppendUvarint(b, uint64(r.Opcode))
		b = binary.AppendUvarint(b, uint64(r.NumOps()))
		for k := range r.NumOps() {
			b = f.appendOperand(b, f.Op(in, k))
		}
		if f.HasExtra(in) {
			e := f.Extra(in)
			for _, s := range [...]uint32{e.PreSymbol, e.PostSymbol} {
				if s != 0 {
					b = appendText(b, f.Symbols[s-1])
				}
				b = append(b, byte(min(s, 1)))
			}
			b = binary.AppendUvarint(b, uint64(e.CFIType))
			b = binary.AppendUvarint(b, uint64(e.DeactivationSymbol))
		}
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func (f *Function) appendOperand(b []byte, o *Operand) []byte {
	b = append(b, byte(o.kind))
	b = binary.AppendUvarint(b, uint64(o.sub&subMask))
	switch o.kind {
	case OpReg:
		return binary.AppendUvarint(append(b, byte(o.flags&Def)), uint64(o.idx))
	case OpCImm:
		c := &f.CImms[o.idx]
		b = binary.AppendUvarint(b, uint64(c.Bits))
		for _, w := range c.Words {
			b = binary.AppendUvarint(b, w)
		}
		return b
	case OpFPImm:
		c := &f.FPImms[o.idx]
		return binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, uint64(c.Type)), c.Lo), c.Hi)
	case OpExtSym, OpMCSymbol:
		return binary.AppendVarint(appendText(b, f.Symbols[o.idx]), o.Offset())
	case OpBlockAddr:
		a := f.BlockAddrs[o.idx]
		return binary.AppendVarint(binary.AppendUvarint(binary.AppendUvarint(b, uint64(a.Func)), uint64(a.Block)), o.Offset())
	case OpRegMask, OpLiveOut:
		for _, w := range f.RegMasks[o.idx] {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		return b
	case OpCFIIndex:
		c := &f.CFI[o.idx]
		b = binary.AppendUvarint(append(b, byte(c.Kind)), uint64(c.Reg))
		b = binary.AppendVarint(binary.AppendUvarint(b, uint64(c.Reg2)), c.Offset)
		return appendText(binary.AppendUvarint(b, uint64(c.AddrSpace)), c.Bytes)
	case OpShuffleMask:
		for _, m := range f.ShuffleMasks[o.idx] {
			b = binary.AppendVarint(b, int64(m))
		}
		return b
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(o.idx)), o.val)
}

// CloneFrom copies instruction i of g, another function of the module and target,
// whose registers are physical; the copy stands in no block. It has no memory
// operands and no location. Operands that mean something in g alone (blocks, frame
// indices, constant pools, jump tables) must not be there.
func (f *Function) CloneFrom(g *Function, i InstrID) InstrID {
	src := &g.instrs[i]
	var buf [16]Operand
	ops := buf[:0]
	for k := range src.NumOps() {
		ops = append(ops, f.operandFrom(g, g.Op(i, k)))
	}
	id := f.New(src.Opcode, ops...)
	for k := range src.NumOps() {
		if t := g.TiedTo(i, k); t > k {
			f.Tie(id, k, t)
		}
	}
	in := &f.instrs[id]
	in.flags = src.flags &^ (BundledPred | BundledSucc)
	in.AsmFlags = src.AsmFlags
	if g.HasExtra(i) {
		e := g.Extra(i)
		e.Number = 0
		for _, s := range [...]*uint32{&e.PreSymbol, &e.PostSymbol} {
			if *s != 0 {
				f.Symbols = append(f.Symbols, g.Symbols[*s-1])
				*s = uint32(len(f.Symbols))
			}
		}
		f.SetExtra(id, e)
	}
	return id
}

// operandFrom makes an operand of f that means what o means in g.
func (f *Function) operandFrom(g *Function, o *Operand) Operand {
	fl := o.sub & subMask
	switch o.kind {
	case OpReg:
		return SubRegOp(o.Reg(), o.SubReg(), o.flags)
	case OpCImm:
		c := &g.CImms[o.idx]
		return f.CImm(c.Bits, c.Words...)
	case OpFPImm:
		c := g.FPImms[o.idx]
		return f.FPImm(c.Type, c.Lo, c.Hi)
	case OpExtSym, OpMCSymbol:
		f.Symbols = append(f.Symbols, g.Symbols[o.idx])
		return IndexOp(o.kind, uint32(len(f.Symbols)-1), o.Offset(), fl)
	case OpBlockAddr:
		f.BlockAddrs = append(f.BlockAddrs, g.BlockAddrs[o.idx])
		return IndexOp(o.kind, uint32(len(f.BlockAddrs)-1), o.Offset(), fl)
	case OpRegMask, OpLiveOut:
		c := f.RegMask(g.RegMasks[o.idx])
		c.kind, c.val = o.kind, o.val
		return c
	case OpCFIIndex:
		return f.AddCFI(g.CFI[o.idx])
	case OpShuffleMask:
		f.ShuffleMasks = append(f.ShuffleMasks, g.ShuffleMasks[o.idx])
		return IndexOp(o.kind, uint32(len(f.ShuffleMasks)-1), 0, fl)
	case OpMBB, OpFrameIndex, OpCPI, OpJTI, OpTargetIndex:
		panic("mir: an operand that means nothing in another function is copied there")
	}
	c := *o
	c.sub = fl
	return c
}
