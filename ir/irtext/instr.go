package irtext

import "github.com/mirin-go/mirin/ir"

// basicBlock reads one block up to its terminator.
func (p *parser) basicBlock() {
	fs := p.fn
	records, last := uint32(0), uint32(0)
	p.startBlock()
	for p.ok() {
		for p.tok == tHash {
			r := p.debugRecord()
			if !p.ok() {
				return
			}
			if records == 0 {
				records = r
			} else {
				fs.f.DbgRecords[last].Next = r
			}
			last = r
		}
		named, ts, te, esc, num, off := tEOF, p.ts, p.te, false, p.num, p.off
		switch p.tok {
		case tLocal:
			named, esc = tLocal, p.esc
			p.next()
			p.expect('=', "expected '=' after instruction name")
		case tLocalID:
			named = tLocalID
			p.next()
			p.expect('=', "expected '=' after instruction id")
		}
		if p.tok != tWord {
			if p.tok == tEOF && p.ok() {
				p.error("found end of file when expecting more instructions")
				return
			}
			p.error("expected instruction opcode")
			return
		}
		in := ir.Instr{Type: ir.Void}
		fs.ops = fs.ops[:0]
		comma := p.instruction(&in)
		if !p.ok() {
			return
		}
		id := fs.f.AppendOps(fs.block, &in, fs.ops)
		if records != 0 {
			fs.f.Instrs[id].Records, records = records, 0
		}
		p.noteOperands(id, fs.ops)
		p.setResult(named, ts, te, esc, num, off, id)
		if comma || p.eat(',') {
			p.instrMetadata(id)
		}
		if isTerminator(in.Op) {
			return
		}
	}
}

func isTerminator(op ir.Op) bool { return op >= ir.OpRet && op <= ir.OpCallBr }

// noteOperands remembers the operands that later get another value.
func (p *parser) noteOperands(id ir.InstrID, ops []ir.Value) {
	fs := p.fn
	first := uint32(len(fs.f.Operands) - len(ops))
	for i, v := range ops {
		switch v.Tag() {
		case tagForward:
			fs.forward = append(fs.forward, first+uint32(i))
		case ir.TagMetadata, ir.TagInlineAsm:
			if v.Index()&mdProvisional != 0 {
				fs.fix.operands = append(fs.fix.operands, first+uint32(i))
			}
		}
	}
	in := &fs.f.Instrs[id]
	if in.Attrs&mdProvisional != 0 {
		fs.fix.lists = append(fs.fix.lists, id)
	}
	if in.Scope&mdProvisional != 0 {
		fs.fix.scopes = append(fs.fix.scopes, id)
	}
}

// instrMetadata reads !kind !node, … after the comma.
func (p *parser) instrMetadata(id ir.InstrID) {
	fs := p.fn
	last := uint32(0)
	for {
		if p.tok != tMDName {
			p.error("expected metadata after comma")
			return
		}
		if p.text() == "dbg" {
			p.next()
			p.sawDebug = true
			loc := p.metadata()
			fs.f.Instrs[id].Loc = loc
			if loc&mdProvisional != 0 {
				fs.fix.locs = append(fs.fix.locs, id)
			}
		} else {
			a := p.attachment()
			n := uint32(len(fs.f.Attachments))
			if a.Kind&mdProvisional != 0 || a.Node&mdProvisional != 0 {
				fs.fix.attach = append(fs.fix.attach, n)
			}
			fs.f.Attachments = append(fs.f.Attachments, a)
			if last == 0 {
				fs.f.Instrs[id].MD = n
			} else {
				fs.f.Attachments[last].Next = n
			}
			last = n
		}
		if !p.ok() || !p.eat(',') {
			return
		}
	}
}

