package mctargetdesc

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Disassembler reads x86 instructions of 16, 32 and 64-bit mode. What an opcode byte
// means in its context is a table of the facts (desc.ContextTable); where its operands
// are follows from TSFlags, as for the encoder.
type Disassembler struct {
	e *Encoder
	t *desc.ContextTable
	// regs has for each class the register of each hardware number.
	regs [][32]desc.PhysReg
}

// NewDisassembler returns a disassembler over the facts of X86.
func NewDisassembler(info *desc.Info) (*Disassembler, error) {
	t, err := facts.X86Contexts()
	if err != nil {
		return nil, err
	}
	d := &Disassembler{e: NewEncoder(info), t: t, regs: make([][32]desc.PhysReg, len(info.Classes))}
	for c := range d.regs {
		for _, r := range info.ClassMembers(desc.ClassID(c)) {
			// Of two with a number the one that needs a REX prefix stands here.
			if p := &d.regs[c][d.e.regs[r].hw]; d.e.regs[r].bits&isHigh8 == 0 && *p == 0 && r != tab.RIP && r != tab.EIP {
				*p = r
			}
		}
	}
	return d, nil
}

// decoding is one instruction being read.
type decoding struct {
	d    *Disassembler
	code []byte
	pos  int
	mode int // 16, 32, 64
	bad  bool
	last bool // code ends behind a prefix

	has66, has67, lock, rex, rex2 bool
	rep                           byte // the last of F2 and F3
	adjacent                      byte // what of 66, F2 and F3 stands before the opcode or REX
	segment                       desc.PhysReg
	w, r, x, b                    byte // extensions: r, x and b are the upper bits of register numbers
	vvvv, vp                      byte
	aaa, z, bb, ll, u             byte
	class, opMap                  int
	opcode                        byte
	modRM                         byte
	haveModRM                     bool
	sib                           byte
	haveSIB                       bool
	disp                          int64
	dispSize                      int
}

// next reads a byte; the instruction is bad when there is none.
func (x *decoding) next() byte {
	if x.pos >= len(x.code) {
		x.bad = true
		return 0
	}
	x.pos++
	return x.code[x.pos-1]
}

// peek is the byte at an offset from the next one, 0 behind the end.
func (x *decoding) peek(k int) byte {
	if x.pos+k < len(x.code) {
		return x.code[x.pos+k]
	}
	return 0
}

// le reads n bytes, the low one first, as a signed number.
func (x *decoding) le(n int) int64 {
	v := uint64(0)
	for k := range n {
		v |= uint64(x.next()) << (8 * k)
	}
	if n == 0 {
		return 0
	}
	return int64(v<<(64-8*n)) >> (64 - 8*n)
}

// Disassemble reads one instruction.
func (d *Disassembler) Disassemble(in *mc.Inst, st *mc.Subtarget, code []byte, _ uint64) (int, mc.DecodeStatus) {
	x := decoding{d: d, code: code, mode: d.e.mode(st)}
	in.Reset(0)
	x.prefixes()
	if x.last && x.prefixAlone(in) {
		return x.pos, mc.DecodeSuccess
	}
	if x.bad = x.last; !x.bad {
		x.escape()
	}
	if x.bad || !x.meaning(in) || !x.operands(in) || x.bad {
		in.Reset(0)
		return max(x.pos, min(1, len(code))), mc.DecodeFail
	}
	return x.pos, mc.DecodeSuccess
}

