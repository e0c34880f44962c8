package mirverify

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// Options control Verify.
type Options struct {
	// Banner is the line above the function in a report ("After …"), "" for none.
	Banner string
	// Target, when set, checks what only the target knows about an
	// instruction; the result is a message, "" when it is content.
	Target func(f *mir.Function, i mir.InstrID) string
	// Reserved is the set of reserved registers, a bit a register; nil: those of the facts' nearest variant.
	Reserved []uint32
	// Mode is the hardware mode that register classes of operands depend on; 0: that of the nearest variant.
	Mode int
}

// Verify checks a function.
func Verify(f *mir.Function, o Options) *Report {
	var v Verifier
	return v.Verify(f, o)
}

// Verifier checks functions one after the other, reusing its memory. The zero
// value is ready.
type Verifier struct {
	f    *mir.Function
	in   *desc.Info
	o    Options
	rep  *Report
	mode int
	// variantOf says what mode was chosen for.
	variantOf    variantKey
	framePointer bool // attribute frame-pointer asks for one

	facts    *desc.Info // whose tables the next fields hold
	reserved []uint32
	allocSet []uint32 // registers of allocatable classes
	analyze  *branchInfo
	frameOps []frameOps

	tracks   bool // liveness is tracked
	ssa      bool
	selected bool
	banked   bool
	tiedDone bool

	cfg   cfgState
	live  liveState
	flow  flowState
	conv  convState
	amd   amdState
	row   *family.Row // of the facts
	mips  mipsState
	a64   a64State
	block mir.BlockID
	// bundle is the head of the bundle being checked.
	bundle          mir.InstrID
	firstTerminator mir.InstrID
	firstNonPHI     mir.InstrID
	numbered        []mir.InstrID // instructions with a debug instruction number
	types           [6]mir.LLT
	layout          *ir.DataLayout // of layoutText
	layoutText      string
}

// Reset drops what the last function left, keeping the memory.
func (v *Verifier) Reset() { v.f, v.rep = nil, nil }

// Verify checks a function. A function with property FailsVerification is not looked at.
func (v *Verifier) Verify(f *mir.Function, o Options) *Report {
	v.rep = &Report{}
	if f.Props&mir.FailsVerification != 0 || f.Facts == nil {
		return v.rep
	}
	v.f, v.in, v.o = f, f.Facts, o
	v.target()
	v.tracks = f.Props&mir.TracksLiveness != 0
	v.ssa = f.Props&mir.IsSSA != 0
	v.selected = f.Props&mir.Selected != 0
	v.banked = f.Props&mir.RegBankSelected != 0
	v.tiedDone = f.Props&mir.TiedOpsRewritten != 0
	v.numbered = v.numbered[:0]

	v.properties()
	v.cfg.build(f)
	v.live.reset(f)
	v.flow.reset(f)
	v.conv.reset()
	v.duplicateEdges()
	if f.FirstBlock() != 0 {
		v.stackFrame()
	}
	v.stackProtector()
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		v.checkBlock(b)
	}
	v.finish()
	r := v.rep
	v.rep = nil
	return r
}

func (v *Verifier) properties() {
	if v.f.Props&mir.NoVRegs == 0 {
		return
	}
	for k := range v.f.NumVRegs() {
		if v.f.FirstUse(mir.VReg(k)) != 0 {
			v.errFunc("Function has NoVRegs property but there are VReg operands")
			return
		}
	}
}

// target fills the tables that depend on the target alone.
func (v *Verifier) target() {
	in := v.in
	if v.facts != in {
		v.row = family.Of(in)
	}
	v.chooseVariant()
	if v.facts == in {
		v.setReserved()
		return
	}
	v.facts = in
	words := in.RegWords()
	v.allocSet = append(v.allocSet[:0], make([]uint32, words)...)
	for r := range in.Regs {
		if in.Regs[r].Flags&desc.RegInAllocatableSet != 0 {
			v.allocSet[r/32] |= 1 << (r % 32)
		}
	}
	v.setReserved()
	v.analyze = branchesOf(in, v.row)
	v.frameOps = frameOpsOf(v.frameOps[:0], in)
}

func (v *Verifier) setReserved() {
	words := v.in.RegWords()
	v.reserved = append(v.reserved[:0], make([]uint32, words)...)
	if v.o.Reserved != nil {
		copy(v.reserved, v.o.Reserved)
		return
	}
	v.reserveFrame()
	// A register that a variant reserves may be reserved here, where the
	// subtarget's register files are the same: the facts do not know every feature.
	for k := range v.in.Variants {
		if int(v.in.Variants[k].Mode) != v.mode {
			continue
		}
		for w, x := range v.in.ReservedRegs(k) {
			v.reserved[w] |= x
		}
	}
	if more := moreReserved[v.row.ID]; more != nil {
		more(v)
	}
}

func has(set []uint32, r mir.Reg) bool { return set[r/32]>>(r%32)&1 != 0 }

func (v *Verifier) isReserved(r mir.Reg) bool { return has(v.reserved, r) }
