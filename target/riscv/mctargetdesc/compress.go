package mctargetdesc

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// compressions say which instructions have a form of 16 bits (the ISA manual's
// chapters C and Zc*, and vendors' manuals): the opcode, what its operands must be,
// the form, which of the operands it has, and the features that it wants ("!" before one
// that must be off). Rows of one opcode are tried in order. Operands are
//
//	r g s z 1 5   a register but x0, any one, sp, x0, ra, t0
//	k             a register but x0 and sp
//	c e           x8 to x15; an even one of these
//	f d           a floating-point register; f8 to f15
//	=N            what operand N is
//	lo:hi:step    an immediate ("!" behind: not 0); @lo:hi:step one or a symbol
//	q             one of the amounts that qc.c.sync has
var compressions = []string{
	"ADDI c s 4:1020:4 > C_ADDI4SPN 0 1 2; zca",
	"ADDI z z 0:0:1 > C_NOP; zca",
	"ADDI r =0 -32:31:1! > C_ADDI 0 1 2; zca",
	"ADDI r z -32:31:1 > C_LI 0 2; zca",
	"ADDI s =0 -512:496:16! > C_ADDI16SP 0 1 2; zca",
	"ADDI r r 0:0:1 > C_MV 0 1; zca",
	"ADDIW r =0 -32:31:1 > C_ADDIW 0 1 2; zca 64bit",
	"LUI k 1:31:1 > C_LUI 0 1; zca",
	"LUI k 1048544:1048575:1 > C_LUI 0 1; zca",
	"FLD d c 0:248:8 > C_FLD 0 1 2; zcd d",
	"FLD f s 0:504:8 > C_FLDSP 0 1 2; zcd d",
	"FSD d c 0:248:8 > C_FSD 0 1 2; zcd d",
	"FSD f s 0:504:8 > C_FSDSP 0 1 2; zcd d",
	"FLW d c 0:124:4 > C_FLW 0 1 2; zcf f !64bit",
	"FLW f s 0:252:4 > C_FLWSP 0 1 2; zcf f !64bit",
	"FSW d c 0:124:4 > C_FSW 0 1 2; zcf f !64bit",
	"FSW f s 0:252:4 > C_FSWSP 0 1 2; zcf f !64bit",
	"LW c c 0:124:4 > C_LW 0 1 2; zca",
	"LW r s 0:252:4 > C_LWSP 0 1 2; zca",
	"SW c c 0:124:4 > C_SW 0 1 2; zca",
	"SW g s 0:252:4 > C_SWSP 0 1 2; zca",
	"LD c c 0:248:8 > C_LD 0 1 2; zca 64bit",
	"LD r s 0:504:8 > C_LDSP 0 1 2; zca 64bit",
	"SD c c 0:248:8 > C_SD 0 1 2; zca 64bit",
	"SD g s 0:504:8 > C_SDSP 0 1 2; zca 64bit",
	"JAL 1 @-2048:2046:2 > C_JAL 1; zca !64bit",
	"JAL z @-2048:2046:2 > C_J 1; zca",
	"JALR z r 0:0:1 > C_JR 1; zca",
	"JALR 1 r 0:0:1 > C_JALR 1; zca",
	"BEQ c z @-256:254:2 > C_BEQZ 0 2; zca",
	"BNE c z @-256:254:2 > C_BNEZ 0 2; zca",
	"BEQ z c @-256:254:2 > C_BEQZ 1 2; zca",
	"BNE z c @-256:254:2 > C_BNEZ 1 2; zca",
	"SRLI c =0 1:63:1 > C_SRLI 0 1 2; zca",
	"SRAI c =0 1:63:1 > C_SRAI 0 1 2; zca",
	"SLLI r =0 1:63:1 > C_SLLI 0 1 2; zca",
	"ANDI c =0 -32:31:1 > C_ANDI 0 1 2; zca",
	"ANDI c =0 255:255:1 > C_ZEXT_B 0 1; zcb",
	"XORI c =0 -1:-1:1 > C_NOT 0 1; zcb",
	"SUB c =0 c > C_SUB 0 1 2; zca",
	"XOR c =0 c > C_XOR 0 1 2; zca",
	"XOR c c =0 > C_XOR 0 2 1; zca",
	"OR c =0 c > C_OR 0 1 2; zca",
	"OR c c =0 > C_OR 0 2 1; zca",
	"AND c =0 c > C_AND 0 1 2; zca",
	"AND c c =0 > C_AND 0 2 1; zca",
	"SUBW c =0 c > C_SUBW 0 1 2; zca 64bit",
	"ADDW c =0 c > C_ADDW 0 1 2; zca 64bit",
	"ADDW c c =0 > C_ADDW 0 2 1; zca 64bit",
	"ADD r z r > C_MV 0 2; zca",
	"ADD r r z > C_MV 0 1; zca",
	"ADD r =0 r > C_ADD 0 1 2; zca",
	"ADD r r =0 > C_ADD 0 2 1; zca",
	"EBREAK > C_EBREAK; zca",
	"UNIMP > C_UNIMP; zca",
	"SEXT_B c =0 > C_SEXT_B 0 1; zcb zbb",
	"SEXT_H c =0 > C_SEXT_H 0 1; zcb zbb",
	"ZEXT_H_RV32 c =0 > C_ZEXT_H 0 1; zcb zbb !64bit",
	"ZEXT_H_RV64 c =0 > C_ZEXT_H 0 1; zcb zbb 64bit",
	"ADD_UW c =0 z > C_ZEXT_W 0 1; zcb zba 64bit",
	"MUL c =0 c > C_MUL 0 1 2; zcb zmmul",
	"MUL c c =0 > C_MUL 0 2 1; zcb zmmul",
	"LBU c c 0:3:1 > C_LBU 0 1 2; zcb",
	"LHU c c 0:2:2 > C_LHU 0 1 2; zcb",
	"LH c c 0:2:2 > C_LH 0 1 2; zcb",
	"SB c c 0:3:1 > C_SB 0 1 2; zcb",
	"SH c c 0:2:2 > C_SH 0 1 2; zcb",
	"SSPUSH 1 > C_SSPUSH 0; experimental-zicfiss zcmop",
	"SSPOPCHK 5 > C_SSPOPCHK 0; experimental-zicfiss zcmop",
	"LBU c c 0:31:1 > QK_C_LBU 0 1 2; xwchc",
	"LBU c s 0:15:1 > QK_C_LBUSP 0 1 2; xwchc",
	"LHU c c 0:62:2 > QK_C_LHU 0 1 2; xwchc",
	"LHU c s 0:30:2 > QK_C_LHUSP 0 1 2; xwchc",
	"SB c c 0:31:1 > QK_C_SB 0 1 2; xwchc",
	"SB c s 0:15:1 > QK_C_SBSP 0 1 2; xwchc",
	"SH c c 0:62:2 > QK_C_SH 0 1 2; xwchc",
	"SH c s 0:30:2 > QK_C_SHSP 0 1 2; xwchc",
	"QC_MULIADD c =0 c 0:31:1 > QC_C_MULIADD 0 1 2 3; xqciac",
	"QC_MVEQI c =0 0:0:1 c > QC_C_MVEQZ 0 1 3; xqcicm",
	"QC_EXTU r =0 6:32:1 0:0:1 > QC_C_EXTU 0 1 2; xqcibm",
	"BEXTI c =0 1:31:1 > QC_C_BEXTI 0 1 2; xqcibm zbs",
	"BSETI c =0 1:31:1 > QC_C_BSETI 0 1 2; xqcibm zbs",
	"QC_SYNC q > QC_C_SYNC 0; xqcisync",
	"QC_SYNCR q > QC_C_SYNCR 0; xqcisync",
	"QC_SYNCWF q > QC_C_SYNCWF 0; xqcisync",
	"QC_SYNCWL q > QC_C_SYNCWL 0; xqcisync",
}

