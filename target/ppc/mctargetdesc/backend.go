package mctargetdesc

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// fixupNone changes no bits; its relocation tells linkers about thread-local storage.
const fixupNone = mc.FirstTargetFixup + 1000

var noneInfo = mc.FixupInfo{Name: "fixup_ppc_nofixup", Always: true}

// Relocations of fixupNone (64-bit ELF V2 ABI, 3.5.4; the 32-bit Power Architecture ABI, TLS).
const (
	relTLS     = 67
	rel64TLSGD = 107
	rel64TLSLD = 108
	rel32TLSGD = 95
	rel32TLSLD = 96
)

// backend is the tables' with this kind.
type backend struct {
	*table.Objects
	is64 bool
}

func newBackend(t *mctarget.Target) (mc.AsmBackend, error) {
	o, err := t.Objects()
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, fmt.Errorf("powerpc: objects of %s are not known", t.Name)
	}
	if _, err := t.Encoder(); err != nil { // which tells o what can be encoded
		return nil, err
	}
	return &backend{o, t.Triple.PointerBits() == 64}, nil
}

// FixupInfo describes a kind.
func (b *backend) FixupInfo(k mc.FixupKind) *mc.FixupInfo {
	if k == fixupNone {
		return &noneInfo
	}
	return b.Objects.FixupInfo(k)
}

// NeedsRelaxation reports what has a longer form.
func (b *backend) NeedsRelaxation(k mc.FixupKind, v int64) bool {
	return k != fixupNone && b.Objects.NeedsRelaxation(k, v)
}

// Apply puts a value into its place.
func (b *backend) Apply(place []byte, k mc.FixupKind, v int64) error {
	if k == fixupNone {
		return nil
	}
	return b.Objects.Apply(place, k, v)
}

// Resolves reports whether a known value goes into the place.
func (b *backend) Resolves(k mc.FixupKind, m mc.Modifier) bool {
	return k != fixupNone && b.Objects.Resolves(k, m)
}

// RelocType gives the relocation of a kind.
func (b *backend) RelocType(k mc.FixupKind, m mc.Modifier, pcRel bool) (uint32, error) {
	if k != fixupNone {
		return b.Objects.RelocType(k, m, pcRel)
	}
	info := b.AsmInfo()
	switch name := info.ModifierName(m); {
	case m == mc.ModNone:
	case name == "tlsgd" && b.is64:
		return rel64TLSGD, nil
	case name == "tlsgd":
		return rel32TLSGD, nil
	case name == "tlsld" && b.is64:
		return rel64TLSLD, nil
	case name == "tlsld":
		return rel32TLSLD, nil
	case name == "tls", name == "tls@pcrel" && b.is64:
		return relTLS, nil
	}
	return 0, errors.New("unsupported relocation type")
}

// localEntryMask are the bits of st_other that say where those enter a function that share its TOC
// (64-bit ELF V2 ABI, 3.4.1): callers leave it to the linker then.
const localEntryMask = 0xe0

// NamesCallee reports calls of such functions.
func (b *backend) NamesCallee(k mc.FixupKind, y *mc.Symbol) bool {
	return y.Other&localEntryMask != 0 && strings.HasPrefix(b.FixupInfo(k).Name, "fixup_ppc_br24")
}

// relTOC is R_PPC64_TOC, the address of the TOC.
const relTOC = 51

// NoSymbol reports the relocation of the TOC's own address.
func (b *backend) NoSymbol(typ uint32) bool { return b.is64 && typ == relTOC }
