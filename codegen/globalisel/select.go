package globalisel

import (
	"fmt"
	"sync"

	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/miranalysis"
	"github.com/mirin-go/mirin/target"
)

// Selector selects by a match table; it is a target.Selector.
type Selector struct {
	// Table holds the target's patterns.
	Table *matchtable.Table
	// Custom selects what patterns cannot say; it is asked after them. It
	// replaces instruction i and returns true, or leaves it and returns false.
	Custom func(m *matchtable.Matcher, i mir.InstrID) (bool, error)
	// Fold selects what does the work of instruction i and of others, some of them
	// the target's; it is asked before the patterns, about those instructions too,
	// and replaces i and returns true, or leaves all and returns false.
	Fold func(m *matchtable.Matcher, i mir.InstrID) bool
	// Finish changes what was selected once all is; nil for nothing.
	Finish func(st *target.Subtarget, f *mir.Function)

	matchers sync.Pool // of *matchtable.Matcher
}

// InstructionSelect replaces generic instructions by the target's.
var InstructionSelect = pass.Pass{
	Name:     "instruction-select",
	Title:    "InstructionSelect",
	Requires: mir.IsSSA | mir.Legalized | mir.RegBankSelected,
	Sets:     mir.Selected,
	KeepsCFG: true,
	Run:      runSelect,
}

// selectScratch is what the pass keeps between functions.
type selectScratch struct {
	order []mir.BlockID
}

func runSelect(c *pass.Context, f *mir.Function) error {
	st := c.Subtarget
	if st.Target.ISel.Selector == nil {
		return st.NotSupported(f, "instruction selection")
	}
	sel, err := st.Target.ISel.Selector(st)
	if err != nil {
		return err
	}
	s := pass.Scratch[selectScratch](c)
	// Users come before what they use, so that a value that was folded into
	// all of its users is dead when it is reached.
	s.order = miranalysis.AppendPostOrder(s.order[:0], &pass.Get[pass.CFG](c, f).Graph, f)
	n, err := sel.Select(st, f, c.Opt, s.order)
	c.Count("instruction-select", "Number of instructions selected by patterns", n)
	return err
}

// Select is target.Selector.
func (s *Selector) Select(st *target.Subtarget, f *mir.Function, opt target.OptLevel, order []mir.BlockID) (selected int64, err error) {
	m, _ := s.matchers.Get().(*matchtable.Matcher)
	if m == nil {
		m = new(matchtable.Matcher)
	}
	defer s.matchers.Put(m)
	m.Start(s.Table, st, f, opt)
	for _, b := range order {
		for i := f.Block(b).Last(); i != 0; {
			prev := f.Instr(i).Prev()
			byPattern, err := s.one(m, i)
			if err != nil {
				return selected, err
			}
			if byPattern {
				selected++
			}
			// Selection inserts before i and may remove i alone; whatever it put
			// between prev and i is selected already.
			i = prev
		}
	}
	if s.Finish != nil {
		s.Finish(st, f)
	}
	finishVRegs(m, f)
	return selected, nil
}

// one selects, copies or erases one instruction.
func (s *Selector) one(m *matchtable.Matcher, i mir.InstrID) (byPattern bool, err error) {
	f := m.F
	if IsTriviallyDead(f, i) {
		EraseDead(f, i)
		return false, nil
	}
	op := f.Instr(i).Opcode
	if op == desc.G_INTRINSIC_W_SIDE_EFFECTS {
		if _, plain := isConstrained(f, i); plain != 0 {
			asPlain(f, i, plain)
			op, m.Raises = plain, true
			defer func() { m.Raises = false }()
		}
	}
	switch op {
	case desc.G_PHI:
		f.Instr(i).Opcode = desc.PHI
		return false, selectCopyLike(m, i)
	case desc.PHI, desc.COPY:
		return false, selectCopyLike(m, i)
	case desc.G_IMPLICIT_DEF:
		f.Instr(i).Opcode = desc.IMPLICIT_DEF
		return false, selectCopyLike(m, i)
	case desc.G_FREEZE:
		if undefined(m, f.Op(i, 1).Reg()) {
			if becomeZero(m, i) {
				return true, nil
			}
			if done, err := s.customZero(m, i); done || err != nil {
				return false, err
			}
		}
		f.Instr(i).Opcode = desc.COPY
		return false, selectCopyLike(m, i)
	case desc.G_CONSTANT_FOLD_BARRIER, desc.G_ASSERT_ZEXT, desc.G_ASSERT_SEXT, desc.G_ASSERT_ALIGN:
		// The value goes on as it is.
		for f.Instr(i).NumOps() > 2 {
			f.RemoveOp(i, 2)
		}
		f.Instr(i).Opcode = desc.COPY
		return false, selectCopyLike(m, i)
	}
	if op == desc.G_BITCAST && sameRegs(f, i) {
		f.Instr(i).Opcode = desc.COPY
		return false, selectCopyLike(m, i)
	}
	if f.IsDebugInstr(i) {
		return false, nil
	}
	if s.Fold != nil && s.Fold(m, i) {
		return f.Facts.Instr(op).IsPreISel(), nil
	}
	if !f.Facts.Instr(op).IsPreISel() {
		m.Constrain(i)
		return false, nil
	}
	if m.Apply(i) {
		return true, nil
	}
	if s.Custom != nil {
		if ok, err := s.Custom(m, i); err != nil || ok {
			return false, err
		}
	}
	return false, cannotSelect(m.ST, f, i)
}

