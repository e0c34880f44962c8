package mc

import "fmt"

// FixupKind says how the value of an expression is put into bytes. Kinds from
// FirstTargetFixup on are the target's.
type FixupKind uint16

// The kinds that every target has.
const (
	FixupData1 FixupKind = iota
	FixupData2
	FixupData4
	FixupData8
	FixupPCRel1
	FixupPCRel2
	FixupPCRel4
	FixupPCRel8
	FirstTargetFixup FixupKind = 32
	// fixupAlign is an alignment that a linker settles (Machine.AlignReloc).
	fixupAlign FixupKind = 0xffff
	// fixupLEB is the value of a ULEB128 that a linker changes (Machine.LEBAdd).
	fixupLEB FixupKind = 0xfffe
	// fixupStep6 to fixupStep32 are steps of frames over code that a linker changes (Machine.FrameAdds).
	fixupStep6  FixupKind = 0xfff0
	fixupStep32 FixupKind = 0xfff3
)

// DataFixup returns the kind of a plain value of size bytes.
func DataFixup(size int) FixupKind {
	switch size {
	case 1:
		return FixupData1
	case 2:
		return FixupData2
	case 4:
		return FixupData4
	}
	return FixupData8
}

// Fixup is a place whose bytes depend on an expression: the value put there is
// Expr + Addend, minus the address of the place for pc-relative kinds.
type Fixup struct {
	Offset uint32 // of the place: from the start of the buffer that Encode appends to
	Expr   Expr
	Addend int32 // the distance from the place to where the processor counts from
	Kind   FixupKind
}

// FixupInfo describes a kind (LLVM's MCFixupKindInfo). The place is Size bytes in
// the byte order of its target, read as one number; the value goes into Bits bits
// of it from bit Offset on, counted from the lowest.
type FixupInfo struct {
	Name   string
	Reloc  uint16 // the relocation of a kind that is nothing else and has no name
	Size   uint8  // bytes of the place
	Offset uint8
	Bits   uint8
	Shift  uint8 // low bits of the value that are left out; they must be 0
	PCRel  bool
	// Relaxable fixups are followed by Machine.RelaxReloc: a linker may change the instruction.
	Relaxable bool
	// Always puts a value of 0 into the place where the relocation has the addend.
	Always bool
	// Checked values must fit Bits bits as signed numbers.
	Checked bool
}

var genericFixups = [...]FixupInfo{
	{Name: "FK_Data_1", Size: 1, Bits: 8}, {Name: "FK_Data_2", Size: 2, Bits: 16},
	{Name: "FK_Data_4", Size: 4, Bits: 32}, {Name: "FK_Data_8", Size: 8, Bits: 64},
	{Name: "FK_PCRel_1", Size: 1, Bits: 8, PCRel: true, Checked: true}, {Name: "FK_PCRel_2", Size: 2, Bits: 16, PCRel: true, Checked: true},
	{Name: "FK_PCRel_4", Size: 4, Bits: 32, PCRel: true, Checked: true}, {Name: "FK_PCRel_8", Size: 8, Bits: 64, PCRel: true, Checked: true},
}

// GenericFixup describes a kind that every target has.
func GenericFixup(k FixupKind) *FixupInfo { return &genericFixups[k] }

// Fits reports whether a value can be put into the place.
func (f *FixupInfo) Fits(v int64) bool {
	if v&(1<<f.Shift-1) != 0 {
		return false
	}
	if !f.Checked || f.Bits >= 64 {
		return true
	}
	s := v >> f.Shift >> (f.Bits - 1)
	return s == 0 || s == -1
}

// Put puts a value into its place and keeps the bits around it.
func (f *FixupInfo) Put(place []byte, v int64, bigEndian bool) error {
	if !f.Fits(v) {
		if v&(1<<f.Shift-1) != 0 {
			return fmt.Errorf("value of %d is not a multiple of %d.", v, 1<<f.Shift)
		}
		if f.Bits == 8*f.Size {
			return fmt.Errorf("value of %d is too large for field of %d byte%s.", v, f.Size, plural(f.Size))
		}
		return fmt.Errorf("value of %d is too large for field of %d bit%s.", v, f.Bits, plural(f.Bits))
	}
	if f.Bits == 8*f.Size {
		PutInt(place[:f.Size], uint64(v>>f.Shift), bigEndian)
		return nil
	}
	mask := ^uint64(0)
	if f.Bits < 64 {
		mask = 1<<f.Bits - 1
	}
	b := place[:f.Size]
	n := GetInt(b, bigEndian) &^ (mask << f.Offset)
	PutInt(b, n|uint64(v>>f.Shift)&mask<<f.Offset, bigEndian)
	return nil
}

func plural(n uint8) string {
	if n == 1 {
		return ""
	}
	return "s"
}