// debugRecord reads #dbg_value(…) and its kin.
func (p *parser) debugRecord() uint32 {
	var r ir.DbgRecord
	n := 0
	p.sawDebug = true
	switch p.text() {
	case "dbg_value":
		r.Kind, n = ir.DbgValue, 3
	case "dbg_declare":
		r.Kind, n = ir.DbgDeclare, 3
	case "dbg_assign":
		r.Kind, n = ir.DbgAssign, 6
	case "dbg_label":
		r.Kind, n = ir.DbgLabel, 1
	case "dbg_declare_value":
		r.Kind, n = ir.DbgDeclareValue, 3
	default:
		p.errorAt(p.off+1, "expected debug record type here")
		return 0
	}
	p.next()
	p.expect('(', "Expected '(' here")
	fix := ir.MDID(0)
	for i := range n {
		if value := n > 1 && (i == 0 || i == 4); !value && p.tok != '!' && p.tok != tMDName {
			p.error("expected '!' here")
			return 0
		}
		r.Args[i] = p.metadata()
		fix |= r.Args[i]
		p.expect(',', "Expected ',' here")
	}
	if p.tok != '!' && p.tok != tMDName {
		p.error("expected '!' here")
		return 0
	}
	r.Loc = p.metadata()
	fix |= r.Loc
	p.expect(')', "Expected ')' here")
	fs := p.fn
	id := uint32(len(fs.f.DbgRecords))
	if fix&mdProvisional != 0 {
		fs.fix.records = append(fs.fix.records, id)
	}
	fs.f.DbgRecords = append(fs.f.DbgRecords, r)
	return id
}

func (p *parser) push(v ir.Value) { p.fn.ops = append(p.fn.ops, v) }

// blockRef reads "label %b".
func (p *parser) labelOperand() ir.Value {
	if p.is("label") {
		p.next()
		if p.tok != tLocal && p.tok != tLocalID {
			p.error(p.notBlock())
			return 0
		}
		return p.localRef(ir.Label)
	}
	off := p.off
	if t, _ := p.typeAndValue(); t != 0 && p.ok() {
		p.errorAt(off, "expected a basic block")
	}
	return 0
}

// notBlock is the message about a label operand that is no local name.
func (p *parser) notBlock() string {
	switch p.tok {
	case tInt:
		return "integer constant must have integer type"
	case tGlobal, tGlobalID:
		return "global variable reference must have pointer type"
	}
	return "expected value token"
}

