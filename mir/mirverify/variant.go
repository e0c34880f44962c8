package mirverify

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/triple"
)

// variantKey is what the choice of a variant depends on.
type variantKey struct {
	in    *desc.Info
	mod   *ir.Module
	attrs ir.AttrListID
	mode  int // as asked for
}

// chooseVariant picks the hardware mode for a function by its triple, processor and features.
func (v *Verifier) chooseVariant() {
	in := v.in
	key := variantKey{in: in}
	var attrs ir.AttrSet
	of := ""
	if m := v.f.Module; m != nil {
		key.mod = m
		of = m.Triple
		if id := m.Lookup(v.f.Name); id != 0 {
			key.attrs = m.Globals[id].Attrs
			attrs = m.Attrs.At(key.attrs).Fn
		}
	}
	key.mode = v.o.Mode
	if key == v.variantOf {
		return
	}
	v.variantOf = key
	v.framePointer = false
	if a, ok := attrs.Get("frame-pointer"); ok {
		v.framePointer = a.Value != "none"
	}
	cpu, features := "", ""
	if a, ok := attrs.Get("target-cpu"); ok {
		cpu = a.Value
	}
	if a, ok := attrs.Get("target-features"); ok {
		features = a.Value
	}
	v.mode = v.row.Mode(in, triple.Parse(of), func() family.FeatureSet { return family.Resolve(in, cpu, "", features).FeatureSet })
	if v.o.Mode > 0 && v.o.Mode < len(in.Modes) {
		v.mode = v.o.Mode
	}
}

func (v *Verifier) reserve(r mir.Reg) {
	v.reserved[r/32] |= 1 << (r % 32)
	subs := v.in.SubRegs(desc.PhysReg(r))
	for k := range subs.Len() {
		s := subs.At(k)
		v.reserved[s/32] |= 1 << (s % 32)
	}
}

// reserveFrame reserves the frame pointer and the base pointer of a function that has them.
func (v *Verifier) reserveFrame() {
	fr := &v.f.Frame
	needs := family.FrameNeeds(0)
	if fr.HasVarSizedObjects {
		needs |= family.VarSized
	}
	if fr.HasOpaqueSPAdjustment {
		needs |= family.MovesSP
	}
	if 1<<fr.MaxAlign > v.stackAlign() {
		needs |= family.Realigned
	}
	v.row.FrameRegs(needs, v.mode, v.framePointer || fr.IsFrameAddressTaken, func(name string) {
		if r, ok := v.in.RegByName(name); ok {
			for _, a := range v.in.Aliases(r) {
				v.reserved[a/32] |= 1 << (a % 32)
			}
		}
	})
}

// stackAlign is the alignment of the stack in bytes that callers give.
func (v *Verifier) stackAlign() uint64 {
	for k := range v.in.Variants {
		if d := &v.in.Variants[k]; int(d.Mode) == v.mode {
			return uint64(d.StackAlign)
		}
	}
	return 1
}
