package mctargetdesc

import (
	"encoding/binary"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// plan is what all encodings of an opcode have in common; it is made when the
// opcode is first met. Most instructions of a program are of few forms: in 64-bit
// mode a register and a register or an address, without VEX and without prefixes
// that the operands ask for. Those are encoded by their plan alone. The general
// way does the others, and says what is wrong with an instruction.
//
//	bits  0-7   opcode byte            24-27 operand in ModRM.rm: a register, or an
//	      8-9   prefix, of mandatory         address from there on
//	      10-11 opcode map             28-31 number of operands
//	      12    REX.W                  32-35 bytes of the immediate
//	      13-15 kind                   36    the immediate is the target of a branch
//	      16-19 operand in ModRM.reg   37    the first operand is repeated
//	      20-22 ModRM.reg without one  38    the last operand is a condition
//	                                   39-40 what a linker can do with an address
//	                                   41    Optimize may change the instruction
//	                                   42    the plan is made
type plan uint64

func (p plan) opcode() byte { return byte(p) }
func (p plan) prefix() byte { return byte(p >> 8 & 3) }
func (p plan) opMap() uint  { return uint(p >> 10 & 3) }
func (p plan) rexW() byte   { return byte(p >> 12 & 1) }
func (p plan) kind() uint   { return uint(p >> 13 & 7) }
func (p plan) reg() uint    { return uint(p >> 16 & 15) }
func (p plan) ext() byte    { return byte(p >> 20 & 7) }
func (p plan) rm() uint     { return uint(p >> 24 & 15) }
func (p plan) numOps() int  { return int(p >> 28 & 15) }
func (p plan) imm() uint8   { return uint8(p >> 32 & 15) }
func (p plan) branch() bool { return p>>36&1 != 0 }
func (p plan) bias() bool   { return p>>37&1 != 0 }
func (p plan) cond() bool   { return p>>38&1 != 0 }
func (p plan) relax() uint  { return uint(p >> 39 & 3) }
func (p plan) mayOpt() bool { return p&planMayOpt != 0 }

const (
	planMayOpt plan = 1 << 41
	planMade   plan = 1 << 42
	planNoReg       = 15
)

// The kinds of plans.
const (
	planGeneral = iota // by the general way
	planPlain          // neither a register nor an address in the encoding
	planReg            // ModRM with a register
	planMem            // ModRM with an address
	planAdd            // a register in the opcode byte
)

// planOf returns the plan of an opcode. Two that make it at once make the same.
func (e *Encoder) planOf(op desc.Opcode) plan {
	if p := plan(e.plans[op].Load()); p != 0 {
		return p
	}
	p := e.makePlan(op) | planMade
	e.plans[op].Store(uint64(p))
	return p
}

// makePlan describes an opcode of one of the kinds, others as planGeneral.
func (e *Encoder) makePlan(op desc.Opcode) (p plan) {
	d := e.info.Instr(op)
	ts := tsFlags(d.TSFlags)
	if e.mayOptimize(op) {
		p |= planMayOpt
	}
	switch ad := ts.adSize(); {
	case ts.encoding() != encLegacy || ts.form() == formPseudo || ts.apx() || ts.evexU():
		return p
	case ts.lock() || ts.rep() || ts.noTrack() || ts.evexK() || ts.vex4V() || ts.evexRC() || ts.opMap() > map0F3A || ts.imm() == imm8Reg:
		return p
	case ts.opSize() == size16 && ts.prefix() != 0 || ad != 0 && ad != size64 || d.NumOperands >= planNoReg:
		return p
	}
	x := encoding{e: e, in: &mc.Inst{Op: op, Ops: make([]mc.Operand, d.NumOperands)}, ts: ts, mode: 64}
	x.ops = x.in.Ops
	for i := range x.ops {
		x.ops[i] = mc.Reg(tab.RAX)
	}
	kind := plan(planGeneral)
	switch f := ts.form(); {
	case f == formRaw || f == formAddCC:
		kind = planPlain
	case f == formAddReg:
		kind = planAdd
	case f == formMRMDestMem || f == formMRMSrcMem || f == formMRMSrcMemCC || f >= formMRMXmCC && f <= formMRM7m:
		kind = planMem
	case f == formMRMDestReg || f == formMRMSrcReg || f == formMRMSrcRegCC || f >= formMRMXrCC && f <= formMRM7r:
		kind = planReg
	}
	if kind == planGeneral {
		return p
	}
	x.places(d)
	bias := x.bias(d)
	at := bias // behind what regular finds places for
	if x.reg != none {
		at++
	}
	if kind == planMem {
		at += addrOps
	} else if kind != planPlain {
		at++
	}
	if x.err != nil || at != x.next || bias > 1 || kind == planMem != (x.mem != none) || (kind == planReg || kind == planAdd) != (x.rm != none) {
		return p
	}
	prefix := plan(ts.prefix())
	if ts.opSize() == size16 {
		prefix = 1
	}
	reg, rm := plan(planNoReg), plan(0)
	if x.reg != none {
		reg = plan(x.reg)
	}
	if x.rm != none {
		rm = plan(x.rm)
	}
	if x.mem != none {
		rm = plan(x.mem)
	}
	p |= plan(ts.opcode()) | prefix<<8 | plan(ts.opMap())<<10 | kind<<13 | reg<<16 | plan(x.ext)<<20 | rm<<24 |
		plan(d.NumOperands)<<28 | plan(immSizes[ts.imm()])<<32 | plan(bias)<<37 | plan(relaxOf(op))<<39
	if ts.rexW() {
		p |= 1 << 12
	}
	if ts.isBranch() {
		p |= 1 << 36
	}
	if x.last < int(d.NumOperands) {
		p |= 1 << 38
	}
	return p
}

// regular encodes an instruction by its plan. ok is false when its operands ask
// for more, or are wrong; then nothing is appended.
func (e *Encoder) regular(p plan, ctx *mc.Context, in *mc.Inst, b []byte, fx []mc.Fixup) (_ []byte, _ []mc.Fixup, ok bool) {
	if len(in.Ops) < p.numOps() {
		return b, fx, false
	}
	ops := in.Ops[:p.numOps()]
	next := 0 // behind the operands that have a place: the immediate
	if p.bias() {
		if next = 1; ops[0] != ops[1] {
			return b, fx, false
		}
	}
	code := p.opcode()
	if p.cond() {
		code += byte(ops[len(ops)-1].Imm()) & 15
		ops = ops[:len(ops)-1]
	}
	rex, reg, some := p.rexW()<<3, p.ext(), regBits(0)
	if r := p.reg(); r != planNoReg {
		if !ops[r].IsReg() {
			return b, fx, false
		}
		d := e.regs[ops[r].Reg()]
		reg, some = d.hw&7, d.bits
		rex |= d.hw >> 3 << 2
		next++
	}
	var a placed // ModRM and what belongs to it
	switch r := p.rm(); p.kind() {
	case planReg, planAdd:
		if !ops[r].IsReg() {
			return b, fx, false
		}
		d := e.regs[ops[r].Reg()]
		some |= d.bits
		rex |= d.hw >> 3
		if next++; p.kind() == planAdd {
			code += d.hw & 7
		} else {
			a.modRM, a.size = uint64(0xc0|reg<<3|d.hw&7), 1
		}
	case planMem:
		if a, ok = e.place((*[addrOps]mc.Operand)(ops[r:]), reg<<3); !ok {
			return b, fx, false
		}
		rex |= a.rex
		next += addrOps
	}
	if some&(isHigh8|notPlain) != 0 || next+1 < len(ops) {
		return b, fx, false
	}
	var imm mc.Operand
	if next < len(ops) {
		imm = ops[next]
		if p.imm() == 0 || !imm.IsImm() && !imm.IsExpr() || imm.IsExpr() != p.branch() {
			return b, fx, false
		}
	}
	// Up to here nothing is written; the instruction is 15 bytes at most.
	at := uint32(len(b))
	b = slices.Grow(b, 24)[:at+24]
	w := b[at:]
	head, n := uint64(mandatory[p.prefix()]), uint(0)
	if head != 0 {
		n = 1
	}
	if rex != 0 || some&needREX8 != 0 {
		head |= uint64(0x40|rex) << (8 * n)
		n++
	}
	esc := escapes[p.opMap()]
	head |= uint64(esc.bytes) << (8 * n)
	n += uint(esc.n)
	head |= uint64(code)<<(8*n) | a.modRM<<(8*n+8)
	n += 1 + uint(a.size)
	binary.LittleEndian.PutUint64(w, head)
	if a.nDisp != 0 {
		binary.LittleEndian.PutUint32(w[n:], uint32(a.disp))
		if a.expr != 0 {
			f := mc.Fixup{Offset: at + uint32(n), Expr: a.expr, Kind: FixupSigned4}
			if a.rip {
				f.Kind, f.Addend = ripKind(ctx, a.expr, p.relax(), rex != 0 || some&needREX8 != 0), -4-int32(p.imm())
			} else if table, diff := fromTable(ctx, a.expr); table {
				if f.Kind = FixupGOTDiff4; !diff {
					f.Addend = int32(n)
				}
			}
			fx = append(fx, f)
		}
		n += uint(a.nDisp)
	}
	if next < len(ops) {
		v := uint64(imm.Imm())
		if p.branch() {
			fx = append(fx, mc.Fixup{Offset: at + uint32(n), Expr: imm.Expr(), Kind: branchKind[p.imm()], Addend: -int32(p.imm())})
			v = 0
		}
		binary.LittleEndian.PutUint64(w[n:], v)
		n += uint(p.imm())
	}
	return b[:at+uint32(n)], fx, true
}

// escapes are the bytes that stand before the opcode, by map.
var escapes = [4]struct {
	bytes uint16
	n     uint8
}{map0F: {0x0f, 1}, map0F38: {0x380f, 2}, map0F3A: {0x3a0f, 2}}

// branchKind is the fixup of a branch's target, by size.
var branchKind = [5]mc.FixupKind{1: mc.FixupPCRel1, 2: mc.FixupPCRel2, 4: FixupBranch4}

// placed is an address as ModRM, SIB and displacement say it.
type placed struct {
	modRM uint64 // with SIB behind it
	disp  int64
	expr  mc.Expr // instead of disp
	rex   byte
	size  uint8 // bytes of modRM
	nDisp uint8
	rip   bool // relative to the instruction behind
}

// place encodes an address; reg is in the place of ModRM.reg. ok is false for
// those of the general way: of other sizes, with segments, or wrong.
func (e *Encoder) place(m *[addrOps]mc.Operand, reg byte) (a placed, ok bool) {
	if !m[0].IsReg() || !m[1].IsImm() || !m[2].IsReg() || !m[4].IsReg() || m[4].Reg() != 0 {
		return a, false
	}
	base, index := m[0].Reg(), m[2].Reg()
	if d := &m[3]; d.IsImm() {
		if a.disp = d.Imm(); a.disp != int64(int32(a.disp)) {
			return a, false
		}
	} else if a.expr = d.Expr(); !d.IsExpr() {
		return a, false
	}
	if base == tab.RIP {
		a.modRM, a.size, a.nDisp, a.rip = uint64(reg|5), 1, 4, true
		return a, index == 0
	}
	b, x := e.regs[base], e.regs[index]
	if b.bits|x.bits != 0 || index == tab.RSP || index == tab.RIZ {
		return a, false
	}
	low := b.hw & 7
	a.rex = b.hw>>3 | x.hw>>3<<1
	mod := byte(0x80)
	a.nDisp = 4
	switch {
	case base == 0:
		mod, low = 0, 5
	case a.expr != 0:
	case a.disp == 0 && low != 5:
		mod, a.nDisp = 0, 0
	case a.disp == int64(int8(a.disp)):
		mod, a.nDisp = 0x40, 1
	}
	if index == 0 && base != 0 && low != 4 {
		a.modRM, a.size = uint64(mod|reg|low), 1
		return a, true
	}
	sib := byte(4 << 3)
	if index != 0 {
		sib = x.hw & 7 << 3
	}
	switch m[1].Imm() {
	case 1:
	case 2:
		sib |= 1 << 6
	case 4:
		sib |= 2 << 6
	case 8:
		sib |= 3 << 6
	default:
		return a, false
	}
	a.modRM, a.size = uint64(mod|reg|4)|uint64(sib|low)<<8, 2
	return a, true
}

// Classes of what a linker can do with an instruction whose operand it finds in
// the global offset table: see ripKind.
const (
	relaxNone = iota
	relaxLoad // a load of 64 bits
	relaxOther
)

// relaxOf gives the class of an opcode.
func relaxOf(op desc.Opcode) uint {
	switch op {
	case tab.MOV64rm:
		return relaxLoad
	case tab.ADC32rm, tab.ADD32rm, tab.AND32rm, tab.CMP32rm, tab.MOV32rm, tab.OR32rm, tab.SBB32rm, tab.SUB32rm, tab.TEST32mr, tab.XOR32rm,
		tab.CALL64m, tab.JMP64m, tab.TAILJMPm64, tab.TEST64mr, tab.ADC64rm, tab.ADD64rm, tab.AND64rm, tab.CMP64rm, tab.OR64rm, tab.SBB64rm,
		tab.SUB64rm, tab.XOR64rm, tab.LEA64r:
		return relaxOther
	}
	return relaxNone
}

// ripKind chooses the fixup of an rip-relative operand: instructions that a
// linker can rewrite when they load an address from the global offset table
// say so.
func ripKind(ctx *mc.Context, e mc.Expr, relax uint, rex bool) mc.FixupKind {
	if s, _, _, ok := ctx.SymRef(e); ok && ctx.At(s).Name == tableName {
		return FixupGOTRIP
	}
	switch {
	case relax == relaxLoad:
		return FixupRIPRelaxMovq
	case relax == relaxNone:
		return FixupRIP
	case rex:
		return FixupRIPRelaxREX
	}
	return FixupRIPRelax
}
