package mctargetdesc

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// operands reads what is left of an instruction and makes its operands.
func (x *decoding) operands(in *mc.Inst) bool {
	info := x.d.e.info
	row := info.Instr(in.Op)
	n := int(row.NumOperands)
	for range n {
		in.Add(mc.Operand{})
	}
	p := encoding{e: x.d.e, in: in, ops: in.Ops, ts: tsFlags(row.TSFlags), mode: x.mode}
	dfv := 0
	if p.ts.flagsAndCond() {
		dfv = 2
	}
	if p.places(row); p.err != nil {
		return false
	}
	if p.modRM {
		x.address()
		if x.bad {
			return false
		}
	}
	ok := true
	put := func(i int, number byte) {
		if i != none && ok {
			ok = x.register(in, i, number)
		}
	}
	put(p.reg, x.modRM>>3&7|x.r)
	if p.rm != none {
		if p.modRM {
			upper := x.b
			if x.class == desc.ContextEVEX && !x.general(in, p.rm) {
				upper = x.b&8 | x.x>>3<<4&16 // EVEX.X is the upper bit of vector registers
			}
			put(p.rm, x.modRM&7|upper)
		} else {
			put(p.rm, x.opcode&7|x.b)
		}
	}
	if p.vvvv == none && x.vvvv != 0 && dfv == 0 && p.mem == none || p.vvvv == none && dfv == 0 && x.vvvv&15 != 0 {
		return false
	}
	if x.mode != 64 {
		x.vvvv &= 7 // unless it is unused, the upper bit does not count
	}
	put(p.vvvv, x.vvvv)
	put(p.mask, x.aaa)
	if p.mem != none && ok {
		ok = x.memory(in, p.mem, p.ts)
	}
	if !ok || !x.immediates(in, &p) {
		return false
	}
	if dfv != 0 {
		in.Ops[n-2], in.Ops[n-1] = mc.Imm(int64(x.vvvv&15^15)), mc.Imm(int64(x.vvvv>>4<<3^8|x.aaa))
	}
	for i := range in.Ops {
		if in.Ops[i].Kind() != mc.OperandNone {
			continue
		}
		if t := info.OperandInfo(in.Op, i).TiedTo; t >= 0 {
			in.Ops[i] = in.Ops[t]
			continue
		}
		for j := range in.Ops {
			if int(info.OperandInfo(in.Op, j).TiedTo) == i {
				in.Ops[i] = in.Ops[j]
			}
		}
		if in.Ops[i].Kind() == mc.OperandNone {
			return false
		}
	}
	x.flags(in, &p)
	return true
}

// general reports that operand i is a general register.
func (x *decoding) general(in *mc.Inst, i int) bool {
	c := x.d.e.info.OperandClass(in.Op, i, x.hwMode())
	return c != desc.NoClass && (x.d.e.info.ClassContains(tab.GR64RegClassID, x.d.regs[c][0]) ||
		x.d.e.info.ClassContains(tab.GR32RegClassID, x.d.regs[c][0]) || x.d.e.info.ClassContains(tab.GR16RegClassID, x.d.regs[c][0]) ||
		x.d.e.info.ClassContains(tab.GR8RegClassID, x.d.regs[c][0]))
}

// hwMode is the hardware mode of classes.
func (x *decoding) hwMode() int {
	if x.mode == 64 {
		return 1
	}
	return 0
}

