package elfabi

import "github.com/mirin-go/mirin/objabi"

// Relocation types.
const (
	r64        = 1
	rPC32      = 2
	rCopy      = 5
	rGlobDat   = 6
	rJumpSlot  = 7
	rRelative  = 8
	rDTPMod64  = 16
	rDTPOff64  = 17
	rTPOff64   = 18
	rPLT32     = 4
	rGOTPCRelX = 41
)

// relocs is indexed by type.
var relocs = [...]objabi.Reloc{
	0:          {Name: "NONE"},
	r64:        {Name: "64", Form: objabi.Abs, Bytes: 8},
	rPC32:      {Name: "PC32", Form: objabi.PC, Bytes: 4, Signed: true},
	rPLT32:     {Name: "PLT32", Form: objabi.Call, Bytes: 4, Signed: true},
	9:          {Name: "GOTPCREL", Form: objabi.GOTEntry, Bytes: 4, Signed: true},
	10:         {Name: "32", Form: objabi.Abs, Bytes: 4, Unsigned: true},
	11:         {Name: "32S", Form: objabi.Abs, Bytes: 4, Signed: true},
	12:         {Name: "16", Form: objabi.Abs, Bytes: 2, Signed: true, Unsigned: true},
	13:         {Name: "PC16", Form: objabi.PC, Bytes: 2, Signed: true},
	14:         {Name: "8", Form: objabi.Abs, Bytes: 1, Signed: true, Unsigned: true},
	15:         {Name: "PC8", Form: objabi.PC, Bytes: 1, Signed: true},
	rDTPOff64:  {Name: "DTPOFF64", Form: objabi.DTPOff, Bytes: 8},
	rTPOff64:   {Name: "TPOFF64", Form: objabi.TPOff, Bytes: 8},
	19:         {Name: "TLSGD", Form: objabi.TLSGD, Bytes: 4, Signed: true},
	20:         {Name: "TLSLD", Form: objabi.TLSLD, Bytes: 4, Signed: true},
	21:         {Name: "DTPOFF32", Form: objabi.DTPOff, Bytes: 4, Signed: true},
	22:         {Name: "GOTTPOFF", Form: objabi.GOTTPOff, Bytes: 4, Signed: true},
	23:         {Name: "TPOFF32", Form: objabi.TPOff, Bytes: 4, Signed: true},
	24:         {Name: "PC64", Form: objabi.PC, Bytes: 8},
	25:         {Name: "GOTOFF64", Form: objabi.GOTOffset, Bytes: 8},
	26:         {Name: "GOTPC32", Form: objabi.GOTBase, Bytes: 4, Signed: true},
	28:         {Name: "GOTPCREL64", Form: objabi.GOTEntry, Bytes: 8},
	29:         {Name: "GOTPC64", Form: objabi.GOTBase, Bytes: 8},
	32:         {Name: "SIZE32", Form: objabi.Size, Bytes: 4, Unsigned: true},
	33:         {Name: "SIZE64", Form: objabi.Size, Bytes: 8},
	rGOTPCRelX: {Name: "GOTPCRELX", Form: objabi.GOTEntry, Bytes: 4, Signed: true, Relaxable: true},
	42:         {Name: "REX_GOTPCRELX", Form: objabi.GOTEntry, Bytes: 4, Signed: true, Relaxable: true},
}
