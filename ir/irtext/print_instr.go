package irtext

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// opNames are the opcodes as the text writes them.
var opNames = [ir.NumOps]string{
	ir.OpRet: "ret", ir.OpBr: "br", ir.OpSwitch: "switch", ir.OpIndirectBr: "indirectbr", ir.OpInvoke: "invoke", ir.OpResume: "resume",
	ir.OpUnreachable: "unreachable", ir.OpCleanupRet: "cleanupret", ir.OpCatchRet: "catchret", ir.OpCatchSwitch: "catchswitch",
	ir.OpCallBr: "callbr", ir.OpFNeg: "fneg", ir.OpAdd: "add", ir.OpFAdd: "fadd", ir.OpSub: "sub", ir.OpFSub: "fsub", ir.OpMul: "mul",
	ir.OpFMul: "fmul", ir.OpUDiv: "udiv", ir.OpSDiv: "sdiv", ir.OpFDiv: "fdiv", ir.OpURem: "urem", ir.OpSRem: "srem", ir.OpFRem: "frem",
	ir.OpShl: "shl", ir.OpLShr: "lshr", ir.OpAShr: "ashr", ir.OpAnd: "and", ir.OpOr: "or", ir.OpXor: "xor", ir.OpAlloca: "alloca",
	ir.OpLoad: "load", ir.OpStore: "store", ir.OpGEP: "getelementptr", ir.OpFence: "fence", ir.OpCmpXchg: "cmpxchg",
	ir.OpAtomicRMW: "atomicrmw", ir.OpTrunc: "trunc", ir.OpZExt: "zext", ir.OpSExt: "sext", ir.OpFPToUI: "fptoui", ir.OpFPToSI: "fptosi",
	ir.OpUIToFP: "uitofp", ir.OpSIToFP: "sitofp", ir.OpFPTrunc: "fptrunc", ir.OpFPExt: "fpext", ir.OpPtrToInt: "ptrtoint",
	ir.OpPtrToAddr: "ptrtoaddr", ir.OpIntToPtr: "inttoptr", ir.OpBitCast: "bitcast", ir.OpAddrSpaceCast: "addrspacecast", ir.OpICmp: "icmp",
	ir.OpFCmp: "fcmp", ir.OpPhi: "phi", ir.OpSelect: "select", ir.OpCall: "call", ir.OpVAArg: "va_arg",
	ir.OpExtractElement: "extractelement", ir.OpInsertElement: "insertelement", ir.OpShuffleVector: "shufflevector",
	ir.OpExtractValue: "extractvalue", ir.OpInsertValue: "insertvalue", ir.OpLandingPad: "landingpad", ir.OpFreeze: "freeze",
	ir.OpCleanupPad: "cleanuppad", ir.OpCatchPad: "catchpad",
}

var icmpNames = [...]string{"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"}

var orderingNames = [...]string{ir.Unordered: "unordered", ir.Monotonic: "monotonic", ir.Acquire: "acquire", ir.Release: "release",
	ir.AcqRel: "acq_rel", ir.SeqCst: "seq_cst"}

// numberLocals numbers the unnamed values and blocks of a function (plus one, 0 is none).
func numberLocals(f *ir.Function) (vals, blocks []int32) {
	vals, blocks = make([]int32, len(f.Instrs)), make([]int32, len(f.Blocks))
	n := int32(0)
	next := func() int32 { n++; return n }
	for i := 1; i <= f.NumArgs; i++ {
		if f.ValueNames[i] == "" {
			vals[i] = next()
		}
	}
	for _, b := range f.Order {
		if f.BlockNames[b] == "" {
			blocks[b] = next()
		}
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			if f.Instrs[i].Type != ir.Void && f.ValueNames[i] == "" {
				vals[i] = next()
			}
		}
	}
	return
}

// enterFunction numbers the function's values, the groups of its calls, and
// the metadata that it mentions first.
func (p *printer) enterFunction(g *ir.Global) {
	p.f = g.Func
	p.attachmentSlots(g.MD)
	if p.f == nil {
		return
	}
	f := p.f
	p.valNum, p.blkNum = numberLocals(f)
	p.predsOf = make([][]ir.BlockID, len(f.Blocks))
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			in := &f.Instrs[i]
			p.recordSlots(in.Records)
			if in.Op == ir.OpCall || in.Op == ir.OpInvoke || in.Op == ir.OpCallBr {
				p.group(in.Attrs)
				for _, v := range f.Ops(i) {
					if v.Tag() == ir.TagMetadata {
						p.slot(v.MD())
					}
				}
			}
			if in.Loc != 0 {
				p.slot(in.Loc)
			}
			p.attachmentSlots(p.instrAttachments(in))
			if isTerminator(in.Op) {
				// The order of a block's uses: the latest first; operands of a
				// conditional branch are set in reverse.
				ops := f.Ops(i)
				for k := range ops {
					v := ops[k]
					if in.Op == ir.OpBr && len(ops) == 3 && k > 0 {
						v = ops[3-k]
					}
					if t := v.Block(); t != 0 {
						p.predsOf[t] = append(p.predsOf[t], b)
					}
				}
			}
		}
	}
}

