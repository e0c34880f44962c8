package mctargetdesc

import (
	"errors"
	"fmt"

	"github.com/mirin-go/mirin/mc"
)

// The places that symbols go to in instructions. Distances are in slots of 8 bytes from the
// one behind.
const (
	fixupPlace mc.FixupKind = mc.FirstTargetFixup + iota // the offset of a jump
	fixupLong                                            // the number of gotol
	fixupCall                                            // the number of a call
	fixupWide                                            // both numbers of an LDDW
)

var fixups = [...]mc.FixupInfo{
	{Name: "FK_PCRel_2", Size: 8, Bits: 64, PCRel: true},
	{Name: "FK_BPF_PCRel_4", Size: 8, Bits: 64, PCRel: true},
	{Name: "FK_PCRel_4", Size: 8, Bits: 64, PCRel: true},
	{Name: "FK_SecRel_8", Size: 16, Bits: 64},
}

// Relocations: Documentation/bpf/llvm_reloc.rst of the kernel.
const (
	relocNone   = 0
	reloc64     = 1  // R_BPF_64_64: an LDDW
	relocAbs64  = 2  // R_BPF_64_ABS64
	relocAbs32  = 3  // R_BPF_64_ABS32
	relocNoDyld = 4  // R_BPF_64_NODYLD32: debug information, which linkers leave alone
	relocCall   = 10 // R_BPF_64_32
)

// backend is the mc.AsmBackend; big says that numbers have the high byte first.
type backend struct{ big bool }

// FixupInfo describes a fixup kind.
func (backend) FixupInfo(k mc.FixupKind) *mc.FixupInfo {
	if k < mc.FirstTargetFixup {
		return mc.GenericFixup(k)
	}
	return &fixups[k-mc.FirstTargetFixup]
}

// Relax does nothing: instructions have one form.
func (backend) Relax(*mc.Inst, *mc.Subtarget) bool { return false }

// NeedsRelaxation is false: instructions have one form.
func (backend) NeedsRelaxation(mc.FixupKind, int64) bool { return false }

// AppendNops fills n bytes with jumps to the instruction behind.
func (b backend) AppendNops(out []byte, n int, _ *mc.Subtarget) []byte {
	for ; n >= 8; n -= 8 {
		out = append(out, 0x05, 0, 0, 0, 0, 0, 0, 0)
	}
	return append(out, make([]byte, n)...)
}

// Apply puts the value of a fixup into its place.
func (b backend) Apply(place []byte, k mc.FixupKind, v int64) error {
	if k < mc.FirstTargetFixup {
		return mc.GenericFixup(k).Put(place, v, b.big)
	}
	slots := (v - 8) / 8
	switch k {
	case fixupWide:
		mc.PutInt(place[4:8], uint64(v), b.big)
		mc.PutInt(place[12:16], uint64(v)>>32, b.big)
	case fixupCall:
		// A call of a function of the program: its source register is 1.
		place[1] = 0x10
		if b.big {
			place[1] = 0x01
		}
		mc.PutInt(place[4:8], uint64(slots), b.big)
	case fixupLong:
		if slots != int64(int32(slots)) {
			return errors.New("branch target out of insn range")
		}
		mc.PutInt(place[4:8], uint64(slots), b.big)
	case fixupPlace:
		if v&7 != 0 {
			return fmt.Errorf("branch target is not a multiple of 8 bytes away")
		}
		if slots != int64(int16(slots)) {
			return errors.New("branch target out of insn range")
		}
		mc.PutInt(place[2:4], uint64(slots), b.big)
	}
	return nil
}

// Resolves is true of plain references.
func (backend) Resolves(_ mc.FixupKind, m mc.Modifier) bool { return m == mc.ModNone }

// RelocType gives the relocation of a fixup.
func (backend) RelocType(k mc.FixupKind, m mc.Modifier, pcRel bool) (uint32, error) {
	switch {
	case m != mc.ModNone:
	case k == fixupWide && !pcRel:
		return reloc64, nil
	case k == fixupCall:
		return relocCall, nil
	case k == mc.FixupData8 && !pcRel:
		return relocAbs64, nil
	case k == mc.FixupData4 && !pcRel:
		return relocAbs32, nil
	}
	return 0, errors.New("unsupported relocation type")
}

// RelocOf refines RelocType by what the relocation names: offsets of instructions and variables
// in debug information are of a kind that linkers leave alone. They are found by labels in code
// and by variables.
func (backend) RelocOf(t uint32, y *mc.Symbol, s *mc.Section) uint32 {
	if t != relocAbs32 || s == nil || s.Flags&mc.FlagAlloc == 0 {
		return t
	}
	if y.Temp() && s.Flags&mc.FlagExec != 0 || !y.Temp() && s.Flags&mc.FlagWrite != 0 {
		return relocNoDyld
	}
	return t
}

// NeedsSymbol is false: no relocation goes through a table.
func (backend) NeedsSymbol(uint32, mc.Modifier) bool { return false }

// Machine gives what the header says.
func (b backend) Machine() mc.Machine {
	return mc.Machine{ELFMachine: 247, Is64: true, BigEndian: b.big, PtrSize: 8, EHFrameType: mc.SecProgBits, CodeAlign: 4,
		CIE: mc.CIE{CodeAlign: 8, DataAlign: -4, Return: 11}}
}
