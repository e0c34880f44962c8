package mirtext

import (
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
)

// appendReg appends a register without sub-register index: $eax, %5, %name, $noreg.
func (p *printer) appendReg(b []byte, r mir.Reg) []byte {
	switch {
	case r.IsVirtual():
		b = append(b, '%')
		if n := p.f.VReg(r).Name; n != 0 {
			return append(b, p.f.RegNames[n]...)
		}
		return strconv.AppendInt(b, int64(r.Index()), 10)
	case r == 0:
		return append(b, "$noreg"...)
	case int(r) < len(p.in.Regs):
		return p.in.AppendLowerReg(append(b, '$'), desc.PhysReg(r))
	}
	return strconv.AppendInt(append(b, "$physreg"...), int64(r), 10)
}

func (p *printer) appendClassOrBank(b []byte, v *mir.VRegInfo) []byte {
	switch {
	case v.Class >= 0:
		return p.in.AppendLowerClass(b, desc.ClassID(v.Class))
	case v.Bank >= 0:
		return p.in.AppendLowerBank(b, desc.BankID(v.Bank))
	}
	return append(b, '_')
}

func (p *printer) appendFrameIndex(b []byte, fi int) []byte {
	fr := &p.f.Frame
	if fi < 0 {
		b = append(b, "%fixed-stack."...)
		return strconv.AppendInt(b, int64(fi-fr.First()), 10)
	}
	b = append(b, "%stack."...)
	b = strconv.AppendInt(b, int64(fi), 10)
	if fi < fr.End() {
		if n := p.allocaName(fr.Object(fi)); n != "" {
			b = append(b, '.')
			b = append(b, n...)
		}
	}
	return b
}

func appendOffset(b []byte, off int64) []byte {
	switch {
	case off > 0:
		return strconv.AppendInt(append(b, " + "...), off, 10)
	case off < 0:
		return strconv.AppendUint(append(b, " - "...), uint64(-off), 10)
	}
	return b
}

// operand prints operand n; def asks for the word "def" before definitions.
func (p *printer) operand(ctx *instrContext, n int, def bool) {
	f := p.f
	o := f.Op(ctx.i, n)
	if o.Kind() == mir.OpReg {
		p.regOperand(ctx, n, o, def)
		p.comment(ctx, n)
		return
	}
	if fl := o.TargetFlags(); fl != 0 {
		p.targetFlags(fl)
	}
	switch o.Kind() {
	case mir.OpImm:
		if isSubRegOperand(f.Instr(ctx.i).Opcode, n) {
			p.str("%subreg.")
			if idx := o.Imm(); idx > 0 && idx < int64(len(p.in.SubRegIndices)) {
				p.str(p.in.SubRegIndexName(desc.SubRegIdx(idx)))
			} else {
				p.int(idx)
			}
		} else if hasWordImm(p.row, p.in, f.Instr(ctx.i).Opcode) {
			p.b = appendDelayALU(p.b, uint64(o.Imm()))
		} else {
			p.int(o.Imm())
		}
	case mir.OpCImm:
		p.cimm(&f.CImms[o.Index()])
	case mir.OpFPImm:
		p.fpimm(&f.FPImms[o.Index()])
	case mir.OpMBB:
		p.str("%bb.")
		p.int(int64(f.Block(o.Block()).Number))
	case mir.OpFrameIndex:
		p.b = p.appendFrameIndex(p.b, o.FrameIndex())
	case mir.OpCPI:
		p.str("%const.")
		p.int(int64(int32(o.Index())))
		p.b = appendOffset(p.b, o.Offset())
	case mir.OpTargetIndex:
		p.str("target-index(")
		p.str(p.targetIndexName(o.Index()))
		p.str(")")
		p.b = appendOffset(p.b, o.Offset())
	case mir.OpJTI:
		p.str("%jump-table.")
		p.int(int64(o.Index()))
	case mir.OpExtSym:
		p.str("&")
		p.b = irtext.AppendName(p.b, f.Symbols[o.Index()])
		p.b = appendOffset(p.b, o.Offset())
	case mir.OpGlobal:
		p.b = p.slots.AppendGlobal(p.b, ir.GlobalID(o.Index()))
		p.b = appendOffset(p.b, o.Offset())
	case mir.OpBlockAddr:
		a := &f.BlockAddrs[o.Index()]
		p.str("blockaddress(")
		p.b = p.slots.AppendGlobal(p.b, a.Func)
		p.str(", ")
		p.irBlockRef(a)
		p.str(")")
		p.b = appendOffset(p.b, o.Offset())
	case mir.OpRegMask:
		p.regMask(o)
	case mir.OpLiveOut:
		p.str("liveout(")
		p.maskRegs(f.RegMasks[o.Index()], ", ")
		p.str(")")
	case mir.OpMetadata:
		p.metadataOperand(ctx, ir.MDID(o.Index()))
	case mir.OpMCSymbol:
		p.b = appendMCSymbol(p.b, f.Symbols[o.Index()])
	case mir.OpCFIIndex:
		p.cfi(&f.CFI[o.Index()])
	case mir.OpIntrinsicID:
		p.str("intrinsic(@")
		p.b = irtext.AppendName(p.b, o.Intrinsic().Name())
		p.str(")")
	case mir.OpPredicate:
		p.predicate(ir.Pred(o.Imm()))
	case mir.OpShuffleMask:
		p.str("shufflemask(")
		for k, e := range f.ShuffleMasks[o.Index()] {
			if k > 0 {
				p.str(", ")
			}
			if e < 0 {
				p.str("undef")
			} else {
				p.int(int64(e))
			}
		}
		p.str(")")
	case mir.OpDbgInstrRef:
		p.str("dbg-instr-ref(")
		p.int(int64(o.Index()))
		p.str(", ")
		p.int(o.Imm())
		p.str(")")
	case mir.OpLaneMask:
		p.str("lanemask(0x")
		p.b = appendHex(p.b, uint64(o.Imm()), 16, true)
		p.str(")")
	}
	p.comment(ctx, n)
}

