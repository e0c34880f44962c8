package mctargetdesc

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// printer writes rotations that are shifts as such, which follows from two operands
// together, and addresses of 32 bits.
type printer struct {
	mc.InstPrinter
	rlwinm, rldicr, rldicr32 desc.Opcode
	wide                     bool
	tls                      *tls
	hinted                   map[desc.Opcode]desc.Opcode // branches whose first operand is a hint: those without
}

// newPrinter puts the printer behind that of the tables.
func newPrinter(t *mctarget.Target, p mc.InstPrinter) mc.InstPrinter {
	x := &printer{InstPrinter: p, wide: t.Triple.PointerBits() == 64, tls: newTLS(t)}
	x.hinted = map[desc.Opcode]desc.Opcode{}
	for _, name := range hintedNames {
		if op, ok := t.Info.OpcodeByName(name); ok {
			x.hinted[op], _ = t.Info.OpcodeByName(strings.TrimSuffix(name, "at"))
		}
	}
	x.rlwinm, _ = t.Info.OpcodeByName("RLWINM")
	x.rldicr, _ = t.Info.OpcodeByName("RLDICR")
	x.rldicr32, _ = t.Info.OpcodeByName("RLDICR_32")
	return x
}

// AppendInst appends an instruction.
func (p *printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	if text, ok := p.tls.append(p.InstPrinter, b, ctx, st, in, sym); ok {
		return text, remarks, nil
	}
	at := len(b)
	if plain := p.hinted[in.Op]; plain != 0 && len(in.Ops) == 4 && in.Ops[0].IsImm() {
		x := mc.Inst{Op: plain, Ops: in.Ops[1:]}
		text, notes, err = p.InstPrinter.AppendInst(b, remarks, ctx, st, &x, sym)
		v := in.Ops[0].Imm()
		if err != nil || v != 2 && v != 3 || !in.Ops[1].IsImm() || !in.Ops[2].IsReg() {
			return text, notes, err
		}
		target := append([]byte(nil), text[bytes.LastIndexByte(text, ' ')+1:]...)
		name := strings.ToLower(strings.TrimSuffix(st.Info.OpcodeName(in.Op)[1:], "at"))
		text = fmt.Appendf(text[:at], "%s%c\t%d, %d, ", name, "-+"[v-2], in.Ops[1].Imm(), st.Info.Regs[in.Ops[2].Reg()].Encoding)
		return append(text, target...), notes, nil
	}
	text, notes, err = p.InstPrinter.AppendInst(b, remarks, ctx, st, in, sym)
	if err != nil {
		return text, notes, err
	}
	if name, n := p.shift(in); name != "" {
		_, ops, _ := bytes.Cut(bytes.ReplaceAll(text[at:], []byte{'\t'}, []byte{' '}), []byte{' '})
		if ws := bytes.Split(ops, []byte(", ")); len(ws) > 2 {
			short := append([]byte(name+" "), ws[0]...)
			short = append(append(append(short, ", "...), ws[1]...), ", "...)
			return append(text[:at], strconv.AppendInt(short, n, 10)...), notes, nil
		}
	}
	if s := string(text[at:]); s == "xori 0, 0, 0" {
		return append(text[:at], "xnop"...), notes, nil
	} else if rest, ok := strings.CutPrefix(strings.ReplaceAll(s, "\t", " "), "xxmrgld "); ok {
		if ws := strings.Split(rest, ", "); len(ws) == 3 && ws[1] == ws[2] { // one half twice
			return fmt.Appendf(text[:at], "xxspltd\t%s, %s, 1", ws[0], ws[1]), notes, nil
		}
	}
	if i := bytes.Index(text[at:], []byte("0xffffffff")); i >= 0 && !p.wide && len(text)-at-i == 18 {
		text = append(text[:at+i+2], text[at+i+10:]...) // an absolute branch
	}
	return text, notes, nil
}

// shift is what a rotation is called that shifts, and by how much.
func (p *printer) shift(in *mc.Inst) (string, int64) {
	imm := func(k int) int64 {
		if k < len(in.Ops) && in.Ops[k].IsImm() {
			return in.Ops[k].Imm()
		}
		return -1
	}
	switch n := imm(2); in.Op {
	case p.rlwinm:
		if n >= 0 && imm(3) == 0 && imm(4) == 31-n {
			return "slwi", n
		}
		if n >= 0 && imm(3) == 32-n && imm(4) == 31 {
			return "srwi", 32 - n
		}
	case p.rldicr, p.rldicr32:
		if n >= 0 && imm(3) == 63-n {
			return "sldi", n
		}
	}
	return "", 0
}

// fullyNamed reports flags that ask for names of registers with their letters.
func fullyNamed(t *mctarget.Target) bool {
	return t.Flags.On(fullNames, false) || t.Flags.On(percent, false)
}

// appendFullName appends the name of a register with its letters: r3, cr2, 4*cr2+eq.
func appendFullName(b []byte, t *mctarget.Target, r desc.PhysReg, text string) []byte {
	name := strings.ToLower(t.Info.RegName(r))
	if bit, ok := strings.CutPrefix(name, "cr"); ok && len(bit) == 3 {
		if bit[0] != '0' {
			b = append(append(b, "4*cr"...), bit[0], '+')
		}
		return append(b, bit[1:]...)
	}
	for _, p := range [...][2]string{{"x", "r"}, {"r", "r"}, {"f", "f"}, {"vsl", "vs"}, {"vf", "v"}, {"v", "v"}, {"cr", "cr"}, {"uacc", "acc"}, {"acc", "acc"}, {"wacc", "wacc"}, {"dmr", "dmr"}, {"s", "r"}} {
		n, ok := strings.CutPrefix(name, p[0])
		if !ok || n == "" || strings.Trim(n, "0123456789") != "" {
			continue
		}
		core, letters := strings.Trim(text, " ,\t"), p[1]
		before, after, _ := strings.Cut(text, core)
		if core != "" && core != n && letters == "v" { // a vector register among those of both kinds
			n, letters = core, "vs"
		}
		b = append(b, before...)
		if t.Flags.On(percent, false) {
			b = append(b, '%')
		}
		return append(append(append(b, letters...), n...), after...)
	}
	n := 0
	if r != 0 {
		n = int(t.Info.Regs[r].Encoding)
	}
	return strconv.AppendInt(b, int64(n), 10)
}
