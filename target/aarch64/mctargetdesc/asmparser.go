package mctargetdesc

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/target/aarch64/tab"
)

// AsmParser is AArch64's mc.TargetAsmParser: operands are read by what they look like and the
// mnemonic they belong to, then compared with the mnemonic's forms (package tab).
type AsmParser struct {
	info *desc.Info
	tab  *tab.Tables
	regs map[string]desc.PhysReg // of scalar names
	// specs has the rows of the tables' specifiers by name.
	specs  map[string]int64
	system systemTable
	// needs are the features of the parser's features.
	needs      [][]uint16
	avail      atomic.Pointer[available]
	statements sync.Pool // of *statement

	gpr32, gpr64, gpr32all, gpr64all, gpr64x8, wpairs, xpairs, ppr desc.ClassID
	sub32, x8sub0, sube64, sube32                                  desc.SubRegIdx
	wzr, xzr, sp                                                   desc.PhysReg
	checks                                                         map[desc.Opcode]check
	bytes                                                          map[desc.Opcode]remark
	brk, hlt                                                       desc.Opcode
}

// available is what a subtarget's features make of the parser's.
type available struct {
	st  *mc.Subtarget
	has []bool
}

func newAsmParser(t *mctarget.Target) (mc.TargetAsmParser, error) {
	tables, err := tab.Load()
	if err != nil {
		return nil, err
	}
	return NewAsmParser(t.Info, tables), nil
}

// NewAsmParser makes a parser over tables.
func NewAsmParser(info *desc.Info, tables *tab.Tables) *AsmParser {
	a := &AsmParser{info: info, tab: tables, regs: map[string]desc.PhysReg{}, specs: map[string]int64{}}
	for i, n := range tables.Specs {
		a.specs[n] = int64(i + 1)
	}
	a.statements.New = func() any { return new(statement) }
	for _, c := range []struct {
		to   *desc.ClassID
		name string
	}{{&a.gpr32, "GPR32"}, {&a.gpr64, "GPR64"}, {&a.gpr32all, "GPR32all"}, {&a.gpr64all, "GPR64all"}, {&a.gpr64x8, "GPR64x8Class"},
		{&a.wpairs, "WSeqPairsClass"}, {&a.xpairs, "XSeqPairsClass"}, {&a.ppr, "PPR"}} {
		*c.to, _ = info.RegClassByName(strings.ToLower(c.name))
	}
	for _, s := range []struct {
		to   *desc.SubRegIdx
		name string
	}{{&a.sub32, "sub_32"}, {&a.x8sub0, "x8sub_0"}, {&a.sube64, "sube64"}, {&a.sube32, "sube32"}} {
		*s.to, _ = info.SubRegIndexByName(s.name)
	}
	a.scalarNames()
	a.wzr, a.xzr, a.sp = a.regs["wzr"], a.regs["xzr"], a.regs["sp"]
	for i := range tables.Features {
		var bits []uint16
		for _, f := range tables.Features[i].AnyOf {
			if k, ok := info.FeatureByName(f); ok {
				bits = append(bits, info.Features[k].Bit)
			}
		}
		a.needs = append(a.needs, bits)
	}
	a.checks = checksByOpcode(info)
	a.bytes = remarksByOpcode(info)
	a.brk, _ = info.OpcodeByName("BRK")
	a.hlt, _ = info.OpcodeByName("HLT")
	return a
}

