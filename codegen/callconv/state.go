package callconv

import (
	"fmt"
	"slices"

	"github.com/mirin-go/mirin/desc"
)

// LocInfo says how a value changes on the way to its place, LLVM's names.
type LocInfo uint8

// The changes.
const (
	Full      LocInfo = iota // none
	SExt                     // sign-extended
	ZExt                     // zero-extended
	AExt                     // extended, the upper bits do not matter
	SExtUpper                // in the upper bits, the rest sign-extended (and so on)
	ZExtUpper
	AExtUpper
	BCvt     // the same bits as another type
	Trunc    // cut off
	Indirect // in memory; the place holds the address
)

var locInfoNames = [...]string{"Full", "SExt", "ZExt", "AExt", "SExtUpper", "ZExtUpper", "AExtUpper", "BCvt", "Trunc", "Indirect"}

// String gives LLVM's name.
func (i LocInfo) String() string { return locInfoNames[i] }

// Value is what a convention places: a piece, of a register's type, of a part of
// an argument or result.
type Value struct {
	// Arg and Part name what it belongs to; Word counts from the low end (or first
	// element), Words is their number. The words of a part come one after the
	// other, on big-endian machines the high one first.
	Arg, Part, Word, Words int
	// VT is the register type that the value has, LocVT what actions made of it by Info.
	VT, LocVT desc.MVT
	Info      LocInfo
	Flags     desc.CCFlags
	// AddrSpace is that of a pointer.
	AddrSpace uint32
	// ByValSize and ByValAlign are those of the aggregate of a CCByVal.
	ByValSize, ByValAlign int64
}

// Loc is where a value goes.
type Loc struct {
	Value
	Reg desc.PhysReg // 0: on the stack at Off
	Off int64        // bytes from the first stack argument
	// Shadow says that Off is a slot that belongs to the register.
	Shadow bool
}

// Pred answers a predicate of a target.
type Pred func(s *State, v *Value) bool

// Custom places a value (and remembers it, or places remembered ones, in
// State.Pending); false hands it to the next action.
type Custom func(s *State, v *Value) bool

// Interp is a table of conventions with the functions that it names.
type Interp struct {
	Table   *desc.CCTable
	Facts   *desc.Info
	preds   []Pred
	customs []Custom
}

// Bind finds the functions of a table.
func Bind(facts *desc.Info, t *desc.CCTable, preds map[string]Pred, customs map[string]Custom) (*Interp, error) {
	in := &Interp{Table: t, Facts: facts}
	for _, n := range t.Preds {
		if preds[n] == nil {
			return nil, fmt.Errorf("callconv: no function for predicate %s", n)
		}
		in.preds = append(in.preds, preds[n])
	}
	for _, n := range t.Customs {
		if customs[n] == nil {
			return nil, fmt.Errorf("callconv: no function for CCCustom %s", n)
		}
		in.customs = append(in.customs, customs[n])
	}
	return in, nil
}

// State places the values of one call, function or result.
type State struct {
	*Interp
	// Features are those of the subtarget, by desc.FeatureDesc.Bit.
	Features []uint64
	CC       uint16
	VarArg   bool
	Locs     []Loc
	// Stack is the size of the slots so far in bytes, MaxAlign the greatest
	// alignment of one (0 for none).
	Stack    int64
	MaxAlign int64
	// Pending are values that a Custom holds back until it has seen all of a group.
	Pending []Value

	used   []uint64 // by register unit
	values []Value  // scratch
}

// NewState begins the placement of the arguments or results of a function.
func (in *Interp) NewState(features []uint64, cc uint16, varArg bool) *State {
	s := &State{}
	s.start(in, features, cc, varArg)
	return s
}

// start begins another placement in the memory of the last.
func (s *State) start(in *Interp, features []uint64, cc uint16, varArg bool) {
	n := (in.Facts.NumUnits() + 63) / 64
	used := slices.Grow(s.used[:0], n)[:n]
	clear(used)
	*s = State{Interp: in, Features: features, CC: cc, VarArg: varArg, used: used,
		Locs: s.Locs[:0], Pending: s.Pending[:0], values: s.values[:0]}
}

// Placement is what a State found, to be found again without asking the convention.
type Placement struct {
	locs            []Loc
	used            []uint64
	stack, maxAlign int64
}

// Keep stores where the values went, in the memory of p; false says that this is
// not all of the state.
func (s *State) Keep(p *Placement) bool {
	p.locs, p.used = append(p.locs[:0], s.Locs...), append(p.used[:0], s.used...)
	p.stack, p.maxAlign = s.Stack, s.MaxAlign
	return len(s.Pending) == 0
}

// Repeat makes s what it was when p was kept: it was begun in the same way, and
// placed the same values.
func (c *Conventions) Repeat(s *State, cc uint16, varArg bool, p *Placement) {
	*s = State{Interp: c.Interp, Features: c.Features, CC: cc, VarArg: varArg, used: append(s.used[:0], p.used...),
		Locs: append(s.Locs[:0], p.locs...), Pending: s.Pending[:0], values: s.values[:0], Stack: p.stack, MaxAlign: p.maxAlign}
}

// IsTaken reports whether a register overlaps one that was given away.
func (s *State) IsTaken(r desc.PhysReg) bool {
	for u := range s.Facts.RegUnits(r).All() {
		if s.used[u/64]>>(u%64)&1 != 0 {
			return true
		}
	}
	return false
}

// Take gives a register away, whether it is free or not.
func (s *State) Take(r desc.PhysReg) {
	for u := range s.Facts.RegUnits(r).All() {
		s.used[u/64] |= 1 << (u % 64)
	}
}

// FirstFree is the index of the first free register, len(regs) when there is none.
func (s *State) FirstFree(regs []desc.PhysReg) int { return firstFree(s, regs) }

// firstFree is FirstFree, over words of code too.
func firstFree[R ~uint16](s *State, regs []R) int {
	for k, r := range regs {
		if !s.IsTaken(desc.PhysReg(r)) {
			return k
		}
	}
	return len(regs)
}

// NumTaken counts the registers of a list that were given away.
func (s *State) NumTaken(regs []desc.PhysReg) int {
	n := 0
	for _, r := range regs {
		if s.IsTaken(r) {
			n++
		}
	}
	return n
}

// AllocateStack takes a stack slot and returns its offset.
func (s *State) AllocateStack(size, align int64) int64 {
	align = max(align, 1)
	off := (s.Stack + align - 1) &^ (align - 1)
	s.Stack = off + size
	s.MaxAlign = max(s.MaxAlign, align)
	return off
}

// AddReg gives the value a register.
func (s *State) AddReg(v *Value, r desc.PhysReg) {
	s.Take(r)
	s.Locs = append(s.Locs, Loc{Value: *v, Reg: r})
}

// AddStack gives the value the slot at off.
func (s *State) AddStack(v *Value, off int64) {
	s.Locs = append(s.Locs, Loc{Value: *v, Off: off})
}

// RegMask makes the mask of what a call preserves from a list of registers:
// these and all their parts, and the registers that consist of such parts alone.
func RegMask(in *desc.Info, regs []desc.PhysReg) []uint32 {
	mask := make([]uint32, in.RegWords())
	for _, r := range regs {
		mask[r/32] |= 1 << (r % 32)
		for sub := range in.SubRegs(r).All() {
			mask[sub/32] |= 1 << (sub % 32)
		}
	}
	return mask
}
