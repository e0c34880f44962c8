package mirtext

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

func (p *miParser) push(o mir.Operand) {
	p.ops = append(p.ops, o)
	p.ends = append(p.ends, p.off)
	p.begins = append(p.begins, p.prevEnd)
}

// operand reads an operand with its target flags.
func (p *miParser) operand(op desc.Opcode) {
	var tf uint16
	has := false
	if p.is("target-flags") {
		p.next()
		tf, has = p.targetFlags(), true
		if !p.ok() {
			return
		}
	}
	off := p.off
	n := len(p.ops)
	p.plainOperand(op)
	if has && p.ok() {
		if p.ops[n].IsReg() {
			p.errorOff(off, "register operands can't have target flags")
			return
		}
		p.ops[n] = p.ops[n].WithTargetFlags(tf)
	}
}

func (p *miParser) targetFlags() uint16 {
	if !p.expect('(') {
		return 0
	}
	var v uint64
	for first := true; ; first = false {
		if p.tok != tIdent {
			p.error("expected the name of the target flag")
			return 0
		}
		x, ok := p.in.DirectFlagByName(p.text)
		if !ok || !first {
			var isMask bool
			if x, isMask = p.in.BitmaskFlagByName(p.text); !isMask {
				p.error("use of undefined target flag '" + p.text + "'")
				return 0
			}
		}
		v |= x
		p.next()
		if !p.eat(',') {
			break
		}
	}
	p.expect(')')
	return uint16(v)
}

func (p *miParser) plainOperand(op desc.Opcode) {
	f := p.f
	if p.large() {
		return
	}
	switch p.tok {
	case tPhysReg, tVReg, tNamedVReg:
		p.regOperand(false)
	case tInt:
		p.imm(op)
	case tIntType:
		p.constant()
	case tBlockRef:
		p.push(mir.BlockOp(p.blockRef()))
	case tStack, tFixedStack:
		p.push(mir.FrameOp(p.frameIndex()))
	case tConst:
		i, ok := p.consts[p.num]
		if !ok {
			p.error("use of undefined constant '%const." + strconv.FormatUint(p.num, 10) + "'")
			return
		}
		p.next()
		p.push(mir.IndexOp(mir.OpCPI, i, p.offset(), 0))
	case tJumpTable:
		i, ok := p.tables[p.num]
		if !ok {
			p.error("use of undefined jump table '%jump-table." + strconv.FormatUint(p.num, 10) + "'")
			return
		}
		p.next()
		p.push(mir.IndexOp(mir.OpJTI, i, 0, 0))
	case tSubRegIdx:
		s, ok := p.names.subRegs[p.text]
		if !ok {
			v, err := strconv.ParseUint(p.text, 10, 12)
			if err != nil {
				p.error("unknown subregister index '" + p.text + "'")
				return
			}
			s = uint16(v)
		}
		p.next()
		p.push(mir.ImmOp(int64(s)))
	case tGlobal, tGlobalNum:
		g := p.global()
		if p.ok() {
			p.push(mir.IndexOp(mir.OpGlobal, uint32(g), p.offset(), 0))
		}
	case tExtSym:
		s := f.Symbol(p.text)
		p.next()
		p.push(mir.IndexOp(mir.OpExtSym, s, p.offset(), 0))
	case tMCSymbol:
		s := f.Symbol(p.text)
		p.next()
		p.push(mir.IndexOp(mir.OpMCSymbol, s, p.offset(), 0))
	case '!', tMDName:
		switch {
		case p.tok == '!', p.text == "DIExpression":
		case slices.Contains(metadataWords[:], p.text):
			p.error("expected a machine operand")
			return
		default:
			p.error("use of unknown metadata keyword '!" + p.text + "'")
			return
		}
		id := p.metadata()
		p.push(mir.IndexOp(mir.OpMetadata, uint32(id), 0, 0))
	case tIdent:
		p.wordOperand(op)
	case '.':
		if !hasWordImm(family.Of(p.in), p.in, op) {
			p.error("expected a machine operand")
			return
		}
		p.wordImm()
	default:
		p.error("expected a machine operand")
	}
}

// metadataWords may stand behind !, but as no operand.
var metadataWords = [...]string{"tbaa", "alias.scope", "noalias", "noalias.addrspace", "range", "DILocation"}

