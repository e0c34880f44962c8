package mctargetdesc

import (
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

const opJMPL = tab.JMPL

// turn makes slots of one byte order those of the other: the registers in the second byte, the
// offset, the number.
func turn(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		b[1] = b[1]<<4 | b[1]>>4
		b[2], b[3] = b[3], b[2]
		b[4], b[5], b[6], b[7] = b[7], b[6], b[5], b[4]
	}
}

// ordered is the encoder of a byte order.
type ordered struct {
	*table.Encoder
	big bool
}

// Encode appends an instruction.
func (e ordered) Encode(ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, b []byte, fx []mc.Fixup) ([]byte, []mc.Fixup, error) {
	out, fx, err := e.Encoder.Encode(ctx, st, in, b, fx)
	if err == nil && e.big {
		turn(out[len(b):])
	}
	return out, fx, err
}

type disassembler struct {
	dec *table.Decoder
	big bool
}

// Disassemble reads an instruction. With alu32 what loads and stores less than a word has the low
// halves of registers.
func (d *disassembler) Disassemble(in *mc.Inst, st *mc.Subtarget, code []byte, addr uint64) (int, mc.DecodeStatus) {
	if len(code) < 8 {
		return len(code), mc.DecodeFail
	}
	var buf [16]byte
	n := copy(buf[:], code)
	if d.big {
		turn(buf[:n])
	}
	status := table.Fail
	size := 0
	if st.Has(tab.Alu32) {
		size, status = d.dec.Decode("BPFALU32", st, buf[:n], addr, in)
	}
	if status == table.Fail {
		size, status = d.dec.Decode("BPF", st, buf[:n], addr, in)
	}
	switch status {
	case table.Success:
		return size, mc.DecodeSuccess
	case table.SoftFail:
		return size, mc.DecodeSoftFail
	}
	return 8, mc.DecodeFail
}
