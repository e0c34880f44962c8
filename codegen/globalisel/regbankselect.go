package globalisel

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/regbank"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// RegBankSelect gives each generic virtual register a bank, by the target's
// mappings (codegen/regbank), and copies operands that an instruction wants in
// another bank.
var RegBankSelect = pass.Pass{
	Name:     "regbankselect",
	Title:    "RegBankSelect",
	Requires: mir.IsSSA | mir.Legalized,
	Sets:     mir.RegBankSelected,
	KeepsCFG: true,
	Run:      runRegBankSelect,
}

// bankScratch is the memory of the pass. Registers joined by operands that are
// to be in one bank are a group, kept as union-find in parent.
type bankScratch struct {
	f      *mir.Function
	st     *target.Subtarget
	t      *regbank.Table
	nb     int // number of banks
	parent []int32
	// can has, by group, the banks that hold all its registers; votes has, for
	// each group and bank, how much the operands of the group want the bank.
	can   []regbank.Set
	votes []int32
	// wide says that there are values that lie in several registers, which parts has.
	wide  bool
	parts map[mir.Reg][]mir.Reg
	dead  []mir.InstrID

	// What the table says of the facts' classes and registers, of those that were
	// asked about: 1 + the bank, -1 for none, 0 not asked yet.
	facts           *desc.Info
	ofTable         *regbank.Table
	ofClass, ofPhys banksAsked
	held            [heldTypes]heldType
}

// heldType remembers regbank.Table.Holding of a type.
type heldType struct {
	t     mir.LLT
	banks regbank.Set
}

// heldTypes is the number of types that are remembered, by their low bits.
const heldTypes = 16

func runRegBankSelect(c *pass.Context, f *mir.Function) error {
	if c.Subtarget.Target.ISel.Banks == nil {
		return c.Subtarget.NotSupported(f, "register bank selection")
	}
	s := pass.Scratch[bankScratch](c)
	s.f, s.st, s.t = f, c.Subtarget, c.Subtarget.Target.ISel.Banks(c.Subtarget)
	s.nb = s.t.NumBanks()
	s.remember()
	if s.allDefault() {
		f.DropUndefinedDebugUses()
		return nil
	}
	s.start()
	if s.t.Fast {
		s.each(s.assignFirst)
	} else {
		s.each(s.vote)
	}
	for i := range f.NumVRegs() {
		if v := f.VReg(mir.VReg(i)); v.Class < 0 && v.Bank < 0 && v.Type != 0 {
			v.Bank = int16(s.bankOf(mir.VReg(i)))
		}
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if err := s.repair(i); err != nil {
				return err
			}
			i = next
		}
	}
	for _, i := range s.dead {
		f.Erase(i) // done part by part
	}
	f.DropUndefinedDebugUses()
	return nil
}

// remember begins to remember what the table says, unless it is that of the last function.
func (s *bankScratch) remember() {
	if s.facts == s.f.Facts && s.ofTable == s.t {
		return
	}
	s.facts, s.ofTable = s.f.Facts, s.t
	s.ofClass, s.ofPhys = make(banksAsked, len(s.facts.Classes)), make(banksAsked, len(s.facts.Regs))
	s.held = [heldTypes]heldType{}
}

// banksAsked remembers the bank of each class or physical register that was asked
// about: 0 is not asked, -1 none, others one more than the bank.
type banksAsked []int8

// bank is what is remembered of row k; false when that was not asked.
func (a banksAsked) bank(k int) (desc.BankID, bool) {
	if a[k] < 0 {
		return desc.NoBank, true
	}
	return desc.BankID(a[k] - 1), a[k] != 0
}

func (a banksAsked) note(k int, b desc.BankID) desc.BankID {
	a[k] = -1
	if b != desc.NoBank {
		a[k] = int8(b) + 1
	}
	return b
}

// bankOfClass is regbank.Table.OfClass.
func (s *bankScratch) bankOfClass(c desc.ClassID) desc.BankID {
	if b, ok := s.ofClass.bank(int(c)); ok {
		return b
	}
	return s.ofClass.note(int(c), s.t.OfClass(s.facts, c))
}

// bankOfPhys is regbank.Table.OfPhys.
func (s *bankScratch) bankOfPhys(r desc.PhysReg) desc.BankID {
	if b, ok := s.ofPhys.bank(int(r)); ok {
		return b
	}
	return s.ofPhys.note(int(r), s.t.OfPhys(s.facts, r))
}