// prefixes reads legacy prefixes.
func (x *decoding) prefixes() {
	if len(x.code) > 0 && x.code[0] == 0xf0 {
		return // LLVM has it as an instruction
	}
	for x.pos < len(x.code) {
		b, follows := x.code[x.pos], x.peek(1)
		if x.mode == 64 && b&0xf0 == 0x40 && (follows&0xf0 == 0x40 || isPrefix(follows)) {
			x.pos++ // REX that is not the last prefix does nothing
			continue
		}
		before := follows == 0x0f || x.mode == 64 && (follows&0xf0 == 0x40 || follows == 0xd5)
		switch b {
		case 0xf0:
			x.lock = true
		case 0xf2, 0xf3:
			// Before LOCK and XCHG it is an instruction of its own: xacquire, xrelease; so is
			// F3 before moves to memory.
			if x.pos+1 < len(x.code) && x.alone(b, follows) {
				return
			}
			x.rep = b
			if before {
				x.adjacent = b
			}
		case 0x66:
			x.has66 = true
			if before && x.adjacent == 0 {
				x.adjacent = b
			}
		case 0x67:
			x.has67 = true
		case 0x2e:
			x.segment = tab.CS
		case 0x36:
			x.segment = tab.SS
		case 0x3e:
			x.segment = tab.DS
		case 0x26:
			x.segment = tab.ES
		case 0x64:
			x.segment = tab.FS
		case 0x65:
			x.segment = tab.GS
		case 0x48:
			if x.mode != 64 || x.pos+1 < len(x.code) {
				return
			}
		default:
			return
		}
		x.pos++
	}
	x.last = true
}

// prefixAlone is the prefix that code ends with as an instruction of its own.
func (x *decoding) prefixAlone(in *mc.Inst) bool {
	if x.pos == 0 {
		return false
	}
	switch b := x.code[x.pos-1]; b {
	case 0xf2, 0xf3:
		in.Op = tab.REPNE_PREFIX
		if b == 0xf3 {
			in.Op = tab.REP_PREFIX
		}
		x.rep = 0
		for _, p := range x.code[:x.pos-1] {
			if p == 0xf2 || p == 0xf3 {
				x.rep = p
			}
		}
	case 0x66:
		in.Op = tab.DATA16_PREFIX
	case 0x67:
		in.Op = tab.ADDR32_PREFIX
		if x.mode != 64 {
			in.Op = tab.ADDR16_PREFIX
		}
		in.Flags |= FlagAddrSize
		if x.mode == 32 {
			in.Flags ^= FlagAddrSize | flagAddr16
		}
	case 0x2e:
		in.Op = tab.CS_PREFIX
	case 0x36:
		in.Op = tab.SS_PREFIX
	case 0x3e:
		in.Op = tab.DS_PREFIX
	case 0x26:
		in.Op = tab.ES_PREFIX
	case 0x64:
		in.Op = tab.FS_PREFIX
	case 0x65:
		in.Op = tab.GS_PREFIX
	case 0x48:
		in.Op = tab.REX64_PREFIX
	default:
		return false
	}
	switch x.rep {
	case 0xf2:
		in.Flags |= FlagRepNE
	case 0xf3:
		in.Flags |= FlagRep
	}
	return true
}

// isPrefix reports a legacy prefix.
func isPrefix(b byte) bool {
	switch b {
	case 0xf0, 0xf2, 0xf3, 0x66, 0x67, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65:
		return true
	}
	return false
}

// alone reports that F2 or F3 is an instruction by what follows it.
func (x *decoding) alone(b, follows byte) bool {
	if follows == 0xf0 || follows&0xfe == 0x86 || follows&0xf8 == 0x90 {
		return b != 0xf3 || follows != 0x90
	}
	return b == 0xf3 && (follows == 0x88 || follows == 0x89 || follows == 0xc6 || follows == 0xc7)
}