// register makes operand i the register of its class with a number.
func (x *decoding) register(in *mc.Inst, i int, number byte) bool {
	c := x.d.e.info.OperandClass(in.Op, i, x.hwMode())
	if c == desc.NoClass {
		return false
	}
	regs := &x.d.regs[c]
	first := regs[0]
	switch {
	case x.d.e.regs[regs[4]].bits&needREX8 != 0 && !x.rex && x.class == desc.ContextLegacy && number >= 4 && number < 8:
		in.Ops[i] = mc.Reg([4]desc.PhysReg{tab.AH, tab.CH, tab.DH, tab.BH}[number-4])
		return true
	case first >= tab.K0 && first <= tab.K7 && x.class != desc.ContextLegacy:
		number &= 7
	case first >= tab.MM0 && first <= tab.MM7, first >= tab.ST0 && first <= tab.ST7, first >= tab.ES && first == regs[0] && regs[3] == tab.DS:
		number &= 7
	case x.d.e.info.RegName(first) == "K0_K1":
		number &= 6
	}
	if regs[16] == 0 && number > 15 { // what REX2 reaches beyond the class
		switch first {
		case tab.XMM0:
			regs = &x.d.regs[tab.VR128XRegClassID]
		case tab.YMM0:
			regs = &x.d.regs[tab.VR256XRegClassID]
		}
	}
	r := regs[number&31]
	in.Ops[i] = mc.Reg(r)
	return r != 0
}

// addr16 are base and index of 16-bit addresses.
var addr16 = [8][2]desc.PhysReg{{tab.BX, tab.SI}, {tab.BX, tab.DI}, {tab.BP, tab.SI}, {tab.BP, tab.DI}, {tab.SI, 0}, {tab.DI, 0}, {tab.BP, 0}, {tab.BX, 0}}

// memory makes the five operands of an address.
func (x *decoding) memory(in *mc.Inst, at int, ts tsFlags) bool {
	if x.modRM >= 0xc0 {
		return false
	}
	m := in.Ops[at : at+addrOps]
	disp := x.disp
	if x.dispSize == 1 && x.class == desc.ContextEVEX && ts.disp8Log() > 0 {
		disp <<= ts.disp8Log() - 1
	}
	var base, index desc.PhysReg
	scale := int64(1)
	size := x.addressSize()
	regs, pc, zero := &x.d.regs[tab.GR64RegClassID], desc.PhysReg(tab.RIP), desc.PhysReg(tab.RIZ)
	if size == 32 {
		regs, pc, zero = &x.d.regs[tab.GR32RegClassID], tab.EIP, tab.EIZ
	}
	mod, rm := x.modRM>>6, x.modRM&7
	switch {
	case size == 16:
		if base, index = addr16[rm][0], addr16[rm][1]; mod == 0 && rm == 6 {
			base = 0
		}
	case x.haveSIB:
		scale = 1 << (x.sib >> 6)
		b, i := x.sib&7, x.sib>>3&7|x.x&24
		if x.class == desc.ContextEVEX && x.x&16 != 0 {
			i = x.sib>>3&7 | x.x
		}
		if b != 5 || mod != 0 {
			base = regs[b|x.b]
		}
		if c := x.d.e.info.OperandClass(in.Op, at+2, x.hwMode()); x.vectorIndex(c) {
			if x.class == desc.ContextEVEX {
				i = x.sib>>3&7 | x.x&8 | x.vvvv&16
			}
			index = x.d.regs[c][i&31]
		} else if i != 4 {
			index = regs[i]
		} else if f := ts.form(); f != formMRMSrcMemFSIB && f != formMRMDestMemFSIB && (scale != 1 || base == 0 && x.mode != 64 || base != 0 && b != 4) {
			index = zero
		}
	case mod == 0 && rm == 5:
		if x.mode == 64 {
			base = pc
		}
	default:
		base = regs[rm|x.b]
	}
	if f := ts.form(); (f == formMRMSrcMemFSIB || f == formMRMDestMemFSIB) && !x.haveSIB {
		return false
	}
	m[0], m[1], m[2], m[3], m[4] = mc.Reg(base), mc.Imm(scale), mc.Reg(index), mc.Imm(disp), mc.Reg(x.segment)
	return true
}

// vectorIndex reports a class of vector registers.
func (x *decoding) vectorIndex(c desc.ClassID) bool {
	if c == desc.NoClass {
		return false
	}
	r := x.d.regs[c][0]
	return r == tab.XMM0 || r == tab.YMM0 || r == tab.ZMM0
}

