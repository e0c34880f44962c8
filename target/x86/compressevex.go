package x86

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// compressEVEX is the pass that gives instructions of AVX-512 the shorter encoding of
// AVX where they use nothing that only EVEX can say: masks, 512 bits, broadcasts,
// roundings, registers from 16 on, the general ones of APX too.
var compressEVEX = target.Pass{
	Name:       "x86-compress-evex",
	Title:      "Compressing EVEX instrs when possible",
	Before:     "cfi-instr-inserter",
	Optimizing: true,
	Requires:   mir.NoVRegs,
	KeepsCFG:   true,
	Run:        runCompressEVEX,
}

// evexRow is an instruction with an EVEX encoding, what does the same without, and
// what that one takes.
type evexRow struct {
	evex, twin desc.Opcode
	wants      uint8
}

// Features that a shorter encoding wants beyond those of the EVEX one.
const (
	wantsNothing = iota
	wantsAVXVNNI
	wantsAVXIFMA
	wantsAVXNECONVERT
	wantsAVXVNNIINT8
	wantsAVXVNNIINT16
	wantsSM4
)

var evexWants = [...]string{
	wantsAVXVNNI: "avxvnni", wantsAVXIFMA: "avxifma", wantsAVXNECONVERT: "avxneconvert",
	wantsAVXVNNIINT8: "avxvnniint8", wantsAVXVNNIINT16: "avxvnniint16", wantsSM4: "sm4",
}

func runCompressEVEX(c target.PassContext, f *mir.Function) error {
	st := c.SubtargetOf()
	if !st.HasFeature("avx512f") {
		return nil
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.Desc(i).TSFlags>>29&3 != 3 {
				continue // no EVEX encoding
			}
			k, ok := slices.BinarySearchFunc(evexRows[:], f.Instr(i).Opcode, func(r evexRow, op desc.Opcode) int { return int(r.evex) - int(op) })
			if !ok || usesHighRegister(f, i) {
				continue
			}
			r := &evexRows[k]
			if (r.wants == wantsNothing || st.HasFeature(evexWants[r.wants])) && adjustTwin(f, i) {
				f.Instr(i).Opcode = r.twin
			}
		}
	}
	return nil
}

// adjustTwin changes the immediate of i where the twin means another thing by it; false
// when the twin cannot say it.
func adjustTwin(f *mir.Function, i mir.InstrID) bool {
	last := int(f.Desc(i).NumOperands) - 1
	n := int64(0)
	if o := f.Op(i, last); o.IsImm() {
		n = o.Imm()
	}
	switch f.Instr(i).Opcode {
	case tab.VALIGNDZ128rmi, tab.VALIGNDZ128rri:
		f.SetImm(i, last, n&3*4) // bytes
	case tab.VALIGNQZ128rmi, tab.VALIGNQZ128rri:
		f.SetImm(i, last, n&1*8)
	case tab.VSHUFF32X4Z256rmi, tab.VSHUFF32X4Z256rri, tab.VSHUFF64X2Z256rmi, tab.VSHUFF64X2Z256rri,
		tab.VSHUFI32X4Z256rmi, tab.VSHUFI32X4Z256rri, tab.VSHUFI64X2Z256rmi, tab.VSHUFI64X2Z256rri:
		// Four bits for a half instead of one, the second half of the second source.
		f.SetImm(i, last, 0x20|n&2<<3|n&1)
	case tab.VRNDSCALEPDZ128rri, tab.VRNDSCALEPDZ128rmi, tab.VRNDSCALEPSZ128rri, tab.VRNDSCALEPSZ128rmi,
		tab.VRNDSCALEPDZ256rri, tab.VRNDSCALEPDZ256rmi, tab.VRNDSCALEPSZ256rri, tab.VRNDSCALEPSZ256rmi,
		tab.VRNDSCALESDZrri, tab.VRNDSCALESDZrmi, tab.VRNDSCALESSZrri, tab.VRNDSCALESSZrmi,
		tab.VRNDSCALESDZrri_Int, tab.VRNDSCALESDZrmi_Int, tab.VRNDSCALESSZrri_Int, tab.VRNDSCALESSZrmi_Int:
		return n&0xf == n // no scale
	}
	return true
}

// immChanges reports the instructions whose immediate adjustTwin looks at.
func immChanges(op desc.Opcode) bool {
	switch op {
	case tab.VALIGNDZ128rmi, tab.VALIGNDZ128rri, tab.VALIGNQZ128rmi, tab.VALIGNQZ128rri,
		tab.VSHUFF32X4Z256rmi, tab.VSHUFF32X4Z256rri, tab.VSHUFF64X2Z256rmi, tab.VSHUFF64X2Z256rri,
		tab.VSHUFI32X4Z256rmi, tab.VSHUFI32X4Z256rri, tab.VSHUFI64X2Z256rmi, tab.VSHUFI64X2Z256rri:
		return true
	}
	return false
}
