package mctargetdesc

import (
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// Relocations of high halves (the psABI).
const (
	relocGOTHi20     = 20
	relocTLSGOTHi20  = 21
	relocTLSGDHi20   = 22
	relocTLSDescHi20 = 62
)

// attributesSection is SHT_RISCV_ATTRIBUTES.
const attributesSection mc.SectionType = 0x70000003

// Finish writes .riscv.attributes, which says what the directives said (RISC-V ELF psABI,
// attributes): a version, and for the one vendor a list for the whole file.
func (p *parser) Finish(a mc.AsmParser) error {
	attrs, out := stateOf(a).attrs, a.Streamer()
	if out.IsText() || len(attrs) == 0 {
		return nil
	}
	const wholeFile = 1
	var list []byte
	for _, x := range attrs {
		list = appendULEB(list, x.tag)
		if x.tag%2 == 0 {
			list = appendULEB(list, x.num)
		} else {
			list = append(append(list, x.text...), 0)
		}
	}
	vendor := "riscv\x00"
	size := 1 + 4 + len(list) // with its own head
	old := out.Section()
	out.SwitchSection(out.Context().ELFSection(".riscv.attributes", attributesSection, 0, 0))
	out.Bytes([]byte{'A'})
	out.Int(uint64(4+len(vendor)+size), 4)
	out.Bytes([]byte(vendor))
	out.Bytes([]byte{wholeFile})
	out.Int(uint64(size), 4)
	out.Bytes(list)
	out.SwitchSection(old)
	return nil
}

func appendULEB(b []byte, v uint64) []byte {
	for ; v >= 0x80; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}

// newBackend is the tables', of code in units of 16 bits where there are such instructions.
func newBackend(t *mctarget.Target) (mc.AsmBackend, error) {
	o, err := t.Objects()
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, &mctarget.MissingError{Target: t.Name, Part: "assembler backend"}
	}
	if _, err := t.Encoder(); err != nil { // which tells o what can be encoded
		return nil, err
	}
	if t.ST.Has(featureBit(t.Info, "zca")) {
		o.Object.CodeAlign = 2
	}
	if !t.Flags.On(ulebFlag, true) {
		o.Object.LEBAdd = 0
	}
	b := &backend{Objects: o, low: map[mc.FixupKind]bool{}, high: map[mc.FixupKind]bool{}}
	for _, relaxable := range [...]bool{false, true} {
		for _, name := range [...]string{"fixup_riscv_pcrel_lo12_i", "fixup_riscv_pcrel_lo12_s"} {
			if k, ok := o.KindNamed(name, 0, relaxable); ok {
				b.low[k] = true
			}
		}
		if k, ok := o.KindNamed("fixup_riscv_pcrel_hi20", 0, relaxable); ok {
			b.high[k] = true
		}
		for _, reloc := range [...]uint16{relocGOTHi20, relocTLSGOTHi20, relocTLSGDHi20, relocTLSDescHi20} {
			if k, ok := o.KindNamed("", reloc, relaxable); ok {
				b.high[k] = false
			}
		}
	}
	return b, nil
}

// backend is the tables' with halves of addresses: auipc has the high one, another instruction the
// low one, which names the label of the former.
type backend struct {
	*table.Objects
	low  map[mc.FixupKind]bool
	high map[mc.FixupKind]bool // true: may be known
}

// IsLow reports low halves.
func (b *backend) IsLow(k mc.FixupKind) bool { return b.low[k] }

// IsHigh reports high halves.
func (b *backend) IsHigh(k mc.FixupKind) (high, known bool) {
	known, high = b.high[k]
	return high, known
}
