package x86

import (
	"slices"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
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
