package mctargetdesc

import (
	"math"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// remark tells what about an opcode's immediate is said again behind it.
type remark struct {
	kind   remarkKind
	signed bool
	op     uint8 // the immediate; its shift follows
}

type remarkKind uint8

const (
	remarkShifted remarkKind = iota // add x0, x1, #1, lsl #12: the number with its shift
	remarkSVE                       // a byte that may be shifted
	remarkMask                      // a mask, which is written for the smallest elements that repeat it
)

// remarksByOpcode finds the opcodes with remarks by LLVM's names of them.
func remarksByOpcode(info *desc.Info) map[desc.Opcode]remark {
	m := map[desc.Opcode]remark{}
	put := func(name string, r remark) {
		if op, ok := info.OpcodeByName(name); ok {
			m[op] = r
		}
	}
	for _, n := range strings.Fields("ADDWri ADDXri ADDSWri ADDSXri SUBWri SUBXri SUBSWri SUBSXri") {
		put(n, remark{kind: remarkShifted, op: 2})
	}
	for _, e := range [...]string{"B", "H", "S", "D"} {
		for _, n := range strings.Fields("ADD SUB SUBR SQADD UQADD SQSUB UQSUB") {
			put(n+"_ZI_"+e, remark{kind: remarkSVE, op: 2})
		}
		put("DUP_ZI_"+e, remark{kind: remarkSVE, signed: true, op: 1})
		put("CPY_ZPmI_"+e, remark{kind: remarkSVE, signed: true, op: 3})
		put("CPY_ZPzI_"+e, remark{kind: remarkSVE, signed: true, op: 2})
	}
	for _, n := range strings.Fields("AND_ZI ORR_ZI EOR_ZI") {
		put(n, remark{kind: remarkMask, op: 2})
	}
	put("DUPM_ZI", remark{kind: remarkMask, op: 1})
	return m
}

// remark appends what is said again about an immediate: as a number of the other base.
func (p *printer) remark(b []byte, r remark, in *mc.Inst) []byte {
	if int(r.op) >= len(in.Ops) || !in.Ops[r.op].IsImm() {
		return b
	}
	v := in.Ops[r.op].Imm()
	shift := int64(0)
	if k := int(r.op) + 1; k < len(in.Ops) && in.Ops[k].IsImm() {
		shift = in.Ops[k].Imm() & 63
	}
	if r.kind == remarkShifted {
		if shift == 0 {
			return b
		}
		return append(p.number(append(b, '='), v<<shift), '\n')
	}
	if v&0xff == 0 && shift != 0 {
		return b
	}
	if v &= 0xff; r.signed {
		v = int64(int8(v))
	}
	return p.other(b, v<<shift)
}

func (p *printer) number(b []byte, v int64) []byte {
	if p.hex {
		return strconv.AppendUint(append(b, "0x"...), uint64(v), 16)
	}
	return strconv.AppendInt(b, v, 10)
}

// other appends a remark in the base in which immediates are not written.
func (p *printer) other(b []byte, v int64) []byte {
	b = append(b, '=')
	if p.hex {
		b = strconv.AppendInt(b, v, 10)
	} else {
		b = strconv.AppendUint(append(b, "0x"...), uint64(v), 16)
	}
	return append(b, '\n')
}

// bytes appends dup and cpy of a byte that may be shifted.
func (p *printer) bytes(b, remarks []byte, r remark, in *mc.Inst) (text, notes []byte, ok bool) {
	if len(in.Ops) != int(r.op)+2 || !in.Ops[r.op].IsImm() || !in.Ops[r.op+1].IsImm() || !r.signed {
		return b, remarks, false
	}
	name := p.info.OpcodeName(in.Op)
	letter := name[len(name)-1] + 'a' - 'A'
	word := "mov\t"
	if p.plain {
		word = map[byte]string{'D': "dup\t", 'C': "cpy\t"}[name[0]]
	}
	b = append(p.AppendReg(append(b, word...), in.Ops[0].Reg()), '.', letter)
	switch {
	case strings.HasPrefix(name, "CPY_ZPm"):
		b = append(p.AppendReg(append(b, ", "...), in.Ops[2].Reg()), "/m"...)
	case strings.HasPrefix(name, "CPY_ZPz"):
		b = append(p.AppendReg(append(b, ", "...), in.Ops[1].Reg()), "/z"...)
	}
	b = append(b, ", #"...)
	v, shift := int64(int8(in.Ops[r.op].Imm())), in.Ops[r.op+1].Imm()&63
	if v == 0 && shift != 0 {
		return strconv.AppendInt(append(b, "0, lsl #"...), shift, 10), remarks, true
	}
	return p.number(b, v<<shift), p.other(remarks, v<<shift), true
}

// mask appends an operation of vectors with a mask, for the smallest elements that repeat it;
// ok is false where the text is the table's.
func (p *printer) mask(b, remarks []byte, r remark, in *mc.Inst) (text, notes []byte, ok bool) {
	if int(r.op) >= len(in.Ops) || !in.Ops[r.op].IsImm() || p.plain {
		return b, remarks, false
	}
	u := decodeLogical(in.Ops[r.op].Imm())
	letter, size := byte('d'), uint(64)
	for _, e := range [...]struct {
		letter byte
		size   uint
	}{{'b', 8}, {'h', 16}, {'s', 32}} {
		if repeats(u, e.size) {
			letter, size = e.letter, e.size
			break
		}
	}
	if r.op == 1 && preferredMask(u) { // dupm
		return p.movedMask(b, remarks, in, u)
	}
	name := map[string]string{"AND_ZI": "and", "ORR_ZI": "orr", "EOR_ZI": "eor", "DUPM_ZI": "dupm"}[p.info.OpcodeName(in.Op)]
	b = append(append(b, name...), '\t')
	for range r.op {
		b = append(append(p.AppendReg(b, in.Ops[0].Reg()), '.', letter), ", "...)
	}
	return strconv.AppendUint(append(b, "#0x"...), u&(math.MaxUint64>>(64-size)), 16), remarks, true
}

// movedMask appends a mask that mov is the name for.
func (p *printer) movedMask(b, remarks []byte, in *mc.Inst, u uint64) (text, notes []byte, ok bool) {
	letter, v := byte('d'), int64(u)
	unsigned := u
	switch {
	case repeats(u, 16):
		letter, v, unsigned = 'h', int64(int16(u)), u&math.MaxUint16
	case repeats(u, 32):
		letter, v, unsigned = 's', int64(int32(u)), u&math.MaxUint32
	}
	b = append(append(p.AppendReg(append(b, "mov\t"...), in.Ops[0].Reg()), '.', letter), ", #"...)
	switch {
	case int64(int16(v)) == v:
	case unsigned <= math.MaxUint16:
		v = int64(unsigned)
	default:
		return strconv.AppendUint(append(b, "0x"...), unsigned, 16), remarks, true
	}
	return p.number(b, v), p.other(remarks, v), true
}

// preferredMask reports a mask that no dup of a byte makes.
func preferredMask(u uint64) bool {
	for _, size := range [...]uint{8, 16, 32, 64} {
		v := int64(u<<(64-size)) >> (64 - size)
		if repeats(u, size) && byteCopy(int64(size), v) {
			return false
		}
	}
	return true
}

// repeats reports whether a mask is of equal elements of n bits.
func repeats(u uint64, n uint) bool { return u>>n|u<<(64-n) == u }

// decodeLogical is Arm's DecodeBitMasks for 64 bits.
func decodeLogical(enc int64) uint64 {
	n, r, s := enc>>12&1, uint(enc>>6&63), uint(enc&63)
	size := uint(64)
	if n == 0 {
		for size = 32; size > 2 && s&size != 0; size /= 2 {
		}
	}
	s &= size - 1
	r &= size - 1
	mask := ^uint64(0) >> (64 - size)
	e := uint64(1)<<(s+1) - 1
	if s == 63 {
		e = math.MaxUint64
	}
	e = (e>>r | e<<(size-r)) & mask
	for k := size; k < 64; k *= 2 {
		e |= e << k
	}
	return e
}

// move tells how an opcode that mov is another name of makes its number.
type move struct {
	kind  byte // z, n, k, or o for orr
	width int64
}

func movesByOpcode(info *desc.Info) map[desc.Opcode]move {
	m := map[desc.Opcode]move{}
	for _, x := range [...]struct {
		name string
		m    move
	}{{"MOVZWi", move{'z', 32}}, {"MOVZXi", move{'z', 64}}, {"MOVNWi", move{'n', 32}}, {"MOVNXi", move{'n', 64}}, {"MOVKWi", move{'k', 32}}, {"MOVKXi", move{'k', 64}},
		{"ORRWri", move{'o', 32}}, {"ORRXri", move{'o', 64}}} {
		if op, ok := info.OpcodeByName(x.name); ok {
			m[op] = x.m
		}
	}
	return m
}

// move appends a move of a number, as mov where no other instruction comes first for the
// number: movz, movn, orr, without shift before with one.
func (p *printer) move(b, remarks []byte, m move, ctx *mc.Context, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, ok bool) {
	ops := in.Ops
	plain := func(name string, imm int, shift int64) ([]byte, []byte, bool) {
		b = append(p.AppendReg(append(append(b, name...), '\t'), ops[0].Reg()), ", #"...)
		if ops[imm].IsExpr() {
			b = ctx.AppendExpr(b, ops[imm].Expr(), sym)
		} else {
			b = p.number(b, ops[imm].Imm())
		}
		if shift != 0 {
			b = strconv.AppendInt(append(b, ", lsl #"...), shift, 10)
		}
		return b, remarks, true
	}
	mov := func(v uint64) ([]byte, []byte, bool) {
		n := int64(v << uint(64-m.width))
		n >>= uint(64 - m.width)
		b = p.number(append(p.AppendReg(append(b, "mov\t"...), ops[0].Reg()), ", #"...), n)
		if p.hex {
			return b, p.other(remarks, n), true
		}
		return b, p.other(remarks, int64(uint64(n)&(math.MaxUint64>>uint(64-m.width)))), true
	}
	switch {
	case len(ops) != 3 && m.kind != 'k' || len(ops) != 4 && m.kind == 'k':
		return b, remarks, false
	case m.kind == 'k':
		if ops[2].IsExpr() {
			return plain("movk", 2, 0)
		}
		return plain("movk", 2, ops[3].Imm())
	case m.kind == 'o':
		orr := func(v uint64) ([]byte, []byte, bool) {
			b = append(p.AppendReg(append(b, "orr\t"...), ops[0].Reg()), ", "...)
			b = append(p.AppendReg(b, ops[1].Reg()), ", #0x"...)
			return strconv.AppendUint(b, v, 16), remarks, true
		}
		if !ops[1].IsReg() || ops[1].Reg() != p.xzr && ops[1].Reg() != p.wzr || !ops[2].IsImm() {
			return b, remarks, false
		}
		v := decodeLogical(ops[2].Imm())
		if m.width == 32 {
			v &= math.MaxUint32
		}
		for sh := uint(0); sh < uint(m.width); sh += 16 {
			if movAlias(false, m.width, sh, v) || movAlias(true, m.width, sh, v) {
				return orr(v)
			}
		}
		return mov(v)
	case ops[1].IsExpr():
		return plain(map[byte]string{'z': "movz", 'n': "movn"}[m.kind], 1, 0)
	}
	shift := uint(ops[2].Imm()) & 63
	v := uint64(ops[1].Imm()) << shift
	if m.kind == 'n' {
		v = ^v
		if m.width == 32 {
			v &= math.MaxUint32
		}
	}
	if movAlias(m.kind == 'n', m.width, shift, v) {
		return mov(v)
	}
	return plain(map[byte]string{'z': "movz", 'n': "movn"}[m.kind], 1, int64(shift))
}