// wordImm reads an immediate that is written as a word.
func (p *miParser) wordImm() {
	e := p.scan(p.off+1, cIdent)
	v, rest, fault := parseDelayALU(p.src[p.off:e])
	if fault != "" {
		p.errorOff(e-len(rest), fault)
		return
	}
	p.pos = e
	p.next()
	p.push(mir.ImmOp(v))
}

func (p *miParser) imm(op desc.Opcode) {
	v, err := strconv.ParseInt(p.text, 10, 64)
	if err != nil && p.text[0] != '-' {
		var u uint64
		u, err = strconv.ParseUint(p.text, 10, 64)
		v = int64(u)
	}
	if err != nil {
		p.error("integer literal is too large to be an immediate operand")
		return
	}
	p.next()
	p.push(mir.ImmOp(v))
}

// rest returns the text from the current token to the end of the line.
func (p *miParser) rest() string {
	e := p.off
	for e < p.end && p.src[e] != '\n' {
		e++
	}
	return p.src[p.off:e]
}

// constant reads a typed constant: i32 7, float 1.0.
func (p *miParser) constant() {
	off := p.off
	first, rest := p.tok, p.lexer
	if p.next(); first == tIntType && p.tok != tInt && !p.is("true") && !p.is("false") {
		p.error("expected an integer literal")
		return
	} else if first == tIdent && p.tok != tFloat && p.tok != tHex {
		p.error("expected a floating point literal")
		return
	}
	p.lexer = rest
	pool := ir.NewConstPool()
	v, t, n, err := p.ctx.Constant(p.rest(), pool)
	if err != nil {
		f, _ := faultOf(err)
		p.errorOff(off+f.Off, f.Msg)
		return
	}
	p.pos = off + n
	p.next()
	p.prevEnd = off + n
	c := v.Const()
	if c == 0 {
		p.errorOff(off, "expected a constant")
		return
	}
	row := pool.At(c)
	words := pool.Words(c)
	switch row.Kind {
	case ir.ConstInt:
		bits := p.out.Module.Types.IntBits(t)
		p.push(p.f.CImm(bits, words...))
	case ir.ConstFP:
		hi := uint64(0)
		if len(words) > 1 {
			hi = words[1]
		}
		p.push(p.f.FPImm(t, words[0], hi))
	default:
		p.errorOff(off, "expected an integer or a floating point literal")
	}
}

// offset reads + N or - N.
func (p *miParser) offset() int64 {
	if p.tok != '+' && p.tok != '-' {
		return 0
	}
	sign, neg := p.text, p.tok == '-'
	_ = sign
	word := string(rune(p.tok))
	p.next()
	if p.tok != tInt {
		p.error("expected an integer literal after '" + word + "'")
		return 0
	}
	v, err := strconv.ParseInt(p.text, 10, 64)
	if err != nil {
		if u, err := strconv.ParseUint(p.text, 10, 64); err == nil && neg && u == 1<<63 {
			p.next()
			return -1 << 63
		}
		p.error("expected 64-bit integer (too large)")
		return 0
	}
	p.next()
	if neg {
		v = -v
	}
	return v
}

func (p *miParser) blockRef() mir.BlockID {
	if p.tok != tBlockRef {
		p.error("expected a machine basic block reference")
		return 0
	}
	if p.large() {
		return 0
	}
	b, ok := p.blocks[p.num]
	if !ok {
		p.error("use of undefined machine basic block #" + strconv.FormatUint(p.num, 10))
		return 0
	}
	if p.text != "" {
		name := ""
		if id := p.f.Block(b).IRBlock; id != 0 {
			name = p.f.IR.BlockNames[id]
		}
		if name != p.text {
			p.error("the name of machine basic block #" + strconv.FormatUint(p.num, 10) + " isn't '" + p.text + "'")
			return 0
		}
	}
	p.next()
	return b
}