// compression is a row of compressions, bound to a target's opcodes.
type compression struct {
	to     desc.Opcode
	ops    []pattern
	out    []uint8
	on     []uint16 // feature bits
	off    []uint16
	is16Sh bool // its amounts end at 31 on RV32
}

// pattern says what an operand must be.
type pattern struct {
	kind         byte
	same         uint8
	lo, hi, step int64
	notZero      bool
}

// compressor makes instructions compressed ones.
type compressor struct {
	rows  map[desc.Opcode][]compression
	regs  map[desc.PhysReg]uint8 // numbers of general registers; floating-point ones from 32 on
	exact uint16                 // feature: as it is written
	wide  uint16
	// c has with d what zcd has, and with f what zcf has.
	c, zcd, zcf uint16
}

func newCompressor(info *desc.Info) *compressor {
	c := &compressor{rows: map[desc.Opcode][]compression{}, regs: map[desc.PhysReg]uint8{}}
	bit := func(name string) uint16 {
		if i, ok := info.FeatureByName(name); ok {
			return info.Features[i].Bit
		}
		return ^uint16(0)
	}
	c.exact, c.wide = bit("exact-asm"), bit("64bit")
	c.c, c.zcd, c.zcf = bit("c"), bit("zcd"), bit("zcf")
	for r := 1; r < len(info.Regs); r++ {
		name := info.RegName(desc.PhysReg(r))
		if n, ok := number(name, "X", ""); ok {
			c.regs[desc.PhysReg(r)] = n
		}
		for _, s := range []string{"_F", "_D"} {
			if n, ok := number(name, "F", s); ok {
				c.regs[desc.PhysReg(r)] = 32 + n
			}
		}
	}
	for _, row := range compressions {
		left, features, _ := strings.Cut(row, ";")
		from, to, _ := strings.Cut(left, ">")
		f, t := strings.Fields(from), strings.Fields(to)
		op, ok := info.OpcodeByName(f[0])
		short, ok2 := info.OpcodeByName(t[0])
		if !ok || !ok2 {
			continue
		}
		x := compression{to: short, is16Sh: f[0] == "SLLI" || f[0] == "SRLI" || f[0] == "SRAI"}
		for _, w := range f[1:] {
			x.ops = append(x.ops, parsePattern(w))
		}
		for _, w := range t[1:] {
			x.out = append(x.out, w[0]-'0')
		}
		for _, w := range strings.Fields(features) {
			if name, off := strings.CutPrefix(w, "!"); off {
				x.off = append(x.off, bit(name))
			} else {
				x.on = append(x.on, bit(w))
			}
		}
		c.rows[op] = append(c.rows[op], x)
	}
	return c
}

