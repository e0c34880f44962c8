package frame

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// CFIInstrInserter makes call frame information right where the layout and the
// flow of control part: frame instructions hold from where they stand to the
// end of the function, so that a block behind an epilogue would be taken for
// one without a frame. Each block that begins with another rule for the
// canonical frame address than the code above it ends with gets that rule.
var CFIInstrInserter = pass.Pass{
	Name:     "cfi-instr-inserter",
	Title:    "Check CFA info and insert CFI instructions if needed",
	KeepsCFG: true,
	Run:      runCFIInstrInserter,
}

// cfaRule is how the canonical frame address is found: a register (its DWARF
// number) plus an offset. reg is -1 while it is the one that the target begins
// with, offset 0 before the first rule.
type cfaRule struct {
	reg    int64
	offset int64
}

type cfiScratch struct {
	in   []cfaRule // by BlockID
	seen []bool
}

func runCFIInstrInserter(c *pass.Context, f *mir.Function) error {
	if len(f.CFI) == 0 {
		return nil
	}
	s := pass.Scratch[cfiScratch](c)
	n := f.NumBlockIDs()
	s.in, s.seen = append(s.in[:0], make([]cfaRule, n)...), append(s.seen[:0], make([]bool, n)...)
	first := f.FirstBlock()
	s.in[first], s.seen[first] = cfaRule{reg: -1}, true
	// Every block but the first has a predecessor before it in this order.
	for _, n := range pass.Get[pass.CFG](c, f).RPO() {
		b := mir.BlockID(n)
		out, ok := cfaAfter(f, b, s.in[b])
		if !ok {
			return nil // states that are remembered: whoever wrote them knows the layout
		}
		for _, t := range f.Succs(b) {
			if t := t.Block; !s.seen[t] {
				s.in[t], s.seen[t] = out, true
			}
		}
	}
	above, _ := cfaAfter(f, first, s.in[first])
	for b := f.NextBlock(first); b != 0; b = f.NextBlock(b) {
		if !s.seen[b] {
			above, _ = cfaAfter(f, b, above)
			continue
		}
		want := s.in[b]
		if want != above && want.offset != 0 && (want.reg >= 0 || above.reg < 0) {
			i := f.New(desc.CFI_INSTRUCTION, f.AddCFI(cfaChange(above, want)))
			f.InsertBefore(b, f.AfterPHIs(b), i) // a landing pad begins with its label
			c.Count("cfi-instr-inserter", "Number of CFA rules repeated", 1)
		}
		above, _ = cfaAfter(f, b, want)
	}
	return nil
}

// cfaChange is the frame instruction that leads from one rule to another.
func cfaChange(from, to cfaRule) mir.CFI {
	switch {
	case from.reg == to.reg:
		return mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: to.offset}
	case from.offset == to.offset && from.reg >= 0:
		return mir.CFI{Kind: mir.CFIDefCfaRegister, Reg: uint32(to.reg)}
	}
	return mir.CFI{Kind: mir.CFIDefCfa, Reg: uint32(to.reg), Offset: to.offset}
}

// cfaAfter is the rule at the end of b; ok is false when it depends on remembered states.
func cfaAfter(f *mir.Function, b mir.BlockID, r cfaRule) (out cfaRule, ok bool) {
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		if f.Instr(i).Opcode != desc.CFI_INSTRUCTION {
			continue
		}
		switch c := &f.CFI[f.Op(i, 0).Index()]; c.Kind {
		case mir.CFIDefCfa:
			r = cfaRule{int64(c.Reg), c.Offset}
		case mir.CFIDefCfaRegister:
			r.reg = int64(c.Reg)
		case mir.CFIDefCfaOffset:
			r.offset = c.Offset
		case mir.CFIAdjustCfaOffset:
			r.offset += c.Offset
		case mir.CFIRememberState, mir.CFIRestoreState, mir.CFIEscape, mir.CFILLVMDefAspaceCfa:
			return r, false
		}
	}
	return r, true
}
