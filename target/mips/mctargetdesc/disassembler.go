package mctargetdesc

import (
	"encoding/binary"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// disassembler reads what the tables cannot say: a size that is the distance of two fields (ins,
// dins, and dext with the 32 that other opcodes of it add), and odd registers of double loads, which LLVM takes though they are none of a pair.
type disassembler struct {
	mc.Disassembler
	t                                         *mctarget.Target
	ins, dins, dext, ldc1, sdc1               desc.Opcode
	third                                     [4]desc.Opcode // LWC3, LDC3, SWC3, SDC3
	r2, wide2, fp64, micro, mips16, coprocess uint16
	second, third64                           uint16 // mips2, mips3
}

func wrapDisassembler(t *mctarget.Target, d mc.Disassembler) mc.Disassembler {
	x := &disassembler{Disassembler: d, t: t}
	for name, op := range map[string]*desc.Opcode{"INS": &x.ins, "DINS": &x.dins, "DEXT": &x.dext, "LDC1": &x.ldc1, "SDC1": &x.sdc1, "LWC3": &x.third[0], "LDC3": &x.third[1], "SWC3": &x.third[2], "SDC3": &x.third[3]} {
		*op, _ = t.Info.OpcodeByName(name)
	}
	for name, bit := range map[string]*uint16{"mips32r2": &x.r2, "mips64r2": &x.wide2, "fp64": &x.fp64, "micromips": &x.micro, "mips16": &x.mips16, "mips32": &x.coprocess, "mips2": &x.second, "mips3": &x.third64} {
		if i, ok := t.Info.FeatureByName(name); ok {
			*bit = t.Info.Features[i].Bit
		}
	}
	return x
}

// Disassemble reads an instruction.
func (d *disassembler) Disassemble(in *mc.Inst, st *mc.Subtarget, code []byte, addr uint64) (int, mc.DecodeStatus) {
	size, status := d.Disassembler.Disassemble(in, st, code, addr)
	if status != mc.DecodeFail || len(code) < 4 || st.Has(d.micro) || st.Has(d.mips16) {
		return size, status
	}
	w := binary.BigEndian.Uint32(code)
	if d.t.Triple.IsLittleEndian() {
		w = binary.LittleEndian.Uint32(code)
	}
	rs, rt, rd := int(w>>21&31), int(w>>16&31), int(w>>11&31)
	reg := func(class string, n int) (mc.Operand, bool) {
		for c := range d.t.Info.Classes {
			if d.t.Info.Str(d.t.Info.Classes[c].Name) != class {
				continue
			}
			for _, r := range d.t.Info.ClassMembers(desc.ClassID(c)) {
				if int(d.t.Info.Regs[r].Encoding) == n {
					return mc.Reg(r), true
				}
			}
		}
		return mc.Operand{}, false
	}
	base := "GPR32"
	if d.t.Triple.PointerBits() == 64 {
		base = "GPR64"
	}
	made := func(op desc.Opcode, classes []string, numbers []int, more ...int64) bool {
		in.Reset(op)
		for i, c := range classes {
			if c == "" {
				continue
			}
			o, ok := reg(c, numbers[i])
			if !ok {
				return false
			}
			in.Add(o)
		}
		for _, v := range more {
			in.Add(mc.Imm(v))
		}
		return true
	}
	ok := false
	switch lsb := int(w >> 6 & 31); {
	case w>>26 == 0x1f && w&63 == 4 && st.Has(d.r2) && rd >= lsb:
		if ok = made(d.ins, []string{"GPR32", "GPR32"}, []int{rt, rs}, int64(lsb), int64(rd-lsb+1)); ok {
			in.Add(in.Ops[0])
		}
	case w>>26 == 0x1f && (w&63 == 1 || w&63 == 2) && st.Has(d.wide2): // DEXTM, DEXTU
		pos, size := lsb, rd+1
		if w&63 == 1 {
			size += 32
		} else {
			pos += 32
		}
		ok = made(d.dext, []string{"GPR64", "GPR64"}, []int{rt, rs}, int64(pos), int64(size))
	case w>>26 == 0x1f && w&63 >= 5 && w&63 <= 7 && st.Has(d.wide2): // DINSM, DINSU, DINS
		pos, end := lsb, rd+1
		switch w & 63 {
		case 5:
			end += 32
		case 6:
			pos, end = pos+32, end+32
		}
		if ok = end > pos && made(d.dins, []string{"GPR64", "GPR64"}, []int{rt, rs}, int64(pos), int64(end-pos)); ok {
			in.Add(in.Ops[0])
		}
	case (w>>26 == 0x35 || w>>26 == 0x3d) && !st.Has(d.fp64) && rt&1 != 0:
		op := d.ldc1
		if w>>26 == 0x3d {
			op = d.sdc1
		}
		ok = made(op, []string{"FGR64", base}, []int{rt, rs}, int64(int16(w)))
	case w>>26&0x33 == 0x33 && !st.Has(d.coprocess) && !st.Has(d.third64) && (w>>28&1 == 0 || st.Has(d.second)):
		// Words of the third coprocessor, and pairs of these; of 64-bit processors these are others.
		ok = made(d.third[w>>29&1<<1|w>>28&1], []string{"COP3", base}, []int{rt, rs}, int64(int16(w)))
	}
	if ok {
		return 4, mc.DecodeSuccess
	}
	return size, status
}
