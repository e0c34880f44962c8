package x86

import (
	"slices"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Patterns and passes name the instructions of SSE. With AVX their VEX encodings do the
// same with a destination of their own, clear what is above 128 bits, and read operands
// in memory of any alignment; mixing both costs dearly where an upper half is in use
// (Intel, "Optimization Reference Manual", 15.3).

// vexRow is an instruction and its VEX twin.
type vexRow struct {
	sse, vex desc.Opcode
	// upper says that the twin takes what is above the scalar from a source of its own.
	upper bool
}

// vexOf finds the twin of an opcode, nil for none.
func vexOf(op desc.Opcode) *vexRow {
	k, ok := slices.BinarySearchFunc(vexRows[:], op, func(r vexRow, op desc.Opcode) int { return int(r.sse) - int(op) })
	if !ok {
		return nil
	}
	return &vexRows[k]
}

// vexTwin is op, or what it is with VEX.
func vexTwin(op desc.Opcode) desc.Opcode {
	if r := vexOf(op); r != nil {
		return r.vex
	}
	return op
}

// encodeVEX is globalisel.Selector.Finish: what was selected gets VEX encodings.
func encodeVEX(st *target.Subtarget, f *mir.Function) {
	if !st.HasFeature("avx") {
		return
	}
	if hasMasks(st) {
		defer encodeEVEX(f)
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			op := f.Instr(i).Opcode
			if op < desc.FirstTargetOpcode {
				continue
			}
			r := vexOf(op)
			if r == nil {
				continue
			}
			f.Untie(i, 0)
			f.Instr(i).Opcode = r.vex
			if r.upper {
				d := f.AddVReg(int16(f.Facts.OperandClass(r.vex, 1, f.Facts.DefaultMode)))
				m := mir.Builder{F: f, Loc: f.Instr(i).Loc}
				m.SetBefore(i)
				m.Build(desc.IMPLICIT_DEF, mir.RegOp(d, mir.Def))
				f.InsertOp(i, 1, mir.RegOp(d, 0))
			}
		}
	}
}

// evexOf gives the EVEX encoding of instructions with VEX, 0 for none: those that mean
// the same by their immediates and want no more than AVX512VL, BW and DQ.
var evexOf = sync.OnceValue(func() map[desc.Opcode]desc.Opcode {
	out := map[desc.Opcode]desc.Opcode{}
	for k := range evexRows {
		r := &evexRows[k]
		if r.wants != wantsNothing || immChanges(r.evex) {
			continue
		}
		switch r.twin {
		case tab.VAESDECrr, tab.VAESDECLASTrr, tab.VAESENCrr, tab.VAESENCLASTrr, tab.VAESDECYrr, tab.VAESDECLASTYrr, tab.VAESENCYrr, tab.VAESENCLASTYrr,
			tab.VAESDECrm, tab.VAESDECLASTrm, tab.VAESENCrm, tab.VAESENCLASTrm, tab.VAESDECYrm, tab.VAESDECLASTYrm, tab.VAESENCYrm, tab.VAESENCLASTYrm,
			tab.VPCLMULQDQrri, tab.VPCLMULQDQrmi, tab.VPCLMULQDQYrri, tab.VPCLMULQDQYrmi:
			continue // of features of their own
		}
		out[r.twin] = r.evex // of several the last, of 64-bit elements
	}
	return out
})

// encodeEVEX gives what was selected EVEX encodings, which reach registers from 16 on,
// and the classes that have these; x86-compress-evex takes back what does not need them.
func encodeEVEX(f *mir.Function) {
	twins := evexOf()
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if op := twins[f.Instr(i).Opcode]; op != 0 && (!scales(op) || f.Op(i, int(f.Desc(i).NumOperands)-1).Imm()&^0xf == 0) {
				f.Instr(i).Opcode = op
			}
		}
	}
	for n := range f.NumVRegs() {
		r := mir.VReg(n)
		to := desc.NoClass
		switch f.VReg(r).Class {
		case int16(tab.FR32RegClassID):
			to = tab.FR32XRegClassID
		case int16(tab.FR64RegClassID):
			to = tab.FR64XRegClassID
		case int16(tab.VR128RegClassID):
			to = tab.VR128XRegClassID
		case int16(tab.VR256RegClassID):
			to = tab.VR256XRegClassID
		}
		if to != desc.NoClass && allows(f, r, to) {
			f.VReg(r).Class = int16(to)
		}
	}
}

// scales reports the roundings of EVEX, whose upper four bits of the immediate say how
// many bits of the fraction stay: AVX's do not read them.
func scales(op desc.Opcode) bool {
	switch op {
	case tab.VRNDSCALEPDZ128rri, tab.VRNDSCALEPSZ128rri, tab.VRNDSCALEPDZ256rri, tab.VRNDSCALEPSZ256rri, tab.VRNDSCALESDZrri, tab.VRNDSCALESSZrri,
		tab.VRNDSCALESDZrri_Int, tab.VRNDSCALESSZrri_Int, tab.VRNDSCALEPDZ128rmi, tab.VRNDSCALEPSZ128rmi, tab.VRNDSCALEPDZ256rmi, tab.VRNDSCALEPSZ256rmi,
		tab.VRNDSCALESDZrmi, tab.VRNDSCALESSZrmi, tab.VRNDSCALESDZrmi_Int, tab.VRNDSCALESSZrmi_Int:
		return true
	}
	return false
}

// allows reports whether all operands that name r take registers of a class.
func allows(f *mir.Function, r mir.Reg, c desc.ClassID) bool {
	ok := func(i mir.InstrID, n int) bool {
		op := f.Instr(i).Opcode
		switch op {
		case desc.COPY, desc.PHI, desc.IMPLICIT_DEF, desc.INSERT_SUBREG, desc.EXTRACT_SUBREG, desc.SUBREG_TO_REG, desc.KILL:
			return true
		}
		if f.IsDebugInstr(i) {
			return true
		}
		if op < desc.FirstTargetOpcode || f.Op(i, n).SubReg() != 0 {
			return false
		}
		want := f.Facts.OperandClass(op, n, f.Facts.DefaultMode)
		return want != desc.NoClass && f.Facts.HasSubClassEq(want, c)
	}
	for i, n := range f.Defs(r) {
		if !ok(i, n) {
			return false
		}
	}
	for i, n := range f.Uses(r) {
		if !ok(i, n) {
			return false
		}
	}
	return true
}

// instrTableVEX is instrTable of subtargets with AVX.
var instrTableVEX = sync.OnceValue(func() *target.InstrTable {
	t := instrTable
	t.Copies, t.Spills = slices.Clone(t.Copies), slices.Clone(t.Spills)
	for k := range t.Copies {
		t.Copies[k].Op = vexTwin(t.Copies[k].Op)
	}
	for k := range t.Spills {
		t.Spills[k].Store, t.Spills[k].Load = vexTwin(t.Spills[k].Store), vexTwin(t.Spills[k].Load)
	}
	return &t
})