// scalarNames fills the names of registers.
func (a *AsmParser) scalarNames() {
	put := func(name, reg string) {
		if r, ok := a.info.RegByName(reg); ok {
			a.regs[name] = r
		}
	}
	for i := range 32 {
		n := itoa(i)
		for _, k := range [...]string{"w", "x", "b", "h", "s", "d", "q"} {
			put(k+n, k+n)
		}
	}
	put("x29", "fp")
	put("x30", "lr")
	put("fp", "fp")
	put("lr", "lr")
	put("x31", "xzr")
	put("w31", "wzr")
	for _, n := range [...]string{"sp", "wsp", "xzr", "wzr", "ffr", "vg", "nzcv", "fpcr", "fpmr", "fpsr"} {
		put(n, n)
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return string([]byte{byte('0' + n/10), byte('0' + n%10)})
}

func (a *AsmParser) class(c desc.ClassID, r desc.PhysReg) bool { return a.info.ClassContains(c, r) }

func (a *AsmParser) encoding(r desc.PhysReg) int { return int(a.info.Regs[r].Encoding) }

// super gives the register of a class of which r is a part.
func (a *AsmParser) super(r desc.PhysReg, idx desc.SubRegIdx, c desc.ClassID) desc.PhysReg {
	for s := range a.info.SuperRegs(r).All() {
		if a.class(c, s) && a.info.SubReg(s, idx) == r {
			return s
		}
	}
	return 0
}

// wide gives the 64-bit register of a 32-bit one.
func (a *AsmParser) wide(r desc.PhysReg) desc.PhysReg {
	if a.class(a.gpr32all, r) {
		if s := a.super(r, a.sub32, a.gpr64all); s != 0 {
			return s
		}
	}
	return r
}

// narrow gives the 32-bit register of a 64-bit one.
func (a *AsmParser) narrow(r desc.PhysReg) desc.PhysReg {
	if a.class(a.gpr64all, r) {
		return a.info.SubReg(r, a.sub32)
	}
	return r
}

func (a *AsmParser) specifier(name string) int64 { return a.specs[name] }

func (a *AsmParser) has(st *mc.Subtarget, feature string) bool {
	k, ok := a.info.FeatureByName(feature)
	return ok && st.Has(a.info.Features[k].Bit)
}

// features gives what of the parser's features a subtarget has.
func (a *AsmParser) features(st *mc.Subtarget) []bool {
	if v := a.avail.Load(); v != nil && v.st == st {
		return v.has
	}
	has := make([]bool, len(a.needs))
	for i, bits := range a.needs {
		has[i] = a.tab.Features[i].Always
		for _, b := range bits {
			has[i] = has[i] || st.Has(b)
		}
		has[i] = has[i] || a.together(st, a.tab.Features[i].Name)
	}
	a.avail.Store(&available{st, has})
	return has
}

// together reports whether a subtarget has features that bring one together, which only the
// name says: "ssve-fp8fma or (sve2 and fp8fma)".
func (a *AsmParser) together(st *mc.Subtarget, name string) bool {
	for part := range strings.SplitSeq(name, " or ") {
		inner, ok := strings.CutPrefix(part, "(")
		if !ok {
			continue
		}
		all := true
		for f := range strings.SplitSeq(strings.TrimSuffix(inner, ")"), " and ") {
			all = all && a.has(st, f)
		}
		if all {
			return true
		}
	}
	return false
}

func (a *AsmParser) customs(mnemonic string) []tab.Custom {
	if m := a.tab.Find(mnemonic); m != nil {
		return m.Customs
	}
	return nil
}

func (a *AsmParser) begin(p mc.AsmParser, text string) *statement {
	s := a.statements.Get().(*statement)
	s.cursor = cursor{p: p, text: text}
	s.a, s.st, s.ops, s.depth = a, p.Subtarget(), s.ops[:0], 0
	return s
}

func (a *AsmParser) end(s *statement) {
	s.cursor = cursor{}
	a.statements.Put(s)
}

// ParseInstruction reads and emits an instruction.
func (a *AsmParser) ParseInstruction(p mc.AsmParser, text string) error {
	s := a.begin(p, text)
	defer a.end(s)
	if known, err := s.request(); known || err != nil {
		return err
	}
	if err := s.parse(); err != nil {
		return err
	}
	return s.emit()
}

// ParseRegister reads a register's name.
func (a *AsmParser) ParseRegister(p mc.AsmParser, text string, pos int) (desc.PhysReg, int, bool) {
	s := a.begin(p, text)
	defer a.end(s)
	s.seek(pos)
	if r, ok := s.scalar(); ok {
		return r, lastEnd(text, s.loc()), true
	}
	if n, _, st, _ := s.vectorRegister(regNeon); st == success {
		r, ok := a.info.RegByName("q" + itoa(n))
		return r, lastEnd(text, s.loc()), ok
	}
	return 0, pos, false
}

// lastEnd is where the blanks before pos begin.
func lastEnd(text string, pos int) int {
	for pos > 0 && (text[pos-1] == ' ' || text[pos-1] == '\t') {
		pos--
	}
	return pos
}

// OperandView is what an operand looks like to the classes; tools/asmtables asks.
type OperandView struct {
	Shape uint32
	Val   int64
	Token string
	Start int
	State int64
}

// Operands reads the operands of a statement, of which the first is the mnemonic.
func (a *AsmParser) Operands(p mc.AsmParser, text string) ([]OperandView, error) {
	s := a.begin(p, text)
	defer a.end(s)
	err := s.parse()
	var out []OperandView
	for _, o := range s.ops {
		out = append(out, OperandView{uint32(o.shape), o.val, o.tok, o.start, o.state})
	}
	return out, err
}