// escape reads REX, VEX, XOP, EVEX and REX2 and the opcode with its map.
func (x *decoding) escape() {
	b, p1 := x.next(), x.peek(0)
	memory := x.mode != 64 && p1&0xc0 != 0xc0
	switch {
	case b == 0x62 && !memory && x.pos < len(x.code):
		x.evex()
		return
	case b == 0xc4 && !memory && x.pos < len(x.code):
		p1, p2 := x.next(), x.next()
		x.class, x.opMap = desc.ContextVEX, int(p1&31)
		x.rxb(^p1)
		x.vector(p2)
		return
	case b == 0xc5 && !memory && x.pos < len(x.code):
		p1 := x.next()
		x.class, x.opMap = desc.ContextVEX, 1
		x.r = ^p1 >> 7 & 1 << 3
		x.vector(p1 & 0x7f)
		return
	case b == 0x8f && p1&0x38 != 0 && p1&31 >= 8 && x.pos < len(x.code):
		p1, p2 := x.next(), x.next()
		x.class, x.opMap = desc.ContextXOP, int(p1&31)-8
		x.rxb(^p1)
		x.vector(p2)
		return
	case b == 0xd5 && x.mode == 64 && x.pos < len(x.code):
		p := x.next()
		x.rex, x.rex2 = true, true
		x.w = p >> 3 & 1
		x.r, x.x, x.b = p>>2&1<<3|p>>6&1<<4, p>>1&1<<3|p>>5&1<<4, p&1<<3|p>>4&1<<4
		x.opMap = int(p >> 7)
		x.opcode = x.next()
		return
	case x.mode == 64 && b&0xf0 == 0x40:
		x.rex = true
		x.w = b >> 3 & 1
		x.r, x.x, x.b = b>>2&1<<3, b>>1&1<<3, b&1<<3
		b = x.next()
	}
	if b == 0x0f {
		switch b = x.next(); b {
		case 0x38, 0x3a:
			x.opMap = 2 + int(b>>1&1)
			b = x.next()
		case 0x0f:
			x.opMap = 4
			x.address()
			b = x.next()
		default:
			x.opMap = 1
		}
	}
	x.opcode = b
}

// rxb takes the extensions of VEX, XOP and EVEX, turned over.
func (x *decoding) rxb(p byte) {
	x.r, x.x, x.b = p>>7&1<<3, p>>6&1<<3, p>>5&1<<3
}

// vector takes the last byte of a VEX or XOP prefix, and the opcode. In other modes
// there are eight registers.
func (x *decoding) vector(p byte) {
	x.w, x.vvvv, x.ll, x.vp = p>>7, ^p>>3&15, p>>2&1, p&3
	if x.mode != 64 {
		x.r, x.x, x.b = 0, 0, 0
	}
	x.opcode = x.next()
	x.bad = x.bad || x.opMap > 7 || x.class == desc.ContextXOP && x.opMap > 2 || x.class == desc.ContextVEX && x.opMap == 0
}

// evex reads an EVEX prefix and the opcode.
func (x *decoding) evex() {
	p0, p1, p2 := x.next(), x.next(), x.next()
	x.class, x.opMap = desc.ContextEVEX, int(p0&7)
	x.rxb(^p0)
	x.r |= ^p0 >> 4 & 1 << 4
	x.b |= p0 >> 3 & 1 << 4
	x.x |= ^p1 >> 2 & 1 << 4
	x.w, x.vvvv, x.u, x.vp = p1>>7, ^p1>>3&15|^p2>>3&1<<4, ^p1>>2&1, p1&3
	x.z, x.ll, x.bb, x.aaa = p2>>7, p2>>5&3, p2>>4&1, p2&7
	if x.mode != 64 {
		x.r, x.x, x.b = 0, 0, 0
		x.vvvv &= 15
	}
	x.opcode = x.next()
	x.bad = x.bad || x.opMap == 0
}

// key is the context as the table numbers it.
func (x *decoding) key() uint16 {
	if x.class == desc.ContextLegacy {
		if x.opMap == 4 {
			return 0
		}
		k := uint16(0)
		other := x.has66
		switch rep := x.rep; {
		case x.adjacent == 0x66 && rep != 0:
			k = 6 + uint16(rep&1^1)
		case rep == 0 && other:
			k = 1
		case rep == 0:
		case x.adjacent == 0 && x.opMap > 0: // it does not count
			if other {
				k = 1
			}
		default:
			k = 2 + uint16(rep&1^1)
			if other {
				k += 2
			}
		}
		k |= uint16(x.w) << 3
		if x.has67 {
			k |= 1 << 4
		}
		if x.rex2 {
			k |= 1 << 5
		}
		return k
	}
	k := uint16(x.vp) | uint16(x.w)<<2 | uint16(x.ll)<<3
	if x.class != desc.ContextEVEX {
		return k
	}
	a := uint16(0)
	switch {
	case !desc.EVEXFlags(x.opMap, x.opcode) && x.aaa != 0, x.aaa > 0 && x.aaa < 4:
		a = 1
	case x.aaa == 4:
		a = 2
	case x.aaa > 4:
		a = 3
	}
	u := uint16(x.u)
	if x.haveMemory() {
		u = 0 // there it is a register's upper bit
	}
	return k | uint16(x.bb)<<5 | a<<6 | uint16(x.z)<<8 | u<<9
}

