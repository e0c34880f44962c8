package x86

import (
	"math/bits"

	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// asmPlaces are the places of the x87's stack that inline assembly names, as sets
// of the i of ST(i): GCC's manual, "Extended asm with x87 stack-like registers".
type asmPlaces struct {
	uses, defs, clobbers uint8
	// anywhere are the operands that may be at any place.
	anywhere []int
}

// asmPlaces collects them; a place is a pseudo register of the same number.
func (s *fpStack) asmPlaces(i mir.InstrID) (p asmPlaces, ok bool) {
	f := s.f
	ops := f.Ops(i)
	for k := mir.AsmFirstGroup; k < len(ops) && ops[k].IsImm(); k = mir.AsmGroupAfter(ops, k) {
		g := mir.AsmGroup(ops[k].Imm())
		for n := k + 1; n <= k+g.NumOps(); n++ {
			if !ops[n].IsReg() {
				continue
			}
			r, is := fpReg(ops[n].Reg())
			if !is {
				continue
			}
			switch fixed := g.Class() < 0; {
			case g.Kind() == mir.AsmClobber:
				p.clobbers |= 1 << r
			case g.Kind() == mir.AsmUse && (fixed || isTied(g)):
				p.uses |= 1 << r
			case g.Kind() == mir.AsmUse:
				p.anywhere = append(p.anywhere, n)
			case fixed:
				p.defs |= 1 << r
			default:
				return p, false
			}
		}
	}
	return p, true
}

func isTied(g mir.AsmGroup) bool {
	_, tied := g.Tied()
	return tied
}

// fromTop reports a set of places without a gap from the top on.
func fromTop(set uint8) bool { return set&(set+1) == 0 }

// inlineAsm has the inputs at their places and takes over what the assembly leaves:
// inputs that are outputs or clobbered are popped, outputs pushed.
func (s *fpStack) inlineAsm(i mir.InstrID, after uint8) {
	f := s.f
	p, ok := s.asmPlaces(i)
	popped := p.uses & (p.defs | p.clobbers)
	if !ok || !fromTop(p.uses) || !fromTop(popped) || !fromTop(p.defs) {
		s.fail(i, "such places of the x87 stack")
		return
	}
	live := after &^ p.defs
	for _, n := range p.anywhere {
		r, _ := fpReg(f.Op(i, n).Reg())
		s.need(uint8(r))
	}
	// What is popped although it is read later is pushed once more, and the copy popped.
	names := make([]uint8, bits.Len8(p.uses))
	for r := range names {
		s.need(uint8(r))
		if names[r] = uint8(r); (popped&live)>>r&1 != 0 {
			names[r] = scratch + uint8(r)
			s.copyToTop(uint8(r), names[r])
		}
	}
	var order []uint8
	for _, r := range s.stack {
		if r >= numFP || int(r) < len(names) && names[r] == r {
			continue
		}
		order = append(order, r)
	}
	for r := len(names) - 1; r >= 0; r-- {
		order = append(order, names[r])
	}
	s.arrange(order)
	s.nameAsm(i, &p)
	for range bits.OnesCount8(popped) {
		s.popTop()
	}
	for r := bits.Len8(p.defs) - 1; r >= 0; r-- {
		s.push(uint8(r))
	}
	s.b.SetAfter(i)
	s.dropDead(after)
}

// nameAsm makes the operands of the assembly places of the stack.
func (s *fpStack) nameAsm(i mir.InstrID, p *asmPlaces) {
	f := s.f
	any := map[int]bool{}
	for _, n := range p.anywhere {
		any[n] = true
	}
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsReg() {
			continue
		}
		r, ok := fpReg(o.Reg())
		if !ok {
			continue
		}
		if any[n] {
			r = s.depth(uint8(r))
		}
		f.SetReg(i, n, reg(tab.ST0)+mir.Reg(r))
		f.SetOpFlag(i, n, mir.Renamable, false)
	}
}