// immediates reads what stands behind the address.
func (x *decoding) immediates(in *mc.Inst, p *encoding) bool {
	addr := x.addressSize()
	pick := func(r16, r32, r64 desc.PhysReg) mc.Operand {
		switch addr {
		case 16:
			return mc.Reg(r16)
		case 32:
			return mc.Reg(r32)
		}
		return mc.Reg(r64)
	}
	last := p.last
	switch p.ts.form() {
	case formRawMemOffs:
		v := x.le(addr / 8)
		if addr < 64 {
			v &= 1<<addr - 1
		}
		in.Ops[0], in.Ops[1] = mc.Imm(v), mc.Reg(x.segment)
		return true
	case formRawSrc:
		in.Ops[0], in.Ops[1] = pick(tab.SI, tab.ESI, tab.RSI), mc.Reg(x.segment)
		return true
	case formRawDst:
		in.Ops[0] = pick(tab.DI, tab.EDI, tab.RDI)
		return true
	case formRawDstSrc:
		in.Ops[0], in.Ops[1], in.Ops[2] = pick(tab.DI, tab.EDI, tab.RDI), pick(tab.SI, tab.ESI, tab.RSI), mc.Reg(x.segment)
		return true
	}
	if p.cc != 0 || last < int(x.d.e.info.Instr(in.Op).NumOperands) {
		x.trailing(in, p)
	}
	for i := p.next; i < last; i++ {
		switch k := p.ts.imm(); {
		case p.is4 != none && i == last-1:
			continue // with the register
		case i == p.next && (k == imm32 || k == imm16):
			n := int(immSizes[k])
			in.Ops[i] = mc.Imm(x.le(n) & (1<<(8*n) - 1))
			switch in.Op {
			case tab.RETI32, tab.RETI64, tab.LRETI32, tab.LRETI64: // their operands are wider than what is encoded
				in.Ops[i] = mc.Imm(int64(int16(in.Ops[i].Imm())))
			}
		case i == p.next:
			in.Ops[i] = mc.Imm(x.le(int(immSizes[k])))
		case p.ts.form() == formRawImm8:
			in.Ops[i] = mc.Imm(x.le(1))
		case p.ts.form() == formRawImm16:
			v := x.le(2)
			if immSizes[k] == 2 {
				v &= 0xffff
			}
			in.Ops[i] = mc.Imm(v)
		default:
			in.Ops[i] = mc.Imm(x.le(int(immSizes[k])))
		}
	}
	if p.is4 != none {
		b := byte(x.le(1))
		if !x.register(in, p.is4, b>>4) {
			return false
		}
		if p.next < last {
			in.Ops[last-1] = mc.Imm(int64(b & 15))
		}
	}
	return !x.bad
}

// trailing makes conditions and rounding control, which the opcode and the prefix hold.
func (x *decoding) trailing(in *mc.Inst, p *encoding) {
	n := int(x.d.e.info.Instr(in.Op).NumOperands)
	if p.ts.flagsAndCond() {
		n -= 2
	}
	for i := p.last; i < n; i++ {
		if p.ts.evexRC() {
			in.Ops[i] = mc.Imm(int64(x.ll))
		} else {
			in.Ops[i] = mc.Imm(int64(x.opcode & 15))
		}
	}
}

// flags are prefixes that the opcode does not say.
func (x *decoding) flags(in *mc.Inst, p *encoding) {
	if x.lock && !p.ts.lock() {
		in.Flags |= FlagLock
	}
	if x.adjacent == 0 || x.opMap == 0 && p.ts.prefix() == 0 {
		switch {
		case x.rep == 0xf2:
			in.Flags |= FlagRepNE
		case x.rep == 0xf3 && x.opcode != 0x90:
			in.Flags |= FlagRep
		}
	}
	if x.has67 && p.mem == none && p.ts.adSize() == 0 {
		switch p.ts.form() {
		case formRawMemOffs, formRawSrc, formRawDst, formRawDstSrc:
		default:
			in.Flags |= FlagAddrSize
			if x.mode == 32 {
				in.Flags ^= FlagAddrSize | flagAddr16
			}
		}
	}
}
