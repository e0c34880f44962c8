package mirstats

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Count is a name and how often it occurs.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"count"`
}

// Stats are the counts of one function or the sum of several.
type Stats struct {
	File      string `json:"file,omitempty"`
	Function  string `json:"function,omitempty"`
	Functions int    `json:"functions,omitempty"` // of a sum
	Blocks    int    `json:"blocks"`
	Edges     int    `json:"edges"`
	// Instrs are all instructions; Debug, Meta, PHIs and Copies are among them.
	Instrs int `json:"instructions"`
	Debug  int `json:"debugInstructions"`
	PHIs   int `json:"phis"`
	Copies int `json:"copies"`
	Calls  int `json:"calls"`
	// VRegs are virtual registers that occur; PhysRegs physical ones.
	VRegs    int `json:"virtualRegisters"`
	PhysRegs int `json:"physicalRegisters"`
	// Objects and Fixed are stack objects that were not removed. StackSize is
	// the frame's size where it is known, otherwise the sum of the objects' sizes.
	Objects   int   `json:"stackObjects"`
	Fixed     int   `json:"fixedStackObjects"`
	StackSize int64 `json:"stackSize"`
	// Loads and Stores are instructions with such a memory operand; MemOps counts the operands.
	MemOps int `json:"memoryOperands"`
	Loads  int `json:"loads"`
	Stores int `json:"stores"`
	// Spills are stores to stack objects of type spill-slot, Reloads loads from them.
	Spills  int     `json:"spills"`
	Reloads int     `json:"reloads"`
	Opcodes []Count `json:"opcodes,omitempty"` // most frequent first
	Classes []Count `json:"registerClasses,omitempty"`
}

// Of counts a function.
func Of(f *mir.Function) *Stats {
	s := &Stats{Function: f.Name}
	opcodes := map[desc.Opcode]int{}
	seen := map[mir.Reg]bool{}
	classes := map[string]int{}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		s.Blocks++
		s.Edges += f.NumSuccs(b)
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			opcodes[f.Instr(i).Opcode]++
			s.instr(f, i)
			for n := range f.Ops(i) {
				o := f.Op(i, n)
				if !o.IsReg() || o.Reg() == mir.NoReg || seen[o.Reg()] {
					continue
				}
				seen[o.Reg()] = true
				if o.Reg().IsVirtual() {
					s.VRegs++
					classes[className(f, o.Reg())]++
				} else {
					s.PhysRegs++
				}
			}
		}
	}
	for op, n := range opcodes {
		s.Opcodes = append(s.Opcodes, Count{f.Facts.OpcodeName(op), n})
	}
	for name, n := range classes {
		s.Classes = append(s.Classes, Count{name, n})
	}
	sortCounts(s.Opcodes)
	sortCounts(s.Classes)
	s.frame(&f.Frame)
	return s
}

func (s *Stats) instr(f *mir.Function, i mir.InstrID) {
	s.Instrs++
	switch {
	case f.IsDebugInstr(i):
		s.Debug++
	case f.IsPHI(i):
		s.PHIs++
	case f.Instr(i).Opcode == desc.COPY:
		s.Copies++
	}
	if f.Desc(i).IsCall() {
		s.Calls++
	}
	var loads, stores, spills, reloads bool
	for n := range f.NumMem(i) {
		m := f.MemOf(i, n)
		s.MemOps++
		loads = loads || m.Flags&mir.MemLoad != 0
		stores = stores || m.Flags&mir.MemStore != 0
		if m.PtrKind == mir.PtrFixedStack && f.Frame.First() <= int(int32(m.Ptr)) && int(int32(m.Ptr)) < f.Frame.End() &&
			f.Frame.Object(int(int32(m.Ptr))).Flags&mir.FrameSpill != 0 {
			reloads = reloads || m.Flags&mir.MemLoad != 0
			spills = spills || m.Flags&mir.MemStore != 0
		}
	}
	for _, x := range []struct {
		is bool
		n  *int
	}{{loads, &s.Loads}, {stores, &s.Stores}, {spills, &s.Spills}, {reloads, &s.Reloads}} {
		if x.is {
			*x.n++
		}
	}
}

func (s *Stats) frame(fr *mir.FrameInfo) {
	sum := int64(0)
	for fi := fr.First(); fi < fr.End(); fi++ {
		switch {
		case fr.IsDead(fi):
		case fi < 0:
			s.Fixed++
		default:
			s.Objects++
			sum += fr.Object(fi).Size
		}
	}
	if s.StackSize = int64(fr.StackSize); s.StackSize == 0 {
		s.StackSize = sum
	}
}

// className is a register's class, or bank, or "_" while it has neither.
func className(f *mir.Function, r mir.Reg) string {
	v := f.VReg(r)
	switch {
	case v.Class >= 0:
		return string(f.Facts.AppendLowerClass(nil, desc.ClassID(v.Class)))
	case v.Bank >= 0:
		return string(f.Facts.AppendLowerBank(nil, desc.BankID(v.Bank)))
	}
	return "_"
}

func sortCounts(c []Count) {
	slices.SortFunc(c, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
}

// Add adds the counts of t.
func (s *Stats) Add(t *Stats) {
	s.Functions++
	from, to := t.numbers(), s.numbers()
	for k := range from {
		*to[k] += *from[k]
	}
	s.StackSize += t.StackSize
	s.Opcodes = sum(s.Opcodes, t.Opcodes)
	s.Classes = sum(s.Classes, t.Classes)
}

func (s *Stats) numbers() []*int {
	return []*int{&s.Blocks, &s.Edges, &s.Instrs, &s.Debug, &s.PHIs, &s.Copies, &s.Calls, &s.VRegs, &s.PhysRegs, &s.Objects, &s.Fixed,
		&s.MemOps, &s.Loads, &s.Stores, &s.Spills, &s.Reloads}
}

func sum(a, b []Count) []Count {
	at := map[string]int{}
	for k, c := range a {
		at[c.Name] = k
	}
	for _, c := range b {
		if k, ok := at[c.Name]; ok {
			a[k].N += c.N
		} else {
			a = append(a, c)
		}
	}
	sortCounts(a)
	return a
}
