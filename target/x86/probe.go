package x86

import (
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Frames of more than a page are entered page by page where "probe-stack" says so:
// below the stack lies a page that nobody may touch, and a frame that steps over it
// could reach what lies beyond.

// stackProbe is how a function wants its frame probed.
type stackProbe struct {
	inline bool   // by stores
	symbol string // by a function
	size   int64  // of what may be entered without a probe
}

// maxUnrolledProbes is how many pages are probed without a loop.
const maxUnrolledProbes = 8

// probeOf reads the attributes.
func probeOf(st *target.Subtarget, f *mir.Function) (stackProbe, error) {
	kind, ok := target.FnAttr(f, "probe-stack")
	if _, no := target.FnAttr(f, "no-stack-arg-probe"); !ok || kind == "" || no && kind == "inline-asm" {
		return stackProbe{}, nil
	}
	p := stackProbe{size: 4096}
	if v, ok := target.FnAttr(f, "stack-probe-size"); ok {
		n, err := strconv.ParseInt(v, 0, 32)
		if err != nil || n < 16 || n%16 != 0 {
			return p, st.NotSupported(f, "stack-probe-size="+v)
		}
		p.size = n
	}
	if p.inline = kind == "inline-asm"; !p.inline {
		p.symbol = kind
	}
	if p.inline && int64(1)<<f.Frame.MaxAlign >= p.size && st.NeedsRealign(f) {
		return p, st.NotSupported(f, "a probed stack frame whose objects are aligned to more than a page")
	}
	return p, nil
}

// stackReference is the memory operands of the word at RSP plus off.
func stackReference(off int64) []mir.Operand {
	return []mir.Operand{mir.RegOp(reg(tab.RSP), 0), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(off), mir.RegOp(0, 0)}
}

// probedEnter moves the stack pointer down by n bytes, to within skew bytes of which
// an alignment has moved it already, touching each page on the way.
func (p *frameBuilder) probedEnter(pr *stackProbe, n, skew int64) {
	switch {
	case pr.symbol != "" && n >= pr.size:
		p.callProbe(pr.symbol, n)
	case pr.inline && n > maxUnrolledProbes*pr.size:
		p.probeLoop(pr.size, n, skew)
	case pr.inline:
		p.probePages(pr.size, n, skew)
	default:
		p.adjustSP(-n, p.f.IsLiveIn(p.b, reg(tab.EFLAGS)))
	}
}

// stepDown moves the stack pointer down without a push.
func (p *frameBuilder) stepDown(n int64) {
	if p.f.IsLiveIn(p.b, reg(tab.EFLAGS)) {
		p.emit(tab.LEA64r, append([]mir.Operand{mir.RegOp(reg(tab.RSP), mir.Def)}, stackReference(-n)...)...)
		return
	}
	p.emit(tab.SUB64ri32, mir.RegOp(reg(tab.RSP), mir.Def), mir.RegOp(reg(tab.RSP), 0), mir.ImmOp(n))
}

// probePage moves the stack pointer down and touches where it is then.
func (p *frameBuilder) probePage(n int64) {
	p.stepDown(n)
	if !p.fp {
		p.addCFI(mir.CFI{Kind: mir.CFIAdjustCfaOffset, Offset: n})
	}
	p.touch()
}

func (p *frameBuilder) touch() {
	p.emit(tab.MOV64mi32, append(stackReference(0), mir.ImmOp(0))...)
}

// probePages enters few pages one after the other; what is left behind them is less than one.
func (p *frameBuilder) probePages(page, n, skew int64) {
	done := int64(0)
	if page < n+skew {
		done = page - skew
		p.probePage(done)
		for done+page < n {
			p.probePage(page)
			done += page
		}
	}
	if n -= done; n == slotSize {
		p.adjustSP(-n, false) // a push
	} else if n > 0 {
		p.stepDown(n)
	}
}

// probeLoop enters many pages in a loop, whose end is in R11.
func (p *frameBuilder) probeLoop(page, n, skew int64) {
	f := p.f
	if skew > 0 {
		p.stepDown(skew)
		p.touch()
		n -= skew
	}
	bound := n &^ (page - 1)
	if page&(page-1) != 0 {
		bound = n - n%page
	}
	r11 := reg(tab.R11)
	if bound < 1<<31 {
		p.emit(tab.MOV64rr, mir.RegOp(r11, mir.Def), mir.RegOp(reg(tab.RSP), 0))
		p.emit(tab.SUB64ri32, mir.RegOp(r11, mir.Def), mir.RegOp(r11, 0), mir.ImmOp(bound))
	} else {
		p.emit(tab.MOV64ri, mir.RegOp(r11, mir.Def), mir.ImmOp(-bound))
		p.emit(tab.ADD64rr, mir.RegOp(r11, mir.Def), mir.RegOp(r11, 0), mir.RegOp(reg(tab.RSP), 0))
	}
	if !p.fp {
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfaRegister, Reg: dwarf(f, tab.R11)})
		p.addCFI(mir.CFI{Kind: mir.CFIAdjustCfaOffset, Offset: bound})
	}
	loop := f.AddBlockAfter(p.b)
	rest := f.AddBlockAfter(loop)
	f.TransferSuccs(p.b, rest)
	if p.at != 0 {
		f.Splice(rest, p.at)
	}
	for _, l := range f.LiveInsOf(p.b) {
		if slices.ContainsFunc(f.Frame.CalleeSaved, func(c mir.CalleeSavedInfo) bool { return c.Reg == l.Reg }) {
			continue // it is saved by now
		}
		f.AddLiveIn(loop, l.Reg, l.Mask)
		f.AddLiveIn(rest, l.Reg, l.Mask)
	}
	f.AddLiveIn(loop, r11, mir.AllLanes)
	f.AddSucc(p.b, loop)
	p.b, p.at = loop, 0
	p.stepDown(page)
	p.touch()
	cmp := p.emit(tab.CMP64rr, mir.RegOp(reg(tab.RSP), 0), mir.RegOp(r11, 0))
	for k := range f.Instr(cmp).NumOps() {
		if o := f.Op(cmp, k); o.IsReg() && o.IsDef() {
			f.SetOpFlag(cmp, k, mir.Dead, false)
		}
	}
	p.emit(tab.JCC_1, mir.BlockOp(loop), mir.ImmOp(int64(condNE)))
	f.AddSucc(loop, loop)
	f.AddSucc(loop, rest)
	p.b, p.at = rest, f.Block(rest).First()
	if n -= bound; n > 0 {
		p.stepDown(n)
	}
	if !p.fp {
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfaRegister, Reg: dwarf(f, tab.RSP)})
	}
}