// instruction reads an instruction from its opcode on. comma reports that
// the comma before metadata is already passed.
func (p *parser) instruction(in *ir.Instr) (comma bool) {
	w := p.text()
	off := p.off
	p.next()
	switch w {
	case "load":
		return p.load(in, off)
	case "store":
		return p.store(in, off)
	case "call":
		p.call(in, p.off)
	case "tail":
		in.Flags |= ir.TailCall
		p.tailCall(in, off, "tail")
	case "musttail":
		in.Flags |= ir.MustTail
		p.tailCall(in, off, "musttail")
	case "notail":
		in.Flags |= ir.NoTail
		p.tailCall(in, off, "notail")
	case "getelementptr":
		return p.gep(in)
	case "br":
		p.br(in)
	case "ret":
		p.ret(in)
	case "icmp":
		p.icmp(in)
	case "fcmp":
		in.Flags = p.fastMath()
		in.Op = ir.OpFCmp
		in.Pred = p.fpred()
		t := p.operandPair(inCompare)
		if p.ok() && !p.t.IsFloat(p.t.Scalar(t)) {
			p.errorAt(p.fn.offs[0], "fcmp requires floating point operands")
		}
		in.Type = p.boolLike(t)
	case "phi":
		comma = p.phi(in)
		if p.ok() && in.Flags != 0 && !p.fpMathType(in.Type) {
			p.errorAt(off, "fast-math-flags specified for phi without floating-point scalar or vector return type")
		}
		return comma
	case "alloca":
		return p.alloca(in)
	case "add":
		in.Op, in.Flags = ir.OpAdd, p.wrapFlags()
		p.intBinary(in)
	case "sub":
		in.Op, in.Flags = ir.OpSub, p.wrapFlags()
		p.intBinary(in)
	case "mul":
		in.Op, in.Flags = ir.OpMul, p.wrapFlags()
		p.intBinary(in)
	case "shl":
		in.Op, in.Flags = ir.OpShl, p.wrapFlags()
		p.intBinary(in)
	case "udiv":
		p.exactBinary(in, ir.OpUDiv)
	case "sdiv":
		p.exactBinary(in, ir.OpSDiv)
	case "lshr":
		p.exactBinary(in, ir.OpLShr)
	case "ashr":
		p.exactBinary(in, ir.OpAShr)
	case "urem":
		in.Op = ir.OpURem
		p.intBinary(in)
	case "srem":
		in.Op = ir.OpSRem
		p.intBinary(in)
	case "and":
		in.Op = ir.OpAnd
		p.logical(in)
	case "or":
		in.Op = ir.OpOr
		if p.eatWord("disjoint") {
			in.Flags = ir.Disjoint
		}
		p.logical(in)
	case "xor":
		in.Op = ir.OpXor
		p.logical(in)
	case "fadd":
		p.floatBinary(in, ir.OpFAdd)
	case "fsub":
		p.floatBinary(in, ir.OpFSub)
	case "fmul":
		p.floatBinary(in, ir.OpFMul)
	case "fdiv":
		p.floatBinary(in, ir.OpFDiv)
	case "frem":
		p.floatBinary(in, ir.OpFRem)
	case "fneg":
		in.Op, in.Flags = ir.OpFNeg, p.fastMath()
		o := p.off
		t, v := p.typeAndValue()
		if p.ok() && !p.t.IsFloat(p.t.Scalar(t)) {
			p.errorAt(o, "invalid operand type for instruction")
		}
		in.Type = t
		p.push(v)
	case "zext", "uitofp":
		if p.eatWord("nneg") {
			in.Flags |= ir.NNeg
		}
		if w == "uitofp" {
			in.Flags |= p.fastMath()
			if p.eatWord("nneg") {
				in.Flags |= ir.NNeg
			}
		}
		p.cast(in, w)
	case "trunc":
		in.Flags = p.wrapFlags()
		p.cast(in, w)
	case "fptrunc", "fpext", "sitofp":
		in.Flags = p.fastMath()
		p.cast(in, w)
	case "sext", "fptoui", "fptosi", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast":
		p.cast(in, w)
	case "select":
		in.Op, in.Flags = ir.OpSelect, p.fastMath()
		p.selectInstr(in)
		if p.ok() && in.Flags != 0 && !p.fpMathType(in.Type) {
			p.errorAt(off, "fast-math-flags specified for select without floating-point scalar or vector return type")
		}
	case "switch":
		p.switchInstr(in)
	case "unreachable":
		in.Op = ir.OpUnreachable
	case "freeze":
		in.Op = ir.OpFreeze
		t, v := p.typeAndValue()
		in.Type = t
		p.push(v)
	case "invoke":
		p.invoke(in, off)
	case "callbr":
		p.callbr(in, off)
	default:
		return p.rareInstruction(in, w, off)
	}
	return false
}

// fastMath reads fast-math flags.
func (p *parser) fastMath() (f ir.Flags) {
	for p.tok == tWord {
		switch p.text() {
		case "fast":
			f |= ir.FastMath
		case "nnan":
			f |= ir.NoNaNs
		case "ninf":
			f |= ir.NoInfs
		case "nsz":
			f |= ir.NoSignedZeros
		case "arcp":
			f |= ir.AllowReciprocal
		case "contract":
			f |= ir.Contract
		case "afn":
			f |= ir.ApproxFunc
		case "reassoc":
			f |= ir.Reassoc
		default:
			return f
		}
		p.next()
	}
	return f
}

// What is missing between two operands.
const (
	inArithmetic = "expected ',' in arithmetic operation"
	inCompare    = "expected ',' after compare value"
)

// operandPair reads "T a, b" and returns T; comma is what a comma that is missing gives. The place of a is in fs.offs[0].
func (p *parser) operandPair(comma string) ir.Type {
	p.fn.offs = append(p.fn.offs[:0], p.off)
	t := p.typ("expected type")
	if t == 0 {
		return 0
	}
	a := p.value(t)
	p.expect(',', comma)
	b := p.value(t)
	p.push(a)
	p.push(b)
	return t
}

func (p *parser) intBinary(in *ir.Instr) {
	in.Type = p.operandPair(inArithmetic)
	if p.ok() && p.t.IntBits(p.t.Scalar(in.Type)) == 0 {
		p.errorAt(p.fn.offs[0], "invalid operand type for instruction")
	}
}

