package asmtext

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/mirin-go/mirin/mc"
)

// Directives that only assembly itself has: compilers write none of them.

// Assume makes s the current section without saying so.
func (t *Text) Assume(s mc.SectionID) { t.cur, t.assumed = s, true }

// AlignValue pads with values of size bytes.
func (t *Text) AlignValue(log2 uint8, fill int64, size int, max uint32) {
	switch size {
	case 2:
		t.b = append(t.b, ".p2alignw "...)
	case 4:
		t.b = append(t.b, ".p2alignl "...)
	default:
		t.b = append(t.b, "\t.p2align\t"...)
	}
	t.b = strconv.AppendUint(t.b, uint64(log2), 10)
	v := uint64(fill)
	if size < 8 {
		v &= 1<<(8*size) - 1
	}
	t.b = strconv.AppendUint(append(t.b, ", 0x"...), v, 16)
	if max != 0 {
		t.b = strconv.AppendUint(append(t.b, ", "...), uint64(max), 10)
	}
	t.eol()
}

// FillExpr writes values whose number is an expression.
func (t *Text) FillExpr(count mc.Expr, size int, v uint64) {
	if size == 1 {
		t.b = t.ctx.AppendExpr(append(t.b, t.ctx.Info().Zeros...), count, t.sym)
		if v != 0 {
			t.b = strconv.AppendInt(append(t.b, ','), int64(v), 10)
		}
		t.eol()
		return
	}
	t.b = t.ctx.AppendExpr(append(t.b, "\t.fill\t"...), count, t.sym)
	t.b = strconv.AppendInt(append(t.b, ", "...), int64(size), 10)
	t.b = strconv.AppendUint(append(t.b, ", 0x"...), v, 16)
	t.eol()
}

// Org pads up to a place.
func (t *Text) Org(to mc.Expr, fill byte) {
	t.b = t.ctx.AppendExpr(append(t.b, ".org "...), to, t.sym)
	t.b = strconv.AppendUint(append(t.b, ", "...), uint64(fill), 10)
	t.eol()
}

// Nops appends instructions that do nothing.
func (t *Text) Nops(n, limit uint64, _ *mc.Subtarget) {
	t.b = strconv.AppendUint(append(t.b, "\t.nops\t"...), n, 10)
	if limit != 0 {
		t.b = strconv.AppendUint(append(t.b, ", "...), limit, 10)
	}
	t.eol()
}

// AssignConditional makes s another name if something refers to it.
func (t *Text) AssignConditional(s mc.Sym, e mc.Expr) {
	t.b = t.appendSym(append(t.b, ".lto_set_conditional "...), s)
	t.b = t.ctx.AppendExpr(append(t.b, ", "...), e, t.sym)
	t.eol()
}

// SymVer gives a symbol the name of a version.
func (t *Text) SymVer(s mc.Sym, name string, keep bool) {
	t.b = t.appendSym(append(t.b, ".symver "...), s)
	t.b = append(append(t.b, ", "...), name...)
	if !keep && !hasThreeAts(name) {
		t.b = append(t.b, ", remove"...)
	}
	t.eol()
}

func hasThreeAts(s string) bool {
	for i := 0; i+2 < len(s); i++ {
		if s[i:i+3] == "@@@" {
			return true
		}
	}
	return false
}

// WeakRef makes alias a name of s that does not ask for it.
func (t *Text) WeakRef(alias, s mc.Sym) {
	t.b = t.appendSym(append(t.b, ".weakref "...), alias)
	t.b = t.appendSym(append(t.b, ", "...), s)
	t.eol()
}

// AddrSig asks for the table of symbols whose addresses matter.
func (t *Text) AddrSig() { t.line("\t.addrsig") }

// AddrSigSym adds a symbol to it.
func (t *Text) AddrSigSym(s mc.Sym) {
	t.b = t.appendSym(append(t.b, "\t.addrsig_sym "...), s)
	t.eol()
}

// CGProfile says how often one function calls another.
func (t *Text) CGProfile(from, to mc.Sym, count uint64) {
	t.b = t.appendSym(append(t.b, "\t.cg_profile "...), from)
	t.b = t.appendSym(append(t.b, ", "...), to)
	t.b = strconv.AppendUint(append(t.b, ", "...), count, 10)
	t.eol()
}

// Reloc adds a relocation.
func (t *Text) Reloc(at mc.Expr, name string, value mc.Expr, _ *mc.Subtarget) error {
	t.b = t.ctx.AppendExpr(append(t.b, "\t.reloc "...), at, t.sym)
	t.b = append(append(t.b, ", "...), name...)
	if value != 0 {
		t.b = t.ctx.AppendExpr(append(t.b, ", "...), value, t.sym)
	}
	t.eol()
	return nil
}

