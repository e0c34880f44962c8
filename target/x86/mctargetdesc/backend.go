package mctargetdesc

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// The fixups of x86; 4 bytes each but for the last.
const (
	FixupRIP          mc.FixupKind = mc.FirstTargetFixup + iota // rip-relative displacement
	FixupRIPRelaxMovq                                           // … of a movq load
	FixupRIPRelax                                               // … of an instruction that a linker can rewrite
	FixupRIPRelaxREX                                            // … with a REX prefix
	FixupSigned4                                                // sign-extended to 64 bits
	FixupBranch4                                                // target of call or jump
	FixupGOTRIP                                                 // rip-relative address of the global offset table
	FixupGOTDiff4                                               // its distance from a label, not pc-relative itself
	FixupGOTDiff8                                               // … in 8 bytes
	FixupData4Relax                                             // displacement of a load that a linker can rewrite (i386)
)

// fixups are indexed by the kind from FirstTargetFixup on.
var fixups = [...]mc.FixupInfo{
	FixupRIP - mc.FirstTargetFixup:          {Name: "reloc_riprel_4byte", Size: 4, Bits: 32, PCRel: true, Checked: true},
	FixupRIPRelaxMovq - mc.FirstTargetFixup: {Name: "reloc_riprel_4byte_movq_load", Size: 4, Bits: 32, PCRel: true, Checked: true},
	FixupRIPRelax - mc.FirstTargetFixup:     {Name: "reloc_riprel_4byte_relax", Size: 4, Bits: 32, PCRel: true, Checked: true},
	FixupRIPRelaxREX - mc.FirstTargetFixup:  {Name: "reloc_riprel_4byte_relax_rex", Size: 4, Bits: 32, PCRel: true, Checked: true},
	FixupSigned4 - mc.FirstTargetFixup:      {Name: "reloc_signed_4byte", Size: 4, Bits: 32},
	FixupBranch4 - mc.FirstTargetFixup:      {Name: "reloc_branch_4byte_pcrel", Size: 4, Bits: 32, PCRel: true, Checked: true},
	FixupGOTRIP - mc.FirstTargetFixup:       {Name: "reloc_riprel_4byte", Size: 4, Bits: 32, PCRel: true, Checked: true},
	FixupGOTDiff4 - mc.FirstTargetFixup:     {Name: "reloc_global_offset_table", Size: 4, Bits: 32},
	FixupGOTDiff8 - mc.FirstTargetFixup:     {Name: "reloc_global_offset_table8", Size: 8, Bits: 64},
	FixupData4Relax - mc.FirstTargetFixup:   {Name: "reloc_signed_4byte_relax", Size: 4, Bits: 32},
}

func fixupInfo(k mc.FixupKind) *mc.FixupInfo {
	if k < mc.FirstTargetFixup {
		return mc.GenericFixup(k)
	}
	return &fixups[k-mc.FirstTargetFixup]
}

// Backend is x86's mc.AsmBackend.
type Backend struct {
	enc                   *Encoder
	fast7, fast11, fast15 uint16 // feature bits
	nopl                  uint16
	hasFast               bool
	x32                   bool
	pad                   padding
	wide                  uint16 // feature bit of 64-bit mode
	noRelax               bool   // no relocation says that linkers may rewrite the instruction
	// OSABI is the system that objects say they are for.
	OSABI uint8
}

// NewBackend returns the backend over the facts of X86 for 64-bit ELF.
func NewBackend(info *desc.Info) *Backend {
	b := &Backend{enc: NewEncoder(info), hasFast: true}
	b.wide = ^uint16(0)
	if i, ok := info.FeatureByName("64bit-mode"); ok {
		b.wide = info.Features[i].Bit
	}
	for _, f := range [...]struct {
		name string
		bit  *uint16
	}{{"fast-7bytenop", &b.fast7}, {"fast-11bytenop", &b.fast11}, {"fast-15bytenop", &b.fast15}, {"nopl", &b.nopl}} {
		i, ok := info.FeatureByName(f.name)
		if !ok {
			b.hasFast = false
			continue
		}
		*f.bit = info.Features[i].Bit
	}
	return b
}

// NewBackendX32 returns the backend for x32: 64-bit code with 32-bit pointers,
// in 32-bit ELF files.
func NewBackendX32(info *desc.Info) *Backend {
	b := NewBackend(info)
	b.x32 = true
	return b
}

// FixupInfo describes a fixup kind.
func (b *Backend) FixupInfo(k mc.FixupKind) *mc.FixupInfo { return fixupInfo(k) }