// undefined reports whether nothing defines a register but an IMPLICIT_DEF, as it
// stands, extended or truncated.
func undefined(m *matchtable.Matcher, r mir.Reg) bool {
	for {
		d := m.Def(r)
		if d == 0 {
			return false
		}
		switch m.F.Instr(d).Opcode {
		case desc.G_IMPLICIT_DEF, desc.IMPLICIT_DEF:
			return true
		case desc.G_ANYEXT, desc.G_TRUNC, desc.G_BITCAST, desc.G_INTTOPTR, desc.G_PTRTOINT:
			r = m.F.Op(d, 1).Reg()
		default:
			return false
		}
	}
}

// becomeZero selects a G_FREEZE of what is undefined as a zero. A copy will not do:
// processimpdefs makes it an IMPLICIT_DEF again, which has another value at each use. It
// reports false, and i is what it was, when the target has no pattern for the zero.
func becomeZero(m *matchtable.Matcher, i mir.InstrID) bool {
	f := m.F
	bits := f.TypeOf(f.Op(i, 0).Reg()).Bits()
	src := *f.Op(i, 1)
	try := func(op desc.Opcode, zero mir.Operand) bool {
		f.Instr(i).Opcode = op
		f.ReplaceOp(i, 1, zero)
		return m.Apply(i)
	}
	if bits <= 64 && try(desc.G_CONSTANT, f.CImm(bits, 0)) ||
		bits == 32 && try(desc.G_FCONSTANT, f.FPImm(ir.Float, 0, 0)) ||
		bits == 64 && try(desc.G_FCONSTANT, f.FPImm(ir.Double, 0, 0)) {
		return true
	}
	f.Instr(i).Opcode = desc.G_FREEZE
	f.ReplaceOp(i, 1, src)
	return false
}

// customZero is becomeZero for vectors and x86_fp80, which Custom builds.
func (s *Selector) customZero(m *matchtable.Matcher, i mir.InstrID) (bool, error) {
	f := m.F
	t := f.TypeOf(f.Op(i, 0).Reg())
	src := *f.Op(i, 1)
	switch {
	case s.Custom != nil && t == mir.Scalar(80):
		f.Instr(i).Opcode = desc.G_FCONSTANT
		f.ReplaceOp(i, 1, f.FPImm(ir.X86FP80, 0, 0))
		done, err := s.Custom(m, i)
		if !done {
			f.Instr(i).Opcode = desc.G_FREEZE
			f.ReplaceOp(i, 1, src)
		}
		return done, err
	case s.Custom == nil || !t.IsVector():
		return false, nil
	}
	b := Wrap(&mir.Builder{F: f, Loc: f.Instr(i).Loc})
	b.SetBefore(i)
	zero := b.Const(t.Elem(), 0)
	c := f.UniqueDef(zero)
	f.Instr(i).Opcode = desc.G_BUILD_VECTOR
	f.ReplaceOp(i, 1, Use(zero))
	for range t.NumElems() - 1 {
		f.AddOp(i, Use(zero))
	}
	done, err := s.Custom(m, i)
	if !done {
		for f.Instr(i).NumOps() > 2 {
			f.RemoveOp(i, 2)
		}
		f.Instr(i).Opcode = desc.G_FREEZE
		f.ReplaceOp(i, 1, src)
	}
	f.Erase(c)
	return done, err
}

// sameRegs reports whether result and operand of a G_BITCAST live in registers of one kind.
func sameRegs(f *mir.Function, i mir.InstrID) bool {
	a, b := f.VReg(f.Op(i, 0).Reg()), f.VReg(f.Op(i, 1).Reg())
	return a.Type.Bits() == b.Type.Bits() && (a.Bank == b.Bank || inBankOf(f, a, b) || inBankOf(f, b, a))
}

// inBankOf reports a register without a bank, whose class the bank of another one covers.
func inBankOf(f *mir.Function, a, b *mir.VRegInfo) bool {
	return a.Bank < 0 && a.Class >= 0 && b.Bank >= 0 && f.Facts.BankCovers(desc.BankID(b.Bank), desc.ClassID(a.Class))
}

