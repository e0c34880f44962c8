package frame

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// CFIInstrInserter makes call frame information right where the layout and the
// flow of control part: frame instructions hold from where they stand to the
// end of the function, so that a block behind an epilogue would be taken for
// one without a frame. Each block that begins with another rule for the
// canonical frame address, or with other registers saved, than the code above it
// ends with is told.
var CFIInstrInserter = pass.Pass{
	Name:     "cfi-instr-inserter",
	Title:    "Check CFA info and insert CFI instructions if needed",
	KeepsCFG: true,
	Run:      runCFIInstrInserter,
}

// gnuArgsSize is DW_CFA_GNU_args_size: how many bytes of arguments lie on the stack.
const gnuArgsSize = 0x2e

// cfiState is what holds at a place: the canonical frame address is a register
// (its DWARF number) plus an offset, and some registers are saved: bit n stands
// for entry n of cfiScratch.where. Registers beyond the bits are not followed.
type cfiState struct {
	reg    uint32
	offset int64
	saved  uint64
}

// cfiScratch is memory between functions.
type cfiScratch struct {
	in, out []cfiState // by BlockID
	seen    []bool     // something is known of the block's beginning
	done    []bool
	work    []mir.BlockID
	moved   bool      // a register is saved in one place here and in another there
	where   []mir.CFI // how each register that is saved was, in the order of their first saves
}

func runCFIInstrInserter(c *pass.Context, f *mir.Function) error {
	if len(f.CFI) == 0 || !target.NeedsCFI(f) {
		return nil
	}
	s := pass.Scratch[cfiScratch](c)
	n := f.NumBlockIDs()
	s.in, s.out, s.seen = append(s.in[:0], make([]cfiState, n)...), append(s.out[:0], make([]cfiState, n)...), append(s.seen[:0], make([]bool, n)...)
	s.done = append(s.done[:0], make([]bool, n)...)
	s.where, s.moved = s.where[:0], false
	first := f.FirstBlock()
	initial := cfiState{offset: -c.Subtarget.LocalAreaOffset()}
	if r := f.Facts.DwarfNum(dwarfFlavour(c.Subtarget), c.Subtarget.Variant.StackPointer, true); r >= 0 {
		initial.reg = uint32(r)
	}
	s.in[first], s.seen[first] = initial, true
	if !s.flow(f) {
		return nil // states that are remembered: whoever wrote them knows the layout
	}
	above := s.out[first]
	for b := f.NextBlock(first); b != 0; b = f.NextBlock(b) {
		if !s.seen[b] {
			s.in[b] = initial
			s.out[b], _ = s.after(f, b, initial)
		}
		s.insert(c, f, b, above, s.in[b])
		above = s.out[b]
	}
	if c.Machine.Options.VerifyCFI {
		return s.verify(f)
	}
	return nil
}

// flow finds what holds at both ends of each block that can be reached; false when
// that depends on remembered states. Where blocks before one disagree the last of
// them counts that was seen before the block itself, as LLVM's verifier reports it.
func (s *cfiScratch) flow(f *mir.Function) bool {
	s.work = append(s.work[:0], f.FirstBlock())
	for len(s.work) > 0 {
		b := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if s.done[b] {
			continue
		}
		s.done[b] = true
		out, ok := s.after(f, b, s.in[b])
		if !ok {
			return false
		}
		s.out[b] = out
		for _, t := range f.Succs(b) {
			if t := t.Block; !s.done[t] {
				s.in[t], s.seen[t] = out, true
				s.work = append(s.work, t)
			}
		}
	}
	return true
}

// verify finds edges whose ends do not agree (-verify-cfiinstrs). Blocks that end
// the program need no frame information: nothing returns through them.
func (s *cfiScratch) verify(f *mir.Function) error {
	if s.moved {
		return &pass.VerifyError{Pass: "cfi-instr-inserter", Func: f.Name, Text: "Different saved locations for the same CSR"}
	}
	var b []byte
	faults := 0
	name := func(b mir.BlockID) string { return blockName(f, b) + " #" + strconv.Itoa(int(f.Block(b).Number)) }
	for p := f.FirstBlock(); p != 0; p = f.NextBlock(p) {
		out := s.out[p]
		for _, e := range f.Succs(p) {
			t := e.Block
			in := s.in[t]
			if (in.reg != out.reg || in.offset != out.offset) && (f.NumSuccs(t) != 0 || f.Block(t).Last() != 0 && f.Desc(f.Block(t).Last()).IsReturn()) {
				faults++
				b = fmt.Appendf(b, "*** Inconsistent CFA register and/or offset between pred and succ ***\n"+
					"Pred: %s in %s outgoing CFA Reg:%d\nPred: %[1]s in %[2]s outgoing CFA Offset:%[4]d\n"+
					"Succ: %[5]s incoming CFA Reg:%d\nSucc: %[5]s incoming CFA Offset:%[7]d\n",
					name(p), f.Name, out.reg, out.offset, name(t), in.reg, in.offset)
			}
			if in.saved != out.saved {
				faults++
				b = fmt.Appendf(b, "*** Inconsistent CSR Saved between pred and succ in function %s ***\n"+
					"Pred: %s outgoing CSR Saved: ", f.Name, name(p))
				b = append(s.appendSaved(b, out.saved), "\nSucc: "+name(t)+" incoming CSR Saved: "...)
				b = append(s.appendSaved(b, in.saved), '\n')
			}
		}
	}
	if faults == 0 {
		return nil
	}
	return &pass.VerifyError{Pass: "cfi-instr-inserter", Func: f.Name, Faults: faults, What: "in/out CFI information", Report: string(b)}
}

