package mirtext

import (
	"strconv"

	"github.com/mirin-go/mirin/mir"
)

// body prints the block scalar of the function's code. Lines without content
// keep their indentation, as LLVM's YAML writer prints them.
func (p *printer) body() {
	p.key(0, "body")
	if p.f.FirstBlock() == 0 {
		p.str(" |\n")
		return
	}
	p.str(" |\n")
	for b := p.f.FirstBlock(); b != 0; b = p.f.NextBlock(b) {
		if b != p.f.FirstBlock() {
			p.str("  \n")
		}
		p.block(b)
	}
	p.lineStart = len(p.b)
}

// appendBlockName appends bb.N with name and attributes.
func (p *printer) appendBlockName(b []byte, id mir.BlockID) []byte {
	blk := p.f.Block(id)
	b = append(b, "bb."...)
	b = strconv.AppendInt(b, int64(blk.Number), 10)
	sep := " ("
	attr := func(s string) {
		b = append(b, sep...)
		b = append(b, s...)
		sep = ", "
	}
	if blk.IRBlock != 0 && p.f.IR != nil {
		if n := p.f.IR.BlockNames[blk.IRBlock]; n != "" {
			b = append(b, '.')
			b = append(b, n...)
		} else {
			attr("")
			b = p.appendIRBlock(b, blk.IRBlock)
		}
	} else if blk.Name != 0 {
		b = append(b, '.')
		b = append(b, p.f.Symbols[blk.Name-1]...)
	}
	num := func(s string, n uint64) {
		attr(s)
		b = strconv.AppendUint(b, n, 10)
	}
	if blk.Flags&mir.MachineAddrTaken != 0 {
		attr("machine-block-address-taken")
	}
	if blk.AddrTakenIR != 0 {
		attr("ir-block-address-taken ")
		b = p.appendIRBlock(b, blk.AddrTakenIR)
	}
	if blk.Flags&mir.EHPad != 0 {
		attr("landing-pad")
	}
	if blk.Flags&mir.InlineAsmBrTarget != 0 {
		attr("inlineasm-br-indirect-target")
	}
	if blk.Flags&mir.EHScopeEntry != 0 {
		attr("ehscope-entry")
	}
	if blk.Flags&mir.EHFuncletEntry != 0 {
		attr("ehfunclet-entry")
	}
	if blk.Align != 0 {
		num("align ", 1<<blk.Align)
	}
	switch blk.SectionID {
	case 0:
	case mir.SectionException:
		attr("bbsections Exception")
	case mir.SectionCold:
		attr("bbsections Cold")
	default:
		num("bbsections ", uint64(blk.SectionID))
	}
	if blk.BBID != 0 {
		num("bb_id ", uint64(blk.BBID-1))
		if blk.BBIDClone != 0 {
			b = append(b, ' ')
			b = strconv.AppendUint(b, uint64(blk.BBIDClone), 10)
		}
	}
	if blk.CallFrame != 0 {
		num("call-frame-size ", uint64(blk.CallFrame))
	}
	if sep != " (" {
		b = append(b, ')')
	}
	return b
}

// appendIRBlock appends %ir-block.X for a block attribute, where names are not quoted.
func (p *printer) appendIRBlock(b []byte, id uint32) []byte {
	b = append(b, "%ir-block."...)
	if p.f.IR == nil {
		return append(b, "<ir-block badref>"...)
	}
	if n := p.f.IR.BlockNames[id]; n != "" {
		return append(b, n...)
	}
	return strconv.AppendInt(b, int64(p.slots.Block(p.f.IR, irBlock(id))), 10)
}

func (p *printer) block(b mir.BlockID) {
	f := p.f
	p.str("  ")
	p.b = p.appendBlockName(p.b, b)
	p.str(":\n")
	lines := p.successors(b)
	if f.Block(b).NumLiveIns() > 0 {
		p.str("    liveins: ")
		p.blockLiveIns(b)
		p.str("\n")
		lines = true
	}
	if lines && f.Block(b).First() != 0 {
		p.str("  \n")
	}
	p.blockInstrs(b, "    ", p.instr)
}