// callProbe has a function touch the n bytes below the stack pointer, whose number is in RAX.
func (p *frameBuilder) callProbe(symbol string, n int64) {
	f := p.f
	alive := f.IsLiveIn(p.b, reg(tab.RAX)) || f.IsLiveIn(p.b, reg(tab.EAX)) || f.IsLiveIn(p.b, reg(tab.AL)) || f.IsLiveIn(p.b, reg(tab.AX))
	rest := n
	if alive { // the number of vector registers of variable arguments
		p.emit(tab.PUSH64r, mir.RegOp(reg(tab.RAX), mir.Kill))
		rest -= slotSize
	}
	p.emit(tab.MOV32ri, mir.RegOp(reg(tab.EAX), mir.Def), mir.ImmOp(rest))
	call := p.emit(tab.CALL64pcrel32, mir.IndexOp(mir.OpExtSym, f.Symbol(symbol), 0, 0))
	for _, o := range []mir.Operand{mir.RegOp(reg(tab.RAX), mir.Implicit), mir.RegOp(reg(tab.RAX), mir.Implicit|mir.Def), mir.RegOp(reg(tab.EFLAGS), mir.Implicit|mir.Def)} {
		f.AddOp(call, o)
	}
	p.emit(tab.SUB64rr, mir.RegOp(reg(tab.RSP), mir.Def), mir.RegOp(reg(tab.RSP), 0), mir.RegOp(reg(tab.RAX), 0))
	if alive {
		p.emit(tab.MOV64rm, append([]mir.Operand{mir.RegOp(reg(tab.RAX), mir.Def)}, stackReference(rest)...)...)
	}
}

// expandProbedAlloca makes %d = PROBED_ALLOCA_64 %size a loop that touches each page
// between the stack pointer and %d, which is %size bytes below it, from the upper one on.
//
//	this:  %d = SUB64rr $rsp, %size
//	test:  CMP64rr %d, $rsp; JCC_1 %rest, ge
//	touch: XOR64mi32 [$rsp], 0; $rsp = SUB64ri32 $rsp, page; JMP_1 %test
//	rest:
func expandProbedAlloca(st *target.Subtarget, f *mir.Function, i mir.InstrID) (mir.BlockID, error) {
	probe, err := probeOf(st, f)
	if err != nil {
		return 0, err
	}
	this := f.Instr(i).Block()
	test := f.AddBlockAfter(this)
	touch := f.AddBlockAfter(test)
	rest := f.AddBlockAfter(touch)
	for _, b := range [...]mir.BlockID{test, touch, rest} {
		f.Block(b).IRBlock = f.Block(this).IRBlock
	}
	if next := f.Instr(i).Next(); next != 0 {
		f.Splice(rest, next)
	}
	f.TransferSuccs(this, rest)
	f.AddSucc(this, test)
	f.AddSucc(test, touch)
	f.AddSucc(test, rest)
	f.AddSucc(touch, test)
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	sp := reg(tab.RSP)
	top := f.AddVReg(int16(tab.GR64RegClassID))
	b.Copy(top, sp)
	at, size := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	deadFlags(f, b.BuildInstr(tab.SUB64rr, mir.RegOp(at, mir.Def), mir.RegOp(top, 0), mir.RegOp(size, 0)))
	b.SetBlock(test)
	b.BuildInstr(tab.CMP64rr, mir.RegOp(at, 0), mir.RegOp(sp, 0))
	b.BuildInstr(tab.JCC_1, mir.BlockOp(rest), mir.ImmOp(condGE))
	b.SetBlock(touch)
	deadFlags(f, b.BuildInstr(tab.XOR64mi32, append(stackReference(0), mir.ImmOp(0))...))
	deadFlags(f, b.BuildInstr(tab.SUB64ri32, mir.RegOp(sp, mir.Def), mir.RegOp(sp, 0), mir.ImmOp(probe.size)))
	b.BuildInstr(tab.JMP_1, mir.BlockOp(test))
	f.Erase(i)
	return rest, nil
}

// deadFlags says that nobody reads the flags that i sets.
func deadFlags(f *mir.Function, i mir.InstrID) {
	for k := range f.Instr(i).NumOps() {
		if o := f.Op(i, k); o.IsReg() && o.IsDef() && o.Reg() == reg(tab.EFLAGS) {
			f.SetOpFlag(i, k, mir.Dead, true)
		}
	}
}