// LocLabel defines a symbol in the line table.
func (t *Text) LocLabel(s mc.Sym, _ uint32) {
	t.b = t.appendSym(append(t.b, "\t.loc_label\t"...), s)
	t.eol()
}

// Encodings shows the bytes of each instruction, and the places that expressions
// fill in.
func (t *Text) Encodings(enc mc.Encoder, be mc.AsmBackend) { t.enc, t.be = enc, be }

// ShowInst shows how each instruction is represented.
func (t *Text) ShowInst() { t.showInst = true }

// inst writes the remark about an instruction's opcode and operands.
func (t *Text) inst(in *mc.Inst, st *mc.Subtarget) {
	b := fmt.Appendf(t.remarks, "<MCInst #%d %s", in.Op, st.Info.OpcodeName(in.Op))
	for _, o := range in.Ops {
		b = append(b, "\n <MCOperand "...)
		switch {
		case o.IsReg() && o.Reg() == 0:
			b = append(b, "Reg:"...)
		case o.IsReg():
			b = append(append(b, "Reg:"...), st.Info.RegName(o.Reg())...)
		case o.IsImm():
			b = strconv.AppendInt(append(b, "Imm:"...), o.Imm(), 10)
		case o.IsFPImm():
			b = strconv.AppendFloat(append(b, "DFPImm:"...), math.Float64frombits(o.FPBits()), 'f', 6, 64)
		case o.IsExpr():
			b = t.ctx.AppendExpr(append(b, "Expr:"...), o.Expr(), t.sym)
		default:
			b = append(b, "INVALID"...)
		}
		b = append(b, '>')
	}
	t.remarks = append(b, ">\n"...)
}

// encoding writes the remark about an instruction's bytes.
func (t *Text) encoding(in *mc.Inst, st *mc.Subtarget) error {
	code, fx, err := t.enc.Encode(t.ctx, st, in, t.code[:0], t.fixups[:0])
	if err != nil {
		return err
	}
	t.code, t.fixups = code, fx
	big := t.ctx.Info().BigEndian
	owner := make([]int, 8*len(code)) // 1+fixup of each bit
	for i := range fx {
		info := t.be.FixupInfo(fx[i].Kind)
		n := int(info.Bits)
		for k := range n {
			bit := 8*int(fx[i].Offset) + int(info.Offset) + k
			if bit < len(owner) {
				owner[bit] = 1 + i
			}
		}
	}
	b := append(t.remarks, "encoding: ["...)
	for i, c := range code {
		if i > 0 {
			b = append(b, ',')
		}
		first := owner[8*i]
		same := true
		for k := 1; k < 8; k++ {
			same = same && owner[8*i+k] == first
		}
		switch {
		case same && first == 0:
			b = appendByte(b, c)
		case same && c == 0:
			b = append(b, byte('A'+first-1))
		case same:
			b = append(appendByte(b, c), '\'', byte('A'+first-1), '\'')
		default:
			b = append(b, "0b"...)
			for k := 7; k >= 0; k-- {
				bit := 8*i + k
				if big {
					bit = 8*i + 7 - k
				}
				on := c>>k&1 != 0
				if o := owner[bit]; o != 0 {
					b = append(b, byte('A'+o-1))
				} else {
					b = append(b, '0'+byte(bits.OnesCount8(c>>k&1)))
				}
				_ = on
			}
		}
	}
	b = append(b, "]\n"...)
	for i := range fx {
		info := t.be.FixupInfo(fx[i].Kind)
		b = append(b, "  fixup "...)
		b = append(b, byte('A'+i), ' ', '-', ' ')
		b = append(b, "offset: "...)
		b = strconv.AppendUint(b, uint64(fx[i].Offset), 10)
		b = append(b, ", value: "...)
		b = t.appendFixupValue(b, &fx[i])
		if info.Reloc != 0 {
			b = append(b, ", relocation type: "...)
			b = strconv.AppendUint(b, uint64(info.Reloc), 10)
		} else {
			b = append(b, ", kind: "...)
			b = append(b, info.Name...)
		}
		b = append(b, '\n')
	}
	t.remarks = b
	return nil
}

// appendFixupValue writes the expression of a fixup with the distance to where the
// processor counts from.
func (t *Text) appendFixupValue(b []byte, f *mc.Fixup) []byte {
	b = t.ctx.AppendExpr(b, f.Expr, t.sym)
	if f.Addend > 0 {
		b = append(b, '+')
	}
	if f.Addend != 0 {
		b = strconv.AppendInt(b, int64(f.Addend), 10)
	}
	return b
}

func appendByte(b []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	return append(b, '0', 'x', digits[c>>4], digits[c&15])
}