func (p *parser) logical(in *ir.Instr) {
	in.Type = p.operandPair("expected ',' in logical operation")
	if p.ok() && p.t.IntBits(p.t.Scalar(in.Type)) == 0 {
		p.errorAt(p.fn.offs[0], "instruction requires integer or integer vector operands")
	}
}

func (p *parser) exactBinary(in *ir.Instr, op ir.Op) {
	in.Op = op
	if p.eatWord("exact") {
		in.Flags = ir.Exact
	}
	p.intBinary(in)
}

func (p *parser) floatBinary(in *ir.Instr, op ir.Op) {
	in.Op, in.Flags = op, p.fastMath()
	in.Type = p.operandPair(inArithmetic)
	if p.ok() && !p.t.IsFloat(p.t.Scalar(in.Type)) {
		p.errorAt(p.fn.offs[0], "invalid operand type for instruction")
	}
}

// boolLike returns i1, or a vector of i1 as long as t.
func (p *parser) boolLike(t ir.Type) ir.Type {
	if t != 0 && p.t.IsVector(t) {
		return p.t.Vector(ir.Int1, p.t.NumElems(t), p.t.Kind(t) == ir.KindScalableVector)
	}
	return ir.Int1
}

func (p *parser) icmp(in *ir.Instr) {
	in.Op = ir.OpICmp
	if p.eatWord("samesign") {
		in.Flags = ir.SameSign
	}
	switch w := p.text(); {
	case p.tok != tWord:
		p.error("expected icmp predicate (e.g. 'eq')")
		return
	case w == "eq":
		in.Pred = ir.ICmpEQ
	case w == "ne":
		in.Pred = ir.ICmpNE
	case w == "slt":
		in.Pred = ir.ICmpSLT
	case w == "sgt":
		in.Pred = ir.ICmpSGT
	case w == "sle":
		in.Pred = ir.ICmpSLE
	case w == "sge":
		in.Pred = ir.ICmpSGE
	case w == "ult":
		in.Pred = ir.ICmpULT
	case w == "ugt":
		in.Pred = ir.ICmpUGT
	case w == "ule":
		in.Pred = ir.ICmpULE
	case w == "uge":
		in.Pred = ir.ICmpUGE
	default:
		p.error("expected icmp predicate (e.g. 'eq')")
		return
	}
	p.next()
	t := p.operandPair(inCompare)
	if !p.ok() {
		return
	}
	if s := p.t.Scalar(t); p.t.IntBits(s) == 0 && p.t.Kind(s) != ir.KindPointer {
		p.errorAt(p.fn.offs[0], "icmp requires integer operands")
		return
	}
	in.Type = p.boolLike(t)
}

