package mctarget

import (
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/triple"
)

// flavor is the name of the triple's flavor in the object tables.
func flavor(t triple.Triple, abi string) string {
	name := t.Arch.Name()
	n32 := t.IsABIN32() && abi == "" || abi == "n32"
	switch {
	case n32 && t.Arch == triple.MIPS64:
		return "mipsn32"
	case n32 && t.Arch == triple.MIPS64EL:
		return "mipsn32el"
	case t.Arch == triple.AArch64 && t.Env == triple.EnvGNUILP32, t.Arch == triple.AArch64_32:
		return "aarch64_ilp32"
	case t.Arch == triple.Thumb:
		return "arm"
	case t.Arch == triple.ThumbEB:
		return "armeb"
	}
	return name
}

// differences are the relocations of alignments and of differences whose code a linker may
// change (RISC-V ABIs Specification 1.0, ELF, relocations; LoongArch ELF ABI 2.30).
var differences = map[family.ID]struct {
	align              uint32
	add, sub           [4]uint32
	frameAdd, frameSub [4]uint32 // steps of frames
	lebAdd, lebSub     uint32
	lebZero            bool
	alignLimits        bool
}{
	family.RISCV:     {43, [4]uint32{33, 34, 35, 36}, [4]uint32{37, 38, 39, 40}, [4]uint32{53, 54, 55, 56}, [4]uint32{52, 37, 38, 39}, 60, 61, false, false},
	family.LoongArch: {102, [4]uint32{47, 48, 50, 51}, [4]uint32{52, 53, 55, 56}, [4]uint32{105, 47, 48, 50}, [4]uint32{106, 52, 53, 55}, 107, 108, true, true},
}

// Objects binds the object tables of the facts; nil where there are none for the triple.
func (t *Target) Objects() (*table.Objects, error) {
	return t.objects.get(func() (*table.Objects, error) {
		if t.from.Objects == nil {
			return nil, nil
		}
		tab, err := t.from.Objects()
		if tab == nil || err != nil {
			return nil, err
		}
		name := flavor(t.Triple, t.ABI)
		for i := range tab.Flavors {
			if tab.Flavors[i].Name.In(tab.Names) != name {
				continue
			}
			o, err := table.NewObjects(tab, name, t.Info)
			if err == nil {
				o.Object.Maps = t.Family.MapSymbols
				if d, ok := differences[t.Family.ID]; ok {
					m := &o.Object
					m.AlignReloc, m.AddRelocs, m.SubRelocs = d.align, d.add, d.sub
					m.AlignLimits = d.alignLimits
					m.FrameAdds, m.FrameSubs, m.LEBAdd, m.LEBSub, m.LEBZero = d.frameAdd, d.frameSub, d.lebAdd, d.lebSub, d.lebZero
				}
				o.Object.OSABI = max(o.Object.OSABI, family.ELFOSABI(t.Triple))
				o.Object.ELFFlags = t.Family.ELFFlags(t.Triple, t.ABI, t.has)
			}
			return o, err
		}
		return nil, nil
	})
}

// has reports a feature of the target by its name.
func (t *Target) has(feature string) bool {
	i, ok := t.Info.FeatureByName(feature)
	return ok && t.ST.Has(t.Info.Features[i].Bit)
}