// blockName is the name of a block in the IR, "" for one without.
func blockName(f *mir.Function, b mir.BlockID) string {
	switch x := f.Block(b); {
	case x.IRBlock != 0 && f.IR != nil:
		return f.IR.BlockNames[x.IRBlock]
	case x.Name != 0:
		return f.Symbols[x.Name-1]
	}
	return ""
}

// appendSaved prints the numbers of saved registers.
func (s *cfiScratch) appendSaved(b []byte, m uint64) []byte {
	for m != 0 {
		k := s.least(m)
		m &^= 1 << k
		b = append(strconv.AppendUint(b, uint64(s.where[k].Reg), 10), ' ')
	}
	return b
}

// dwarfFlavour is the numbering of registers in frame information.
func dwarfFlavour(st *target.Subtarget) int {
	arch, _, _ := strings.Cut(st.Facts.Str(st.Variant.Triple), "-")
	return st.Facts.DwarfFlavourOf(arch)
}

// insert tells at the beginning of b what holds there and not above.
func (s *cfiScratch) insert(c *pass.Context, f *mir.Function, b mir.BlockID, above, want cfiState) {
	if above == want {
		return
	}
	at := f.Block(b).First()
	add := func(x mir.CFI) {
		i := f.New(desc.CFI_INSTRUCTION, f.AddCFI(x))
		f.InsertBefore(b, at, i)
		c.Count("cfi-instr-inserter", "Number of frame instructions inserted", 1)
	}
	switch {
	case above.offset != want.offset && above.reg != want.reg:
		add(mir.CFI{Kind: mir.CFIDefCfa, Reg: want.reg, Offset: want.offset})
	case above.offset != want.offset:
		add(mir.CFI{Kind: mir.CFIDefCfaOffset, Offset: want.offset})
	case above.reg != want.reg:
		add(mir.CFI{Kind: mir.CFIDefCfaRegister, Reg: want.reg})
	}
	// In the order of their numbers.
	for m := above.saved &^ want.saved; m != 0; {
		k := s.least(m)
		m &^= 1 << k
		add(mir.CFI{Kind: mir.CFIRestore, Reg: s.where[k].Reg})
	}
	for m := want.saved &^ above.saved; m != 0; {
		k := s.least(m)
		m &^= 1 << k
		add(s.where[k])
	}
}

// least is the register of least number in a set that is not empty.
func (s *cfiScratch) least(m uint64) int {
	best := bits.TrailingZeros64(m)
	for m &= m - 1; m != 0; m &= m - 1 {
		if k := bits.TrailingZeros64(m); s.where[k].Reg < s.where[best].Reg {
			best = k
		}
	}
	return best
}

// bit is the bit of a register, which saved says is saved by x; 0 when there is none left.
func (s *cfiScratch) bit(x mir.CFI, saved bool) uint64 {
	for k := range s.where {
		if s.where[k].Reg == x.Reg {
			s.moved = s.moved || saved && s.where[k] != x
			return 1 << k
		}
	}
	if !saved || len(s.where) == 64 {
		return 0
	}
	s.where = append(s.where, x)
	return 1 << (len(s.where) - 1)
}

// after is what holds at the end of b; ok is false when it depends on remembered states.
func (s *cfiScratch) after(f *mir.Function, b mir.BlockID, r cfiState) (out cfiState, ok bool) {
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		if f.Instr(i).Opcode != desc.CFI_INSTRUCTION {
			continue
		}
		switch x := f.CFI[f.Op(i, 0).Index()]; x.Kind {
		case mir.CFIDefCfa, mir.CFILLVMDefAspaceCfa:
			r.reg, r.offset = x.Reg, x.Offset
		case mir.CFIDefCfaRegister:
			r.reg = x.Reg
		case mir.CFIDefCfaOffset:
			r.offset = x.Offset
		case mir.CFIAdjustCfaOffset:
			r.offset += x.Offset
		case mir.CFIOffset, mir.CFIRegister:
			r.saved |= s.bit(x, true)
		case mir.CFIRelOffset:
			x.Kind, x.Offset = mir.CFIOffset, x.Offset-r.offset
			r.saved |= s.bit(x, true)
		case mir.CFIRestore:
			r.saved &^= s.bit(x, false)
		case mir.CFIEscape:
			if len(x.Bytes) > 0 && x.Bytes[0] == gnuArgsSize {
				break // each call says its own
			}
			return r, false
		case mir.CFIRememberState, mir.CFIRestoreState:
			return r, false
		}
	}
	return r, true
}