func (p *printer) comment(ctx *instrContext, n int) {
	from := len(p.b)
	p.str(" /* ")
	start := len(p.b)
	if len(p.flagOps) > 0 || n == mir.AsmFlagsOp && isAsm(p.f.Instr(ctx.i).Opcode) {
		p.b = p.asmComment(p.b, p.f.Ops(ctx.i), n)
	} else if p.o.Comment != nil {
		p.b = p.o.Comment(p.b, p.f, ctx.i, n)
	} else if p.remark != nil {
		p.remarkOn(ctx.i, n)
	}
	if len(p.b) == start {
		p.b = p.b[:from]
		return
	}
	p.str(" */")
}

func isAsm(op desc.Opcode) bool { return op == desc.INLINEASM || op == desc.INLINEASM_BR }

// isSubRegOperand reports an immediate that is a sub-register index.
func isSubRegOperand(op desc.Opcode, n int) bool {
	switch op {
	case desc.EXTRACT_SUBREG:
		return n == 2
	case desc.INSERT_SUBREG, desc.SUBREG_TO_REG:
		return n == 3
	case desc.REG_SEQUENCE:
		return n > 1 && n%2 == 0
	}
	return false
}

func (p *printer) regOperand(ctx *instrContext, n int, o *mir.Operand, def bool) {
	fl := o.Flags()
	if fl != 0 {
		p.regFlagWords(ctx, o, fl, def)
	}
	r := o.Reg()
	p.b = p.appendReg(p.b, r)
	if s := o.SubReg(); s != 0 {
		p.b = append(p.b, '.')
		if int(s) < len(p.in.SubRegIndices) {
			p.str(p.in.SubRegIndexName(desc.SubRegIdx(s)))
		} else {
			p.str("subreg")
			p.int(int64(s))
		}
	}
	if !r.IsVirtual() {
		if ctx.ties && !o.IsDef() && o.IsTied() {
			p.tie(ctx, n)
		}
		return
	}
	v := p.f.VReg(r)
	if ctx.standalone || !def || !p.f.HasDefs(r) {
		p.b = append(p.b, ':')
		p.b = p.appendClassOrBank(p.b, v)
	}
	if ctx.ties && !o.IsDef() && o.IsTied() {
		p.tie(ctx, n)
	}
	if v.Type != 0 && p.wantsType(ctx, n) {
		p.b = append(p.b, '(')
		p.b = v.Type.AppendText(p.b)
		p.b = append(p.b, ')')
	}
}

func (p *printer) regFlagWords(ctx *instrContext, o *mir.Operand, fl mir.OpFlags, def bool) {
	switch {
	case fl&(mir.Implicit|mir.Def) == mir.Implicit|mir.Def:
		p.str("implicit-def ")
	case fl&mir.Implicit != 0:
		p.str("implicit ")
	case def && fl&mir.Def != 0:
		p.str("def ")
	}
	if fl&mir.InternalRead != 0 {
		p.str("internal ")
	}
	if fl&mir.DeadOrKill != 0 {
		if fl&mir.Def != 0 {
			p.str("dead ")
		} else {
			p.str("killed ")
		}
	}
	if fl&mir.Undef != 0 {
		p.str("undef ")
	}
	if fl&mir.EarlyClobber != 0 {
		p.str("early-clobber ")
	}
	if fl&mir.Renamable != 0 && o.Reg().IsPhysical() && !(fl&mir.Def != 0 && ctx.d.Has(desc.ExtraDefRegAllocReq)) &&
		!(fl&mir.Def == 0 && ctx.d.Has(desc.ExtraSrcRegAllocReq)) {
		p.str("renamable ")
	}
}

func (p *printer) tie(ctx *instrContext, n int) {
	p.str("(tied-def ")
	p.int(int64(p.f.TiedTo(ctx.i, n)))
	p.str(")")
}

