package mctargetdesc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// encoder encodes what the tables do not say: instructions whose bits follow two operands
// together, or a list of registers, and distances that were not told apart from places.
type encoder struct {
	mc.Encoder
	info   *desc.Info
	rules  map[desc.Opcode]rule
	little bool
	n32    bool
	micro  uint16
}

// rule encodes an instruction as another one whose bits are changed then.
type rule struct {
	like desc.Opcode
	flip uint32 // bits that differ
	how  byte   // + of position and size, w of wide shifts, < and > of the order of registers, d of a distance, L of a list, P of pairs, A of the stack's adjustment
	size int64  // subtracted of the size, the shift of a distance, or the bits of an instruction
}

var ruleNames = []struct {
	name, like string
	flip       uint32
	how        byte
	size       int64
}{
	{"INS", "EXT", 4, '+', 0}, {"INS_MM", "EXT_MM", 0x20, '+', 0}, {"INS_MMR6", "EXT_MMR6", 0x20, '+', 0},
	{"DINS", "DEXT", 4, '+', 0}, {"DINSM", "DEXTM", 4, '+', 0}, {"DINSU", "DEXTU", 4, '+', 32},
	{"BEQC", "BEQ", 0x30000000, '<', 2}, {"BEQC64", "BEQ", 0x30000000, '<', 2}, {"BOVC", "BEQ", 0x30000000, '>', 2},
	{"BNEC", "BEQ", 0x70000000, '<', 2}, {"BNEC64", "BEQ", 0x70000000, '<', 2}, {"BNVC", "BEQ", 0x70000000, '>', 2},
	{"BNE", "BNE", 0, 'd', 2}, {"BGEUC", "BGEUC", 0, 'd', 2}, {"BLTUC", "BLTUC", 0, 'd', 2}, {"BEQ_MM", "BEQ_MM", 0, 'd', 1}, {"BNE_MM", "BNE_MM", 0, 'd', 1}, {"BGEUC_MMR6", "BGEUC_MMR6", 0, 'd', 2},
	{"BEQL", "BEQ", 0x40000000, 'd', 2}, {"BNEL", "BEQ", 0x44000000, 'd', 2},
	{"BOVC_MMR6", "BEQ_MM", 0xe0000000, '}', 1}, {"BNVC_MMR6", "BEQ_MM", 0xe8000000, '}', 1},
	{"DSLL", "DSLL32", 0, 'w', 32}, {"DSRL", "DSRL32", 0, 'w', 32}, {"DSRA", "DSRA32", 0, 'w', 32}, {"DROTR", "DROTR32", 0, 'w', 32},
	{"LWM32_MM", "", 0x20005000, 'L', 32}, {"SWM32_MM", "", 0x2000d000, 'L', 32},
	{"LWM16_MM", "", 0x4500, 'L', 16}, {"SWM16_MM", "", 0x4540, 'L', 16}, {"LWM16_MMR6", "", 0x4402, 'L', 6}, {"SWM16_MMR6", "", 0x440a, 'L', 6},
	{"MOVEP_MM", "", 0x8400, 'P', 0}, {"MOVEP_MMR6", "", 0x4400, 'P', 6}, {"ADDIUSP_MM", "", 0x4c01, 'A', 0},
}

func wrapEncoder(t *mctarget.Target, inner mc.Encoder) (mc.Encoder, error) {
	e := &encoder{Encoder: inner, info: t.Info, rules: map[desc.Opcode]rule{}, little: t.Triple.IsLittleEndian(), n32: t.ABI == "n32" || t.ABI == "" && t.Triple.IsABIN32()}
	for _, r := range ruleNames {
		op, ok := t.Info.OpcodeByName(r.name)
		if !ok {
			return nil, fmt.Errorf("mips: no opcode %s", r.name)
		}
		like, _ := t.Info.OpcodeByName(r.like)
		e.rules[op] = rule{like, r.flip, r.how, r.size}
	}
	for _, f := range "BHWD" {
		for _, name := range [...]string{"CEQI_", "CLEI_S_", "CLTI_S_", "MAXI_S_", "MINI_S_", "LDI_"} {
			bits := int64(5)
			if name == "LDI_" {
				bits = 10
			}
			if op, ok := t.Info.OpcodeByName(name + string(f)); ok {
				e.rules[op] = rule{op, 0, 'm', bits}
			}
		}
	}
	i, _ := t.Info.FeatureByName("micromips")
	e.micro = t.Info.Features[i].Bit
	return e, nil
}

