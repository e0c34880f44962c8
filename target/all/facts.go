package all

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/triple"
)

// FromFacts makes a target of a family that has none, for passes from MIR to MIR
// that ask for registers and descriptions of instructions alone. It commutes
// nothing, since operands that may be exchanged are not always the first two
// sources; branches, copies and spills it does not know.
func FromFacts(row *family.Row, t triple.Triple) *target.Target {
	cpu := ""
	if row.DefaultCPU != nil {
		cpu = row.DefaultCPU(t)
	}
	return &target.Target{
		Name: strings.ToLower(row.Name), Family: row, DefaultCPU: cpu,
		Facts:   func() (*desc.Info, error) { return facts.Load(row.Name) },
		Matches: func(triple.Triple) bool { return false },
		Instr: target.InstrHooks{
			CommutableOps: func(*target.Subtarget, *mir.Function, mir.InstrID, int, int) (int, int, bool) { return 0, 0, false },
			AlsoReserved:  factsReserved,
		},
	}
}

// farCallFrame is the size in bytes of outgoing arguments from which on a frame may
// need a frame pointer: offsets from the stack pointer reach so far on all targets.
const farCallFrame = 255

// factsReserved appends the frame pointers of functions that may have one, and the
// registers that features named "reserve-" and a register reserve.
func factsReserved(st *target.Subtarget, f *mir.Function, out []mir.Reg) []mir.Reg {
	in := st.Facts
	add := func(name string) {
		r, ok := in.RegByName(name)
		if !ok {
			return
		}
		for a := range in.Regs {
			if a != 0 && in.Overlap(r, desc.PhysReg(a)) {
				out = append(out, mir.Reg(a))
			}
		}
	}
	fr := &f.Frame
	attr, _ := target.FnAttr(f, "frame-pointer")
	if attr != "" && attr != "none" || st.Options.FramePointer > target.FramePointerNone || fr.IsFrameAddressTaken ||
		fr.HasOpaqueSPAdjustment || st.NeedsRealign(f) || fr.HasStackMap || fr.HasPatchPoint || fr.MaxCallFrameSize > farCallFrame {
		for _, n := range st.Target.Family.FramePointers {
			add(n)
		}
	}
	for k := range in.Features {
		if name, ok := strings.CutPrefix(in.Str(in.Features[k].Name), "reserve-"); ok && st.Has(int(in.Features[k].Bit)) {
			add(name)
		}
	}
	return out
}
