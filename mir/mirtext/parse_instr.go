package mirtext

import (
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

func instrFlag(s string) (v mir.MIFlags, ok bool) {
	switch s {
	case "frame-setup":
		return mir.FrameSetup, true
	case "frame-destroy":
		return mir.FrameDestroy, true
	case "nnan":
		return mir.FmNoNans, true
	case "ninf":
		return mir.FmNoInfs, true
	case "nsz":
		return mir.FmNsz, true
	case "arcp":
		return mir.FmArcp, true
	case "contract":
		return mir.FmContract, true
	case "afn":
		return mir.FmAfn, true
	case "reassoc":
		return mir.FmReassoc, true
	case "nuw":
		return mir.NoUWrap, true
	case "nsw":
		return mir.NoSWrap, true
	case "exact":
		return mir.IsExact, true
	case "nofpexcept":
		return mir.NoFPExcept, true
	case "nomerge":
		return mir.NoMerge, true
	case "unpredictable":
		return mir.Unpredictable, true
	case "noconvergent":
		return mir.NoConvergent, true
	case "nneg":
		return mir.NonNeg, true
	case "disjoint":
		return mir.Disjoint, true
	case "nusw":
		return mir.NoUSWrap, true
	case "samesign":
		return mir.SameSign, true
	case "inbounds":
		return mir.InBounds, true
	case "lr-split":
		return mir.LRSplit, true
	}
	return v, false
}

// regFlag returns the register flag that a word names.
func regFlag(w string) (mir.OpFlags, bool) {
	switch w {
	case "implicit":
		return mir.Implicit, true
	case "implicit-def":
		return mir.Implicit | mir.Def, true
	case "def":
		return mir.Def, true
	case "dead", "killed":
		return mir.DeadOrKill, true
	case "undef":
		return mir.Undef, true
	case "internal":
		return mir.InternalRead, true
	case "early-clobber":
		return mir.EarlyClobber, true
	case "debug-use":
		return mir.Debug, true
	case "renamable":
		return mir.Renamable, true
	}
	return 0, false
}

func (p *miParser) isRegFlag() bool {
	if p.tok != tIdent {
		return false
	}
	_, ok := regFlag(p.text)
	return ok
}

func (p *miParser) isReg() bool {
	return p.tok == tPhysReg || p.tok == tVReg || p.tok == tNamedVReg || p.is("_")
}

// isTrailer reports a word behind the operands.
func (p *miParser) isTrailer() bool {
	if p.tok != tIdent {
		return false
	}
	return trailerRank(p.text) >= 0
}

// trailerRank is the place of a word in the order that trailers must have.
func trailerRank(w string) int {
	return slices.Index(trailers[:], w)
}

var trailers = [...]string{"pre-instr-symbol", "post-instr-symbol", "heap-alloc-marker", "pcsections", "mmra", "cfi-type", "deactivation-symbol",
	"debug-instr-number", "debug-location"}

func (p *miParser) atEnd() bool {
	return p.tok == tNewline || p.tok == tEOF || p.tok == tColons || p.tok == '{'
}

// instr reads one instruction.
func (p *miParser) instr() mir.InstrID {
	p.ops, p.ties, p.ends, p.begins = p.ops[:0], p.ties[:0], p.ends[:0], p.begins[:0]
	for p.isReg() || p.isRegFlag() {
		p.regOperand(true)
		if !p.ok() {
			return 0
		}
		if !p.eat(',') {
			break
		}
	}
	if len(p.ops) > 0 && !p.expect('=') {
		return 0
	}
	flags := mir.MIFlags(0)
	for p.tok == tIdent {
		fl, ok := instrFlag(p.text)
		if !ok {
			break
		}
		flags |= fl
		p.next()
	}
	if p.tok != tIdent {
		p.error("expected a machine instruction")
		return 0
	}
	op, ok := p.names.opcodes(p.text)
	if !ok && isKeyword(p.text) {
		p.error("expected a machine instruction")
		return 0
	}
	if !ok {
		p.error("unknown machine instruction name '" + p.text + "'")
		return 0
	}
	p.next()
	for !p.atEnd() && !p.isTrailer() && p.ok() {
		p.operand(op)
		if !p.ok() {
			return 0
		}
		if p.atEnd() {
			break
		}
		if p.tok != ',' {
			p.error("expected ',' before the next machine operand")
			return 0
		}
		p.next()
	}
	var extra mir.InstrExtra
	var loc mir.DebugLoc
	for last := ""; p.isTrailer() && p.ok(); {
		if trailerRank(p.text) <= trailerRank(last) || last == "deactivation-symbol" {
			if last != "debug-location" {
				p.next() // LLVM skips what it takes for the end of the line
			}
			p.error("expected a machine instruction")
			return 0
		}
		last = p.text
		p.trailer(&extra, &loc)
		if p.atEnd() {
			break
		}
		if p.tok != ',' {
			p.error("expected ',' before the next machine operand")
			return 0
		}
		p.next()
	}
	if p.ok() && loc != 0 && !p.atEnd() {
		// LLVM takes the comma behind a location for the end of the line.
		if p.isReg() {
			p.next()
			p.error("expected '='")
		} else {
			p.error("expected a machine instruction")
		}
	}
	if !p.ok() {
		return 0
	}
	i := p.create(op)
	in := p.f.Instr(i)
	in.SetFlags(flags)
	in.Loc = loc
	if extra != (mir.InstrExtra{}) {
		p.f.SetExtra(i, extra)
		p.maxNum = max(p.maxNum, extra.Number)
	}
	if p.tok == tColons {
		p.next()
		p.memOperands(i)
	}
	return i
}

// create makes the instruction from the operands read.
func (p *miParser) create(op desc.Opcode) mir.InstrID {
	f := p.f
	d := f.Facts.Instr(op)
	if !d.IsVariadic() && !p.checkImplicit(op, d) {
		return 0
	}
	debug := op == desc.DBG_VALUE || op == desc.DBG_VALUE_LIST || op == desc.DBG_PHI || op == desc.DBG_INSTR_REF
	declared := f.Facts.Operands(op)
	inOrder, seen := true, false
	for k := range p.ops {
		o := &p.ops[k]
		implicit := o.IsReg() && o.IsImplicit()
		if seen && !implicit {
			inOrder = false
		}
		seen = seen || implicit
		if debug && o.IsUse() {
			*o = o.WithFlag(mir.Debug, true)
		}
		if k < len(declared) && o.IsReg() && !o.IsImplicit() && declared[k].EarlyClobber && o.IsDef() {
			*o = o.WithFlag(mir.EarlyClobber, true)
		}
	}
	var i mir.InstrID
	if asm := op == desc.INLINEASM || op == desc.INLINEASM_BR; inOrder || asm {
		i = f.New(op, p.ops...)
	} else {
		i = f.New(op)
		for _, o := range p.ops {
			f.AddOp(i, o)
		}
	}
	ops := f.Ops(i)
	for k := range declared {
		if t := int(declared[k].TiedTo); t >= 0 && k < len(ops) && ops[k].IsUse() && !ops[k].IsImplicit() && t < len(ops) && ops[t].IsDef() {
			f.Tie(i, t, k)
		}
	}
	for _, t := range p.ties {
		if t.def >= len(ops) {
			p.errorOff(p.begins[t.use], "use of invalid tied-def operand index '"+strconv.Itoa(t.def)+"'; instruction has only "+
				strconv.Itoa(len(ops))+" operands")
			return 0
		}
		if !ops[t.def].IsDef() {
			p.errorOff(p.begins[t.use], "use of invalid tied-def operand index '"+strconv.Itoa(t.def)+"'; the operand #"+
				strconv.Itoa(t.def)+" isn't a defined register")
			return 0
		}
		if was := f.TiedTo(i, t.def); was >= 0 && was != t.use {
			for _, u := range p.ties {
				if u.def == t.def && u.use != t.use && u.use < t.use {
					p.errorOff(p.begins[t.use], "the tied-def operand #"+strconv.Itoa(t.def)+" is already tied with another register operand")
					return 0
				}
			}
			f.Untie(i, t.def)
		}
		f.Tie(i, t.def, t.use)
	}
	return i
}

// checkImplicit checks that the implicit registers of the description are written out.
func (p *miParser) checkImplicit(op desc.Opcode, d *desc.InstrDesc) bool {
	if d.IsCall() || d.NumImplicitDefs == 0 && d.NumImplicitUses == 0 {
		return true
	}
	check := func(list []desc.PhysReg, def bool, word string) bool {
	next:
		for _, r := range list {
			for k := range p.ops {
				if o := &p.ops[k]; o.IsReg() && o.IsDef() == def && o.Reg() == mir.Reg(r) && o.SubReg() == 0 {
					continue next
				}
			}
			off := p.off
			if n := len(p.ends); n > 0 {
				off = p.ends[n-1]
			}
			return p.errorOff(off, "missing implicit register operand '"+word+" "+string(p.in.AppendLowerReg([]byte{'$'}, r))+"'")
		}
		return true
	}
	return check(p.in.ImplicitDefs(op), true, "implicit-def") && check(p.in.ImplicitUses(op), false, "implicit")
}

// trailer reads one symbol, marker or location behind the operands.
func (p *miParser) trailer(e *mir.InstrExtra, loc *mir.DebugLoc) {
	w := p.text
	p.next()
	symbol := func() uint32 {
		if p.tok != tMCSymbol {
			p.error("expected a symbol after 'pre-instr-symbol'") // of the other kind, too
			return 0
		}
		s := p.f.Symbol(p.text)
		p.next()
		return s + 1
	}
	node := func() uint32 { return uint32(p.numberedMetadata()) }
	switch w {
	case "pre-instr-symbol":
		e.PreSymbol = symbol()
	case "post-instr-symbol":
		e.PostSymbol = symbol()
	case "heap-alloc-marker":
		e.HeapAlloc = node()
	case "pcsections":
		e.PCSections = node()
	case "mmra":
		e.MMRA = node()
	case "cfi-type":
		e.CFIType, e.HasCFIType = p.bits32("expected an integer literal after 'cfi-type'"), true
	case "deactivation-symbol":
		e.DeactivationSymbol = uint32(p.global())
	case "debug-instr-number":
		e.Number = p.bits32("expected an integer literal after 'debug-instr-number'")
	case "debug-location":
		if p.tok != '!' && !(p.tok == tMDName && p.text == "DILocation") {
			p.error("expected a metadata node after 'debug-location'")
			return
		}
		if p.tok == '!' {
			*loc = mir.DebugLoc(p.numberedMetadata())
		} else {
			*loc = mir.DebugLoc(p.metadata())
		}
		if off := p.off; p.ok() {
			if !p.out.Module.MD.IsLocation(ir.MDID(*loc)) {
				p.errorOff(off, "referenced metadata is not a DILocation")
			}
		}
	}
}

// register reads $name, %N, %name or _ without flags.
func (p *miParser) register() mir.Reg {
	switch p.tok {
	case tPhysReg:
		if p.text == "noreg" || p.text == "" {
			p.next()
			return 0
		}
		r, ok := p.in.RegByName(p.text)
		if !ok {
			p.error("unknown register name '" + p.text + "'")
			return 0
		}
		p.next()
		return mir.Reg(r)
	case tVReg:
		v := p.vreg(p.num)
		p.next()
		return v.reg
	case tNamedVReg:
		v := p.named[p.text]
		if v == nil {
			v = p.newVReg(0, p.text)
		}
		p.next()
		return v.reg
	}
	if p.is("_") {
		p.next()
		return 0
	}
	p.error("expected a named register")
	return 0
}

func (p *miParser) state(r mir.Reg) *vregState { return p.order[r.Index()] }

// regOperand reads a register operand with flags, sub-register, class, tie and type.
func (p *miParser) regOperand(def bool) {
	fl := mir.OpFlags(0)
	if def {
		fl = mir.Def
	}
	start, dead, killed := p.off, false, false
	for p.tok == tIdent {
		b, ok := regFlag(p.text)
		if !ok {
			break
		}
		again := fl&b == b
		switch p.text {
		case "dead":
			again, dead = dead, true
		case "killed":
			again, killed = killed, true
		}
		if again {
			p.error("duplicate '" + p.text + "' register flag")
			return
		}
		fl |= b
		p.next()
	}
	if !p.isReg() {
		p.error("expected a register after register flags")
		return
	}
	virtual := p.tok == tVReg || p.tok == tNamedVReg
	if p.large() {
		return
	}
	r := p.register()
	if !p.ok() {
		return
	}
	var sub uint16
	if p.tok == '.' {
		p.next()
		if p.tok != tIdent || isKeyword(p.text) {
			p.error("expected a subregister index after '.'")
			return
		}
		s, ok := p.names.subRegs[p.text]
		if !ok {
			p.error("use of unknown subregister index '" + p.text + "'")
			return
		}
		sub = s
		p.next()
		if !virtual {
			p.error("subregister index expects a virtual register")
			return
		}
	}
	if p.tok == ':' {
		if !virtual {
			p.error("register class specification expects a virtual register")
			return
		}
		p.next()
		p.classOrBank(r)
	}
	n := len(p.ops)
	if fl&mir.Def == 0 {
		if p.tok == '(' {
			p.next()
			switch {
			case p.is("tied-def"):
				const missing = "expected tied-def or low-level type after '('"
				if p.next(); p.tok != tInt {
					p.error(missing)
					return
				}
				v, _ := p.unsigned(missing)
				if p.ok() && p.tok != ')' {
					p.error(missing)
				}
				p.next()
				p.ties = append(p.ties, tie{n, int(v)})
				if p.tok == '(' {
					p.next()
					p.typeOf(r, true)
				}
			default:
				if virtual {
					p.typeOf(r, true)
					break
				}
				p.badType = "expected tied-def or low-level type after '('"
				p.llt()
				p.badType = ""
				p.error("unexpected type on physical register")
				return
			}
		}
	} else if p.tok == '(' {
		p.next()
		if !virtual {
			p.error("unexpected type on physical register")
			return
		}
		p.typeOf(r, false)
	} else if virtual && p.state(r).generic {
		p.error("generic virtual registers must have a type")
		return
	}
	if !p.ok() {
		return
	}
	switch {
	case killed && fl&mir.Def != 0:
		p.error("cannot have a killed def operand")
		return
	case dead && fl&mir.Def == 0:
		p.error("cannot have a dead use operand")
		return
	}
	p.ops = append(p.ops, mir.SubRegOp(r, sub, fl))
	p.ends = append(p.ends, p.off)
	p.begins = append(p.begins, start)
}

// classOrBank reads a register class, a bank or _ behind a colon.
func (p *miParser) classOrBank(r mir.Reg) {
	if p.tok != tIdent && p.tok != tIntType {
		p.error("expected '_', register class, or register bank name")
		return
	}
	v, info := p.state(r), p.f.VReg(r)
	name := p.text
	if c, ok := p.names.classes[name]; ok {
		if v.generic {
			p.error("register class specification on generic register")
			return
		}
		if v.explicit && info.Class != c {
			p.error("conflicting register classes, previously: " + p.in.RegClassName(desc.ClassID(info.Class)))
			return
		}
		info.Class, v.known, v.explicit = c, true, true
		p.next()
		return
	}
	bank, isBank := p.names.banks[name]
	if !isBank && name != "_" {
		p.error("expected '_', register class, or register bank name")
		return
	}
	if !isBank {
		bank = -1
	}
	if v.known && !v.generic {
		p.error("register bank specification on normal register")
		return
	}
	if v.explicit && info.Bank != bank {
		p.error("conflicting generic register banks")
		return
	}
	info.Bank, v.generic, v.known, v.explicit = bank, true, true, true
	p.next()
}

// typeOf reads a low-level type and the closing parenthesis and gives it to r.
// In a use a tie might stand there as well.
func (p *miParser) typeOf(r mir.Reg, use bool) {
	if use {
		p.badType = "expected tied-def or low-level type after '('"
	}
	t := p.llt()
	p.badType = ""
	if !p.ok() || !p.expect(')') {
		return
	}
	info := p.f.VReg(r)
	if info.Type != 0 && info.Type != t {
		p.error("inconsistent type for generic virtual register")
		return
	}
	info.Type = t
}

// typeError says what is wrong with a type, in a use where it was noticed.
func (p *miParser) typeError(off int, msg string) {
	if p.badType != "" {
		off, msg = p.off, p.badType
	}
	p.errorOff(off, msg)
}

// llt reads a low-level type.
func (p *miParser) llt() mir.LLT {
	start := p.off
	if p.isScalarType() {
		return p.scalarType("invalid size for scalar type")
	}
	if p.tok != '<' {
		p.typeError(p.off, "expected sN, pA, <M x sN>, <M x pA>, <vscale x M x sN>, or <vscale x M x pA> for GlobalISel type")
		return 0
	}
	p.next()
	scalable := p.is("vscale")
	if scalable {
		p.next()
		if !p.eatWord("x") {
			p.typeError(p.off, "expected <vscale x M x sN> or <vscale x M x pA>")
			return 0
		}
	}
	fail := func() mir.LLT {
		if scalable {
			p.typeError(start, "expected <vscale x M x sN> or <vscale M x pA> for vector type")
		} else {
			p.typeError(start, "expected <M x sN> or <M x pA> for vector type")
		}
		return 0
	}
	if p.tok != tInt {
		return fail()
	}
	n, err := strconv.ParseUint(p.text, 10, 16)
	if err != nil || n == 0 {
		p.typeError(p.off, "invalid number of vector elements")
		return 0
	}
	p.next()
	if !p.eatWord("x") || !p.isScalarType() {
		return fail()
	}
	t := p.scalarType("invalid size for scalar element in vector")
	if !p.ok() {
		return 0
	}
	if p.tok != '>' {
		return fail()
	}
	p.next()
	if scalable {
		return mir.ScalableVector(int(n), t)
	}
	return mir.Vector(int(n), t)
}

// isScalarType reports a token that begins like s32 or p0.
func (p *miParser) isScalarType() bool {
	return p.tok == tIdent && p.text != "" && (p.text[0] == 's' || p.text[0] == 'p')
}

func (p *miParser) scalarType(badSize string) mir.LLT {
	digits := p.text[1:]
	for i := 0; i < len(digits); i++ {
		if digits[i] < '0' || digits[i] > '9' {
			digits = ""
		}
	}
	if digits == "" {
		p.typeError(p.off, "expected integers after 's'/'p' type character")
		return 0
	}
	v, err := strconv.ParseUint(digits, 10, 32)
	isPtr := p.text[0] == 'p'
	if !isPtr && (err != nil || v == 0 || v >= 1<<16) {
		p.typeError(p.off, badSize)
		return 0
	}
	if isPtr && (err != nil || v >= 1<<24) {
		p.typeError(p.off, "invalid address space number")
		return 0
	}
	p.next()
	if isPtr {
		n := p.lay.Pointer(uint32(v)).Bits
		if n > mir.MaxPointerBits {
			p.error("the data layout's pointers have more than 65535 bits")
			return 0
		}
		return mir.Pointer(uint32(v), int(n))
	}
	return mir.Scalar(int(v))
}
