package mctargetdesc

import (
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// AsmParser reads instructions in both syntaxes (LLVM's X86AsmParser): the rows by
// which they are printed, read backwards, with what assemblers add: suffixes and
// sizes that need not be written, other names, prefixes.
type AsmParser struct {
	info                *desc.Info
	enc                 *Encoder
	bit64, bit32, bit16 uint16
	syntaxes            [2]func() *syntax
	statements          sync.Pool // of *parsing
}

// The modes of the processor, as sets.
const (
	mode16 uint8 = 1 << iota
	mode32
	mode64
	modeAll = mode16 | mode32 | mode64
)

// NewAsmParser returns a parser over the facts of X86.
func NewAsmParser(info *desc.Info) *AsmParser {
	p := &AsmParser{info: info, enc: NewEncoder(info)}
	for v := range p.syntaxes {
		p.syntaxes[v] = sync.OnceValue(func() *syntax { return newSyntax(info, v) })
	}
	for name, to := range map[string]*uint16{"64bit-mode": &p.bit64, "32bit-mode": &p.bit32, "16bit-mode": &p.bit16} {
		if k, ok := info.FeatureByName(name); ok {
			*to = info.Features[k].Bit
		}
	}
	return p
}

func (p *AsmParser) mode(st *mc.Subtarget) uint8 {
	switch p.enc.mode(st) {
	case 64:
		return mode64
	case 32:
		return mode32
	}
	if st.Has(p.bit16) {
		return mode16
	}
	return mode32 // .code16gcc
}

// parsing is one statement being read.
type parsing struct {
	*AsmParser
	p     mc.AsmParser
	s     *syntax
	text  string
	pos   int
	mode  uint8
	intel bool
	flags mc.InstFlags
	want  want
	nf    bool
	// data32 stands before the instruction, which is read as in 32-bit mode.
	data32 bool
	ops    []asmOperand
	inst   mc.Inst
}

func errAt(start, end int, msg string) error { return &mc.ParseError{Start: start, End: end, Msg: msg} }

// ParseRegister reads a register.
func (p *AsmParser) ParseRegister(a mc.AsmParser, text string, pos int) (desc.PhysReg, int, bool) {
	x := &parsing{AsmParser: p, p: a, s: p.syntaxes[ATT](), text: text, pos: pos, mode: p.mode(a.Subtarget()), intel: a.Variant() == Intel}
	x.blanks()
	if x.at('%') {
		x.pos++
	}
	r, end, ok := x.registerAt(x.pos)
	return r, end, ok
}

// ParseDirective reads the directives of modes and syntaxes.
func (p *AsmParser) ParseDirective(a mc.AsmParser, name, text string, pos int) (bool, error) {
	rest := strings.Fields(text[pos:])
	switch name {
	case ".code16":
		p.setMode(a, name, p.bit16)
	case ".code16gcc":
		p.setMode(a, ".code16")
	case ".code32":
		p.setMode(a, name, p.bit32)
	case ".code64":
		p.setMode(a, name, p.bit64)
	case ".att_syntax":
		if len(rest) > 0 && rest[0] == "noprefix" {
			return true, errAt(pos, pos, "'.att_syntax noprefix' is not supported: registers must have a '%' prefix in .att_syntax")
		}
		a.SetVariant(ATT)
	case ".intel_syntax":
		if len(rest) > 0 && rest[0] == "prefix" {
			return true, errAt(pos, pos, "'.intel_syntax prefix' is not supported: registers must not have a '%' prefix in .intel_syntax")
		}
		a.SetVariant(Intel)
	default:
		switch {
		case strings.HasPrefix(name, ".arch"):
			return true, nil // LLVM looks at none of them
		case strings.HasPrefix(name, ".code"):
			return true, errAt(0, 0, "unknown directive "+name)
		}
		return false, nil
	}
	return true, nil
}

// setMode changes the mode to that of a feature, and writes the directive. Without a feature it is .code16gcc's: code for
// 16-bit mode, in which instructions mean what they do in 32-bit mode.
func (p *AsmParser) setMode(a mc.AsmParser, directive string, bits ...uint16) {
	st := *a.Subtarget()
	st.Features = append([]uint64(nil), st.Features...)
	for _, b := range [...]uint16{p.bit64, p.bit32, p.bit16} {
		for int(b/64) >= len(st.Features) {
			st.Features = append(st.Features, 0)
		}
		st.Features[b/64] &^= 1 << (b % 64)
	}
	for _, bit := range bits {
		st.Features[bit/64] |= 1 << (bit % 64)
	}
	if out := a.Streamer(); out.IsText() && p.enc.mode(&st) != p.enc.mode(a.Subtarget()) {
		out.Raw("\t" + directive)
	}
	a.SetSubtarget(&st)
}

// ParseInstruction reads a statement: prefixes, an instruction, and what follows a prefix.
func (p *AsmParser) ParseInstruction(a mc.AsmParser, text string) error {
	x, _ := p.statements.Get().(*parsing)
	if x == nil {
		x = new(parsing)
	}
	*x = parsing{AsmParser: p, p: a, text: text, mode: p.mode(a.Subtarget()), intel: a.Variant() == Intel, ops: x.ops[:0], inst: x.inst}
	x.s = p.syntaxes[a.Variant()]()
	err := x.statement()
	x.p, x.text = nil, ""
	clear(x.ops)
	p.statements.Put(x)
	return err
}

// statement reads what ParseInstruction was given.
func (x *parsing) statement() error {
	text := x.text
	for {
		x.blanks()
		if x.pos < len(text) && text[x.pos] == '{' {
			if err := x.pseudoPrefix(); err != nil {
				return err
			}
			continue
		}
		start := x.pos
		w := x.mnemonicWord()
		if w == "" {
			return errAt(start, start, "unexpected token at start of statement")
		}
		word := x.s.word(w)
		x.blanks()
		end := x.pos >= len(text)
		if word.flag != 0 && !end {
			if text[x.pos] == ';' {
				x.pos++
			}
			x.flags |= word.flag
			continue
		}
		if word.name == "data16" && x.mode == mode16 {
			return errAt(start, start, "redundant data16 prefix")
		}
		if word.name == "data32" {
			switch {
			case x.mode == mode64:
				return errAt(start, start, "'data32' is not supported in 64-bit mode")
			case x.mode == mode32:
				return errAt(start, start, "redundant data32 prefix")
			case end:
				return x.emit(x.inst.Reset(tab.DATA16_PREFIX))
			}
			x.mode, x.data32 = mode32, true // the instruction means what it does in that mode
			continue
		}
		if word.prefix && !end && text[x.pos] != '=' {
			if err := x.emit(x.inst.Reset(prefixInst(word.name))); err != nil {
				return err
			}
			x.flags = 0
			continue
		}
		if x.data32 {
			switch word.name {
			case "callw":
				word = x.s.word("calll")
			case "ljmpw":
				word = x.s.word("ljmpl")
			}
		}
		return x.instruction(word, start)
	}
}

// prefixWord reports prefixes that are instructions of their own.
func prefixWord(w string) bool { return prefixInst(w) != 0 }

func prefixFlag(w string) mc.InstFlags {
	switch w {
	case "lock":
		return FlagLock
	case "rep", "repe", "repz":
		return FlagRep
	case "repne", "repnz":
		return FlagRepNE
	case "notrack":
		return FlagNoTrack
	}
	return 0
}

func prefixInst(w string) desc.Opcode {
	switch w {
	case "data16":
		return tab.DATA16_PREFIX
	case "data32":
		return tab.DATA16_PREFIX
	case "addr16", "addr32":
		return tab.ADDR32_PREFIX
	case "rex64":
		return tab.REX64_PREFIX
	case "cs":
		return tab.CS_PREFIX
	case "ds":
		return tab.DS_PREFIX
	case "es":
		return tab.ES_PREFIX
	case "fs":
		return tab.FS_PREFIX
	case "gs":
		return tab.GS_PREFIX
	case "ss":
		return tab.SS_PREFIX
	case "xacquire":
		return tab.XACQUIRE_PREFIX
	case "xrelease":
		return tab.XRELEASE_PREFIX
	}
	return 0
}

// pseudoPrefix reads {vex}, {evex}, {nf} and their like.
func (x *parsing) pseudoPrefix() error {
	start := x.pos
	end := strings.IndexByte(x.text[start:], '}')
	if end < 0 {
		return errAt(start, start, "Expected '}'")
	}
	word := strings.ToLower(strings.TrimSpace(x.text[start+1 : start+end]))
	x.pos = start + end + 1
	switch word {
	case "vex":
		x.want = wantVEX
		x.flags |= FlagVEX
	case "vex2":
		x.want = wantVEX
		x.flags |= FlagVEX2
	case "vex3":
		x.want = wantVEX
		x.flags |= FlagVEX3
	case "evex":
		x.want = wantEVEX
		x.flags |= FlagEVEX
	case "rex2":
		x.want = wantLegacy
		x.flags |= FlagREX2
	case "rex":
		x.want = wantLegacy
		x.flags |= FlagREX
	case "nf":
		x.nf = true
	case "disp8":
		x.flags = x.flags&^FlagDisp32 | FlagDisp8
	case "disp32":
		x.flags = x.flags&^FlagDisp8 | FlagDisp32
	default:
		return errAt(start, start, "unknown prefix")
	}
	return nil
}

func (x *parsing) blanks() {
	for x.pos < len(x.text) && (x.text[x.pos] == ' ' || x.text[x.pos] == '\t' || x.text[x.pos] == '\r') {
		x.pos++
	}
}

func (x *parsing) at(c byte) bool { return x.pos < len(x.text) && x.text[x.pos] == c }

func (x *parsing) take(c byte) bool {
	x.blanks()
	if x.at(c) {
		x.pos++
		return true
	}
	return false
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' || c == '@' || c >= 0x80
}

func (x *parsing) wordAt(at int) int {
	for at < len(x.text) && wordByte(x.text[at]) {
		at++
	}
	return at
}

func (x *parsing) mnemonicWord() string {
	end := x.wordAt(x.pos)
	w := x.text[x.pos:end]
	x.pos = end
	return w
}

// instruction reads operands and emits.
func (x *parsing) instruction(w *word, start int) error {
	m := w.name
	x.ops = x.ops[:0]
	x.blanks()
	// {dfv=…} stands between the mnemonic and the operands.
	if strings.HasPrefix(m, "ccmp") || strings.HasPrefix(m, "ctest") {
		if x.at('{') {
			if err := x.dfv(); err != nil {
				return err
			}
		} else if len(x.ops) == 0 {
			x.ops = append(x.ops, asmOperand{kind: opWord, text: "{dfv=}", start: x.pos, end: x.pos})
		}
	}
	x.blanks()
	if x.pos < len(x.text) {
		for {
			x.ops = append(x.ops, asmOperand{})
			if err := x.operand(&x.ops[len(x.ops)-1]); err != nil {
				return err
			}
			x.blanks()
			if !x.take(',') {
				break
			}
		}
		if x.pos < len(x.text) {
			return errAt(x.pos, x.pos, "unexpected token in argument list")
		}
	}
	if w.plain && (len(x.ops) == 0 || !x.ops[0].star && (x.ops[0].kind != opImm || x.ops[0].v == int64(int32(x.ops[0].v)))) {
		return x.matchAndEmit(m, w.forms, w.text, start)
	}
	m, err := x.rename(m, start)
	if err != nil {
		return err
	}
	return x.matchAndEmit(m, x.s.word(m).forms, w.text, start)
}

// emit adds the flags of the statement, chooses the shortest encoding, and emits.
func (x *parsing) emit(in *mc.Inst) error {
	in.Flags |= x.flags
	if in.Flags&FlagVEX3 == 0 {
		x.enc.shortVEX(in)
	}
	if op := shiftByOne(in.Op); op != 0 {
		if last := in.Ops[len(in.Ops)-1]; last.IsImm() && last.Imm() == 1 {
			in.Op, in.Ops = op, in.Ops[:len(in.Ops)-1]
		}
	}
	if in.Flags&FlagDisp32 != 0 {
		switch in.Op {
		case tab.JMP_1:
			in.Op = tab.JMP_4
		case tab.JCC_1:
			in.Op = tab.JCC_4
		}
	}
	if in.Op == tab.XCHG32ar && in.Ops[0].Reg() == tab.EAX && x.enc.mode(x.p.Subtarget()) == 64 {
		// The short form would be a nop, which does not clear the upper half of RAX.
		r := in.Ops[0]
		in.Op, in.Ops = tab.XCHG32rr, append(in.Ops[:0], r, r, r, r)
	}
	if in.Op == tab.INT && in.Ops[0].IsImm() && in.Ops[0].Imm() == 3 {
		in.Reset(tab.INT3)
	}
	return x.p.Emit(in)
}

// needs says which modes an instruction wants, in LLVM's words.
func needs(modes uint8) string {
	switch {
	case modes&(mode16|mode32) == mode16|mode32 && modes&mode64 == 0:
		return "Not 64-bit mode"
	case modes == mode64:
		return "64-bit mode"
	case modes == mode16:
		return "16-bit mode"
	case modes == mode32:
		return "32-bit mode"
	case modes&mode16 == 0:
		return "Not 16-bit mode"
	}
	return "Not 64-bit mode"
}

// matchAndEmit finds the form, with a suffix or a size where none is written.
func (x *parsing) matchAndEmit(m string, forms []*form1, word string, start int) error {
	out := x.s.match(forms, x.ops, x.mode, x.want, x.nf)
	if out.res == matchOK && len(out.sizes) > 1 && !x.sizeByMode(m, forms, &out) {
		for k := range x.ops {
			if o := &x.ops[k]; o.kind == opMem {
				return errAt(start, start, "ambiguous operand size for instruction '"+word+"'")
			}
		}
	}
	if out.res != matchOK && !x.intel {
		if o, err, done := x.suffixed(m, word, start, out); done {
			if err != nil {
				return err
			}
			out = o
		}
	}
	switch out.res {
	case matchOK:
		x.s.build(out.form, x.ops, &x.inst)
		return x.emit(&x.inst)
	case matchFail:
		return errAt(start, start+len(word), "invalid instruction mnemonic '"+strings.ToLower(word)+"'")
	case matchMode:
		return errAt(start, start, "instruction requires: "+needs(out.modes))
	case matchFew:
		return errAt(start, start, "too few operands for instruction")
	}
	if out.bad >= 0 && out.bad < len(x.ops) {
		return errAt(x.ops[out.bad].start, x.ops[out.bad].end, "invalid operand for instruction")
	}
	return errAt(start, start, "invalid operand for instruction")
}

// sizeByMode chooses among sizes of memory where the mode says which is meant.
func (x *parsing) sizeByMode(m string, forms []*form1, out *outcome) bool {
	switch m {
	case "push", "pop", "call", "jmp":
		for k := range x.ops {
			if x.ops[k].kind == opMem {
				x.ops[k].size = x.wide()
			}
		}
		*out = x.s.match(forms, x.ops, x.mode, x.want, x.nf)
		return out.res == matchOK
	}
	return false
}

// wide is the size of addresses and of what is pushed.
func (x *parsing) wide() int {
	switch x.mode {
	case mode64:
		return 64
	case mode32:
		return 32
	}
	return 16
}

// suffixed tries the suffixes of AT&T syntax.
func (x *parsing) suffixed(m, word string, start int, plain outcome) (out outcome, err error, done bool) {
	sizes := []string{"b", "w", "l", "q"}
	if strings.HasPrefix(m, "f") {
		sizes = []string{"s", "l", "t"}
	}
	var good []string
	var fit outcome
	modeFail, operandFail, mnemonicFail := 0, 0, 0
	for _, z := range sizes {
		o := x.s.match(x.s.word(m+z).forms, x.ops, x.mode, x.want, x.nf)
		switch o.res {
		case matchOK:
			good = append(good, m+z)
			fit = o
		case matchMode:
			modeFail++
			out = o
		case matchFail:
			mnemonicFail++
		default:
			operandFail++
		}
	}
	switch {
	case len(good) == 1:
		return fit, nil, true
	case len(good) > 1:
		msg := "ambiguous instructions require an explicit suffix (could be "
		for i, g := range good {
			if i > 0 {
				msg += ", "
				if i == len(good)-1 {
					msg += "or "
				}
			}
			msg += "'" + g + "'"
		}
		return out, errAt(start, start, msg+")"), true
	case mnemonicFail == len(sizes):
		return out, nil, false
	case plain.res != matchFail:
		return out, nil, false
	case modeFail == 1:
		return out, nil, true
	case operandFail == 1:
		return out, errAt(start, start, "invalid operand for instruction"), true
	}
	return out, errAt(start, start, "unknown use of instruction mnemonic without a size suffix"), true
}
