package mctargetdesc

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// Instructions of thread-local storage say to a linker what may become of them: the last operand
// of "add 3, 4, x@tls" is the thread pointer, "bl __tls_get_addr(x@tlsgd)" is a call; both have a
// relocation beside their bits (64-bit ELF V2 ABI, 3.7).

// threaded has the instructions whose last register is the thread pointer, by mnemonic; LLVM's
// opcode for them is named so, with TLS_ behind.
var threaded = map[string]string{
	"add": "ADD8", "lbzx": "LBZX", "lhzx": "LHZX", "lwzx": "LWZX", "ldx": "LDX", "stbx": "STBX", "sthx": "STHX", "stwx": "STWX", "stdx": "STDX",
	"lhax": "LHAX", "lwax": "LWAX", "lfsx": "LFSX", "lfdx": "LFDX", "stfsx": "STFSX", "stfdx": "STFDX",
}

// tls has what both kinds are encoded and written as.
type tls struct {
	like    map[desc.Opcode]desc.Opcode // of the first kind: the instruction with a register
	call    desc.Opcode
	plain   desc.Opcode // the call without its argument
	pointer desc.PhysReg
}

func newTLS(t *mctarget.Target) *tls {
	y := &tls{like: map[desc.Opcode]desc.Opcode{}}
	for _, base := range threaded {
		op, ok := t.Info.OpcodeByName(base + "TLS_")
		if like, has := t.Info.OpcodeByName(base); ok && has {
			y.like[op] = like
		}
	}
	y.call, _ = t.Info.OpcodeByName("BL8_TLS_")
	y.plain, _ = t.Info.OpcodeByName("BL")
	name := "x13"
	if t.Triple.PointerBits() == 32 {
		name = "r2"
	}
	y.pointer, _ = t.Info.RegByName(name)
	return y
}

// readTLS reads both kinds; known is false for all else.
func readTLS(r *table.Reader, p mc.AsmParser, narrow bool, mnemonic, text string) (known bool, err error) {
	if mnemonic == "bl" {
		return readTLSCall(r, p, narrow, text)
	}
	base, ok := threaded[mnemonic]
	if !ok || !strings.Contains(strings.ToLower(text), "@tls") {
		return false, nil
	}
	at := strings.Index(strings.ToLower(text), mnemonic) + len(mnemonic)
	ops, pos := split(text, at)
	if len(ops) != 3 {
		return false, nil
	}
	x, _, end, err := p.Expr(text, pos[2])
	if err != nil || x == 0 || end < pos[2]+len(ops[2]) {
		return false, nil
	}
	ctx := p.Context()
	_, m, off, ok := ctx.SymRef(x)
	if name := ctx.Info().ModifierName(m); !ok || m == 0 || off != 0 || name != "tls" && name != "tls@pcrel" {
		return false, nil
	}
	var in mc.Inst
	if err := r.Match(p, text[:pos[2]]+"13", &in); err != nil {
		return true, err
	}
	if in.Op, ok = r.Info.OpcodeByName(base + "TLS_"); !ok || len(in.Ops) != 3 {
		return false, nil
	}
	in.Ops[2] = mc.ExprOp(x)
	return true, r.Emit(p, &in)
}

func readTLSCall(r *table.Reader, p mc.AsmParser, narrow bool, text string) (known bool, err error) {
	open := strings.IndexByte(text, '(')
	at := strings.Index(strings.ToLower(text), "bl") + 2
	if open < 0 || at >= open || !strings.HasPrefix(strings.TrimLeft(text[at:], " \t"), "__tls_get_addr") {
		return false, nil
	}
	callee, _, end, err := p.Expr(text, at)
	if err != nil || end != open {
		return false, nil
	}
	ctx := p.Context()
	inner := callee
	if a, _, ok := ctx.Operands(callee); ok {
		inner = a
	}
	s, _, _, ok := ctx.SymRef(inner)
	if !ok || ctx.At(s).Name != "__tls_get_addr" {
		return false, nil
	}
	x, _, end, err := p.Expr(text, open+1)
	if err != nil {
		return true, err
	}
	if end = skipBlanks(text, end); end >= len(text) || text[end] != ')' {
		return true, &mc.ParseError{Start: end, End: end, Msg: "missing ')'"}
	}
	end = skipBlanks(text, end+1)
	if end < len(text) && text[end] == '@' && narrow { // the specifier of the call may stand here
		m, ok := ctx.Info().ModifierByName(strings.TrimRight(text[end+1:], " \t"))
		if ok {
			callee, ok = ctx.WithModifier(callee, m)
		}
		if !ok {
			return true, &mc.ParseError{Start: end, End: end, Msg: "invalid relocation specifier"}
		}
		end = len(text)
	}
	if end < len(text) {
		return true, &mc.ParseError{Start: end, End: end, Msg: "unexpected token"}
	}
	var in mc.Inst
	op, _ := r.Info.OpcodeByName("BL8_TLS_")
	in.Reset(op)
	in.Add(mc.ExprOp(callee))
	in.Add(mc.ExprOp(x))
	return true, r.Emit(p, &in)
}