// selectCopyLike gives the registers of a COPY, PHI or IMPLICIT_DEF the classes of their types.
func selectCopyLike(m *matchtable.Matcher, i mir.InstrID) error {
	f := m.F
	for n := range f.Instr(i).NumOps() {
		if o := f.Op(i, n); o.IsReg() && o.Reg().IsVirtual() && !m.DefaultClass(o.Reg()) {
			return cannotSelect(m.ST, f, i)
		}
	}
	return nil
}

// CannotSelect is the reason of failures of instruction-select.
type CannotSelect struct {
	Instr string // the instruction, as text
	target.Unsupported
}

// Error says which instruction could not be selected.
func (e *CannotSelect) Error() string { return e.Unsupported.Error() }

// Unwrap gives the Unsupported error.
func (e *CannotSelect) Unwrap() error { return &e.Unsupported }

func cannotSelect(st *target.Subtarget, f *mir.Function, i mir.InstrID) error {
	if say := st.Target.ISel.Refuse; say != nil {
		if s := say(st, f, i); s != "" {
			return st.Refusal(f, f.Instr(i).Loc, s)
		}
	}
	text := string(AppendInstr(nil, f, i))
	return &CannotSelect{Instr: text, Unsupported: target.Unsupported{Target: st.Target.Name, Func: f.Name,
		Loc: f.Instr(i).Loc, What: "selecting " + text}}
}

// AppendInstr writes an instruction for messages: opcode, and operands with types.
func AppendInstr(b []byte, f *mir.Function, i mir.InstrID) []byte {
	sawOp := false
	name := func() {
		if !sawOp {
			b = append(b, f.Facts.OpcodeName(f.Instr(i).Opcode)...)
			sawOp = true
		}
	}
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		switch {
		case o.IsReg() && o.IsDef() && !o.IsImplicit():
			b = appendReg(b, f, o.Reg())
			b = append(b, " = "...)
			continue
		case !sawOp:
			name()
			b = append(b, ' ')
		default:
			b = append(b, ", "...)
		}
		switch o.Kind() {
		case mir.OpReg:
			b = appendReg(b, f, o.Reg())
			if sub := o.SubReg(); sub != 0 {
				b = append(append(b, '.'), f.Facts.SubRegIndexName(desc.SubRegIdx(sub))...)
			}
		case mir.OpImm:
			b = fmt.Appendf(b, "%d", o.Imm())
		case mir.OpCImm:
			c := &f.CImms[o.Index()]
			b = fmt.Appendf(b, "i%d %d", c.Bits, int64(c.Words[0]))
		case mir.OpMBB:
			b = fmt.Appendf(b, "%%bb.%d", f.Block(o.Block()).Number)
		case mir.OpIntrinsicID:
			b = append(b, "intrinsic(@"+o.Intrinsic().Name()+")"...)
		case mir.OpPredicate:
			b = fmt.Appendf(b, "pred(%d)", o.Imm())
		case mir.OpFrameIndex:
			b = fmt.Appendf(b, "%%stack.%d", o.FrameIndex())
		case mir.OpGlobal:
			b = fmt.Appendf(b, "@%d", o.Index())
		default:
			b = fmt.Appendf(b, "<operand kind %d>", o.Kind())
		}
	}
	name()
	for k := range f.NumMem(i) {
		mem := f.MemOf(i, k)
		b = fmt.Appendf(b, " :: (%d bytes, order %d, as %d)", mem.Size, mem.Order, mem.AddrSpace)
	}
	return b
}

func appendReg(b []byte, f *mir.Function, r mir.Reg) []byte {
	if !r.IsVirtual() {
		return f.Facts.AppendLowerReg(append(b, '$'), desc.PhysReg(r))
	}
	b = fmt.Appendf(b, "%%%d", r.Index())
	v := f.VReg(r)
	switch {
	case v.Class >= 0:
		b = f.Facts.AppendLowerClass(append(b, ':'), desc.ClassID(v.Class))
	case v.Bank >= 0:
		b = f.Facts.AppendLowerBank(append(b, ':'), desc.BankID(v.Bank))
	}
	if v.Type != 0 {
		b = append(v.Type.AppendText(append(b, '(')), ')')
	}
	return b
}

// finishVRegs drops what only generic registers have, and gives a class to
// registers that have uses but no selected definition (undefined ones).
func finishVRegs(m *matchtable.Matcher, f *mir.Function) {
	f.DropUndefinedDebugUses()
	for n := range f.NumVRegs() {
		r := mir.VReg(n)
		if f.FirstUse(r) != 0 {
			m.DefaultClass(r)
		}
		v := f.VReg(r)
		v.Type, v.Bank = 0, -1
	}
}
