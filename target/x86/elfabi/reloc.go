package elfabi

import "encoding/binary"

// Form is what a relocation computes. In the formulas S is the symbol's
// address, A the addend, P the address of the place, G the address of the
// symbol's entry in the global offset table, L that of its stub.
type Form uint8

// The forms.
const (
	None      Form = iota
	Abs            // S + A
	PC             // S + A - P
	Call           // L + A - P; S stands in for L where it is in reach
	GOTEntry       // G + A - P
	GOTBase        // GOT + A - P, GOT the start of the table
	GOTOffset      // S + A - GOT
	Size           // the symbol's size + A
	TPOff          // S + A - the thread pointer
	DTPOff         // S + A - the start of the module's thread-local data
	GOTTPOff       // as GOTEntry; the entry holds TPOff
	TLSGD          // as GOTEntry; the two entries hold module and DTPOff
	TLSLD          // as GOTEntry; the two entries hold module and 0
)

// Relocation types that others name.
const (
	R64        = 1
	RPC32      = 2
	RCopy      = 5
	RGlobDat   = 6
	RJumpSlot  = 7
	RRelative  = 8
	RDTPMod64  = 16
	RDTPOff64  = 17
	RTPOff64   = 18
	RPLT32     = 4
	RGOTPCRelX = 41
)

// Reloc describes a relocation type.
type Reloc struct {
	Name  string // as the ABI has it, without the prefix R_X86_64_
	Form  Form
	Bytes uint8
	// signed and unsigned are the ranges that the value may lie in; neither
	// means that it is cut off.
	signed, unsigned bool
	// Relaxable are those that mark an instruction which Relax can shorten.
	Relaxable bool
}

// relocs is indexed by type.
var relocs = [...]Reloc{
	0:          {Name: "NONE"},
	R64:        {Name: "64", Form: Abs, Bytes: 8},
	RPC32:      {Name: "PC32", Form: PC, Bytes: 4, signed: true},
	RPLT32:     {Name: "PLT32", Form: Call, Bytes: 4, signed: true},
	9:          {Name: "GOTPCREL", Form: GOTEntry, Bytes: 4, signed: true},
	10:         {Name: "32", Form: Abs, Bytes: 4, unsigned: true},
	11:         {Name: "32S", Form: Abs, Bytes: 4, signed: true},
	12:         {Name: "16", Form: Abs, Bytes: 2, signed: true, unsigned: true},
	13:         {Name: "PC16", Form: PC, Bytes: 2, signed: true},
	14:         {Name: "8", Form: Abs, Bytes: 1, signed: true, unsigned: true},
	15:         {Name: "PC8", Form: PC, Bytes: 1, signed: true},
	RDTPOff64:  {Name: "DTPOFF64", Form: DTPOff, Bytes: 8},
	RTPOff64:   {Name: "TPOFF64", Form: TPOff, Bytes: 8},
	19:         {Name: "TLSGD", Form: TLSGD, Bytes: 4, signed: true},
	20:         {Name: "TLSLD", Form: TLSLD, Bytes: 4, signed: true},
	21:         {Name: "DTPOFF32", Form: DTPOff, Bytes: 4, signed: true},
	22:         {Name: "GOTTPOFF", Form: GOTTPOff, Bytes: 4, signed: true},
	23:         {Name: "TPOFF32", Form: TPOff, Bytes: 4, signed: true},
	24:         {Name: "PC64", Form: PC, Bytes: 8},
	25:         {Name: "GOTOFF64", Form: GOTOffset, Bytes: 8},
	26:         {Name: "GOTPC32", Form: GOTBase, Bytes: 4, signed: true},
	28:         {Name: "GOTPCREL64", Form: GOTEntry, Bytes: 8},
	29:         {Name: "GOTPC64", Form: GOTBase, Bytes: 8},
	32:         {Name: "SIZE32", Form: Size, Bytes: 4, unsigned: true},
	33:         {Name: "SIZE64", Form: Size, Bytes: 8},
	RGOTPCRelX: {Name: "GOTPCRELX", Form: GOTEntry, Bytes: 4, signed: true, Relaxable: true},
	42:         {Name: "REX_GOTPCRELX", Form: GOTEntry, Bytes: 4, signed: true, Relaxable: true},
}

// Lookup describes a relocation type; false for those that are not supported
// and those that only the dynamic loader knows.
func Lookup(typ uint32) (Reloc, bool) {
	if typ >= uint32(len(relocs)) || typ != 0 && relocs[typ].Name == "" {
		return Reloc{}, false
	}
	return relocs[typ], true
}

// Put writes a value at the start of b. It reports whether the value fits;
// where not, b is as it was.
func (r *Reloc) Put(b []byte, v int64) bool {
	if bits := 8 * uint(r.Bytes); bits < 64 && (r.signed || r.unsigned) {
		fits := r.signed && v >= -1<<(bits-1) && v < 1<<(bits-1) || r.unsigned && v >= 0 && v < 1<<bits
		if !fits {
			return false
		}
	}
	switch r.Bytes {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(b, uint64(v))
	}
	return true
}
