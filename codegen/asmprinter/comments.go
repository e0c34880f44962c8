package asmprinter

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/miranalysis"
)

// nest is the loops of the current function, for the comments of blocks.
type nest struct {
	graph analysis.Graph
	doms  analysis.Dominators
	loops analysis.Loops
	// first and next list the loops inside each, by their numbers, -1 at the end.
	first, next []int32
	text        strings.Builder
}

func (n *nest) compute(f *mir.Function) {
	miranalysis.FillCFG(&n.graph, f)
	n.doms.Compute(&n.graph)
	n.loops.Compute(&n.graph, &n.doms)
	n.first, n.next = n.first[:0], n.next[:0]
	for range n.loops.All {
		n.first, n.next = append(n.first, -1), append(n.next, -1)
	}
	for x := len(n.loops.All) - 1; x >= 0; x-- {
		if o := n.loops.All[x].Parent; o >= 0 {
			n.next[x], n.first[o] = n.first[o], int32(x)
		}
	}
}

// Deeper nests are cut short, which LLVM's are not: what is written about n loops inside
// each other grows with n squared.
const mostParents, mostLoopText = 100, 10000

// blockComments says which block of the IR a block comes from and how it stands to the
// loops, as LLVM does. The comments go to the line that follows.
func (p *Printer) blockComments(b mir.BlockID) {
	blk := p.f.Block(b)
	if blk.AddrTakenIR != 0 || blk.Flags&mir.IRAddrTaken != 0 {
		p.Out.Comment("Block address taken")
	}
	if x := blk.IRBlock; x != 0 && p.f.IR != nil && p.f.IR.BlockNames[x] != "" {
		p.Out.Comment(string(ir.AppendName([]byte{'%'}, p.f.IR.BlockNames[x])))
	}
	n := &p.nest
	l := n.loops.Loop[b]
	if l < 0 {
		return
	}
	t := &n.text
	t.Reset()
	of := func(l int32) string {
		return "BB" + strconv.Itoa(p.funcNum) + "_" + strconv.Itoa(int(p.f.Block(mir.BlockID(n.loops.All[l].Header)).Number))
	}
	loop := &n.loops.All[l]
	if loop.Header != int32(b) {
		fmt.Fprintf(t, "  in Loop: Header=%s Depth=%d\n", of(l), loop.Depth)
		p.Out.Comment(t.String())
		return
	}
	indent := func(depth int32) string { return strings.Repeat("  ", int(depth)) }
	var parents func(x int32)
	parents = func(x int32) {
		if x >= 0 && loop.Depth-n.loops.All[x].Depth < mostParents {
			parents(n.loops.All[x].Parent)
			fmt.Fprintf(t, "%sParent Loop %s Depth=%d\n", indent(n.loops.All[x].Depth), of(x), n.loops.All[x].Depth)
		}
	}
	parents(loop.Parent)
	kind := "Inner "
	if n.first[l] >= 0 {
		kind = ""
	}
	fmt.Fprintf(t, "=>%sThis %sLoop Header: Depth=%d\n", indent(loop.Depth-1), kind, loop.Depth)
	var children func(x int32)
	children = func(x int32) {
		for c := n.first[x]; c >= 0 && t.Len() < mostLoopText; c = n.next[c] {
			fmt.Fprintf(t, "%sChild Loop %s Depth %d\n", indent(n.loops.All[c].Depth), of(c), n.loops.All[c].Depth)
			children(c)
		}
	}
	children(l)
	p.Out.Comment(t.String())
}

// noCode writes the comment that stands for an instruction without code.
func (p *Printer) noCode(i mir.InstrID) {
	if !p.Verbose {
		return
	}
	f := p.f
	text := ""
	name := func(o *mir.Operand) string { return "$" + strings.ToLower(p.st.Facts.RegName(desc.PhysReg(o.Reg()))) }
	switch f.Instr(i).Opcode {
	case desc.IMPLICIT_DEF:
		text = "implicit-def: " + name(f.Op(i, 0))
	case desc.KILL:
		text = "kill:"
		for k := range f.Ops(i) {
			how := " killed "
			if f.Op(i, k).IsDef() {
				how = " def "
			}
			text += how + name(f.Op(i, k))
		}
	default:
		return
	}
	p.Out.Comment(text)
	p.Out.BlankLine()
}

// slotComment says that an instruction saves or loads a register in a stack slot.
func (p *Printer) slotComment(i mir.InstrID) {
	f := p.f
	for k := range f.NumMem(i) {
		m := f.MemOf(i, k)
		if m.PtrKind != mir.PtrFixedStack || m.Size == mir.UnknownSize {
			continue
		}
		fi := int(int32(m.Ptr))
		if fi < 0 || f.Frame.Object(fi).Flags&mir.FrameSpill == 0 {
			continue
		}
		load, store := p.st.MovesSlot(f.Instr(i).Opcode)
		what := ""
		switch {
		case m.Flags&mir.MemLoad != 0 && load:
			what = "Reload"
		case m.Flags&mir.MemLoad != 0:
			what = "Folded Reload"
		case store:
			what = "Spill"
		default:
			what = "Folded Spill"
		}
		p.Out.Comment(strconv.FormatInt(m.Size, 10) + "-byte " + what)
		return
	}
}