// holding is regbank.Table.Holding.
func (s *bankScratch) holding(t mir.LLT) regbank.Set {
	h := &s.held[uint64(t)*0x9e3779b97f4a7c15>>60]
	if h.t != t {
		h.t, h.banks = t, s.t.Holding(t)
	}
	return h.banks
}

// allDefault gives all registers the default bank where nothing in the function
// has to do with another one, and reports whether that is so: most functions
// have neither floating-point values nor vectors.
func (s *bankScratch) allDefault() bool {
	f, def := s.f, s.t.Bank(0, 0, 0)
	other := func(b desc.BankID) bool { return b != def && b != desc.NoBank }
	for i := range f.NumVRegs() {
		switch v := f.VReg(mir.VReg(i)); {
		case v.Class >= 0:
			if other(s.bankOfClass(desc.ClassID(v.Class))) {
				return false
			}
		case v.Bank >= 0 && desc.BankID(v.Bank) != def, v.Type != 0 && !s.holding(v.Type).Has(def):
			return false
		}
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if !s.mapped(i) {
				continue
			}
			if f.Instr(i).Opcode != desc.COPY {
				if !s.t.Plain(s.class(i)) {
					return false
				}
				continue
			}
			for n := range 2 {
				if r := f.Op(i, n).Reg(); r.IsPhysical() && other(s.bankOfPhys(desc.PhysReg(r))) {
					return false
				}
			}
		}
	}
	for i := range f.NumVRegs() {
		if v := f.VReg(mir.VReg(i)); v.Class < 0 && v.Bank < 0 && v.Type != 0 {
			v.Bank = int16(def)
		}
	}
	return true
}

// start makes each register a group of its own, bound by its class, bank or type.
func (s *bankScratch) start() {
	f := s.f
	n := f.NumVRegs()
	s.parent, s.can, s.votes, s.wide = slices.Grow(s.parent[:0], n), slices.Grow(s.can[:0], n), slices.Grow(s.votes[:0], n*s.nb), false
	for i := range n {
		s.parent = append(s.parent, int32(i))
		can := s.t.All()
		switch v := f.VReg(mir.VReg(i)); {
		case v.Class >= 0:
			if b := s.bankOfClass(desc.ClassID(v.Class)); b != desc.NoBank {
				can = 1 << b
			}
		case v.Bank >= 0:
			can = 1 << v.Bank
			s.wide = s.wide || v.Type != 0 && !s.t.Holds(desc.BankID(v.Bank), v.Type)
		case v.Type != 0:
			if can = s.holding(v.Type); can == 0 {
				can, s.wide = s.t.All(), true
			}
		}
		s.can = append(s.can, can)
		for range s.nb {
			s.votes = append(s.votes, 0)
		}
	}
	clear(s.parts)
	s.dead = s.dead[:0]
}

// each calls do for all instructions that have mappings.
func (s *bankScratch) each(do func(i mir.InstrID)) {
	f := s.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if s.mapped(i) {
				do(i)
			}
		}
	}
}

// mapped reports instructions that mappings are about: generic ones and copies.
func (s *bankScratch) mapped(i mir.InstrID) bool {
	switch op := s.f.Instr(i).Opcode; op {
	case desc.COPY, desc.PHI:
		return true
	default:
		return s.f.Facts.Instr(op).IsPreISel()
	}
}

func (s *bankScratch) find(n int32) int32 {
	for s.parent[n] != n {
		s.parent[n] = s.parent[s.parent[n]]
		n = s.parent[n]
	}
	return n
}

func (s *bankScratch) group(r mir.Reg) int32 { return s.find(int32(r.Index())) }

// of are the votes of a group, by bank.
func (s *bankScratch) of(g int32) []int32 { return s.votes[int(g)*s.nb : (int(g)+1)*s.nb] }

// join makes one group of two registers; groups that no bank holds together stay apart.
func (s *bankScratch) join(a, b mir.Reg) {
	x, y := s.group(a), s.group(b)
	if x == y || s.can[x]&s.can[y] == 0 {
		return
	}
	vx := s.of(x)
	for k, n := range s.of(y) {
		vx[k] += n
	}
	s.can[x] &= s.can[y]
	s.parent[y] = x
}