// instrAttachments returns the attachments of an instruction, by kind.
func (p *printer) instrAttachments(in *ir.Instr) []ir.Attachment {
	if in.MD == 0 {
		return nil
	}
	var l []ir.Attachment
	for a := in.MD; a != 0; a = p.f.Attachments[a].Next {
		l = append(l, p.f.Attachments[a])
	}
	return l
}

func sortedAttachments(l []ir.Attachment) []ir.Attachment {
	if slices.IsSortedFunc(l, func(a, b ir.Attachment) int { return int(a.Kind) - int(b.Kind) }) {
		return l
	}
	l = slices.Clone(l)
	slices.SortStableFunc(l, func(a, b ir.Attachment) int { return int(a.Kind) - int(b.Kind) })
	return l
}

func (p *printer) local(i ir.InstrID) {
	p.char('%')
	if n := p.f.ValueNames[i]; n != "" {
		p.b = ir.AppendName(p.b, n)
		return
	}
	p.int(int(p.valNum[i]) - 1)
}

func (p *printer) blockName(b ir.BlockID) {
	p.char('%')
	if n := p.f.BlockNames[b]; n != "" {
		p.b = ir.AppendName(p.b, n)
		return
	}
	p.int(int(p.blkNum[b]) - 1)
}

func (p *printer) block(b ir.BlockID, entry bool) {
	start := len(p.b)
	if n := p.f.BlockNames[b]; n != "" {
		p.char('\n')
		start = len(p.b)
		p.b = ir.AppendName(p.b, n)
		p.char(':')
	} else if !entry {
		p.char('\n')
		start = len(p.b)
		p.int(int(p.blkNum[b]) - 1)
		p.char(':')
	}
	if !entry {
		for pad := max(50-(len(p.b)-start), 1); pad > 0; pad-- {
			p.char(' ')
		}
		preds := p.orderedPreds(b)
		if len(preds) == 0 {
			p.str("; No predecessors!")
		} else {
			p.str("; preds = ")
			for i := len(preds) - 1; i >= 0; i-- {
				if i < len(preds)-1 {
					p.str(", ")
				}
				p.blockName(preds[i])
			}
		}
	}
	p.char('\n')
	for i := p.f.Blocks[b].First; i != 0; i = p.f.Instrs[i].Next {
		p.records(p.f.Instrs[i].Records)
		p.instr(i)
	}
	p.records(p.f.Blocks[b].Records)
}

func (p *printer) records(r uint32) {
	for ; r != 0; r = p.f.DbgRecords[r].Next {
		p.str("    ")
		p.record(&p.f.DbgRecords[r])
		p.char('\n')
	}
}

func (p *printer) record(d *ir.DbgRecord) {
	p.str([...]string{"", "#dbg_value(", "#dbg_declare(", "#dbg_assign(", "#dbg_label(", "#dbg_declare_value("}[d.Kind])
	n := [...]int{0, 3, 3, 6, 1, 3}[d.Kind]
	for _, a := range d.Args[:n] {
		p.recordArg(a)
		p.str(", ")
	}
	p.recordArg(d.Loc)
	p.char(')')
}

func (p *printer) recordArg(id ir.MDID) {
	if id == 0 {
		p.str("(null)")
		return
	}
	p.mdOperand(id)
}

func (p *printer) op(v ir.Value)    { p.operand(&p.f.Consts, v) }
func (p *printer) typed(v ir.Value) { p.typedOperand(&p.f.Consts, v) }

// fastMath appends fast-math flags, each after a space.
func (p *printer) fastMath(f ir.Flags) {
	if f&ir.FastMath == 0 {
		return
	}
	if f&ir.FastMath == ir.FastMath {
		p.str(" fast")
		return
	}
	for i, n := range [...]string{" reassoc", " nnan", " ninf", " nsz", " arcp", " contract", " afn"} {
		if f&(ir.Reassoc<<i) != 0 {
			p.str(n)
		}
	}
}

