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
func (m *mode) stackReference(off int64) []mir.Operand {
	return []mir.Operand{mir.RegOp(reg(m.sp), 0), mir.ImmOp(1), mir.RegOp(0, 0), mir.ImmOp(off), mir.RegOp(0, 0)}
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
		p.emit(p.m.lea, append([]mir.Operand{mir.RegOp(reg(p.m.sp), mir.Def)}, p.m.stackReference(-n)...)...)
		return
	}
	p.emit(p.m.subImm, mir.RegOp(reg(p.m.sp), mir.Def), mir.RegOp(reg(p.m.sp), 0), mir.ImmOp(n))
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
	p.emit(p.m.storeImm, append(p.m.stackReference(0), mir.ImmOp(0))...)
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
	if n -= done; n == p.m.word {
		p.adjustSP(-n, false) // a push
	} else if n > 0 {
		p.stepDown(n)
	}
}

// probeLoop enters many pages in a loop, whose end is in R11 (EAX in 32-bit mode).
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
	r11 := reg(p.m.probeEnd)
	if bound < 1<<31 || !p.m.is64() {
		p.emit(p.m.move, mir.RegOp(r11, mir.Def), mir.RegOp(reg(p.m.sp), 0))
		p.emit(p.m.subImm, mir.RegOp(r11, mir.Def), mir.RegOp(r11, 0), mir.ImmOp(bound))
	} else {
		p.emit(p.m.moveImm, mir.RegOp(r11, mir.Def), mir.ImmOp(-bound))
		p.emit(p.m.add, mir.RegOp(r11, mir.Def), mir.RegOp(r11, 0), mir.RegOp(reg(p.m.sp), 0))
	}
	if !p.fp {
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfaRegister, Reg: dwarf(f.Facts, p.m, p.m.probeEnd)})
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
	cmp := p.emit(p.m.cmp, mir.RegOp(reg(p.m.sp), 0), mir.RegOp(r11, 0))
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
		p.addCFI(mir.CFI{Kind: mir.CFIDefCfaRegister, Reg: dwarf(f.Facts, p.m, p.m.sp)})
	}
}

// callProbe has a function touch the n bytes below the stack pointer, whose number is in RAX.
func (p *frameBuilder) callProbe(symbol string, n int64) {
	f := p.f
	alive := f.IsLiveIn(p.b, reg(p.m.ax)) || f.IsLiveIn(p.b, reg(tab.EAX)) || f.IsLiveIn(p.b, reg(tab.AL)) || f.IsLiveIn(p.b, reg(tab.AX))
	rest := n
	if alive { // the number of vector registers of variable arguments
		p.emit(p.m.push, mir.RegOp(reg(p.m.ax), mir.Kill))
		rest -= p.m.word
	}
	p.emit(tab.MOV32ri, mir.RegOp(reg(tab.EAX), mir.Def), mir.ImmOp(rest))
	call := p.emit(p.m.call, mir.IndexOp(mir.OpExtSym, f.Symbol(symbol), 0, 0))
	for _, o := range []mir.Operand{mir.RegOp(reg(p.m.ax), mir.Implicit), mir.RegOp(reg(p.m.ax), mir.Implicit|mir.Def), mir.RegOp(reg(tab.EFLAGS), mir.Implicit|mir.Def)} {
		f.AddOp(call, o)
	}
	p.emit(p.m.sub, mir.RegOp(reg(p.m.sp), mir.Def), mir.RegOp(reg(p.m.sp), 0), mir.RegOp(reg(p.m.ax), 0))
	if alive {
		p.emit(p.m.load, append([]mir.Operand{mir.RegOp(reg(p.m.ax), mir.Def)}, p.m.stackReference(rest)...)...)
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
	m := modeOf(st)
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
	sp := reg(m.sp)
	top := f.AddVReg(int16(m.gr))
	b.Copy(top, sp)
	at, size := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	deadFlags(f, b.BuildInstr(m.sub, mir.RegOp(at, mir.Def), mir.RegOp(top, 0), mir.RegOp(size, 0)))
	b.SetBlock(test)
	b.BuildInstr(m.cmp, mir.RegOp(at, 0), mir.RegOp(sp, 0))
	b.BuildInstr(tab.JCC_1, mir.BlockOp(rest), mir.ImmOp(condGE))
	b.SetBlock(touch)
	deadFlags(f, b.BuildInstr(m.xorMemImm, append(m.stackReference(0), mir.ImmOp(0))...))
	deadFlags(f, b.BuildInstr(m.subImm, mir.RegOp(sp, mir.Def), mir.RegOp(sp, 0), mir.ImmOp(probe.size)))
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
