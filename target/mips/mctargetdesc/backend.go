package mctargetdesc

import (
	"fmt"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// The kinds of fixups that the tables do not have: halves of the distance of a function from the
// global pointer, which are three relocations at one place (one entry of N64, three of N32), and
// the 26 bits of branches of the sixth release.
const (
	fixupGPOffHi = mc.FirstTargetFixup + 1000 + iota
	fixupGPOffLo
	fixupGPRel
	fixupSub
	fixupHi
	fixupLo
	fixupPC26
	firstKind = fixupGPOffHi
)

// The numbers of relocations (the psABI's mips.h).
const (
	relocHi16    = 5
	relocLo16    = 6
	relocGPRel16 = 7
	relocSub     = 24
	relocPC26    = 61
)

var kinds = [...]struct {
	info  mc.FixupInfo
	reloc uint32
}{
	{mc.FixupInfo{Name: "fixup_Mips_GPOFF_HI", Size: 4, Bits: 16, Always: true}, relocGPRel16 | relocSub<<8 | relocHi16<<16},
	{mc.FixupInfo{Name: "fixup_Mips_GPOFF_LO", Size: 4, Bits: 16, Always: true}, relocGPRel16 | relocSub<<8 | relocLo16<<16},
	{mc.FixupInfo{Name: "fixup_Mips_GPREL16", Size: 4, Bits: 16, Always: true}, relocGPRel16},
	{mc.FixupInfo{Name: "fixup_Mips_SUB", Size: 4, Bits: 16, Always: true}, relocSub},
	{mc.FixupInfo{Name: "fixup_Mips_HI16", Size: 4, Bits: 16, Always: true}, relocHi16},
	{mc.FixupInfo{Name: "fixup_Mips_LO16", Size: 4, Bits: 16, Always: true}, relocLo16},
	{mc.FixupInfo{Name: "fixup_MIPS_PC26_S2", Size: 4, Bits: 26, PCRel: true}, relocPC26},
}

// gpOff are the modifiers of the halves of a distance from the global pointer.
var gpOff = [...]mc.ModifierInfo{{Name: "gpoff_hi", Prefix: "%hi(%neg(%gp_rel(", Suffix: ")))"}, {Name: "gpoff_lo", Prefix: "%lo(%neg(%gp_rel(", Suffix: ")))"}}

// backend is the tables' with these kinds.
type backend struct {
	*table.Objects
	infos [len(kinds)]mc.FixupInfo
}

func newBackend(t *mctarget.Target) (mc.AsmBackend, error) {
	o, err := t.Objects()
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, fmt.Errorf("mips: objects of %s are not known", t.Name)
	}
	if _, err := t.Encoder(); err != nil { // which tells o what can be encoded
		return nil, err
	}
	b := &backend{Objects: o}
	for i := range kinds {
		b.infos[i] = kinds[i].info
		if !t.Triple.IsLittleEndian() { // the bits are the last of the word
			b.infos[i].Offset = 32 - kinds[i].info.Bits
		}
	}
	return b, nil
}

func asmInfo(t *mctarget.Target) *mc.AsmInfo {
	o, err := t.Objects()
	if err != nil || o == nil {
		a := mc.ELFAsmInfo()
		return &a
	}
	a := o.AsmInfo()
	a.Modifiers = append(a.Modifiers, gpOff[:]...)
	a.PrivateGlobal, a.PrivateLabel = ".L", ".L"
	if abiOf(t) == "o32" {
		a.PrivateGlobal, a.PrivateLabel = "$", "$"
	}
	return a
}

// FixupInfo describes a kind.
func (b *backend) FixupInfo(k mc.FixupKind) *mc.FixupInfo {
	if k >= firstKind {
		return &b.infos[k-firstKind]
	}
	return b.Objects.FixupInfo(k)
}

// NeedsRelaxation reports what has a longer form.
func (b *backend) NeedsRelaxation(k mc.FixupKind, v int64) bool {
	return k < firstKind && b.Objects.NeedsRelaxation(k, v)
}