func (p *miParser) frameIndex() int {
	switch p.tok {
	case tFixedStack:
		fi, ok := p.fixed[p.num]
		if !ok {
			p.error("use of undefined fixed stack object '%fixed-stack." + strconv.FormatUint(p.num, 10) + "'")
			return 0
		}
		p.next()
		return fi
	case tStack:
		fi, ok := p.funcReader.stack[p.num]
		if !ok {
			p.error("use of undefined stack object '%stack." + strconv.FormatUint(p.num, 10) + "'")
			return 0
		}
		name := ""
		if o := p.f.Frame.Object(fi); o.Name != 0 && p.f.IR != nil {
			name = p.f.IR.ValueNames[o.Name]
		}
		if p.text != "" && p.text != name {
			p.error("the name of the stack object '%stack." + strconv.FormatUint(p.num, 10) + "' isn't '" + p.text + "'")
			return 0
		}
		p.next()
		return fi
	}
	p.error("expected a stack object")
	return 0
}

func (p *miParser) global() ir.GlobalID {
	switch p.tok {
	case tGlobal:
		g := p.out.Module.Lookup(p.text)
		if g == 0 {
			p.error("use of undefined global value '" + p.src[p.off:p.pos] + "'")
			return 0
		}
		p.next()
		return g
	case tGlobalNum:
		g := p.ctx.GlobalNumbered(uint32(p.num))
		if g == 0 {
			p.error("use of undefined global value '@" + strconv.FormatUint(p.num, 10) + "'")
			return 0
		}
		p.next()
		return g
	}
	p.error("expected a global value")
	return 0
}

// large reports a number that LLVM does not read.
func (p *miParser) large() bool {
	switch p.tok {
	case tBlockRef, tBlockLabel, tStack, tFixedStack, tConst, tJumpTable, tVReg, tIRBlockNum, tIRValueNum, tGlobalNum:
		return p.num > math.MaxUint32 && !p.error("expected 32-bit integer (too large)")
	}
	return false
}

// numberedMetadata reads !7: LLVM's parseMDNode takes the first token for !,
// whatever it is.
func (p *miParser) numberedMetadata() ir.MDID {
	if p.tok != '!' || charClass[p.at(p.pos)]&cNum == 0 {
		p.next()
		p.error("expected metadata id after '!'")
		return 0
	}
	return p.metadata()
}

// keywords are the words that LLVM's MILexer knows, which are no operands of a
// type and no names of instructions.
var keywords = [...]string{
	"_", "implicit", "implicit-def", "def", "dead", "killed", "undef", "internal", "early-clobber", "debug-use", "renamable", "tied-def", "frame-setup",
	"frame-destroy", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "nusw", "nuw", "nsw", "exact", "nneg", "disjoint", "samesign",
	"nofpexcept", "unpredictable", "noconvergent", "inbounds", "debug-location", "debug-instr-number", "dbg-instr-ref", "same_value", "offset",
	"rel_offset", "def_cfa_register", "def_cfa_offset", "adjust_cfa_offset", "escape", "def_cfa", "llvm_def_aspace_cfa", "remember_state", "restore",
	"restore_state", "undefined", "register", "window_save", "negate_ra_sign_state", "negate_ra_sign_state_with_pc", "blockaddress", "intrinsic",
	"target-index", "half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128", "target-flags", "volatile", "non-temporal",
	"dereferenceable", "invariant", "align", "basealign", "addrspace", "stack", "got", "jump-table", "constant-pool", "call-entry", "custom",
	"lanemask", "liveout", "landing-pad", "inlineasm-br-indirect-target", "ehscope-entry", "ehfunclet-entry", "liveins", "successors", "floatpred",
	"intpred", "shufflemask", "pre-instr-symbol", "post-instr-symbol", "heap-alloc-marker", "pcsections", "cfi-type", "deactivation-symbol",
	"bbsections", "bb_id", "unknown-size", "unknown-address", "ir-block-address-taken", "machine-block-address-taken", "call-frame-size", "distinct",
}

func isKeyword(w string) bool { return slices.Contains(keywords[:], w) }