func skipBlanks(text string, pos int) int {
	for pos < len(text) && (text[pos] == ' ' || text[pos] == '\t') {
		pos++
	}
	return pos
}

// encoder encodes them, and what they are otherwise like, by the tables.
type encoder struct {
	mc.Encoder
	tls    *tls
	hinted map[desc.Opcode]desc.Opcode // branches with a hint: those without
}

func wrapEncoder(t *mctarget.Target, e mc.Encoder) (mc.Encoder, error) {
	x := &encoder{e, newTLS(t), map[desc.Opcode]desc.Opcode{}}
	for _, name := range hintedNames {
		op, ok := t.Info.OpcodeByName(name)
		if plain, has := t.Info.OpcodeByName(strings.TrimSuffix(name, "at")); ok && has {
			x.hinted[op] = plain
		}
	}
	return x, nil
}

// hintedNames are the branches whose first operand is a hint, two more bits of the second one.
var hintedNames = [...]string{"gBCat", "gBCAat", "gBCLat", "gBCLAat"}

// Encode appends an instruction.
func (e *encoder) Encode(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, b []byte, fx []mc.Fixup) ([]byte, []mc.Fixup, error) {
	if plain, ok := e.hinted[in.Op]; ok && len(in.Ops) == 4 && in.Ops[0].IsImm() && in.Ops[1].IsImm() {
		x := mc.Inst{Op: plain}
		x.Add(mc.Imm(in.Ops[0].Imm() | in.Ops[1].Imm()))
		x.Ops = append(x.Ops, in.Ops[2:]...)
		return e.Encoder.Encode(ctx, st, &x, b, fx)
	}
	like, ok := e.tls.like[in.Op]
	if !ok && in.Op != e.tls.call {
		return e.Encoder.Encode(ctx, st, in, b, fx)
	}
	last := len(in.Ops) - 1
	if last < 1 || !in.Ops[last].IsExpr() {
		return b, fx, fmt.Errorf("%s wants a symbol", st.Info.OpcodeName(in.Op))
	}
	x := in.Ops[last].Expr()
	f := mc.Fixup{Offset: uint32(len(b)), Expr: x, Kind: fixupNone}
	plain := mc.Inst{Op: like}
	plain.Ops = append(plain.Ops, in.Ops[:last]...)
	if in.Op == e.tls.call {
		plain.Op = e.tls.plain
	} else {
		plain.Add(mc.Reg(e.tls.pointer))
		// Its place one byte on tells linkers that the code is relative to itself.
		if m, _ := ctx.ModifierOf(x); ctx.Info().ModifierName(m) == "tls@pcrel" {
			f.Offset++
		}
	}
	return e.Encoder.Encode(ctx, st, &plain, b, append(fx, f))
}

// append writes one; ok is false for other instructions.
func (y *tls) append(p mc.InstPrinter, b []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text []byte, ok bool) {
	like, threaded := y.like[in.Op]
	last := len(in.Ops) - 1
	if !threaded && in.Op != y.call || last < 1 || !in.Ops[last].IsExpr() {
		return b, false
	}
	if threaded {
		plain := mc.Inst{Op: like}
		plain.Ops = append(plain.Ops, in.Ops[:last]...)
		plain.Add(mc.Reg(y.pointer))
		at := len(b)
		text, _, err := p.AppendInst(b, nil, ctx, st, &plain, sym)
		i := bytes.LastIndexByte(text[at:], ' ')
		if err != nil || i < 0 {
			return b, false
		}
		return ctx.AppendExpr(text[:at+i+1], in.Ops[last].Expr(), sym), true
	}
	callee := in.Ops[0].Expr()
	m, plain := ctx.ModifierOf(callee)
	off := int64(0)
	if s, _, n, ok := ctx.SymRef(plain); ok {
		plain, off = ctx.Ref(s, mc.ModNone), n
	}
	name := ""
	if m != mc.ModNone {
		name = "@" + ctx.Info().ModifierName(m)
	}
	b = ctx.AppendExpr(append(b, "bl "...), plain, sym)
	if name == "@notoc" {
		b, name = append(b, name...), ""
	}
	b = append(ctx.AppendExpr(append(b, '('), in.Ops[1].Expr(), sym), ')')
	b = append(b, name...)
	if off != 0 {
		b = fmt.Appendf(b, "%+d", off)
	}
	return b, true
}