// bankOf is the bank of a register's group: the one that leaves the cheapest
// copies to where its operands want to be, the default mapping's among equals.
func (s *bankScratch) bankOf(r mir.Reg) desc.BankID {
	g := s.group(r)
	votes := s.of(g)
	first := s.t.Bank(0, 0, 0)
	best, least := desc.NoBank, 0
	for b, k := first, 0; k < s.nb; b, k = b+1, k+1 {
		if int(b) == s.nb {
			b = 0
		}
		if !s.can[g].Has(b) {
			continue
		}
		cost := 0
		for o, n := range votes {
			cost += int(n) * s.t.CopyCost(b, desc.BankID(o))
		}
		if best == desc.NoBank || cost < least {
			best, least = b, cost
		}
		if cost == 0 {
			break
		}
	}
	return best
}

// class gives the mappings of an instruction.
func (s *bankScratch) class(i mir.InstrID) regbank.Class {
	f := s.f
	switch op := f.Instr(i).Opcode; op {
	case desc.G_INTRINSIC, desc.G_INTRINSIC_W_SIDE_EFFECTS, desc.G_INTRINSIC_CONVERGENT, desc.G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS:
		for k := range f.Instr(i).NumOps() {
			if o := f.Op(i, k); o.Kind() == mir.OpIntrinsicID {
				return s.t.ClassOfIntrinsic(o.Intrinsic())
			}
		}
		return 0
	default:
		return s.t.ClassOf(op)
	}
}

// vote counts the wishes of the operands of i and joins the registers of those
// that are to be together. This sees more than one instruction: a loaded value
// that is only added as floating point is loaded into the bank of that.
func (s *bankScratch) vote(i mir.InstrID) {
	f := s.f
	if f.Instr(i).Opcode == desc.COPY {
		s.voteCopy(i)
		return
	}
	c := s.class(i)
	if s.t.ByType(c) && s.voteOnly(i, c) {
		return
	}
	var same [regbank.MaxGroups]struct {
		w regbank.Wish
		r mir.Reg
	}
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsReg() || !o.Reg().IsVirtual() {
			continue
		}
		w, r := s.t.Wish(c, n), o.Reg()
		votes := s.of(s.group(r))
		if w >= 0 {
			votes[w]++
			continue
		}
		first := true // of those that go together: what a mapping saves counts once
		for k := 0; w != regbank.Neutral; k++ {
			if same[k].r == 0 {
				same[k].w, same[k].r = w, r
				break
			}
			if same[k].w == w {
				s.join(same[k].r, r)
				first = false
				break
			}
		}
		for m := 0; first && m < s.t.NumMappings(c); m++ {
			votes[s.t.Bank(c, m, n)] += int32(s.t.Saves(c, m))
		}
	}
}

// voteOnly votes for the one mapping of i that holds the types of all operands;
// false when there are several.
func (s *bankScratch) voteOnly(i mir.InstrID, c regbank.Class) bool {
	f := s.f
	only := -1
mappings:
	for m := range s.t.NumMappings(c) {
		for n := range f.Instr(i).NumOps() {
			o := f.Op(i, n)
			if !o.IsReg() || !o.Reg().IsVirtual() {
				continue
			}
			if t := f.TypeOf(o.Reg()); t != 0 && !s.t.Holds(s.t.Bank(c, m, n), t) {
				continue mappings
			}
		}
		if only >= 0 {
			return false
		}
		only = m
	}
	if only < 0 {
		return false
	}
	for n := range f.Instr(i).NumOps() {
		if o := f.Op(i, n); o.IsReg() && o.Reg().IsVirtual() {
			s.of(s.group(o.Reg()))[s.t.Bank(c, only, n)]++
		}
	}
	return true
}

// voteCopy joins what a copy copies, or votes for the bank of a physical register.
func (s *bankScratch) voteCopy(i mir.InstrID) {
	d, u := s.f.Op(i, 0).Reg(), s.f.Op(i, 1).Reg()
	switch {
	case d.IsVirtual() && u.IsVirtual():
		s.join(d, u)
	case d.IsVirtual():
		s.votePhys(d, u)
	case u.IsVirtual():
		s.votePhys(u, d)
	}
}