// wantsType reports whether operand n is the first that shows its type index's type.
func (p *printer) wantsType(ctx *instrContext, n int) bool {
	if ctx.plain || ctx.typed {
		return ctx.typed
	}
	if ctx.d.IsVariadic() || n >= int(ctx.d.NumOperands) {
		return true
	}
	k := p.in.OperandInfos[int(ctx.d.OpInfo)+n].GenericTypeIndex()
	if k < 0 {
		return true
	}
	if ctx.printed>>k&1 != 0 {
		return false
	}
	ctx.printed |= 1 << k
	return true
}

// targetFlags prints target-flags(…) with the names of the target.
func (p *printer) targetFlags(fl uint16) {
	p.str("target-flags(")
	mask := uint64(0)
	for i := range p.in.BitmaskFlags {
		mask |= p.in.BitmaskFlags[i].Value
	}
	direct, bits := uint64(fl)&^mask, uint64(fl)&mask
	sep := ""
	if direct != 0 {
		p.str(p.flagName(p.in.DirectFlags, direct, "<unknown target flag>"))
		sep = ", "
	}
	for i := range p.in.BitmaskFlags {
		m := &p.in.BitmaskFlags[i]
		if bits&m.Value == m.Value && m.Value != 0 {
			p.str(sep)
			sep = ", "
			p.str(p.in.Str(m.Name))
			bits &^= m.Value
		}
	}
	if bits != 0 {
		p.str(sep)
		p.str("<unknown bitmask target flag>")
	}
	p.str(") ")
}

func (p *printer) flagName(list []desc.FlagDesc, v uint64, none string) string {
	for i := range list {
		if list[i].Value == v {
			return p.in.Str(list[i].Name)
		}
	}
	return none
}

func (p *printer) targetIndexName(i uint32) string {
	return p.flagName(p.in.TargetIndices, uint64(i), "<unknown>")
}

func (p *printer) pool() *ir.ConstPool {
	if p.scratch == nil {
		p.scratch = ir.NewConstPool()
	}
	return p.scratch
}

func (p *printer) cimm(w *mir.WideInt) {
	p.str("i")
	p.int(int64(w.Bits))
	p.str(" ")
	switch {
	case w.Bits == 1:
		p.bool(w.Words[0]&1 != 0)
	case w.Bits <= 64:
		p.int(int64(w.Words[0]<<(64-w.Bits)) >> (64 - w.Bits))
	default:
		p.b = appendWide(p.b, w)
	}
}

func (p *printer) fpimm(c *mir.FPImm) {
	pool := p.pool()
	var id ir.ConstID
	switch c.Type {
	case ir.X86FP80, ir.FP128, ir.PPCFP128:
		id = pool.Wide(ir.ConstFP, c.Type, []uint64{c.Lo, c.Hi})
	default:
		id = pool.FP(c.Type, c.Lo)
	}
	p.b = p.slots.AppendTyped(p.b, pool, ir.ConstVal(id))
}

// irBlockRef prints %ir-block.X of a block address.
func (p *printer) irBlockRef(a *mir.BlockAddr) {
	p.str("%ir-block.")
	var fn *ir.Function
	if p.f.Module != nil {
		fn = p.f.Module.Globals[a.Func].Func
	}
	if fn == nil || int(a.Block) >= len(fn.Blocks) {
		p.str("<unknown>")
		return
	}
	if n := fn.BlockNames[a.Block]; n != "" {
		p.b = irtext.AppendName(p.b, n)
		return
	}
	p.int(int64(p.slots.Block(fn, a.Block)))
}

func (p *printer) maskRegs(mask []uint32, sep string) {
	first := true
	for r := range p.in.Regs {
		if r/32 < len(mask) && mask[r/32]>>(r%32)&1 != 0 {
			if !first {
				p.str(sep)
			}
			first = false
			p.b = p.appendReg(p.b, mir.Reg(r))
		}
	}
}

func (p *printer) regMask(o *mir.Operand) {
	if p.debug {
		p.debugRegMask(p.f.RegMasks[o.Index()])
		return
	}
	if i := p.f.RegMaskName(o); i >= 0 {
		p.b = p.in.AppendLowerRegMask(p.b, i)
		return
	}
	p.str("CustomRegMask(")
	p.maskRegs(p.f.RegMasks[o.Index()], ",")
	p.str(")")
}

var fcmpNames = [...]string{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true"}
var icmpNames = [...]string{"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"}

func (p *printer) predicate(c ir.Pred) {
	switch {
	case int(c) < len(fcmpNames):
		p.str("floatpred(")
		p.str(fcmpNames[c])
	case c >= ir.ICmpEQ && int(c-ir.ICmpEQ) < len(icmpNames):
		p.str("intpred(")
		p.str(icmpNames[c-ir.ICmpEQ])
	default:
		p.str("intpred(unknown")
	}
	p.str(")")
}