// haveMemory reports that the byte behind the opcode, if it is a ModRM byte, means memory.
func (x *decoding) haveMemory() bool {
	if x.haveModRM {
		return x.modRM < 0xc0
	}
	return x.peek(0) < 0xc0
}

// meaning finds the opcode.
func (x *decoding) meaning(in *mc.Inst) bool {
	mode := x.mode / 32 // 0, 1, 2
	if x.class == desc.ContextLegacy && x.opMap == 0 {
		switch x.opcode {
		case 0xf0:
			in.Op = tab.LOCK_PREFIX
			return true
		case 0xf2:
			in.Op = tab.XACQUIRE_PREFIX
			return true
		case 0xf3:
			in.Op = tab.XRELEASE_PREFIX
			return true
		}
	}
	if x.class == desc.ContextLegacy && x.opMap == 0 && x.opcode == 0x90 && x.b&8 != 0 {
		x.opcode = 0x91 // xchg with r8 is no nop
		defer func() { x.opcode = 0x90 }()
	}
	m := x.peek(0)
	if x.haveModRM {
		m = x.modRM
	}
	kind := int(m >> 3 & 7)
	if m >= 0xc0 {
		kind = 8 + int(m-0xc0)
	}
	row := desc.ContextRow(mode, x.class, x.opMap, x.opcode)
	in.Op = x.d.t.Meaning(row, kind, x.key())
	if x.has67 && x.class == desc.ContextEVEX { // contexts of EVEX have no address size
		switch in.Op {
		case tab.MOVDIR64B64_EVEX:
			in.Op = tab.MOVDIR64B32_EVEX
		case tab.ENQCMD64_EVEX:
			in.Op = tab.ENQCMD32_EVEX
		case tab.ENQCMDS64_EVEX:
			in.Op = tab.ENQCMDS32_EVEX
		}
	}
	if in.Op == 0 {
		x.refused(row)
	}
	return in.Op != 0
}

// refused reads what of an instruction that is none belongs to it: its address
// where the byte behind the opcode decides.
func (x *decoding) refused(row int) {
	key := x.key()
	first := x.d.t.Meaning(row, 0, key)
	for k := 1; k < desc.ContextKinds; k++ {
		if x.d.t.Meaning(row, k, key) != first {
			x.address()
			return
		}
	}
}

// address reads ModRM, SIB and displacement.
func (x *decoding) address() {
	if x.haveModRM {
		return
	}
	x.modRM, x.haveModRM = x.next(), true
	mod, rm := x.modRM>>6, x.modRM&7
	if mod == 3 {
		return
	}
	if x.addressSize() == 16 {
		switch {
		case mod == 1:
			x.dispSize = 1
		case mod == 2 || rm == 6:
			x.dispSize = 2
		}
	} else {
		if rm == 4 {
			x.sib, x.haveSIB = x.next(), true
			rm = x.sib & 7
		}
		switch {
		case mod == 1:
			x.dispSize = 1
		case mod == 2 || rm == 5:
			x.dispSize = 4
		}
	}
	x.disp = x.le(x.dispSize)
}

// addressSize is that of addresses in bits.
func (x *decoding) addressSize() int {
	switch {
	case !x.has67:
		return x.mode
	case x.mode == 32:
		return 16
	}
	return 32
}