func (s *bankScratch) votePhys(r, phys mir.Reg) {
	if phys == 0 {
		return
	}
	if b := s.bankOfPhys(desc.PhysReg(phys)); b != desc.NoBank {
		s.of(s.group(r))[b]++
	}
}

// assignFirst gives the registers that appear first in i the banks of its
// default mapping, or of the operands that they are to be with.
func (s *bankScratch) assignFirst(i mir.InstrID) {
	f := s.f
	c := s.class(i)
	isCopy := f.Instr(i).Opcode == desc.COPY
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsReg() || !o.Reg().IsVirtual() {
			continue
		}
		v := f.VReg(o.Reg())
		if v.Class >= 0 || v.Bank >= 0 || v.Type == 0 {
			continue
		}
		b := s.t.Bank(c, 0, n)
		if w := s.t.Wish(c, n); isCopy || w < 0 {
			for k := range f.Instr(i).NumOps() {
				if p := f.Op(i, k); k != n && p.IsReg() && p.Reg() != 0 && (isCopy || s.t.Wish(c, k) == w && w != regbank.Neutral) {
					if have := s.have(p.Reg()); have != desc.NoBank {
						b = have
						break
					}
				}
			}
		}
		if can := s.can[o.Reg().Index()]; !can.Has(b) {
			for b = 0; !can.Has(b); b++ {
			}
		}
		v.Bank = int16(b)
	}
}

// have is the bank that a register is in, desc.NoBank when it has none yet.
func (s *bankScratch) have(r mir.Reg) desc.BankID {
	if !r.IsVirtual() {
		return s.bankOfPhys(desc.PhysReg(r))
	}
	v := s.f.VReg(r)
	if v.Class >= 0 {
		return s.bankOfClass(desc.ClassID(v.Class))
	}
	return desc.BankID(v.Bank)
}

// mapping gives the mapping of i that costs least where its operands are.
func (s *bankScratch) mapping(i mir.InstrID, c regbank.Class) int {
	f := s.f
	best, least := 0, 0
	n := s.t.NumMappings(c)
	for m := 0; m < n && n > 1; m++ {
		cost := s.t.Cost(c, m)
		for k := range f.Instr(i).NumOps() {
			o := f.Op(i, k)
			if !o.IsReg() || !o.Reg().IsVirtual() {
				continue
			}
			want := s.t.Bank(c, m, k)
			have := s.have(o.Reg())
			if have == desc.NoBank || have == want || s.typeDecides(o.Reg(), want) {
				continue
			}
			copied := s.t.CopyCost(have, want)
			if o.IsDef() {
				copied = s.t.CopyCost(want, have)
			}
			if copied == regbank.Impossible || !s.t.Holds(want, f.TypeOf(o.Reg())) {
				copied = 1 << 20
			}
			cost += copied
		}
		if m == 0 || cost < least {
			best, least = m, cost
		}
	}
	return best
}

// repair copies operands of i that are not in the bank that they must be in.
func (s *bankScratch) repair(i mir.InstrID) error {
	f := s.f
	if !s.mapped(i) {
		return nil
	}
	if s.wide {
		if done, err := s.split(i); done || err != nil {
			return err
		}
	}
	if f.Instr(i).Opcode == desc.COPY {
		return nil
	}
	c := s.class(i)
	m := s.mapping(i, c)
	for n := 0; n < f.Instr(i).NumOps(); n++ {
		o := f.Op(i, n)
		if !o.IsReg() || !o.Reg().IsVirtual() {
			continue
		}
		want, have := s.t.Bank(c, m, n), s.have(o.Reg())
		if have == want || have == desc.NoBank || s.typeDecides(o.Reg(), want) {
			continue
		}
		if t := f.TypeOf(o.Reg()); t != 0 && !s.t.Holds(want, t) || s.t.CopyCost(have, want) == regbank.Impossible {
			return s.st.NotSupported(f, "selecting "+string(AppendInstr(nil, f, i)))
		}
		s.copyOperand(i, n, want)
	}
	return nil
}

// typeDecides reports a vector that bank want does not hold: operations have it where
// its type is, whatever their mapping says of scalars.
func (s *bankScratch) typeDecides(r mir.Reg, want desc.BankID) bool {
	t := s.f.TypeOf(r)
	return t != 0 && t.IsVector() && !s.t.Holds(want, t)
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
