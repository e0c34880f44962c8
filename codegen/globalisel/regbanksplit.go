package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Values wider than the registers of their bank lie in several: each such
// register is taken apart into as many as regbank.Table.Break says, and what
// defines and uses it is done part by part. That is right for the operations
// below, which do not look across parts; merges and unmerges are where such
// values come from and go to.

// split does i part by part when an operand lies in several registers, and
// reports whether it did. Instructions that cannot be split are an error.
func (s *bankScratch) split(i mir.InstrID) (bool, error) {
	f := s.f
	wide := false
	for n := range f.Instr(i).NumOps() {
		if o := f.Op(i, n); o.IsReg() && o.Reg().IsVirtual() && s.isWide(o.Reg()) {
			wide = true
		}
	}
	if !wide {
		return false, nil
	}
	ok := false
	switch f.Instr(i).Opcode {
	case desc.G_AND, desc.G_OR, desc.G_XOR, desc.G_SELECT, desc.G_PHI, desc.G_FREEZE, desc.G_IMPLICIT_DEF, desc.COPY:
		ok = s.splitEach(i)
	case desc.G_MERGE_VALUES, desc.G_CONCAT_VECTORS:
		ok = s.splitMerge(i)
	case desc.G_UNMERGE_VALUES:
		ok = s.splitUnmerge(i)
	}
	if !ok {
		return false, s.st.NotSupported(f, "selecting "+string(AppendInstr(nil, f, i)))
	}
	s.dead = append(s.dead, i)
	return true, nil
}

// isWide reports registers of types that their bank holds in several registers only.
func (s *bankScratch) isWide(r mir.Reg) bool {
	v := s.f.VReg(r)
	return v.Class < 0 && v.Bank >= 0 && v.Type != 0 && !s.t.Holds(desc.BankID(v.Bank), v.Type)
}

// partsOf gives the registers that a wide one lies in, nil when it cannot.
func (s *bankScratch) partsOf(r mir.Reg) []mir.Reg {
	if p, ok := s.parts[r]; ok {
		return p
	}
	f := s.f
	bank := f.VReg(r).Bank
	n, t := s.t.Break(desc.BankID(bank), f.TypeOf(r))
	var out []mir.Reg
	for range n {
		p := f.AddGenericVReg(t)
		f.VReg(p).Bank = bank
		out = append(out, p)
	}
	if s.parts == nil {
		s.parts = map[mir.Reg][]mir.Reg{}
	}
	s.parts[r] = out
	return out
}

// splitEach repeats i for each part of its wide operands; the others are the same for all.
func (s *bankScratch) splitEach(i mir.InstrID) bool {
	f := s.f
	n := 0
	for k := range f.Instr(i).NumOps() {
		o := f.Op(i, k)
		if !o.IsReg() || !o.Reg().IsVirtual() {
			continue
		}
		if !s.isWide(o.Reg()) {
			if o.IsDef() || f.Instr(i).Opcode != desc.G_SELECT {
				return false
			}
			continue
		}
		if p := len(s.partsOf(o.Reg())); p == 0 || n != 0 && p != n {
			return false
		} else {
			n = p
		}
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	for part := range n {
		c := f.New(f.Instr(i).Opcode)
		for k := range f.Instr(i).NumOps() {
			o := *f.Op(i, k)
			switch {
			case !o.IsReg() || !o.Reg().IsVirtual():
			case s.isWide(o.Reg()) && o.IsDef():
				o = Def(s.partsOf(o.Reg())[part])
			case s.isWide(o.Reg()):
				o = Use(s.partsOf(o.Reg())[part])
			default:
				o = Use(o.Reg())
			}
			f.AddOp(c, o)
		}
		f.Instr(c).SetFlags(f.Instr(i).Flags())
		b.Insert(c)
		if err := s.repair(c); err != nil {
			return false
		}
	}
	return true
}

// splitMerge takes the parts of a wide register from what is merged.
func (s *bankScratch) splitMerge(i mir.InstrID) bool {
	f := s.f
	parts := s.partsOf(f.Op(i, 0).Reg())
	if len(parts) != f.Instr(i).NumOps()-1 {
		return false
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	for k, p := range parts {
		if f.TypeOf(p) != f.TypeOf(f.Op(i, k+1).Reg()) {
			return false
		}
		b.Copy(p, f.Op(i, k+1).Reg())
	}
	return true
}

// splitUnmerge gives the parts of a wide register to what it is unmerged into.
func (s *bankScratch) splitUnmerge(i mir.InstrID) bool {
	f := s.f
	n := f.Instr(i).NumOps() - 1
	parts := s.partsOf(f.Op(i, n).Reg())
	if len(parts) != n {
		return false
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	for k, p := range parts {
		if f.TypeOf(p) != f.TypeOf(f.Op(i, k).Reg()) {
			return false
		}
		b.Copy(f.Op(i, k).Reg(), p)
	}
	return true
}
