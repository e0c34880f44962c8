package target

import "strings"

// DwarfFlavour is the variant of the target whose DWARF register numbers the machine's
// objects have, by the rows of desc.Info.DwarfRegs.
func (m *Machine) DwarfFlavour() int {
	best, length := 0, -1
	have := m.Triple.String()
	for i := range m.Facts.DwarfRegs {
		s := m.Facts.Str(m.Facts.DwarfRegs[i].Triple)
		n := 0
		for n < len(s) && n < len(have) && s[n] == have[n] {
			n++
		}
		// The architecture must be the same, and then as much of the rest as can be.
		if arch, _, _ := strings.Cut(s, "-"); n >= len(arch) && n > length {
			best, length = i, n
		}
	}
	return best
}