// flags appends what stands after the opcode.
func (p *printer) flags(in *ir.Instr) {
	f := in.Flags
	if f == 0 {
		return
	}
	p.fastMath(f)
	if in.Op == ir.OpGEP {
		p.gepFlags(f)
		return
	}
	p.wrapFlags(f)
	for _, x := range [...]struct {
		bit  ir.Flags
		word string
	}{{ir.Exact, " exact"}, {ir.Disjoint, " disjoint"}, {ir.NNeg, " nneg"}, {ir.SameSign, " samesign"}} {
		if f&x.bit != 0 {
			p.str(x.word)
		}
	}
}

func (p *printer) instr(i ir.InstrID) {
	f := p.f
	in := &f.Instrs[i]
	ops := f.Ops(i)
	p.str("  ")
	if in.Type != ir.Void {
		p.local(i)
		p.str(" = ")
	}
	switch {
	case in.Flags&ir.MustTail != 0:
		p.str("musttail ")
	case in.Flags&ir.TailCall != 0:
		p.str("tail ")
	case in.Flags&ir.NoTail != 0:
		p.str("notail ")
	}
	p.str(opNames[in.Op])
	if (in.Op == ir.OpLoad || in.Op == ir.OpStore) && in.Order != ir.NotAtomic {
		p.str(" atomic")
	}
	if in.Flags&ir.Weak != 0 {
		p.str(" weak")
	}
	if in.Flags&ir.Volatile != 0 {
		p.str(" volatile")
	}
	p.flags(in)
	switch in.Op {
	case ir.OpICmp:
		p.char(' ')
		p.str(icmpNames[in.Pred-ir.ICmpEQ])
		p.sameType(ops)
	case ir.OpFCmp:
		p.char(' ')
		p.str(fcmpNames[in.Pred])
		p.sameType(ops)
	case ir.OpBr:
		p.char(' ')
		p.typedOperands(&f.Consts, ops)
	case ir.OpSwitch:
		p.char(' ')
		p.typedOperands(&f.Consts, ops[:2])
		p.str(" [")
		for k := 2; k+1 < len(ops); k += 2 {
			p.str("\n    ")
			p.typedOperands(&f.Consts, ops[k:k+2])
		}
		p.str("\n  ]")
	case ir.OpIndirectBr:
		p.char(' ')
		p.typed(ops[0])
		p.str(", [")
		p.typedOperands(&f.Consts, ops[1:])
		p.char(']')
	case ir.OpPhi:
		p.char(' ')
		p.typ(in.Type)
		for k := 0; k+1 < len(ops); k += 2 {
			if k > 0 {
				p.char(',')
			}
			p.str(" [ ")
			p.op(ops[k])
			p.str(", ")
			p.op(ops[k+1])
			p.str(" ]")
		}
		if len(ops) == 0 {
			p.char(' ')
		}
	case ir.OpExtractValue, ir.OpInsertValue:
		p.char(' ')
		p.typedOperands(&f.Consts, ops)
		for _, n := range f.Extras[in.Extra].Ints {
			p.str(", ")
			p.int(int(n))
		}
	case ir.OpLandingPad:
		p.landingPad(in, ops)
	case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
		p.call(i, in, ops)
	case ir.OpAlloca:
		p.alloca(in, ops)
	case ir.OpLoad:
		p.char(' ')
		p.typ(in.Type)
		p.str(", ")
		p.typed(ops[0])
		p.atomic(in)
	case ir.OpStore:
		p.char(' ')
		p.typedOperands(&f.Consts, ops)
		p.atomic(in)
	case ir.OpCmpXchg:
		p.char(' ')
		p.typedOperands(&f.Consts, ops)
		p.scope(in)
		p.str(" " + orderingNames[in.Order] + " " + orderingNames[in.Order2])
		p.align(in.Align)
	case ir.OpAtomicRMW:
		p.str(" " + rmwNames[in.Pred] + " ")
		p.typedOperands(&f.Consts, ops)
		p.atomic(in)
	case ir.OpFence:
		p.scope(in)
		p.str(" " + orderingNames[in.Order])
	case ir.OpGEP:
		p.char(' ')
		p.typ(in.SrcType)
		p.str(", ")
		p.typedOperands(&f.Consts, ops)
	case ir.OpVAArg:
		p.char(' ')
		p.typed(ops[0])
		p.str(", ")
		p.typ(in.Type)
	case ir.OpShuffleVector:
		p.char(' ')
		p.typedOperands(&f.Consts, ops)
		p.mask(in)
	case ir.OpRet:
		p.char(' ')
		if len(ops) == 0 {
			p.str("void")
		} else {
			p.typed(ops[0])
		}
	case ir.OpUnreachable:
	case ir.OpCleanupPad, ir.OpCatchPad:
		p.str(" within ")
		p.op(ops[0])
		p.str(" [")
		p.typedOperands(&f.Consts, ops[1:])
		p.char(']')
	case ir.OpCatchSwitch:
		n := f.Extras[in.Extra].NumHandlers
		p.str(" within ")
		p.op(ops[0])
		p.str(" [")
		p.typedOperands(&f.Consts, ops[1:1+n])
		p.str("] unwind ")
		p.unwindDest(ops[1+n:])
	case ir.OpCatchRet:
		p.str(" from ")
		p.op(ops[0])
		p.str(" to ")
		p.typed(ops[1])
	case ir.OpCleanupRet:
		p.str(" from ")
		p.op(ops[0])
		p.str(" unwind ")
		p.unwindDest(ops[1:])
	default:
		switch {
		case in.Op >= ir.OpTrunc && in.Op <= ir.OpAddrSpaceCast:
			p.char(' ')
			p.typed(ops[0])
			p.str(" to ")
			p.typ(in.Type)
		case in.Op == ir.OpSelect:
			p.char(' ')
			p.typedOperands(&f.Consts, ops)
		default:
			p.sameType(ops)
		}
	}
	if in.Loc != 0 {
		p.str(", !dbg ")
		p.mdOperand(in.Loc)
	}
	if in.MD != 0 {
		p.attachments(", ", p.instrAttachments(in))
	}
	if in.Op == ir.OpCall && f.IntrinsicOf(i) != ir.NotIntrinsic {
		p.relocateComment(i)
	}
	p.char('\n')
}

