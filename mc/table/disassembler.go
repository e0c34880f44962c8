package table

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// Disassembler is the mc.Disassembler of a learned decoder: its namespaces are
// the common one and those of modes, which features switch on.
type Disassembler struct {
	dec  *Decoder
	swap bool // the other byte order than the table's
	mode []modeSpace
	skip map[string]*desc.DecSkip
}

// modeSpace is a namespace that a feature chooses.
type modeSpace struct {
	name string
	bit  uint16
}

// NewDisassembler makes one; swap says that code has the other byte order than
// the table's: words of 4 bytes, of 2 in modes.
func NewDisassembler(d *Decoder, swap bool) *Disassembler {
	x := &Disassembler{dec: d, swap: swap, skip: map[string]*desc.DecSkip{}}
	for _, n := range d.Namespaces() {
		for _, f := range [...]string{n, n + "-mode"} {
			if k, ok := d.info.FeatureByName(f); ok && n != "" {
				x.mode = append(x.mode, modeSpace{n, d.info.Features[k].Bit})
			}
		}
	}
	for i := range d.t.Skips {
		x.skip[d.t.Skips[i].Name.In(d.t.Names)] = &d.t.Skips[i]
	}
	return x
}

// Disassemble reads one instruction.
func (x *Disassembler) Disassemble(in *mc.Inst, st *mc.Subtarget, code []byte, addr uint64) (int, mc.DecodeStatus) {
	space, unit := "", 4
	for _, m := range x.mode {
		if st.Has(m.bit) {
			space, unit = m.name, 2
		}
	}
	var buf [maxSize]byte
	if x.swap {
		n := copy(buf[:], code)
		for lo := 0; lo+unit <= n; lo += unit {
			for i, j := lo, lo+unit-1; i < j; i, j = i+1, j-1 {
				buf[i], buf[j] = buf[j], buf[i]
			}
		}
		code = buf[:n]
	}
	size, s := x.dec.Decode(space, st, code, addr, in)
	switch s {
	case Success:
		return size, mc.DecodeSuccess
	case SoftFail:
		return size, mc.DecodeSoftFail
	}
	if k := x.skip[space]; k != nil && int(k.At) < len(code) {
		size = int(k.Sizes.In(x.dec.t.Names)[code[k.At]])
	}
	return max(min(size, len(code)), min(1, len(code))), mc.DecodeFail
}
