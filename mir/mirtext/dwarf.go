package mirtext

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

func uint16Reg(r int) desc.PhysReg { return desc.PhysReg(r) }

// dwarfFlavour finds the register numbering of the function's triple.
func dwarfFlavour(f *mir.Function) int {
	if f.Module == nil || f.Module.Triple == "" {
		return 0
	}
	t := f.Module.Triple
	for {
		if i := f.Facts.DwarfFlavourOf(t); i != 0 || strings.HasPrefix(f.Facts.Str(f.Facts.DwarfRegs[0].Triple), t) {
			return i
		}
		cut := strings.LastIndexByte(t, '-')
		if cut < 0 {
			return 0
		}
		t = t[:cut]
	}
}
