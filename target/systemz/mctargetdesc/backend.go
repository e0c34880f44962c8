package mctargetdesc

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// backend is the tables', with what LLVM says of places that have no relocation.
type backend struct{ *table.Objects }

func newBackend(t *mctarget.Target) (mc.AsmBackend, error) {
	o, err := t.Objects()
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, fmt.Errorf("systemz: objects of %s are not known", t.Name)
	}
	if _, err := t.Encoder(); err != nil { // which tells o what can be encoded
		return nil, err
	}
	return backend{o}, nil
}

// refusals are what is said of a modifier in a place that has no relocation for it; seen with llvm-mc 22.
var refusals = map[string]string{
	"got": "Only PC-relative GOT accesses are supported for now", "gotent": "Only PC-relative GOT accesses are supported for now",
	"indntpoff": "Only PC-relative INDNTPOFF accesses are supported for now", "plt": "Unsupported PC-relative PLT address",
	"ntpoff": "Unsupported thread-local address (local-exec)", "dtpoff": "Unsupported thread-local address (local-dynamic)",
	"tlsldm": "Unsupported thread-local address (local-dynamic)", "tlsgd": "Unsupported thread-local address (general-dynamic)",
}

// RelocType gives the relocation of a kind.
func (b backend) RelocType(k mc.FixupKind, m mc.Modifier, pcRel bool) (uint32, error) {
	typ, err := b.Objects.RelocType(k, m, pcRel)
	if err == nil {
		return typ, nil
	}
	info := b.AsmInfo()
	switch {
	case m == mc.ModNone && pcRel:
		err = errors.New("Unsupported PC-relative address")
	case m == mc.ModNone:
		err = errors.New("Unsupported absolute address")
	default:
		if s, ok := refusals[strings.ToLower(info.ModifierName(m))]; ok {
			err = errors.New(s)
		}
	}
	return 0, err
}
