package mctarget

import (
	"debug/elf"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/triple"
)

// dialect is what the assembler must know of a family's assembly beside what its
// printer shows.
type dialect struct {
	comment, separator string // "" for '#' and ';'
	data               []mc.DataName
	alignIsPower       bool
	debug              mc.SectionType // of debug information, 0 for the usual
	pureCode           bool           // sections may be executed and not read: flag y
	signedReturns      bool           // frames say how return addresses are signed
	minInst            int            // mc.AsmInfo.MinInst, 0 for 1
	wholeModifiers     string         // modifiers of numbers, where mc.AsmInfo.WholeModifiers
}

var (
	words2   = []mc.DataName{{Name: ".word", Size: 2}}
	wordsArm = []mc.DataName{{Name: ".hword", Size: 2}, {Name: ".word", Size: 4}}
	words64  = []mc.DataName{{Name: ".half", Size: 2}, {Name: ".hword", Size: 2}, {Name: ".word", Size: 4}, {Name: ".dword", Size: 8}}
)

// dialects are by family; all of it was asked of LLVM 22's assembler.
var dialects = [family.Count]dialect{
	family.AArch64:   {comment: "//", data: append(wordsArm[:2:2], mc.DataName{Name: ".xword", Size: 8}, mc.DataName{Name: ".dword", Size: 8}), alignIsPower: true, pureCode: true, signedReturns: true},
	family.ARM:       {comment: "@", data: wordsArm, alignIsPower: true, pureCode: true},
	family.AVR:       {comment: ";", separator: "$", data: words2},
	family.BPF:       {minInst: 8},
	family.Hexagon:   {comment: "//", data: words64[:3], minInst: 4},
	family.Lanai:     {comment: "!", minInst: 4},
	family.LoongArch: {data: words64, alignIsPower: true},
	family.M68k:      {comment: ";", separator: "\n"},
	family.MSP430:    {comment: ";", separator: "{", data: words2, alignIsPower: true},
	family.Mips:      {data: []mc.DataName{{Name: ".hword", Size: 2}, {Name: ".word", Size: 4}, {Name: ".dword", Size: 8}}, alignIsPower: true, debug: shtMipsDwarf},
	family.PowerPC:   {data: []mc.DataName{{Name: ".word", Size: 2}, {Name: ".llong", Size: 8}}, alignIsPower: true, minInst: 4, wholeModifiers: "l h ha high higha higher highera highest highesta"},
	family.RISCV:     {data: words64, alignIsPower: true},
	family.Sparc: {comment: "!", data: []mc.DataName{{Name: ".half", Size: 2}, {Name: ".uahalf", Size: 2}, {Name: ".word", Size: 4}, {Name: ".uaword", Size: 4},
		{Name: ".xword", Size: 8}, {Name: ".uaxword", Size: 8}, {Name: ".nword"}}},
	family.SystemZ: {data: words2},
	family.VE:      {data: []mc.DataName{{Name: ".word", Size: 4}, {Name: ".long", Size: 8}, {Name: ".llong", Size: 8}}, minInst: 8},
	family.Xtensa:  {alignIsPower: true},
}

// shtMipsDwarf is SHT_MIPS_DWARF.
const shtMipsDwarf mc.SectionType = 0x7000001e

// SHF_AARCH64_PURECODE and SHF_ARM_PURECODE, and what Solaris has in place of SHF_GNU_RETAIN.
const (
	shfPureCode      mc.SectionFlags = 0x20000000
	shfSunwNoDiscard mc.SectionFlags = 0x100000
)

// complete adds to a what reading needs.
func (t *Target) complete(a *mc.AsmInfo) {
	y := &dialects[t.Family.ID]
	a.Relocs = func(m uint16) string { return family.ELFRelocs(elf.Machine(m)) }
	if y.comment != "" {
		a.Comment = y.comment
	}
	if y.separator != "" {
		a.Separator = y.separator
	}
	a.AlignIsPower = y.alignIsPower
	a.PtrSize = t.Triple.PointerBits() / 8
	if t.Triple.IsX32() || t.Triple.IsABIN32() {
		a.PtrSize = 4
	}
	a.Darwin = t.Triple.IsDarwin()
	if a.Darwin {
		a.AlignIsPower, a.PrivateGlobal, a.PrivateLabel = true, "L", "L"
	}
	a.MinInst = y.minInst
	a.Debug, a.SignedReturns, a.WholeModifiers = y.debug, y.signedReturns, y.wholeModifiers != ""
	for _, name := range strings.Fields(y.wholeModifiers) {
		if m, ok := a.ModifierByName(name); ok {
			a.Modifiers[m].OfNumbers = true
		}
	}
	if y.pureCode {
		a.SectionFlags = append(a.SectionFlags[:len(a.SectionFlags):len(a.SectionFlags)], mc.SectionFlagName{Flag: shfPureCode, Letter: 'y'})
	}
	if t.Triple.OS == triple.OSSolaris {
		a.Retain = shfSunwNoDiscard
	}
	if y.data != nil {
		a.DataNames = y.data
	}
}

// dwarfFlavour gives the index of the triple's DWARF numbers of registers.
func (t *Target) dwarfFlavour() int { return t.Info.DwarfFlavourOf(t.Triple.Arch.Name()) }

// appendDwarfReg appends the name of the register that call frame directives number reg.
func (t *Target) appendDwarfReg(p *table.Printer, b []byte, reg uint32) ([]byte, bool) {
	if len(t.Info.DwarfRegs) == 0 {
		return b, false
	}
	f := t.dwarfFlavour()
	if t.Family.FrameFloats {
		for r := 1; r < len(t.Info.Regs); r++ {
			if strings.HasPrefix(t.Info.RegName(desc.PhysReg(r)), "F") && t.Info.DwarfNum(f, desc.PhysReg(r), true) == int(reg) {
				return p.AppendReg(b, desc.PhysReg(r)), true
			}
		}
	}
	for r := 1; r < len(t.Info.Regs); r++ {
		if t.Info.DwarfNum(f, desc.PhysReg(r), true) == int(reg) {
			n := len(b)
			b = p.AppendReg(b, desc.PhysReg(r))
			return b, len(b) > n
		}
	}
	return b, false
}