// Relax makes a short jump, or an instruction with a sign-extended byte (which only the assembler
// makes with a symbol), its long form.
func (b *Backend) Relax(in *mc.Inst, st *mc.Subtarget) bool {
	switch in.Op {
	case tab.JMP_1:
		in.Op = tab.JMP_4
	case tab.JCC_1:
		in.Op = tab.JCC_4
	default:
		if n := len(in.Ops); n == 0 || !in.Ops[n-1].IsExpr() || !signedByte(tsFlags(b.enc.info.Instr(in.Op).TSFlags)) {
			return false
		}
		long := longImm(b.enc.info, in.Op)
		if long != 0 {
			in.Op = long
		}
		return long != 0
	}
	return in.Ops[0].IsExpr()
}

// signedByte reports instructions whose immediate is a byte that is extended to the operation's size.
func signedByte(ts tsFlags) bool {
	return ts.imm() == imm8 && (ts.opMap() == mapOneByte || ts.opMap() == mapT4) && ts.encoding() != encVEX &&
		(ts.opcode() == 0x83 || ts.opcode() == 0x6b || ts.opcode() == 0x6a)
}

// longImm gives the opcode with an immediate of all bits for one with a sign-extended byte, 0 where there is none.
func longImm(info *desc.Info, op desc.Opcode) desc.Opcode {
	name := info.OpcodeName(op)
	for _, to := range [...]string{"i32", "i"} {
		if long, ok := info.OpcodeByName(strings.Replace(name, "i8", to, 1)); ok && shortImm(long) == op {
			return long
		}
	}
	return 0
}

// nops are the recommended no-operations of 1 to 10 bytes (Intel SDM volume 2, NOP).
var nops = [...]string{
	"", "\x90", "\x66\x90", "\x0f\x1f\x00", "\x0f\x1f\x40\x00", "\x0f\x1f\x44\x00\x00", "\x66\x0f\x1f\x44\x00\x00",
	"\x0f\x1f\x80\x00\x00\x00\x00", "\x0f\x1f\x84\x00\x00\x00\x00\x00", "\x66\x0f\x1f\x84\x00\x00\x00\x00\x00",
	"\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00",
}

// maxNop is the longest nop that the processor decodes fast.
func (b *Backend) maxNop(st *mc.Subtarget) int {
	if !b.hasFast || st == nil {
		return 10
	}
	switch mode := b.enc.mode(st); {
	case mode == 16:
		return 4
	case mode == 32 && !st.Has(b.nopl):
		return 1
	case st.Has(b.fast7):
		return 7
	case st.Has(b.fast15):
		return 15
	case st.Has(b.fast11):
		return 11
	}
	return 10
}

// nops16 are no-operations for 16-bit mode.
var nops16 = [...]string{"", "\x90", "\x66\x90", "\x8d\x74\x00", "\x8d\xb4\x00\x00"}

// AppendNops appends n bytes of nops, as few instructions as possible.
func (b *Backend) AppendNops(out []byte, n int, st *mc.Subtarget) []byte {
	table := nops[:]
	if b.enc.modes && st != nil && b.enc.mode(st) == 16 {
		table = nops16[:]
	}
	longest := b.maxNop(st)
	for n > 0 {
		k := min(n, longest)
		body := min(k, len(table)-1)
		for range k - body {
			out = append(out, 0x66)
		}
		out = append(out, table[body]...)
		n -= k
	}
	return out
}

// NeedsRelaxation reports a distance beyond the one byte of short jumps.
func (b *Backend) NeedsRelaxation(_ mc.FixupKind, v int64) bool { return v != int64(int8(v)) }

// Apply puts a value into its place.
func (b *Backend) Apply(place []byte, k mc.FixupKind, v int64) error {
	return fixupInfo(k).Put(place, v, false)
}

// Machine describes x86-64 ELF.
func (b *Backend) Machine() mc.Machine {
	m := mc.Machine{ELFMachine: 62, OSABI: b.OSABI, Is64: true, Rela: true, PtrSize: 8, EHFrameType: SecUnwind, CodeAlign: 4,
		CIE: mc.CIE{CodeAlign: 1, DataAlign: -8, Return: dwarfRIP, Pointer: mc.EncPCRel | mc.EncSData4, Initial: []mc.CFI{
			{Op: mc.CFIDefCfa, Reg: dwarfRSP, Offset: 8}, {Op: mc.CFIOffset, Reg: dwarfRIP, Offset: -8}}}}
	if b.x32 {
		m.Is64, m.PtrSize = false, 4
	}
	return m
}

