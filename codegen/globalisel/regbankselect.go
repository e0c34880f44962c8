package globalisel

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// BankUse says which bank an operand of an opcode wants.
type BankUse uint8

// The wishes of operands.
const (
	// BankNeutral has no wish of its own: loads, stores, undefined values.
	BankNeutral BankUse = iota
	// BankInt and BankFP must be in the bank of integers and of floating point.
	BankInt
	BankFP
	// BankSame wants the bank of the other BankSame operands: copies, PHIs, selects.
	BankSame
)

// BankMap is the mapping of one opcode: the wish of operand n is Ops[n], of the
// operands behind the last one Rest.
type BankMap struct {
	Ops  []BankUse
	Rest BankUse
}

// use returns the wish of operand n.
func (m *BankMap) use(n int) BankUse {
	if n < len(m.Ops) {
		return m.Ops[n]
	}
	return m.Rest
}

// RegBanks is what a target gives to regbankselect (target.ISelHooks.RegBanks).
type RegBanks struct {
	Int, FP desc.BankID
	// Maps holds the mappings of generic opcodes, by opcode; others use BankInt throughout.
	Maps map[desc.Opcode]BankMap
	// IntrinsicFP reports whether an intrinsic works on values of the bank FP.
	IntrinsicFP func(name string) bool
	// NeedsFP reports types that live in the bank FP alone (vectors).
	NeedsFP func(t mir.LLT) bool
	// OfClass gives the bank of a register class.
	OfClass func(c desc.ClassID) desc.BankID
	// OfPhys gives the bank of a physical register, desc.NoBank when unknown.
	OfPhys func(facts *desc.Info, r desc.PhysReg) desc.BankID
}

// RegBankSelect gives each generic virtual register a bank.
var RegBankSelect = &pass.Pass{
	Name:     "regbankselect",
	Title:    "RegBankSelect",
	Requires: mir.IsSSA | mir.Legalized,
	Sets:     mir.RegBankSelected,
	KeepsCFG: true,
	Run:      runRegBankSelect,
}

// bankScratch is the memory of the pass. Registers joined by BankSame operands
// are a group, kept as union-find in parent; the group's votes decide its bank.
type bankScratch struct {
	f      *mir.Function
	rb     *RegBanks
	parent []int32
	votes  []bankVotes
	// rows are the target's mappings by opcode; rowsOf says whose they are.
	rows   []*BankMap
	rowsOf *RegBanks
}

// index makes the mappings quick to find.
func (s *bankScratch) index(rb *RegBanks) {
	if s.rowsOf == rb {
		return
	}
	s.rowsOf = rb
	s.rows = make([]*BankMap, desc.FirstTargetOpcode)
	for op, m := range rb.Maps {
		s.rows[op] = &m
	}
}

type bankVotes struct {
	int, fp int32
	must    desc.BankID // bank that a fixed definition or type forces, NoBank for none
}

// runRegBankSelect first lets all operands vote for the bank of their group of
// registers, then inserts copies where an operand's wish differs from the
// group's bank. This sees more than one instruction, unlike a greedy walk: a
// loaded value that is only added as float is loaded into the bank FP.
func runRegBankSelect(c *pass.Context, f *mir.Function) error {
	rb, ok := c.Subtarget.Target.ISel.RegBanks(c.Subtarget).(*RegBanks)
	if !ok {
		return c.Subtarget.NotSupported(f, "register bank selection")
	}
	s := pass.Scratch[bankScratch](c)
	s.f, s.rb = f, rb
	s.index(rb)
	n := f.NumVRegs()
	s.parent, s.votes = s.parent[:0], s.votes[:0]
	for i := range n {
		s.parent = append(s.parent, int32(i))
		v := bankVotes{must: desc.NoBank}
		switch info := f.VReg(mir.VReg(i)); {
		case info.Class >= 0:
			v.must = rb.OfClass(desc.ClassID(info.Class))
		case info.Bank >= 0:
			v.must = desc.BankID(info.Bank)
		case rb.NeedsFP(info.Type):
			v.must = rb.FP
		}
		s.votes = append(s.votes, v)
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			s.vote(i)
		}
	}
	for i := range n {
		if v := f.VReg(mir.VReg(i)); v.Class < 0 && v.Bank < 0 && v.Type != 0 {
			v.Bank = int16(s.bankOf(mir.VReg(i)))
		}
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if err := s.repair(c.Subtarget, i); err != nil {
				return err
			}
			i = next
		}
	}
	return nil
}

func (s *bankScratch) find(n int32) int32 {
	for s.parent[n] != n {
		s.parent[n] = s.parent[s.parent[n]]
		n = s.parent[n]
	}
	return n
}

// join makes one group of two registers; groups forced to different banks stay apart.
func (s *bankScratch) join(a, b mir.Reg) {
	x, y := s.find(int32(a.Index())), s.find(int32(b.Index()))
	if x == y {
		return
	}
	vx, vy := &s.votes[x], s.votes[y]
	if vx.must != desc.NoBank && vy.must != desc.NoBank && vx.must != vy.must {
		return
	}
	vx.int += vy.int
	vx.fp += vy.fp
	if vx.must == desc.NoBank {
		vx.must = vy.must
	}
	s.parent[y] = x
}