// metadata reads !7, or a node written in place.
func (p *miParser) metadata() ir.MDID {
	off := p.off
	if p.tok == '!' && charClass[p.at(p.pos)]&cNum != 0 {
		p.next()
		if p.tok != tInt {
			p.error("expected metadata id after '!'")
			return 0
		}
		n, err := strconv.ParseUint(p.text, 10, 32)
		id := ir.MDID(0)
		if err == nil {
			id = p.ctx.Numbered(uint32(n))
		}
		if id == 0 || p.out.Module.MD.At(id) == nil {
			p.errorOff(off, "use of undefined metadata '!"+p.text+"'")
			return 0
		}
		p.next()
		return id
	}
	if p.tok != '!' && p.tok != tMDName {
		p.error("expected a metadata node")
		return 0
	}
	if p.tok == '!' && p.at(p.pos) != '{' && p.at(p.pos) != '"' {
		p.next()
		p.error("expected metadata id after '!'")
		return 0
	}
	if p.tok == tMDName && p.text == "DILocation" {
		return p.diLocation()
	}
	text := p.rest()
	if p.tok == tMDName { // LLVM's reader of IR goes on in the next lines
		text = p.src[p.off:p.end]
	}
	id, n, err := p.ctx.Metadata(text)
	if err != nil {
		f, _ := faultOf(err)
		p.errorOff(off+f.Off, f.Msg)
		return 0
	}
	p.pos = off + n
	p.next()
	p.prevEnd = off + n
	return id
}

func (p *miParser) wordOperand(op desc.Opcode) {
	f := p.f
	w := p.text
	switch w {
	case "implicit", "implicit-def", "def", "dead", "killed", "undef", "internal", "early-clobber", "debug-use", "renamable", "_":
		p.regOperand(false)
		return
	case "half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128":
		p.constant()
		return
	case "target-index":
		p.next()
		if !p.expect('(') {
			return
		}
		if p.tok != tIdent {
			p.error("expected the name of the target index")
			return
		}
		v, ok := p.in.TargetIndexByName(p.text)
		if !ok {
			p.error("use of undefined target index '" + p.text + "'")
			return
		}
		p.next()
		if p.expect(')') {
			p.push(mir.IndexOp(mir.OpTargetIndex, uint32(v), p.offset(), 0))
		}
		return
	case "blockaddress":
		p.blockAddress()
		return
	case "intrinsic":
		if p.next(); p.tok == '(' {
			p.next()
		} else {
			p.error("expected syntax intrinsic(@llvm.whatever)")
		}
		if p.tok != tGlobal {
			p.error("expected syntax intrinsic(@llvm.whatever)")
			return
		}
		id := ir.LookupIntrinsic(p.text)
		if p.next(); p.tok != ')' {
			p.error("expected ')' to terminate intrinsic name")
			return
		}
		if p.next(); !id.Known() {
			p.error("unknown intrinsic name")
			return
		}
		p.push(mir.IntrinsicOp(id))
		return
	case "intpred", "floatpred":
		p.predicate(w == "floatpred")
		return
	case "shufflemask":
		p.shuffleMask()
		return
	case "dbg-instr-ref":
		const syntax = "expected syntax dbg-instr-ref(<unsigned>, <unsigned>)"
		if p.next(); p.tok != '(' {
			p.error(syntax)
			return
		}
		p.next()
		a, ok := p.unsigned("expected unsigned integer for instruction index")
		if !ok {
			return
		}
		if !p.eat(',') {
			p.error(syntax)
			return
		}
		b, ok := p.unsigned("expected unsigned integer for operand index")
		if ok && p.tok != ')' {
			p.error(syntax)
		}
		if p.ok() {
			p.next()
			p.push(mir.IndexOp(mir.OpDbgInstrRef, uint32(a), int64(b), 0))
		}
		return
	case "lanemask":
		p.next()
		if !p.expect('(') {
			return
		}
		if p.tok != tInt && p.tok != tHex {
			p.error("expected a valid lane mask value")
			return
		}
		v := p.laneMask()
		if p.ok() && p.expect(')') {
			p.push(mir.LaneMaskOp(v))
		}
		return
	case "liveout":
		p.maskOperand(mir.OpLiveOut)
		return
	case "CustomRegMask":
		p.maskOperand(mir.OpRegMask)
		return
	case "floatimm":
	}
	if op == desc.CFI_INSTRUCTION {
		if k, ok := cfiKind(w); ok {
			p.cfi(k)
			return
		}
	}
	if i, ok := p.names.masks[w]; ok {
		p.next()
		p.push(f.NamedRegMask(i))
		return
	}
	if isKeyword(w) && op != desc.CFI_INSTRUCTION {
		p.error("expected a machine operand")
		return
	}
	p.typedImmediate()
}