// DWARF numbers of x86-64's registers.
const (
	dwarfRSP = 7
	dwarfRIP = 16
)

// The relocations of x86-64 (System V ABI, AMD64 supplement, and its GNU extensions).
const (
	r64             = 1
	rPC32           = 2
	rGOT32          = 3
	rPLT32          = 4
	rGOTPCREL       = 9
	r32             = 10
	r32S            = 11
	r16             = 12
	rPC16           = 13
	r8              = 14
	rPC8            = 15
	rDTPOFF64       = 17
	rTPOFF64        = 18
	rTLSGD          = 19
	rTLSLD          = 20
	rDTPOFF32       = 21
	rGOTTPOFF       = 22
	rTPOFF32        = 23
	rPC64           = 24
	rGOTOFF64       = 25
	rGOTPC32        = 26
	rGOT64          = 27
	rGOTPCREL64     = 28
	rGOTPC64        = 29
	rPLTOFF64       = 31
	rSIZE32         = 32
	rSIZE64         = 33
	rGOTPC32TLSDESC = 34
	rTLSDESCCALL    = 35
	rGOTPCRELX      = 41
	rREXGOTPCRELX   = 42
)

// Resolves is true of plain references.
func (b *Backend) Resolves(_ mc.FixupKind, m mc.Modifier) bool { return m == mc.ModNone }

// RelocType gives the relocation of a fixup.
func (b *Backend) RelocType(k mc.FixupKind, m mc.Modifier, pcRel bool) (uint32, error) {
	size := fixupInfo(k).Size
	bad := func() (uint32, error) {
		what := "absolute"
		if pcRel {
			what = "pc-relative"
		}
		return 0, fmt.Errorf("x86-64 ELF: no %s relocation of %d bytes for @%s", what, size, modifiers[m].Name)
	}
	by := func(abs8, abs4 uint32) (uint32, error) {
		switch {
		case size == 8 && abs8 != 0:
			return abs8, nil
		case size == 4 && abs4 != 0:
			return abs4, nil
		}
		return bad()
	}
	switch m {
	case mc.ModNone:
		if pcRel {
			switch k {
			case FixupBranch4:
				return rPLT32, nil
			case FixupGOTRIP, FixupGOTDiff4:
				return rGOTPC32, nil
			case FixupGOTDiff8:
				return rGOTPC64, nil
			}
			return [...]uint32{1: rPC8, 2: rPC16, 4: rPC32, 8: rPC64}[size], nil
		}
		switch k {
		case FixupGOTDiff4:
			return rGOTPC32, nil
		case FixupGOTDiff8:
			return rGOTPC64, nil
		}
		if k == FixupSigned4 {
			return r32S, nil
		}
		return [...]uint32{1: r8, 2: r16, 4: r32, 8: r64}[size], nil
	case ModPLT:
		return by(0, rPLT32)
	case ModGOT:
		return by(rGOT64, rGOT32)
	case ModGOTOFF:
		return by(rGOTOFF64, 0)
	case ModPLTOFF:
		return by(rPLTOFF64, 0)
	case ModTPOFF:
		return by(rTPOFF64, rTPOFF32)
	case ModDTPOFF:
		return by(rDTPOFF64, rDTPOFF32)
	case ModSIZE:
		return by(rSIZE64, rSIZE32)
	case ModTLSCALL:
		return rTLSDESCCALL, nil
	case ModTLSDESC:
		return by(0, rGOTPC32TLSDESC)
	case ModTLSGD:
		return by(0, rTLSGD)
	case ModTLSLD:
		return by(0, rTLSLD)
	case ModGOTTPOFF:
		return by(0, rGOTTPOFF)
	case ModGOTPCRELNoRelax:
		return by(0, rGOTPCREL)
	case ModGOTPCREL:
		if b.noRelax {
			return by(rGOTPCREL64, rGOTPCREL)
		}
		switch k {
		case FixupRIPRelax:
			return rGOTPCRELX, nil
		case FixupRIPRelaxREX, FixupRIPRelaxMovq:
			return rREXGOTPCRELX, nil
		}
		return by(rGOTPCREL64, rGOTPCREL)
	}
	return bad()
}

// NeedsSymbol reports relocations through tables, whose entries belong to
// symbols.
func (b *Backend) NeedsSymbol(relocType uint32, m mc.Modifier) bool {
	switch m {
	case ModGOT, ModPLT, ModGOTPCREL, ModGOTPCRELNoRelax, ModGOTOFF, ModSIZE:
		return true
	}
	return false
}
