package mirtext

import (
	"math"
	"strconv"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

func (p *printer) debugAsm(ctx *instrContext, n int) int { return n }
func (p *printer) debugRegMask(mask []uint32)            {}
func (p *printer) metadataOperand(ctx *instrContext, id ir.MDID) {
	p.b = p.slots.AppendKnownMD(p.b, id)
}

// AppendDebug appends the form that -print-after shows.
func AppendDebug(b []byte, f *mir.Function, o PrintOptions) []byte {
	p := newPrinter(b, f.Module, &o)
	p.debug = true
	p.enter(f)
	p.debugFunction()
	return p.b
}

var propertyNames = [...]string{"IsSSA", "NoPHIs", "TracksLiveness", "NoVRegs", "FailedISel", "Legalized", "RegBankSelected",
	"Selected", "TiedOpsRewritten", "FailsVerification", "FailedRegAlloc", "TracksDebugUserValues"}

func (p *printer) debugFunction() {
	f := p.f
	p.str("# Machine code for function ")
	p.str(f.Name)
	p.str(": ")
	sep := ""
	for bit, n := range propertyNames {
		if f.Props>>bit&1 != 0 {
			p.str(sep)
			p.str(n)
			sep = ", "
		}
	}
	p.str("\n")
	p.debugFrame()
	p.debugTables()
	if len(f.LiveIns) > 0 {
		p.str("Function Live Ins: ")
		for k, l := range f.LiveIns {
			if k > 0 {
				p.str(", ")
			}
			p.b = p.appendReg(p.b, l.Phys)
			if l.Virt != 0 {
				p.str(" in ")
				p.b = p.appendReg(p.b, l.Virt)
			}
		}
		p.str("\n")
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		p.str("\n")
		p.debugBlock(b)
	}
	p.str("\n# End machine code for function ")
	p.str(f.Name)
	p.str(".\n\n")
}

// debugFrame prints the stack objects. Offsets are shown relative to the stack
// pointer at the function's entry, where the return address of the target's
// default calling convention lies below them.
func (p *printer) debugFrame() {
	fr := &p.f.Frame
	if len(fr.Objects) == 0 {
		return
	}
	area := int64(0)
	if len(p.in.Variants) > 0 {
		area = int64(p.in.Variants[0].LocalAreaOffset)
	}
	p.str("Frame Objects:\n")
	for fi := fr.First(); fi < fr.End(); fi++ {
		o := fr.Object(fi)
		p.str("  fi#")
		p.int(int64(fi))
		p.str(": ")
		if o.StackID != 0 {
			p.str("id=")
			p.int(int64(o.StackID))
			p.str(" ")
		}
		if fr.IsDead(fi) {
			p.str("dead\n")
			continue
		}
		if o.Flags&mir.FrameVarSized != 0 {
			p.str("variable sized")
		} else {
			p.str("size=")
			p.int(o.Size)
		}
		p.str(", align=")
		p.int(1 << o.Align)
		if fi < 0 {
			p.str(", fixed")
		}
		if fi < 0 || o.Offset != -1 {
			p.str(", at location [SP")
			if off := o.Offset - area; off > 0 {
				p.str("+")
				p.int(off)
			} else if off < 0 {
				p.int(off)
			}
			p.str("]")
		}
		p.str("\n")
	}
	p.str("save/restore points:\n")
	p.debugSavePoints("save", fr.SavePoints)
	p.debugSavePoints("restore", fr.RestorePoints)
}

func (p *printer) debugSavePoints(what string, l []mir.SavePoint) {
	if len(l) == 0 {
		p.str(what)
		p.str(" points are empty\n")
		return
	}
	p.str(what)
	p.str(" points:\n")
	for i := range l {
		p.str("%bb.")
		p.int(int64(p.f.Block(l[i].Block).Number))
		p.str(": ")
		for _, r := range l[i].Regs {
			p.b = p.appendReg(p.b, r)
			p.str(" ")
		}
		p.str("\n")
	}
}

func (p *printer) debugTables() {
	f := p.f
	if len(f.JumpTables) > 0 {
		p.str("Jump Tables:\n")
		for i := range f.JumpTables {
			p.str("%jump-table.")
			p.int(int64(i))
			p.str(":")
			for _, b := range f.JumpTables[i].Blocks {
				p.str(" %bb.")
				p.int(int64(f.Block(b).Number))
			}
			p.str("\n")
		}
		p.str("\n")
	}
	if len(f.Consts) > 0 {
		p.str("Constant Pool:\n")
		for i := range f.Consts {
			p.str("  cp#")
			p.int(int64(i))
			p.str(": ")
			text := p.appendConstant(nil, &f.Consts[i])
			// The value without its type.
			depth := 0
			for k, c := range text {
				switch c {
				case '<', '[', '{', '(':
					depth++
				case '>', ']', '}', ')':
					depth--
				}
				if c == ' ' && depth == 0 {
					text = text[k+1:]
					break
				}
			}
			p.b = append(p.b, text...)
			p.str(", align=")
			p.int(1 << f.Consts[i].Align)
			p.str("\n")
		}
	}
}

func (p *printer) debugBlock(b mir.BlockID) {
	f := p.f
	p.b = p.appendBlockName(p.b, b)
	p.str(":\n")
	lines := false
	if preds := f.Preds(b); len(preds) > 0 {
		p.str("; predecessors: ")
		p.blockList(preds)
		p.str("\n")
		lines = true
	}
	if succs := f.Succs(b); len(succs) > 0 {
		p.str("  successors: ")
		p.probs = f.AppendSuccProbs(p.probs[:0], b)
		for k, s := range succs {
			if k > 0 {
				p.str(", ")
			}
			p.str("%bb.")
			p.int(int64(f.Block(s.Block).Number))
			if f.HasSuccProbs(b) {
				p.str("(0x")
				p.b = appendHex(p.b, uint64(p.probs[k]), 8, false)
				p.str(")")
			}
		}
		if f.HasSuccProbs(b) {
			p.str("; ")
			for k, s := range succs {
				if k > 0 {
					p.str(", ")
				}
				p.str("%bb.")
				p.int(int64(f.Block(s.Block).Number))
				p.percent(p.probs[k])
			}
		}
		p.str("\n")
		lines = true
	}
	if f.Block(b).NumLiveIns() > 0 {
		p.str("  liveins: ")
		p.blockLiveIns(b)
		p.str("\n")
	} else if lines {
		p.str("\n")
	}
	p.blockInstrs(b, "  ", p.debugInstr)
}

func (p *printer) blockList(l []mir.BlockID) {
	for k, b := range l {
		if k > 0 {
			p.str(", ")
		}
		p.str("%bb.")
		p.int(int64(p.f.Block(b).Number))
	}
}

// percent prints a probability in percent with two digits.
func (p *printer) percent(n mir.Prob) {
	// As LLVM: rint(n / D * 100 * 100) / 100.
	v := math.RoundToEven(float64(n)/float64(mir.ProbOne)*10000) / 100
	p.str("(")
	p.b = strconv.AppendFloat(p.b, v, 'f', 2, 64)
	p.str("%)")
}

func (p *printer) debugInstr(i mir.InstrID) { p.instr(i) }