// fcmpNames are the predicates of fcmp by LLVM's numbers.
var fcmpNames = [...]string{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true"}

func (p *parser) fpred() ir.Pred {
	if p.tok == tWord {
		w := p.text()
		for i, n := range fcmpNames {
			if n == w {
				p.next()
				return ir.Pred(i)
			}
		}
	}
	p.error("expected fcmp predicate (e.g. 'oeq')")
	return 0
}

func (p *parser) ret(in *ir.Instr) {
	in.Op = ir.OpRet
	off := p.off
	t := p.typeOrVoid("expected type", true)
	if !p.ok() {
		return
	}
	want := p.t.Result(p.m.Globals[p.fn.f.ID].ValueType)
	if t == ir.Void {
		if want != ir.Void {
			p.errorAt(off, "value doesn't match function result type '"+p.typeString(want)+"'")
		}
		return
	}
	v := p.value(t)
	if p.ok() && t != want {
		p.errorAt(off, "value doesn't match function result type '"+p.typeString(want)+"'")
		return
	}
	p.push(v)
}

func (p *parser) br(in *ir.Instr) {
	in.Op = ir.OpBr
	off := p.off
	if p.is("label") {
		p.push(p.labelOperand())
		return
	}
	t, c := p.typeAndValue()
	if !p.ok() {
		return
	}
	if t != ir.Int1 {
		p.errorAt(off, "branch condition must have 'i1' type")
		return
	}
	p.expect(',', "expected ',' after branch condition")
	a := p.labelOperand()
	p.expect(',', "expected ',' after true destination")
	b := p.labelOperand()
	p.push(c)
	p.push(a)
	p.push(b)
}

func (p *parser) switchInstr(in *ir.Instr) {
	in.Op = ir.OpSwitch
	off := p.off
	t, c := p.typeAndValue()
	p.expect(',', "expected ',' after switch condition")
	d := p.labelOperand()
	p.expect('[', "expected '[' with switch table")
	if !p.ok() {
		return
	}
	if p.t.IntBits(t) == 0 {
		p.errorAt(off, "switch condition must have integer type")
		return
	}
	p.push(c)
	p.push(d)
	if p.fn.cases == nil || len(p.fn.cases) > 64 { // a large one would be cleared as a whole each time
		p.fn.cases = map[ir.Value]bool{}
	}
	seen := p.fn.cases
	clear(seen)
	for p.ok() && p.tok != ']' {
		o := p.off
		_, v := p.typeAndValue()
		p.expect(',', "expected ',' after case value")
		b := p.labelOperand()
		if !p.ok() {
			return
		}
		if seen[v] {
			p.errorAt(o, "duplicate case value in switch")
			return
		}
		seen[v] = true
		if p.constKind(v) != ir.ConstInt {
			p.errorAt(o, "case value is not a constant integer")
			return
		}
		p.push(v)
		p.push(b)
	}
	p.expect(']', "expected ']' with switch table")
}

func (p *parser) phi(in *ir.Instr) (comma bool) {
	in.Op, in.Flags = ir.OpPhi, p.fastMath()
	off := p.off
	t := p.typ("expected type")
	if t == 0 {
		return
	}
	if !p.firstClass(t) {
		p.errorAt(off, "phi node must have first class type")
		return
	}
	in.Type = t
	if p.tok != '[' {
		return false
	}
	for {
		if p.tok == tMDName {
			return true
		}
		p.expect('[', "expected '[' in phi value list")
		v := p.value(t)
		p.expect(',', "expected ',' after insertelement value")
		if p.tok != tLocal && p.tok != tLocalID {
			p.error(p.notBlock())
			return
		}
		b := p.localRef(ir.Label)
		p.expect(']', "expected ']' in phi value list")
		if !p.ok() {
			return
		}
		p.push(v)
		p.push(b)
		if !p.eat(',') {
			return false
		}
	}
}

func (p *parser) cast(in *ir.Instr, w string) {
	in.Op = castOp(w)
	off := p.off
	from, v := p.typeAndValue()
	p.expectWord("to", "expected 'to' after cast value")
	to := p.typ("expected type")
	if !p.ok() {
		return
	}
	if !p.t.CastValid(in.Op, from, to) {
		p.errorAt(off, "invalid cast opcode for cast from '"+p.typeString(from)+"' to '"+p.typeString(to)+"'")
		return
	}
	in.Type = to
	p.push(v)
}

func (p *parser) selectInstr(in *ir.Instr) {
	off := p.off
	ct, c := p.typeAndValue()
	p.expect(',', "expected ',' after select condition")
	at, a := p.typeAndValue()
	p.expect(',', "expected ',' after select value")
	bt, b := p.typeAndValue()
	if !p.ok() {
		return
	}
	msg := ""
	switch {
	case at != bt:
		msg = "both values to select must have same type"
	case at == ir.Token:
		msg = "select values cannot have token type"
	case p.t.IsVector(ct):
		switch {
		case p.t.Elem(ct) != ir.Int1:
			msg = "vector select condition element type must be i1"
		case !p.t.IsVector(at):
			msg = "selected values for vector select must be vectors"
		case p.t.NumElems(at) != p.t.NumElems(ct) || p.t.Kind(at) != p.t.Kind(ct):
			msg = "vector select requires selected vectors to have the same vector length as select condition"
		}
	case ct != ir.Int1:
		msg = "select condition must be i1 or <n x i1>"
	}
	if msg != "" {
		p.errorAt(off, msg)
		return
	}
	in.Type = at
	p.push(c)
	p.push(a)
	p.push(b)
}