// Encode appends an instruction.
func (e *encoder) Encode(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, b []byte, fx []mc.Fixup) ([]byte, []mc.Fixup, error) {
	if fs, ok := e.special(ctx, in, st.Has(e.micro)); ok {
		plain := mc.Inst{Op: in.Op, Ops: slices.Clone(in.Ops)}
		plain.Ops[len(plain.Ops)-1] = mc.Imm(0)
		at := uint32(len(b))
		b, fx, err := e.Encoder.Encode(ctx, st, &plain, b, fx)
		for _, f := range fs {
			f.Offset += at
			fx = append(fx, f)
		}
		return b, fx, err
	}
	r, ok := e.rules[in.Op]
	if !ok {
		return e.Encoder.Encode(ctx, st, in, b, fx)
	}
	at := len(b)
	x := mc.Inst{Op: r.like, Ops: slices.Clone(in.Ops)}
	micro := st.Has(e.micro)
	switch r.how {
	case '+':
		x.Ops = x.Ops[:4]
		x.Ops[3] = mc.Imm(in.Ops[2].Imm() + in.Ops[3].Imm() - r.size)
	case '<', '>':
		if s, t := e.number(in.Ops[0]), e.number(in.Ops[1]); (r.how == '<') != (s < t) {
			x.Ops[0], x.Ops[1] = x.Ops[1], x.Ops[0]
		}
	case '}':
		if s, t := e.number(in.Ops[0]), e.number(in.Ops[1]); s > t {
			x.Ops[0], x.Ops[1] = x.Ops[1], x.Ops[0]
		}
	case 'w':
		if in.Ops[2].Imm() < r.size {
			return e.Encoder.Encode(ctx, st, in, b, fx)
		}
		x.Ops[2] = mc.Imm(in.Ops[2].Imm() - r.size)
	case 'm':
		if k := len(x.Ops) - 1; x.Ops[k].IsImm() {
			x.Ops[k] = mc.Imm(x.Ops[k].Imm() & (1<<r.size - 1))
		}
	case 'L':
		return e.list(r, in, b, micro), fx, nil
	case 'P':
		return e.pairs(r, in, b), fx, nil
	case 'A':
		v := uint32(in.Ops[0].Imm()>>2) & 0xffff
		return e.half(b, r.flip|(v&0x8000>>7|v&0xff)<<1), fx, nil
	}
	d := uint32(0)
	if last := len(x.Ops) - 1; strings.IndexByte("d<>}", r.how) >= 0 && x.Ops[last].IsImm() {
		d = uint32(x.Ops[last].Imm()>>r.size) & 0xffff
		x.Ops[last] = mc.Imm(0)
	}
	b, fx, err := e.Encoder.Encode(ctx, st, &x, b, fx)
	if err == nil {
		e.flip(b[at:], r.flip|d, micro)
	}
	return b, fx, err
}

func (e *encoder) number(o mc.Operand) int { return int(e.info.Regs[o.Reg()].Encoding) }

// flip changes bits of a word where it lies.
func (e *encoder) flip(b []byte, v uint32, micro bool) {
	for i := range 4 {
		k := i
		switch {
		case e.little && micro:
			k = i ^ 1
		case e.little:
			k = 3 - i
		}
		b[k] ^= byte(v >> (24 - 8*i))
	}
}

// half appends 16 bits.
func (e *encoder) half(b []byte, v uint32) []byte {
	if e.little {
		return append(b, byte(v), byte(v>>8))
	}
	return append(b, byte(v>>8), byte(v))
}

