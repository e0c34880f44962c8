package mctargetdesc

import (
	"fmt"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// opcodes are those that the package names, by their names in the facts.
type opcodes struct {
	auipc, jalr, add                             desc.Opcode
	call, callReg, tail, jump, addTPRel, tlsDesc desc.Opcode
	longBEQ, longBNE, cBEQZ, cBNEZ, jal          desc.Opcode
}

func findOpcodes(info *desc.Info) (o opcodes, err error) {
	for _, x := range [...]struct {
		to   *desc.Opcode
		name string
	}{
		{&o.auipc, "AUIPC"}, {&o.jalr, "JALR"}, {&o.add, "ADD"}, {&o.call, "PseudoCALL"}, {&o.callReg, "PseudoCALLReg"}, {&o.tail, "PseudoTAIL"},
		{&o.jump, "PseudoJump"}, {&o.addTPRel, "PseudoAddTPRel"}, {&o.tlsDesc, "PseudoTLSDESCCall"},
		{&o.longBEQ, "PseudoLongBEQ"}, {&o.longBNE, "PseudoLongBNE"}, {&o.cBEQZ, "C_BEQZ"}, {&o.cBNEZ, "C_BNEZ"}, {&o.jal, "JAL"},
	} {
		op, ok := info.OpcodeByName(x.name)
		if !ok {
			return o, fmt.Errorf("riscv: no opcode %s", x.name)
		}
		*x.to = op
	}
	return o, nil
}

// encoder encodes calls, which are two instructions with one fixup, and instructions
// with a relocation that changes none of their bits.
type encoder struct {
	mc.Encoder
	op             opcodes
	x0, ra, t1, t2 desc.PhysReg
	relax, landing uint16          // features
	short          uint16          // … with instructions of 16 bits
	calls, tprel   [2]mc.FixupKind // without linker relaxation, and with it
	tlsDesc        mc.FixupKind
	info           *desc.Info
	cLUI           desc.Opcode
}

// The relocations of the psABI that are kinds of their own.
const (
	relocTPRelAdd    = 32
	relocTLSDescCall = 65
)

func wrapEncoder(t *mctarget.Target, inner mc.Encoder) (mc.Encoder, error) {
	obj, err := t.Objects()
	if err != nil || obj == nil {
		return inner, err
	}
	e := &encoder{Encoder: inner, info: t.Info}
	e.cLUI, _ = t.Info.OpcodeByName("C_LUI")
	if e.op, err = findOpcodes(t.Info); err != nil {
		return nil, err
	}
	for _, r := range [...]struct {
		to   *desc.PhysReg
		name string
	}{{&e.x0, "x0"}, {&e.ra, "x1"}, {&e.t1, "x6"}, {&e.t2, "x7"}} {
		*r.to, _ = t.Info.RegByName(r.name)
	}
	e.relax, e.landing, e.short = featureBit(t.Info, "relax"), featureBit(t.Info, "experimental-zicfilp"), featureBit(t.Info, "zca")
	for i, relaxable := range [...]bool{false, true} {
		call, ok := obj.KindNamed("fixup_riscv_call_plt", 0, relaxable)
		tprel, ok2 := obj.KindNamed("", relocTPRelAdd, relaxable)
		if !ok || !ok2 {
			return nil, fmt.Errorf("riscv: no fixups of calls")
		}
		e.calls[i], e.tprel[i] = call, tprel
	}
	e.tlsDesc, _ = obj.KindNamed("", relocTLSDescCall, false)
	return e, nil
}

// featureBit is the bit of a feature, one that no subtarget has where it is not known.
func featureBit(info *desc.Info, name string) uint16 {
	if i, ok := info.FeatureByName(name); ok {
		return info.Features[i].Bit
	}
	return ^uint16(0)
}

// Encode appends an instruction.
func (e *encoder) Encode(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, b []byte, fx []mc.Fixup) ([]byte, []mc.Fixup, error) {
	relaxed := 0
	if st.Has(e.relax) {
		relaxed = 1
	}
	switch in.Op {
	case e.op.call:
		return e.far(ctx, st, in, b, fx, e.ra, e.ra, e.calls[relaxed])
	case e.op.callReg:
		return e.far(ctx, st, in, b, fx, in.Ops[0].Reg(), in.Ops[0].Reg(), e.calls[relaxed])
	case e.op.jump:
		return e.far(ctx, st, in, b, fx, in.Ops[0].Reg(), e.x0, e.calls[relaxed])
	case e.op.tail:
		by := e.t1
		if st.Has(e.landing) {
			by = e.t2
		}
		return e.far(ctx, st, in, b, fx, by, e.x0, e.calls[relaxed])
	case e.op.addTPRel:
		return e.marked(ctx, st, in, b, fx, new(mc.Inst).Set(e.op.add, in.Ops[:3]...), e.tprel[relaxed])
	case e.op.tlsDesc:
		return e.marked(ctx, st, in, b, fx, new(mc.Inst).Set(e.op.jalr, in.Ops[:3]...), e.tlsDesc)
	}
	if (in.Op == e.op.longBEQ || in.Op == e.op.longBNE) && st.Has(e.short) {
		if out, fixes, ok := e.overJump(ctx, st, in, b, fx); ok {
			return out, fixes, nil
		}
	}
	if in.Op == e.cLUI && in.Ops[1].IsImm() { // bits 16:12 and 17 of what is loaded
		v := uint16(in.Ops[1].Imm())
		w := 0x6001 | uint16(e.info.Regs[in.Ops[0].Reg()].Encoding)<<7 | v&31<<2 | v>>5&1<<12
		return append(b, byte(w), byte(w>>8)), fx, nil
	}
	return e.Encoder.Encode(ctx, st, in, b, fx)
}

// overJump encodes a comparison with zero and a jump that reaches farther than its branch: a
// short branch over the jump.
func (e *encoder) overJump(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, b []byte, fx []mc.Fixup) (out []byte, fixes []mc.Fixup, ok bool) {
	r, zero := in.Ops[0].Reg(), in.Ops[1].Reg()
	if r == e.x0 {
		r, zero = zero, r
	}
	if n := e.info.Regs[r].Encoding; zero != e.x0 || n < 8 || n > 15 {
		return nil, nil, false
	}
	over := e.op.cBNEZ
	if in.Op == e.op.longBNE {
		over = e.op.cBEQZ
	}
	const size = 2 + 4
	at := len(b)
	out, fixes, err := e.Encoder.Encode(ctx, st, new(mc.Inst).Set(over, mc.Reg(r), mc.Imm(size)), b, fx)
	if err != nil {
		return nil, nil, false
	}
	n := len(fixes)
	if out, fixes, err = e.Encoder.Encode(ctx, st, new(mc.Inst).Set(e.op.jal, mc.Reg(e.x0), in.Ops[2]), out, fixes); err != nil {
		return nil, nil, false
	}
	for i := n; i < len(fixes); i++ {
		fixes[i].Offset = uint32(at) + 2
	}
	return out, fixes, true
}

// far encodes auipc and jalr through a register; the fixup of the former is for both.
func (e *encoder) far(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, b []byte, fx []mc.Fixup, by, link desc.PhysReg, kind mc.FixupKind) ([]byte, []mc.Fixup, error) {
	at := len(b)
	x := in.Ops[len(in.Ops)-1]
	out, fixes, err := e.Encoder.Encode(ctx, st, new(mc.Inst).Set(e.op.auipc, mc.Reg(by), mc.Imm(0)), b, fx)
	if err != nil {
		return b, fx, err
	}
	if out, fixes, err = e.Encoder.Encode(ctx, st, new(mc.Inst).Set(e.op.jalr, mc.Reg(link), mc.Reg(by), mc.Imm(0)), out, fixes); err != nil {
		return b, fx, err
	}
	return out, append(fixes, mc.Fixup{Offset: uint32(at), Expr: x.Expr(), Kind: kind}), nil
}

// marked encodes an instruction with a relocation at it.
func (e *encoder) marked(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, b []byte, fx []mc.Fixup, is *mc.Inst, kind mc.FixupKind) ([]byte, []mc.Fixup, error) {
	at := len(b)
	out, fixes, err := e.Encoder.Encode(ctx, st, is, b, fx)
	if err != nil {
		return b, fx, err
	}
	return out, append(fixes, mc.Fixup{Offset: uint32(at), Expr: in.Ops[len(in.Ops)-1].Expr(), Kind: kind}), nil
}
