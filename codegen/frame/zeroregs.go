package frame

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// zeroRegs clears registers before the function returns, as "zero-call-used-regs"
// says: what it has left there is of no use to whoever has taken over the caller. It
// clears none that the caller reads or that the function must preserve.
func (p *pei) zeroRegs() error {
	kind, ok := target.FnAttr(p.f, "zero-call-used-regs")
	if !ok || kind == "skip" {
		return nil
	}
	z := p.h.ZeroRegs
	if z == nil {
		return p.st.NotSupported(p.f, "function attribute zero-call-used-regs")
	}
	what, args := strings.CutSuffix(kind, "-arg")
	what, integers := strings.CutSuffix(what, "-gpr")
	used := what == "used"
	switch {
	case !used && what != "all":
		return p.st.NotSupported(p.f, "zero-call-used-regs="+kind)
	case !used && !integers && z.Missing(p.st):
		return p.st.NotSupported(p.f, "zero-call-used-regs="+kind+" on this processor")
	}
	regs := slices.Clone(z.Integers)
	if args && !used {
		regs = slices.Clone(z.ArgIntegers)
	}
	if !integers && args && !used {
		regs = append(regs, z.ArgOthers...)
	} else if !integers {
		regs = append(regs, z.Others...)
	}
	regs = p.without(regs, p.kept())
	if used {
		regs = p.amongst(regs, p.named())
	}
	if used && args {
		regs = p.amongst(regs, p.arguments())
	}
	for b := p.f.FirstBlock(); b != 0; b = p.f.NextBlock(b) {
		if !p.returns(b) {
			continue
		}
		bd := mir.Builder{F: p.f, Block: b, At: p.f.FirstTerminator(b)}
		if !used && !integers && !args && z.ClearAll != nil {
			z.ClearAll(p.st, &bd)
		}
		for _, r := range regs {
			z.Clear(&bd, r)
		}
	}
	return nil
}

func (p *pei) overlapsAny(r desc.PhysReg, of []desc.PhysReg) bool {
	return slices.ContainsFunc(of, func(x desc.PhysReg) bool { return p.f.Facts.Overlap(x, r) })
}

func (p *pei) without(regs, of []desc.PhysReg) []desc.PhysReg {
	return slices.DeleteFunc(regs, func(r desc.PhysReg) bool { return p.overlapsAny(r, of) })
}

func (p *pei) amongst(regs, of []desc.PhysReg) []desc.PhysReg {
	return slices.DeleteFunc(regs, func(r desc.PhysReg) bool { return !p.overlapsAny(r, of) })
}

// kept lists what must stay: what returns read or write, what the function preserves,
// the frame and the stack pointer.
func (p *pei) kept() (regs []desc.PhysReg) {
	f := p.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if !p.returns(b) {
			continue
		}
		for i := f.FirstTerminator(b); i != 0; i = f.Instr(i).Next() {
			for _, o := range f.Ops(i) {
				if o.IsReg() && o.Reg().IsPhysical() {
					regs = append(regs, desc.PhysReg(o.Reg()))
				}
			}
		}
	}
	cc := uint16(0)
	if f.IR != nil {
		cc = f.IR.Global().CC
	}
	if p.st.Call != nil {
		regs = append(regs, p.st.Call.SavedRegs(cc)...)
	}
	if p.st.HasFP(f) {
		regs = append(regs, p.h.FramePointer)
	}
	return append(regs, desc.PhysReg(p.st.Variant.StackPointer))
}

// named lists the registers that instructions name.
func (p *pei) named() (regs []desc.PhysReg) {
	f := p.f
	seen := make([]bool, len(f.Facts.Regs))
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.IsDebugInstr(i) {
				continue
			}
			for _, o := range f.Ops(i) {
				if o.IsReg() && !o.IsImplicit() && o.Reg().IsPhysical() && !seen[o.Reg()] {
					seen[o.Reg()] = true
					regs = append(regs, desc.PhysReg(o.Reg()))
				}
			}
		}
	}
	return regs
}

// arguments lists the registers that the function is entered with.
func (p *pei) arguments() (regs []desc.PhysReg) {
	for _, l := range p.f.LiveInsOf(p.f.FirstBlock()) {
		regs = append(regs, desc.PhysReg(l.Reg))
	}
	return regs
}