// list encodes loads and stores of registers from $16 on, of $fp behind $23 and of $ra.
func (e *encoder) list(r rule, in *mc.Inst, b []byte, micro bool) []byte {
	regs := in.Ops[:len(in.Ops)-2]
	base, off := in.Ops[len(in.Ops)-2], uint32(in.Ops[len(in.Ops)-1].Imm())
	n := uint32(len(regs))
	ra := n > 0 && e.number(regs[n-1]) == 31
	if ra {
		n--
	}
	switch r.size {
	case 16:
		return e.half(b, r.flip|(n-1)&3<<4|off>>2&15)
	case 6:
		return e.half(b, r.flip|(n-1)&3<<8|off>>2&15<<4)
	}
	if ra {
		n |= 16
	}
	b = append(b, 0, 0, 0, 0)
	e.flip(b[len(b)-4:], r.flip|n<<21|uint32(e.number(base))<<16|off&0xfff, micro)
	return b
}

// The registers of movep: pairs that it writes, and those that it reads.
var (
	movePairs = [][2]int{{5, 6}, {5, 7}, {6, 7}, {4, 21}, {4, 22}, {4, 5}, {4, 6}, {4, 7}}
	moveRegs  = []int{0, 17, 2, 3, 16, 18, 19, 20}
)

func (e *encoder) pairs(r rule, in *mc.Inst, b []byte) []byte {
	to := slices.Index(movePairs, [2]int{e.number(in.Ops[0]), e.number(in.Ops[1])})
	s, t := slices.Index(moveRegs, e.number(in.Ops[2])), slices.Index(moveRegs, e.number(in.Ops[3]))
	v := r.flip | uint32(to)<<7
	if r.size == 6 {
		v |= uint32(t)<<4 | uint32(s)&4<<1 | uint32(s)&3 | 4
	} else {
		v |= uint32(t)<<4 | uint32(s)<<1
	}
	return e.half(b, v)
}

// appendList writes an instruction of a list of registers.
func (p *printer) appendList(b []byte, in *mc.Inst) []byte {
	name := p.info.OpcodeName(in.Op)
	b = append(b, strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(name, "R6"), "_MM"))...)
	for k, o := range in.Ops[:len(in.Ops)-2] {
		if b = append(b, '\t'); k > 0 {
			b = append(b[:len(b)-1], ", "...)
		}
		b = append(b, shown(int(p.info.Regs[o.Reg()].Encoding))...)
	}
	n := len(in.Ops)
	return fmt.Appendf(b, ", %d(%s)", in.Ops[n-1].Imm(), shown(int(p.info.Regs[in.Ops[n-2].Reg()].Encoding)))
}

// appendInsert writes the insertion of bits.
func (p *printer) appendInsert(b []byte, in *mc.Inst) []byte {
	name := strings.ToLower(p.info.OpcodeName(in.Op))
	name, _, _ = strings.Cut(name, "_")
	reg := func(k int) string { return shown(int(p.info.Regs[in.Ops[k].Reg()].Encoding)) }
	return fmt.Appendf(b, "%s\t%s, %s, %d, %d", name, reg(0), reg(1), in.Ops[2].Imm(), in.Ops[3].Imm())
}

// appendCompare writes a comparison of floating-point numbers.
func (p *printer) appendCompare(b []byte, in *mc.Inst) []byte {
	f := strings.Split(strings.TrimSuffix(p.info.OpcodeName(in.Op), "_MM"), "_")
	b = fmt.Appendf(b, "c.%s.%c\t", strings.ToLower(f[1]), strings.ToLower(f[2])[0])
	enc := func(k int) uint16 { return p.info.Regs[in.Ops[k].Reg()].Encoding }
	if enc(0) != 0 || p.noAliases {
		b = fmt.Appendf(b, "$fcc%d, ", enc(0))
	}
	return fmt.Appendf(b, "$f%d, $f%d", enc(1), enc(2))
}
