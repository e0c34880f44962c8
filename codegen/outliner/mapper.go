package outliner

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// kind says what may become of an instruction.
type kind uint8

const (
	illegal   kind = iota // it stays where it is
	legal                 // it may move
	invisible             // it goes where those around it go, and makes no difference
)

// mapper is the string of numbers that stands for the module's code: numbers from
// 0 for what instructions do, from 2³²-3 down for those that stay and for ends of blocks.
type mapper struct {
	str     []uint32
	at      []mir.InstrID // by place: the instruction, 0 for ends
	fn      []int32       // by place: the function in module.Funcs
	size    []uint32      // by place: how many instructions that count stand before, of all
	numbers map[string]uint32
	next    uint32 // the number of the next instruction that is new
	last    uint32 // the number of the next that stays
	// joined says that the last number stands for something that stays: more of
	// that is no more to keep sequences apart.
	joined         bool
	sizes          uint32
	key            []byte
	legals, unseen int64
}

func newMapper() *mapper {
	return &mapper{numbers: map[string]uint32{}, last: ^uint32(2)}
}

// add maps the functions that code may be taken out of.
func (p *mapper) add(m *pass.Module, t *target.OutlineTuning) error {
	for n, f := range m.Funcs {
		if f == nil || f.FirstBlock() == 0 {
			continue
		}
		g := m.IR.Globals[m.IDs[n]]
		st, err := m.Subtarget(m.IDs[n])
		if err != nil {
			return err
		}
		if m.IR.Attrs.At(g.Attrs).Fn.Has("nooutline") || g.Linkage == ir.LinkOnceODR && !t.LinkOnceODR || !st.Target.Outline.MayOutline(st, f) {
			continue
		}
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			if first := f.Block(b).First(); first == 0 || f.Instr(first).Next() == 0 || f.Block(b).AddressTaken() || instrumented(f, b) {
				continue
			}
			p.block(st, f, int32(n), b)
		}
	}
	return nil
}

// instrumented reports a block that begins or ends in what must stay there, as
// tools that change running code expect it.
func instrumented(f *mir.Function, b mir.BlockID) bool {
	first, last := mir.InstrID(0), f.LastReal(b)
	for first = f.Block(b).First(); first != 0 && f.IsDebugInstr(first); {
		first = f.Instr(first).Next()
	}
	if first == 0 {
		return false
	}
	switch f.Instr(first).Opcode {
	case desc.FENTRY_CALL, desc.PATCHABLE_FUNCTION_ENTER:
		return true
	}
	switch f.Instr(last).Opcode {
	case desc.PATCHABLE_RET, desc.PATCHABLE_TAIL_CALL:
		return true
	}
	if before := f.Instr(last).Prev(); last != first && f.Desc(last).IsReturn() && before != 0 {
		switch f.Instr(before).Opcode {
		case desc.PATCHABLE_FUNCTION_EXIT, desc.PATCHABLE_TAIL_CALL:
			return true
		}
	}
	return false
}

// block maps a block, unless no two instructions side by side may move.
func (p *mapper) block(st *target.Subtarget, f *mir.Function, n int32, b mir.BlockID) {
	start, pair, behindLegal := len(p.str), false, false
	for i := range f.Bundles(b) {
		switch what := p.kindOf(st, f, i); what {
		case legal:
			p.joined = false
			pair = pair || behindLegal
			behindLegal = true
			p.legals++
			p.put(p.number(f, i), i, n)
		case illegal:
			behindLegal = false
			p.separate(i, n)
		default:
			p.joined = false
			p.unseen++
		}
		if f.Instr(i).Opcode != desc.KILL && !f.IsDebugInstr(i) {
			p.sizes++
		}
	}
	if pair {
		p.separate(0, n)
		return
	}
	p.str, p.at, p.fn, p.size = p.str[:start], p.at[:start], p.fn[:start], p.size[:start]
}

func (p *mapper) put(number uint32, i mir.InstrID, n int32) {
	p.str = append(p.str, number)
	p.at, p.fn = append(p.at, i), append(p.fn, n)
	p.size = append(p.size, p.sizes)
}

// separate adds a number that is nowhere else, once for a run of what stays.
func (p *mapper) separate(i mir.InstrID, n int32) {
	if p.joined {
		return
	}
	p.joined = true
	p.put(p.last, i, n)
	p.last--
}

func (p *mapper) number(f *mir.Function, i mir.InstrID) uint32 {
	p.key = f.AppendContent(p.key[:0], i)
	k, ok := p.numbers[string(p.key)]
	if !ok {
		k = p.next
		p.next++
		p.numbers[string(p.key)] = k
	}
	return k
}

// kindOf says what may become of i: first what is so for every target.
func (p *mapper) kindOf(st *target.Subtarget, f *mir.Function, i mir.InstrID) kind {
	if f.Instr(i).Flags()&mir.BundledSucc != 0 {
		if isOfFunction(f, i) {
			return illegal // the others of its bundle are not to go with it
		}
	} else if op := f.Instr(i).Opcode; isOfFunction(f, i) || op == desc.IMPLICIT_DEF || op == desc.KILL {
		return invisible
	}
	for in := range f.InBundle(i) {
		if in != i && isOfFunction(f, in) {
			continue
		}
		switch f.Instr(in).Opcode {
		case desc.CFI_INSTRUCTION, desc.INLINEASM, desc.INLINEASM_BR, desc.EH_LABEL, desc.GC_LABEL, desc.ANNOTATION_LABEL:
			return illegal
		}
		// A jump in front of another that both leave the function (LLVM takes it out,
		// and what stands behind it is never reached) does not end a function.
		if d := f.Desc(in); d.IsTerminator() && (!d.IsBarrier() || f.NumSuccs(f.Instr(i).Block()) > 0) {
			return illegal
		}
		for _, o := range f.Ops(in) {
			switch o.Kind() {
			case mir.OpMBB, mir.OpBlockAddr, mir.OpCPI, mir.OpJTI, mir.OpFrameIndex, mir.OpTargetIndex, mir.OpCFIIndex:
				return illegal
			case mir.OpReg:
				if o.Reg().IsVirtual() {
					return illegal
				}
			}
		}
		if !st.Target.Outline.MayMove(st, f, in) {
			return illegal
		}
	}
	return legal
}