// blockInstrs prints the instructions of b, a line each, with braces around bundles.
func (p *printer) blockInstrs(b mir.BlockID, indent string, instr func(mir.InstrID)) {
	f := p.f
	inBundle := false
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		fl := f.Instr(i).Flags()
		if inBundle && fl&mir.BundledPred == 0 {
			p.str(indent)
			p.str("}\n")
			inBundle = false
		}
		if inBundle {
			p.str("  ")
		}
		p.str(indent)
		instr(i)
		if !inBundle && fl&mir.BundledSucc != 0 {
			p.str(" {")
			inBundle = true
		}
		p.str("\n")
	}
	if inBundle {
		p.str(indent)
		p.str("}\n")
	}
}

func (p *printer) blockLiveIns(b mir.BlockID) {
	for k, l := range p.f.LiveInsOf(b) {
		if k > 0 {
			p.str(", ")
		}
		p.b = p.appendLiveIn(p.b, l)
	}
}

func (p *printer) appendLiveIn(b []byte, l mir.LiveIn) []byte {
	b = p.appendReg(b, l.Reg)
	if l.Mask != mir.AllLanes {
		b = append(b, ":0x"...)
		b = appendHex(b, l.Mask, 16, true)
	}
	return b
}

func appendHex(b []byte, v uint64, digits int, upper bool) []byte {
	set := "0123456789abcdef"
	if upper {
		set = "0123456789ABCDEF"
	}
	for s := 4 * (digits - 1); s >= 0; s -= 4 {
		b = append(b, set[v>>s&15])
	}
	return b
}

// successors prints the successor list unless a reader can guess it, and reports whether it did.
func (p *printer) successors(b mir.BlockID) bool {
	f := p.f
	succs := f.Succs(b)
	p.probs = f.AppendSuccProbs(p.probs[:0], b)
	even := f.CanPredictProbs(b)
	if !(len(succs) > 0 && !p.o.Simplify) && even && p.canGuess(b) {
		return false
	}
	p.str("    successors:")
	for k, s := range succs {
		if k > 0 {
			p.str(",")
		}
		p.str(" %bb.")
		p.int(int64(f.Block(s.Block).Number))
		if !p.o.Simplify || !even {
			p.str("(0x")
			p.b = appendHex(p.b, uint64(p.probs[k]), 8, false)
			p.str(")")
		}
	}
	p.str("\n")
	return true
}

// canGuess reports whether the block's operands and its fall-through give the
// very list of its successors.
func (p *printer) canGuess(b mir.BlockID) bool {
	guess := guessSuccessors(p.f, b, nil)
	succs := p.f.Succs(b)
	if len(guess) != len(succs) {
		return false
	}
	for i := range guess {
		if guess[i] != succs[i].Block {
			return false
		}
	}
	return true
}

// guessSuccessors appends the blocks that the instructions of b name, in
// order, and the next block where control can fall through.
func guessSuccessors(f *mir.Function, b mir.BlockID, to []mir.BlockID) []mir.BlockID {
	from := len(to)
	add := func(s mir.BlockID) {
		for _, x := range to[from:] {
			if x == s {
				return
			}
		}
		to = append(to, s)
	}
	last := mir.InstrID(0)
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		if !f.IsDebugInstr(i) {
			last = i
		}
		if f.IsPHI(i) {
			continue
		}
		ops := f.Ops(i)
		for k := range ops {
			if ops[k].Kind() == mir.OpMBB {
				add(ops[k].Block())
			}
		}
	}
	if last == 0 || !f.Desc(last).IsBarrier() {
		if n := f.NextBlock(b); n != 0 {
			add(n)
		}
	}
	return to
}

func (p *printer) mdRef(id uint32) string {
	if id == 0 {
		return ""
	}
	return string(p.slots.AppendKnownMD(nil, irMD(id)))
}
