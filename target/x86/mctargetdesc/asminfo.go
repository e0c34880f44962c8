package mctargetdesc

import "github.com/mirin-go/mirin/mc"

// The modifiers of x86's symbols; the names are those of ELF.
const (
	ModPLT mc.Modifier = 1 + iota
	ModGOT
	ModGOTOFF
	ModGOTREL
	ModPCREL
	ModGOTPCREL
	ModGOTPCRELNoRelax
	ModGOTTPOFF
	ModINDNTPOFF
	ModNTPOFF
	ModGOTNTPOFF
	ModTLSGD
	ModTLSLD
	ModTLSLDM
	ModTPOFF
	ModDTPOFF
	ModTLSDESC
	ModTLSCALL
	ModSIZE
	ModPLTOFF
	ModGOTPLT
)

var modifiers = [...]mc.ModifierInfo{
	ModPLT:             {Name: "PLT"},
	ModGOT:             {Name: "GOT"},
	ModGOTOFF:          {Name: "GOTOFF"},
	ModGOTREL:          {Name: "GOTREL"},
	ModPCREL:           {Name: "PCREL"},
	ModGOTPCREL:        {Name: "GOTPCREL"},
	ModGOTPCRELNoRelax: {Name: "GOTPCREL_NORELAX"},
	ModGOTTPOFF:        {Name: "GOTTPOFF", TLS: true},
	ModINDNTPOFF:       {Name: "INDNTPOFF", TLS: true},
	ModNTPOFF:          {Name: "NTPOFF", TLS: true},
	ModGOTNTPOFF:       {Name: "GOTNTPOFF", TLS: true},
	ModTLSGD:           {Name: "TLSGD", TLS: true},
	ModTLSLD:           {Name: "TLSLD", TLS: true},
	ModTLSLDM:          {Name: "TLSLDM", TLS: true},
	ModTPOFF:           {Name: "TPOFF", TLS: true},
	ModDTPOFF:          {Name: "DTPOFF", TLS: true},
	ModTLSDESC:         {Name: "tlsdesc", TLS: true},
	ModTLSCALL:         {Name: "tlscall", TLS: true},
	ModSIZE:            {Name: "SIZE"},
	ModPLTOFF:          {Name: "PLTOFF"},
	ModGOTPLT:          {Name: "GOTPLT"},
}

// FlagLarge marks sections that may be beyond 2 GiB, SecUnwind is the type of
// call frame information: both are the processor's own.
const (
	FlagLarge mc.SectionFlags = 1 << 28
	SecUnwind mc.SectionType  = 0x70000001
)

// AsmInfo describes the assembly of x86-64 ELF.
func AsmInfo() *mc.AsmInfo {
	a := mc.ELFAsmInfo()
	a.SectionFlags = []mc.SectionFlagName{{Flag: FlagLarge, Letter: 'l'}}
	a.SectionTypes = []mc.SectionTypeName{{Type: SecUnwind, Name: "unwind"}}
	a.Modifiers = modifiers[:]
	a.DataNames = []mc.DataName{{Name: ".word", Size: 2}}
	return &a
}