// typedImmediate reads i32 7 and the like, or says what is missing.
func (p *miParser) typedImmediate() {
	switch w := p.text; {
	case w[0] != 'i' && w[0] != 's' && w[0] != 'p':
		p.error("a typed immediate operand should start with one of 'i', 's', or 'p'")
	case w[0] == 'i':
		p.error("expected integers after 'i'/'s'/'p' type character")
	case strings.Trim(w[1:], "0123456789") != "" || len(w) == 1:
		p.error("expected integers after 'i'/'s'/'p' type character")
	default:
		off := p.off
		if p.next(); p.tok != tInt && !p.is("true") && !p.is("false") {
			p.error("expected an integer literal")
			return
		}
		p.errorOff(off, "expected type")
	}
}

func (p *miParser) blockAddress() {
	p.next()
	if !p.expect('(') {
		return
	}
	if p.tok != tGlobal && p.tok != tGlobalNum {
		p.error("expected a global value")
		return
	}
	off := p.off
	g := p.global()
	if !p.ok() {
		return
	}
	fn := p.out.Module.Globals[g]
	if fn.Kind != ir.GlobalFunc {
		p.errorOff(off, "expected an IR function reference")
		return
	}
	if !p.expect(',') {
		return
	}
	if p.tok != tIRBlock && p.tok != tIRBlockNum {
		p.error("expected an IR block reference")
		return
	}
	b, ok := p.irBlockRef(fn.Func)
	if !ok || !p.expect(')') {
		return
	}
	p.f.BlockAddrs = append(p.f.BlockAddrs, mir.BlockAddr{Func: g, Block: b})
	p.push(mir.IndexOp(mir.OpBlockAddr, uint32(len(p.f.BlockAddrs)-1), p.offset(), 0))
}

func (p *miParser) predicate(float bool) {
	if p.next(); p.tok != '(' {
		p.error("expected syntax intpred(whatever) or floatpred(whatever")
		return
	}
	if p.next(); p.tok != tIdent {
		p.error("whatever")
		return
	}
	list, base := icmpNames[:], uint8(ir.ICmpEQ)
	if float {
		list, base = fcmpNames[:], 0
	}
	for i, n := range list {
		if n == p.text {
			if p.next(); p.tok != ')' {
				p.error("predicate should be terminated by ')'.")
				return
			}
			p.next()
			p.push(mir.PredOp(base + uint8(i)))
			return
		}
	}
	if float {
		p.error("invalid floating-point predicate")
	} else {
		p.error("invalid integer predicate")
	}
}

func (p *miParser) shuffleMask() {
	p.next()
	if p.tok != '(' {
		p.error("expected syntax shufflemask(<integer or undef>, ...)")
		return
	}
	p.next()
	var mask []int32
	for {
		if p.eatWord("undef") || p.eatWord("poison") {
			mask = append(mask, -1)
		} else {
			if p.tok != tInt {
				p.error("expected integer constant")
				return
			}
			v, err := strconv.ParseInt(p.text, 10, 32)
			if err != nil {
				p.error("expected integer constant")
				return
			}
			mask = append(mask, int32(v))
			p.next()
		}
		if !p.eat(',') {
			break
		}
	}
	if p.tok != ')' {
		p.error("shufflemask should be terminated by ')'.")
		return
	}
	p.next()
	if len(mask) < 2 {
		p.error("shufflemask should have > 1 element")
		return
	}
	if p.ok() {
		p.f.ShuffleMasks = append(p.f.ShuffleMasks, mask)
		p.push(mir.IndexOp(mir.OpShuffleMask, uint32(len(p.f.ShuffleMasks)-1), 0, 0))
	}
}

// maskOperand reads liveout(…) or CustomRegMask(…).
func (p *miParser) maskOperand(kind mir.OpKind) {
	p.next()
	if !p.expect('(') {
		return
	}
	mask := make([]uint32, p.in.RegWords())
	for kind == mir.OpLiveOut || p.tok != ')' {
		if p.tok != tPhysReg {
			p.error("expected a named register")
			return
		}
		r := p.register()
		if !p.ok() {
			return
		}
		mask[r/32] |= 1 << (r % 32)
		if !p.eat(',') {
			break
		}
	}
	if p.expect(')') {
		p.f.RegMasks = append(p.f.RegMasks, mask)
		p.push(mir.IndexOp(kind, uint32(len(p.f.RegMasks)-1), 0, 0))
	}
}