// relocateComment says which pointers a gc.relocate means.
func (p *printer) relocateComment(i ir.InstrID) {
	f := p.f
	g := p.m.Globals[f.Callee(i).Global()]
	if !strings.HasPrefix(g.Name, "llvm.experimental.gc.relocate") || f.NumArgOps(i) != 3 {
		return
	}
	s := f.Op(i, 0).Instr()
	if s != 0 && f.Instr(s).Op == ir.OpLandingPad {
		b := f.Instr(s).Block
		s = 0
		if int(b) < len(p.predsOf) && len(p.predsOf[b]) > 0 {
			s = f.Terminator(p.predsOf[b][0])
		}
	}
	if s == 0 {
		if f.Op(i, 0).Const() != 0 {
			p.str(" ; (undef, undef)")
		}
		return
	}
	args := f.Ops(s)[:f.NumArgOps(s)]
	for _, b := range f.Extras[f.Instr(s).Extra].Bundles {
		if b.Tag == "gc-live" {
			args = b.Args
		}
	}
	p.str(" ; (")
	for k := 1; k <= 2; k++ {
		if k == 2 {
			p.str(", ")
		}
		if c := f.Op(i, k).Const(); c != 0 && f.Consts.At(c).Bits < uint64(len(args)) {
			p.op(args[f.Consts.At(c).Bits])
		}
	}
	p.char(')')
}

func (p *printer) unwindDest(ops []ir.Value) {
	if len(ops) == 0 {
		p.str("to caller")
		return
	}
	p.typed(ops[0])
}

// sameType appends operands with one type when all have it, each with its own otherwise.
func (p *printer) sameType(ops []ir.Value) {
	p.char(' ')
	t := p.typeOf(&p.f.Consts, ops[0])
	for _, v := range ops[1:] {
		if p.typeOf(&p.f.Consts, v) != t {
			p.typedOperands(&p.f.Consts, ops)
			return
		}
	}
	p.typ(t)
	p.char(' ')
	for i, v := range ops {
		if i > 0 {
			p.str(", ")
		}
		p.op(v)
	}
}

func (p *printer) scope(in *ir.Instr) {
	if in.Scope != 0 {
		p.str(" syncscope(")
		p.quoted(p.m.SyncScopes()[in.Scope])
		p.char(')')
	}
}

// atomic appends scope, ordering and alignment.
func (p *printer) atomic(in *ir.Instr) {
	if in.Order != ir.NotAtomic {
		p.scope(in)
		p.str(" " + orderingNames[in.Order])
	}
	p.align(in.Align)
}

func (p *printer) align(a uint8) {
	if a != 0 {
		p.str(", align ")
		p.int(1 << (a - 1))
	}
}