func (s *bankScratch) bankOf(r mir.Reg) desc.BankID {
	v := &s.votes[s.find(int32(r.Index()))]
	switch {
	case v.must != desc.NoBank:
		return v.must
	case v.fp > v.int:
		return s.rb.FP
	}
	return s.rb.Int
}

// wish returns what operand n of i wants.
func (s *bankScratch) wish(i mir.InstrID, n int) BankUse {
	f := s.f
	op := f.Instr(i).Opcode
	switch op {
	case desc.COPY, desc.PHI, desc.G_PHI, desc.G_FREEZE:
		return BankSame
	case desc.G_INTRINSIC, desc.G_INTRINSIC_W_SIDE_EFFECTS:
		for k := range f.Instr(i).NumOps() {
			if o := f.Op(i, k); o.Kind() == mir.OpIntrinsicID && int(o.Index()) < len(f.Intrinsics) {
				if s.rb.IntrinsicFP(f.Intrinsics[o.Index()]) {
					return BankFP
				}
			}
		}
		return BankInt
	}
	if !f.Facts.Instr(op).IsPreISel() {
		return BankNeutral
	}
	if m := s.rows[op]; m != nil {
		return m.use(n)
	}
	return BankInt
}

// vote counts the wishes of the operands of i and joins the registers of BankSame operands.
func (s *bankScratch) vote(i mir.InstrID) {
	f := s.f
	if f.IsDebugInstr(i) {
		return
	}
	same := mir.NoReg
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsReg() || o.Reg() == 0 {
			continue
		}
		w := s.wish(i, n)
		r := o.Reg()
		if !r.IsVirtual() {
			// A copy from or to a physical register: what it is copied to wants its bank.
			if w == BankSame && f.Instr(i).Opcode == desc.COPY {
				other := f.Op(i, 1-n).Reg()
				if other.IsVirtual() {
					s.votePhys(other, desc.PhysReg(r))
				}
			}
			continue
		}
		v := &s.votes[s.find(int32(r.Index()))]
		switch w {
		case BankInt:
			v.int++
		case BankFP:
			v.fp++
		case BankSame:
			if same == 0 {
				same = r
			} else {
				s.join(same, r)
			}
		}
	}
}

func (s *bankScratch) votePhys(r mir.Reg, p desc.PhysReg) {
	v := &s.votes[s.find(int32(r.Index()))]
	switch s.rb.OfPhys(s.f.Facts, p) {
	case s.rb.Int:
		v.int++
	case s.rb.FP:
		v.fp++
	}
}

// repair copies operands of i that are not in the bank that they must be in.
func (s *bankScratch) repair(st *target.Subtarget, i mir.InstrID) error {
	f := s.f
	if f.IsDebugInstr(i) {
		return nil
	}
	group := desc.NoBank
	for n := 0; n < f.Instr(i).NumOps(); n++ {
		o := f.Op(i, n)
		if !o.IsReg() || !o.Reg().IsVirtual() {
			continue
		}
		v := f.VReg(o.Reg())
		have := desc.BankID(v.Bank)
		if v.Class >= 0 {
			have = s.rb.OfClass(desc.ClassID(v.Class))
		}
		var want desc.BankID
		switch s.wish(i, n) {
		case BankInt:
			want = s.rb.Int
		case BankFP:
			want = s.rb.FP
		case BankSame:
			if f.Instr(i).Opcode == desc.COPY {
				continue
			}
			if group == desc.NoBank {
				group = have
			}
			want = group
		default:
			continue
		}
		if have == want || have == desc.NoBank {
			continue
		}
		if v.Type != 0 && want == s.rb.Int && s.rb.NeedsFP(v.Type) {
			return st.NotSupported(f, "selecting "+string(AppendInstr(nil, f, i)))
		}
		s.copyOperand(i, n, want)
	}
	return nil
}

// copyOperand puts a copy between operand n of i and its register, in bank want.
func (s *bankScratch) copyOperand(i mir.InstrID, n int, want desc.BankID) {
	f := s.f
	r := f.Op(i, n).Reg()
	t := f.AddGenericVReg(f.TypeOf(r))
	f.VReg(t).Bank = int16(want)
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	if f.Op(i, n).IsDef() {
		b.SetAfter(i)
		if f.IsPHI(i) {
			b.At = f.AfterPHIs(f.Instr(i).Block())
		}
		f.SetReg(i, n, t)
		b.Copy(r, t)
		return
	}
	if f.IsPHI(i) {
		// The value must be in its bank at the end of the block that it comes from.
		pred := f.Op(i, n+1).Block()
		b.Block, b.At = pred, f.EdgePlace(pred, f.Instr(i).Block())
	} else {
		b.SetBefore(i)
	}
	f.SetReg(i, n, t)
	b.Copy(t, r)
}
