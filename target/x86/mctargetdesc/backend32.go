package mctargetdesc

import (
	"debug/elf"
	"fmt"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// Backend32 is the mc.AsmBackend of i386: objects of 32 bits, whose relocations have
// their addends in place. What it does to instructions is Backend's.
type Backend32 struct {
	*Backend
	iamcu bool // for Intel MCU
}

// NewBackend32 returns the backend over the facts of X86 for i386's ELF.
func NewBackend32(info *desc.Info) *Backend32 { return &Backend32{Backend: NewBackend(info)} }

// Machine describes i386's ELF.
func (b *Backend32) Machine() mc.Machine {
	machine := uint16(elf.EM_386)
	if b.iamcu {
		machine = 6 // EM_IAMCU
	}
	return mc.Machine{ELFMachine: machine, OSABI: b.OSABI, PtrSize: 4, EHFrameType: mc.SecProgBits, CodeAlign: 4,
		CIE: mc.CIE{CodeAlign: 1, DataAlign: -4, Return: dwarfEIP, Pointer: mc.EncPCRel | mc.EncSData4, Initial: []mc.CFI{
			{Op: mc.CFIDefCfa, Reg: dwarfESP, Offset: 4}, {Op: mc.CFIOffset, Reg: dwarfEIP, Offset: -4}}}}
}

// DWARF numbers of i386's registers.
const (
	dwarfESP = 4
	dwarfEIP = 8
)

// The relocations of i386 (System V ABI, Intel386 supplement, and its GNU extensions).
const (
	r386GOTPC  = 10
	r386GOT32X = 43
)

// plain386 are the relocations without a modifier, by size: absolute, relative.
var plain386 = [5][2]uint32{1: {22, 23}, 2: {20, 21}, 4: {1, 2}}

// modified386 are those of 4 bytes with one.
var modified386 = [...]uint32{
	ModPLT: 4, ModGOT: 3, ModGOTOFF: 9, ModGOTTPOFF: 33, ModINDNTPOFF: 15, ModNTPOFF: 17, ModGOTNTPOFF: 16, ModTLSGD: 18, ModTLSLDM: 19,
	ModTPOFF: 34, ModDTPOFF: 32, ModTLSDESC: 39, ModTLSCALL: 40, ModGOTPLT: 0,
}

// RelocType gives the relocation of a fixup.
func (b *Backend32) RelocType(k mc.FixupKind, m mc.Modifier, pcRel bool) (uint32, error) {
	size := fixupInfo(k).Size
	switch {
	case m == mc.ModNone && k == FixupGOTDiff4:
		return r386GOTPC, nil
	case m == mc.ModNone && size <= 4:
		if pcRel {
			return plain386[size][1], nil
		}
		return plain386[size][0], nil
	case m == ModGOT && k == FixupData4Relax && !b.noRelax:
		return r386GOT32X, nil
	case size == 4 && int(m) < len(modified386) && modified386[m] != 0:
		return modified386[m], nil
	case m == ModTLSCALL:
		return modified386[m], nil
	}
	return 0, fmt.Errorf("unsupported relocation type")
}

// NeedsSymbol is Backend's, but for distances from the global offset table.
func (b *Backend32) NeedsSymbol(relocType uint32, m mc.Modifier) bool {
	return m != ModGOTOFF && b.Backend.NeedsSymbol(relocType, m)
}

// MergeNeedsSymbol is true of these distances: linkers lost their addends.
func (b *Backend32) MergeNeedsSymbol(relocType uint32) bool {
	return relocType == modified386[ModGOTOFF]
}