func (p *printer) alloca(in *ir.Instr, ops []ir.Value) {
	if in.Flags&ir.InAlloca != 0 {
		p.str(" inalloca")
	}
	if in.Flags&ir.SwiftError != 0 {
		p.str(" swifterror")
	}
	p.char(' ')
	p.typ(in.SrcType)
	one := false
	if c := ops[0].Const(); c != 0 {
		r := p.f.Consts.At(c)
		one = r.Kind == ir.ConstInt && r.Type == ir.Int32 && r.Bits == 1
	}
	if !one {
		p.str(", ")
		p.typed(ops[0])
	}
	p.align(in.Align)
	if as := p.t.AddrSpace(in.Type); as != 0 {
		p.str(", addrspace(")
		p.int(int(as))
		p.char(')')
	}
}

// mask appends a shuffle mask as the constant that it is written as.
func (p *printer) mask(in *ir.Instr) {
	m := p.f.Extras[in.Extra].Ints
	p.str(", <")
	if p.t.Kind(in.Type) == ir.KindScalableVector {
		p.str("vscale x ")
	}
	p.int(len(m))
	p.str(" x i32> ")
	zero, poison := true, true
	for _, x := range m {
		zero = zero && x == 0
		poison = poison && x == -1
	}
	switch {
	case zero:
		p.str("zeroinitializer")
		return
	case poison:
		p.str("poison")
		return
	}
	p.char('<')
	for i, x := range m {
		if i > 0 {
			p.str(", ")
		}
		p.str("i32 ")
		if x < 0 {
			p.str("poison")
		} else {
			p.int(int(x))
		}
	}
	p.char('>')
}

func (p *printer) landingPad(in *ir.Instr, ops []ir.Value) {
	p.char(' ')
	p.typ(in.Type)
	cleanup := in.Flags&ir.Cleanup != 0
	if cleanup {
		p.str("\n          cleanup")
	}
	filters := p.f.Extras[in.Extra].ClauseFilters
	for i, v := range ops {
		if filters[i] {
			p.str("\n          filter ")
		} else {
			p.str("\n          catch ")
		}
		p.typed(v)
	}
}

func (p *printer) call(i ir.InstrID, in *ir.Instr, ops []ir.Value) {
	f := p.f
	list := p.m.Attrs.At(in.Attrs)
	p.char(' ')
	p.callConv(in.CC)
	if len(list.Ret) > 0 {
		p.b = p.appendAttrs(p.b, list.Ret, false)
		p.char(' ')
	}
	callee := f.Callee(i)
	if ct := p.typeOf(&f.Consts, callee); callee.Tag() != ir.TagInlineAsm {
		if as := p.t.AddrSpace(ct); as != 0 || p.dl.ProgramAS != 0 {
			p.str("addrspace(")
			p.int(int(as))
			p.str(") ")
		}
	}
	if p.t.IsVarArg(in.SrcType) {
		p.typ(in.SrcType)
	} else {
		p.typ(p.t.Result(in.SrcType))
	}
	p.char(' ')
	p.op(callee)
	p.char('(')
	n := f.NumArgOps(i)
	names := p.calleeArgNotes(callee)
	for k, v := range ops[:n] {
		if k > 0 {
			p.str(", ")
		}
		if names != nil {
			p.argComment(names, k, v)
		}
		p.typ(p.typeOf(&f.Consts, v))
		p.char(' ')
		if a := list.Param(k); len(a) > 0 {
			p.b = p.appendAttrs(p.b, a, false)
			p.char(' ')
		}
		p.op(v)
	}
	if in.Flags&ir.MustTail != 0 && p.t.IsVarArg(f.Global().ValueType) && p.t.IsVarArg(in.SrcType) {
		if n > 0 {
			p.str(", ")
		}
		p.str("...")
	}
	p.char(')')
	if g := p.group(in.Attrs); g >= 0 {
		p.str(" #")
		p.int(g)
	}
	if bundles := f.Extras[in.Extra].Bundles; in.Extra != 0 && len(bundles) > 0 {
		p.str(" [ ")
		for k, b := range bundles {
			if k > 0 {
				p.str(", ")
			}
			p.quoted(b.Tag)
			p.char('(')
			p.typedOperands(&f.Consts, b.Args)
			p.char(')')
		}
		p.str(" ]")
	}
	switch in.Op {
	case ir.OpInvoke:
		p.str("\n          to ")
		p.typed(ops[n+1])
		p.str(" unwind ")
		p.typed(ops[n+2])
	case ir.OpCallBr:
		p.str("\n          to ")
		p.typed(ops[n+1])
		p.str(" [")
		p.typedOperands(&f.Consts, ops[n+2:])
		p.char(']')
	}
}