// Apply puts a value into its place.
func (b *backend) Apply(place []byte, k mc.FixupKind, v int64) error {
	if k < firstKind {
		d, ok := distances[b.Objects.FixupInfo(k).Name]
		if !ok {
			return b.Objects.Apply(place, k, v)
		}
		var scratch [8]byte // for what is said of its range
		if err := b.Objects.Apply(scratch[:len(place)], k, v); err != nil {
			return err
		}
		b.distance(place, d, v)
		return nil
	}
	switch {
	case k != fixupPC26:
		return nil // what is added is in the entry
	case v&3 != 0 || !isInt(v, 28):
		return fmt.Errorf("out of range PC26 fixup")
	}
	x := uint32(v>>2) & (1<<26 - 1)
	for i := range 4 {
		at := i
		if b.Object.BigEndian {
			at = 3 - i
		}
		place[at] |= byte(x >> (8 * i))
	}
	return nil
}

// distance is how a distance goes into an instruction: what is added, how many bytes are one of its
// units, and its bits. Division rounds to zero, which no linear map of bits says.
type distance struct {
	add, unit int64
	bits      uint
	size      int // bytes of the place
	micro     bool
}

var distances = map[string]distance{
	"fixup_Mips_PC16": {0, 4, 16, 4, false}, "fixup_MIPS_PC19_S2": {0, 4, 19, 4, false}, "fixup_MIPS_PC21_S2": {0, 4, 21, 4, false}, "fixup_Mips_PC18_S3": {0, 8, 18, 4, false},
	"fixup_MICROMIPS_PC7_S1": {-4, 2, 7, 4, true}, "fixup_MICROMIPS_PC10_S1": {-2, 2, 10, 2, false}, "fixup_MICROMIPS_PC16_S1": {-4, 2, 16, 4, true},
	"fixup_MICROMIPS_PC19_S2": {0, 4, 19, 4, true}, "fixup_MICROMIPS_PC21_S1": {0, 2, 21, 4, true}, "fixup_MICROMIPS_PC26_S1": {0, 2, 26, 4, true},
}

// distance puts a distance into its place; of the two halves of an instruction of microMIPS the
// high one lies first in either order of bytes.
func (b *backend) distance(place []byte, d distance, v int64) {
	f := uint32((v+d.add)/d.unit) & (1<<d.bits - 1)
	for i := 0; i < d.size && i < len(place); i++ {
		at := i
		switch {
		case b.Object.BigEndian:
			at = d.size - 1 - i
		case d.micro:
			at = i ^ 2
		}
		if at < len(place) {
			place[at] |= byte(f >> (8 * i))
		}
	}
}

// Resolves reports whether a known value goes into the place.
func (b *backend) Resolves(k mc.FixupKind, m mc.Modifier) bool {
	if k >= firstKind {
		return k == fixupPC26
	}
	return b.Objects.Resolves(k, m)
}

// RelocType gives the relocation of a kind.
func (b *backend) RelocType(k mc.FixupKind, m mc.Modifier, pcRel bool) (uint32, error) {
	if k >= firstKind {
		return kinds[k-firstKind].reloc, nil
	}
	return b.Objects.RelocType(k, m, pcRel)
}

// NeedsSymbol reports relocations that name local symbols.
func (b *backend) NeedsSymbol(typ uint32, m mc.Modifier) bool {
	return typ > 0xff || typ == relocGPRel16 || b.Objects.NeedsSymbol(typ, m)
}

// special makes the fixups of the kinds above for an instruction, which was encoded with its
// expression as it is; false where it has none of them.
func (e *encoder) special(ctx *mc.Context, in *mc.Inst, micro bool) (fx []mc.Fixup, ok bool) {
	if len(in.Ops) == 0 || !in.Ops[len(in.Ops)-1].IsExpr() {
		return nil, false
	}
	x := in.Ops[len(in.Ops)-1].Expr()
	if name := e.info.OpcodeName(in.Op); !micro && (name == "BC" || name == "BALC") {
		return []mc.Fixup{{Expr: x, Addend: -4, Kind: fixupPC26}}, true
	}
	m, inner := ctx.ModifierOf(x)
	if m == 0 {
		return nil, false
	}
	lo := uint16(0)
	switch ctx.Info().ModifierName(m) {
	case "gpoff_hi":
	case "gpoff_lo":
		lo = 1
	default:
		return nil, false
	}
	if e.n32 {
		zero := ctx.Const(0)
		return []mc.Fixup{{Expr: inner, Kind: fixupGPRel}, {Expr: zero, Kind: fixupSub}, {Expr: zero, Kind: fixupHi + mc.FixupKind(lo)}}, true
	}
	return []mc.Fixup{{Expr: x, Kind: fixupGPOffHi + mc.FixupKind(lo)}}, true
}