// number takes the number out of a register's name.
func number(name, prefix, suffix string) (uint8, bool) {
	s, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return 0, false
	}
	if s, ok = strings.CutSuffix(s, suffix); !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 5)
	return uint8(n), err == nil
}

func parsePattern(w string) pattern {
	if w[0] == '=' {
		return pattern{kind: '=', same: w[1] - '0'}
	}
	if len(w) == 1 {
		return pattern{kind: w[0]}
	}
	p := pattern{kind: '#'}
	if w[0] == '@' {
		p.kind, w = '@', w[1:]
	}
	w, p.notZero = strings.CutSuffix(w, "!")
	n := strings.Split(w, ":")
	p.lo, _ = strconv.ParseInt(n[0], 10, 64)
	p.hi, _ = strconv.ParseInt(n[1], 10, 64)
	p.step, _ = strconv.ParseInt(n[2], 10, 64)
	return p
}

// shorten makes in its compressed form, where it has one.
func (c *compressor) shorten(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst) {
	if st.Has(c.exact) {
		return
	}
	rows := c.rows[in.Op]
next:
	for i := range rows {
		x := &rows[i]
		if len(x.ops) != len(in.Ops) || x.is16Sh && !st.Has(c.wide) && in.Ops[2].IsImm() && in.Ops[2].Imm() > 31 {
			continue
		}
		for _, f := range x.on {
			if !st.Has(f) && !((f == c.zcd || f == c.zcf) && st.Has(c.c)) {
				continue next
			}
		}
		for _, f := range x.off {
			if st.Has(f) {
				continue next
			}
		}
		for k := range x.ops {
			if !c.takes(ctx, &x.ops[k], in, k) {
				continue next
			}
		}
		var buf [4]mc.Operand
		ops := buf[:0]
		for _, k := range x.out {
			ops = append(ops, in.Ops[k])
		}
		in.Reset(x.to)
		in.Ops = append(in.Ops, ops...)
		return
	}
}

// takes reports that operand k is what a form wants.
func (c *compressor) takes(ctx *mc.Context, p *pattern, in *mc.Inst, k int) bool {
	o := in.Ops[k]
	switch p.kind {
	case '=':
		return o == in.Ops[p.same]
	case '#', '@':
		v := o.Imm()
		if o.IsExpr() {
			n, ok := ctx.ConstValue(o.Expr())
			if !ok {
				return p.kind == '@'
			}
			v = n
		}
		return v >= p.lo && v <= p.hi && v%p.step == 0 && (v != 0 || !p.notZero)
	case 'q':
		switch o.Imm() {
		case 0, 1, 2, 4, 8, 15, 16, 31:
			return o.IsImm()
		}
		return false
	}
	if !o.IsReg() {
		return false
	}
	n, ok := c.regs[o.Reg()]
	switch p.kind {
	case 'f':
		return ok && n >= 32
	case 'd':
		return ok && n >= 40 && n < 48
	}
	if !ok || n >= 32 {
		return false
	}
	switch p.kind {
	case 'r':
		return n != 0
	case 'k':
		return n != 0 && n != 2
	case 's':
		return n == 2
	case 'z':
		return n == 0
	case '1':
		return n == 1
	case '5':
		return n == 5
	case 'c':
		return n >= 8 && n < 16
	}
	return p.kind == 'g'
}
