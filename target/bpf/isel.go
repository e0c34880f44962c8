package bpf

import (
	"sync"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/codegen/regbank"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// iselHooks answer instruction selection.
var iselHooks = target.ISelHooks{
	PrefFuncAlign: 3,
	// Version 4 jumps to addresses; as in LLVM, where there is much to choose from.
	MinJumpTableEntries: func(st *target.Subtarget) int {
		if s := isaOf(st); s.gotox {
			return 13
		}
		return 0
	},
	DividesByConstants: true,
	JumpsAreCheap:      true,
	ConstantsInOrder:   true,
	// The kernel's verifier goes round a loop until it knows that a counter has reached its end.
	Prepare:           target.PrepareHooks{Loops: target.LoopCosts{KeepsCounters: true}},
	Legalize:          legalize,
	Banks:             func(*target.Subtarget) *regbank.Table { return banks() },
	InlineAsm:         &inlineAsm,
	Refuse:            refusal,
	NoLibrary:         true,
	NativeRMW:         nativeRMW,
	MaxAtomicBits:     func(*target.Subtarget) int { return 64 },
	LegalizeIntrinsic: legalizeIntrinsic,
	Selector:          func(*target.Subtarget) (target.Selector, error) { return makeSelector() },
}

// banks: there is one.
var banks = sync.OnceValue(func() *regbank.Table {
	b := regbank.New(tab.GPRBRegBankID, regbank.Bank{Scalar: 64, Pointer: 64})
	b.Fast = true
	return b.Table()
})

var makeSelector = sync.OnceValues(func() (target.Selector, error) {
	info, err := facts.BPF()
	if err != nil {
		return nil, err
	}
	t, err := matchtable.BindMade(tab.ISel, patternHooks(), info) // see TestTableIsCurrent
	return &globalisel.Selector{Table: t}, err
})

// patternHooks are the functions that the patterns name.
func patternHooks() *matchtable.Hooks {
	h := &matchtable.Hooks{
		Instr: map[string]func(*matchtable.Matcher, mir.InstrID) bool{
			"isWord": func(m *matchtable.Matcher, i mir.InstrID) bool { return m.F.MemOf(i, 0).Size == 4 },
		},
		Complex: map[string]func(*matchtable.Matcher, mir.Reg) bool{
			"selectAddr":     selectAddr,
			"selectFrameAdd": selectFrameAdd,
		},
		Xforms: map[string]func(*matchtable.Matcher, mir.InstrID, int){
			"low8":  func(m *matchtable.Matcher, i mir.InstrID, op int) { low(m, i, op, 8) },
			"low16": func(m *matchtable.Matcher, i mir.InstrID, op int) { low(m, i, op, 16) },
			"low32": func(m *matchtable.Matcher, i mir.InstrID, op int) { low(m, i, op, 32) },
		},
		Features: map[string]func(*target.Subtarget, *mir.Function) bool{
			"CurDAG->getDataLayout().isLittleEndian()": func(st *target.Subtarget, _ *mir.Function) bool { return !st.Layout.BigEndian },
			"TM.isPositionIndependent()":               func(st *target.Subtarget, _ *mir.Function) bool { return st.Options.Reloc == target.RelocPIC },
		},
		ClassOf: func(_ *target.Subtarget, t mir.LLT, _ int16) desc.ClassID {
			switch t.ScalarBits() {
			case 32:
				return tab.GPR32RegClassID
			case 64:
				return tab.GPRRegClassID
			}
			return desc.NoClass
		},
	}
	for name, has := range features {
		h.Features["Subtarget->getHas"+name+"()"] = func(st *target.Subtarget, _ *mir.Function) bool { s := isaOf(st); return has(&s) }
	}
	return h
}

// low adds the low bits of a constant, with their sign.
func low(m *matchtable.Matcher, i mir.InstrID, op, bits int) {
	v, _ := m.OperandConst(m.F.Op(i, op))
	m.Add(mir.ImmOp(v << (64 - bits) >> (64 - bits)))
}

// sumOf takes a sum of a register and a constant of 16 bits apart.
func sumOf(m *matchtable.Matcher, r mir.Reg) (base mir.Reg, off int64, ok bool) {
	d := m.Def(r)
	if d == 0 || m.F.Instr(d).Opcode != desc.G_PTR_ADD && m.F.Instr(d).Opcode != desc.G_ADD {
		return 0, 0, false
	}
	off, ok = m.Const(m.F.Op(d, 2).Reg())
	return m.F.Op(d, 1).Reg(), off, ok && off == int64(int16(off))
}

// frameIndex is the stack object whose address r is.
func frameIndex(m *matchtable.Matcher, r mir.Reg) (mir.Operand, bool) {
	d := m.Def(r)
	if d == 0 || m.F.Instr(d).Opcode != desc.G_FRAME_INDEX {
		return mir.Operand{}, false
	}
	return *m.F.Op(d, 1), true
}

// selectAddr matches what loads and stores address: a register or a stack object, and an offset.
func selectAddr(m *matchtable.Matcher, r mir.Reg) bool {
	base, off := r, int64(0)
	if b, o, ok := sumOf(m, r); ok {
		base, off = b, o
	}
	if fi, ok := frameIndex(m, base); ok {
		m.Render(fi)
	} else {
		m.Render(mir.RegOp(m.Look(base), 0))
	}
	m.Render(mir.ImmOp(off))
	return true
}

// selectFrameAdd matches the address of something in a stack object.
func selectFrameAdd(m *matchtable.Matcher, r mir.Reg) bool {
	base, off, ok := sumOf(m, r)
	if !ok {
		return false
	}
	fi, ok := frameIndex(m, base)
	if ok {
		m.Render(fi)
		m.Render(mir.ImmOp(off))
	}
	return ok
}
