package frame

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// PrologEpilog is the pass prologepilog.
var PrologEpilog = pass.Pass{
	Name:     "prologepilog",
	Title:    "Prologue/Epilogue Insertion & Frame Finalization",
	Requires: mir.NoVRegs,
	Run:      runPrologEpilog,
}

// pei is the state of one run.
type pei struct {
	c  *pass.Context
	st *target.Subtarget
	h  *target.FrameHooks
	f  *mir.Function
	// saves and restores are the blocks that enter and leave the frame.
	saves, restores []mir.BlockID
	// pushes says that arguments of calls are pushed.
	pushes bool
	// pads says that the function has landing pads.
	pads  bool
	bases target.FrameBases
}

func runPrologEpilog(c *pass.Context, f *mir.Function) error {
	if err := c.Subtarget.Refused(f, true); err != nil {
		return err
	}
	p := &pei{c: c, st: c.Subtarget, h: c.Subtarget.FrameHooks(), f: f}
	if err := p.callFrames(); err != nil {
		return err
	}
	p.blocks()
	if err := p.check(); err != nil {
		return err
	}
	if err := p.keepFramePointer(); err != nil {
		return err
	}
	if target.IsNaked(f) {
		p.saves, p.restores = nil, nil
		f.Frame.IsCalleeSavedInfoValid = true
	} else if err := p.calleeSaves(); err != nil {
		return err
	}
	p.layOut()
	// A prologue may split its block, behind which the function may end.
	for _, b := range p.restores {
		if err := p.epilogue(b); err != nil {
			return err
		}
	}
	for _, b := range p.saves {
		if err := p.prologue(b); err != nil {
			return err
		}
	}
	if err := p.zeroRegs(); err != nil {
		return err
	}
	f.Frame.SavePoints, f.Frame.RestorePoints = f.Frame.SavePoints[:0], f.Frame.RestorePoints[:0]
	if err := p.frameIndices(); err != nil {
		return err
	}
	return p.warnSize()
}

// warnSize says that the frame is larger than the function wants it to be.
func (p *pei) warnSize() error {
	v, ok := target.FnAttr(p.f, "warn-stack-size")
	if !ok {
		return nil
	}
	limit, err := strconv.ParseUint(v, 10, 32)
	if err != nil {
		return p.st.NotSupported(p.f, "warn-stack-size="+v)
	}
	if n := p.f.Frame.StackSize; n > limit {
		p.c.Warn(fmt.Sprintf("stack frame size (%d) exceeds limit (%d) in function '%s'", n, limit, p.f.Name))
	}
	return nil
}

// blocks finds where the frame is entered and left: where shrink-wrap says, or
// in the entry block and where the function returns.
func (p *pei) blocks() {
	f := p.f
	if fr := &f.Frame; len(fr.SavePoints) > 0 {
		p.saves = append(p.saves, fr.SavePoints[0].Block)
		if len(fr.RestorePoints) > 0 {
			b := fr.RestorePoints[0].Block
			// Where nothing follows and nothing returns, the end is not reached.
			if f.NumSuccs(b) > 0 || p.returns(b) {
				p.restores = append(p.restores, b)
			}
		}
		return
	}
	p.saves = append(p.saves, f.FirstBlock())
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if p.returns(b) {
			p.restores = append(p.restores, b)
		}
	}
}

func (p *pei) returns(b mir.BlockID) bool {
	last := p.f.LastReal(b)
	return last != 0 && p.f.Desc(last).IsReturn()
}

// check refuses frames that need registers that the target does not have.
func (p *pei) check() error {
	fr := &p.f.Frame
	switch {
	case p.h.FramePointer == 0 && (fr.HasVarSizedObjects || fr.HasOpaqueSPAdjustment || fr.IsFrameAddressTaken):
		return p.st.NotSupported(p.f, "a stack frame of variable size")
	case p.h.FramePointer == 0 && p.st.NeedsRealign(p.f):
		return p.st.NotSupported(p.f, "a stack object of more than "+strconv.Itoa(1<<p.st.StackAlign())+" bytes' alignment")
	case p.h.BasePointer == 0 && p.st.NeedsRealign(p.f) && !p.st.HasReservedCallFrame(p.f):
		return p.st.NotSupported(p.f, "aligned stack objects beside those of variable size")
	case p.st.HasBasePointer(p.f) && p.st.BasePointer(p.f) == 0:
		return p.st.NotSupported(p.f, "aligned stack objects beside those of variable size where instructions need all registers that could be their base")
	}
	return nil
}

// callFrames finds the largest outgoing argument area and, where it is part of
// the frame, removes the pseudo instructions around calls.
func (p *pei) callFrames() error {
	f := p.f
	var pseudos []mir.InstrID
	size := uint32(0)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		p.pads = p.pads || f.Block(b).Flags&mir.EHPad != 0
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			op := f.Instr(i).Opcode
			if d := f.Desc(i); d.IsCall() && !d.IsReturn() {
				f.Frame.HasCalls = true
			}
			if op == p.st.Variant.FrameSetup || op == p.st.Variant.FrameDestroy {
				size = max(size, uint32(f.Op(i, 0).Imm()))
				f.Frame.AdjustsStack = true
				pseudos = append(pseudos, i)
				if err := p.pushBack(i); err != nil {
					return err
				}
				p.pushes = p.pushes || p.pushed(i) != 0
			} else if op == desc.INLINEASM || op == desc.INLINEASM_BR {
				// Inline assembly may call (isalignstack, or a call in its text).
				if f.Op(i, 1).Imm()&2 != 0 {
					f.Frame.AdjustsStack = true
				}
			}
		}
	}
	f.Frame.MaxCallFrameSize = size
	if p.reserved() {
		for _, i := range pseudos {
			f.Erase(i)
		}
	}
	return nil
}

// pushBack has the stack pointer be what it was right behind a call whose callee takes
// arguments off the stack: all else goes as for other calls then.
func (p *pei) pushBack(i mir.InstrID) error {
	f := p.f
	if f.Instr(i).Opcode != p.st.Variant.FrameDestroy || f.Instr(i).NumOps() < 2 || !f.Op(i, 1).IsImm() || f.Op(i, 1).Imm() == 0 {
		return nil
	}
	call := f.Instr(i).Prev()
	for call != 0 && !f.Desc(call).IsCall() {
		call = f.Instr(call).Prev()
	}
	if call == 0 {
		return p.st.NotSupported(f, "a call sequence that goes on in another block")
	}
	n := f.Op(i, 1).Imm()
	f.SetImm(i, 1, 0)
	return p.adjustStack(f.Instr(i).Block(), f.Instr(call).Next(), p.grown(n), 0)
}

// reserved reports that the area of outgoing arguments is part of the frame.
func (p *pei) reserved() bool { return !p.pushes && p.st.HasReservedCallFrame(p.f) }

// pushed is how many bytes of the area that i makes room for are pushed.
func (p *pei) pushed(i mir.InstrID) int64 {
	f := p.f
	if len(p.h.CallPushes) == 0 || f.Instr(i).Opcode != p.st.Variant.FrameSetup || f.Instr(i).NumOps() < 3 || !f.Op(i, 2).IsImm() {
		return 0
	}
	return f.Op(i, 2).Imm()
}

// adjustStack adds n to the stack pointer before at in block b.
func (p *pei) adjustStack(b mir.BlockID, at mir.InstrID, n int64, flags mir.MIFlags) error {
	if n == 0 {
		return nil
	}
	if p.h.AdjustStack == nil {
		return p.st.NotSupported(p.f, "a stack frame")
	}
	bd := mir.Builder{F: p.f, Block: b, At: at, Flags: flags}
	if at != 0 && flags&mir.FrameSetup == 0 {
		bd.Loc = p.f.Instr(at).Loc
	}
	return p.h.AdjustStack(p.st, &bd, n)
}

// grown is what the stack pointer moves by when the stack grows by n bytes.
func (p *pei) grown(n int64) int64 {
	if p.st.Variant.StackGrowsUp {
		return n
	}
	return -n
}

func (p *pei) prologue(b mir.BlockID) error {
	if p.h.EmitPrologue != nil {
		return p.h.EmitPrologue(p.st, p.f, b)
	}
	return p.adjustStack(b, p.f.Block(b).First(), p.grown(int64(p.f.Frame.StackSize)), mir.FrameSetup)
}

func (p *pei) epilogue(b mir.BlockID) error {
	if p.h.EmitEpilogue != nil {
		return p.h.EmitEpilogue(p.st, p.f, b)
	}
	return p.adjustStack(b, p.f.FirstTerminator(b), -p.grown(int64(p.f.Frame.StackSize)), mir.FrameDestroy)
}

// frameIndices replaces frame indices by addresses, following how far calls
// have moved the stack pointer.
func (p *pei) frameIndices() error {
	f := p.f
	p.bases = p.st.FrameBases(f)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		spAdj, inside := 0, false
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			op := f.Instr(i).Opcode
			if op == p.st.Variant.FrameSetup || op == p.st.Variant.FrameDestroy {
				inside = op == p.st.Variant.FrameSetup
				n := alignTo(f.Op(i, 0).Imm(), p.st.StackAlign())
				if !inside {
					n = -n
				}
				n -= p.pushed(i)
				spAdj += int(n)
				if err := p.callSequence(i, n); err != nil {
					return err
				}
				i = next
				continue
			} else if op == desc.LIFETIME_START || op == desc.LIFETIME_END {
				// stack-coloring has used them up, unless it was cut off.
				f.Erase(i)
				i = next
				continue
			}
			for k := nextFrameIndex(f, i, 0); k >= 0; k = nextFrameIndex(f, i, k+1) {
				if err := p.frameIndex(i, k, spAdj); err != nil {
					return err
				}
			}
			// What it pushes itself does not count for its own address.
			if inside && slices.Contains(p.h.CallPushes, op) {
				spAdj += int(p.st.WordSize())
			}
			i = next
		}
	}
	return nil
}

// nextFrameIndex is the first operand of i from k on that is a frame index, -1 for
// none, also where i has been taken out of its block.
func nextFrameIndex(f *mir.Function, i mir.InstrID, k int) int {
	ops := f.Ops(i)
	for ; k < len(ops); k++ {
		if ops[k].Kind() == mir.OpFrameIndex && f.Instr(i).Block() != 0 {
			return k
		}
	}
	return -1
}

// callSequence replaces a pseudo instruction around a call, by which the stack
// grows by n bytes, less what the callee popped.
func (p *pei) callSequence(i mir.InstrID, n int64) error {
	f := p.f
	setup := f.Instr(i).Opcode == p.st.Variant.FrameSetup
	if !setup && f.Instr(i).NumOps() > 1 && f.Op(i, 1).IsImm() {
		n += f.Op(i, 1).Imm()
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	tables := !p.reserved() && len(p.h.CallPushes) > 0 && target.NeedsCFI(f)
	if tables && p.pads && setup {
		// Who lands in a pad of this function finds the stack pointer where the frame
		// ends, not the arguments.
		b.Build(desc.CFI_INSTRUCTION, f.AddCFI(mir.CFI{Kind: mir.CFIEscape, Bytes: string(binary.AppendUvarint([]byte{gnuArgsSize}, uint64(n+p.pushed(i))))}))
	}
	if !setup && p.endsProgram(i) {
		f.Erase(i)
		return nil
	}
	err := p.adjustStack(b.Block, i, p.grown(n), 0)
	if tables && n != 0 && !p.st.HasFP(f) {
		b.Build(desc.CFI_INSTRUCTION, f.AddCFI(mir.CFI{Kind: mir.CFIAdjustCfaOffset, Offset: n}))
	}
	f.Erase(i)
	return err
}

// endsProgram reports that nothing follows i: the call before it does not return.
func (p *pei) endsProgram(i mir.InstrID) bool {
	f := p.f
	if f.NumSuccs(f.Instr(i).Block()) > 0 {
		return false
	}
	for i = f.Instr(i).Next(); i != 0; i = f.Instr(i).Next() {
		if !f.Desc(i).IsMeta() {
			return false
		}
	}
	return true
}

// frameIndex replaces operand op of i, a frame index.
func (p *pei) frameIndex(i mir.InstrID, op, spAdj int) error {
	f := p.f
	if f.IsDebugInstr(i) {
		// Debug information knows where stack objects are; the register and offset
		// would be said in an expression that the module does not have.
		if f.Frame.IsDead(f.Op(i, op).FrameIndex()) {
			f.ReplaceOp(i, op, mir.RegOp(0, mir.Debug))
		}
		return nil
	}
	base, off := p.bases.Reference(f, f.Op(i, op).FrameIndex(), spAdj)
	if p.h.ReplaceFrameIndex != nil {
		return p.h.ReplaceFrameIndex(p.st, f, i, op, base, off)
	}
	at := op + p.h.OffsetOperand
	if at >= f.Instr(i).NumOps() || !f.Op(i, at).IsImm() {
		return p.st.NotSupported(f, "a frame index outside of a memory reference")
	}
	off += f.Op(i, at).Imm()
	if n := 64 - p.h.OffsetBits; off<<n>>n != off {
		return p.st.NotSupported(f, "a frame offset beyond "+size(1<<(p.h.OffsetBits-1)))
	}
	f.ReplaceOp(i, op, mir.RegOp(base, 0))
	f.SetImm(i, at, off)
	if p.h.FrameIndexReplaced != nil {
		return p.h.FrameIndexReplaced(p.st, f, i)
	}
	return nil
}

// size writes a number of bytes.
func size(n int64) string {
	for _, u := range [...]struct {
		bits int
		name string
	}{{30, " GiB"}, {20, " MiB"}, {10, " KiB"}} {
		if n >= 1<<u.bits {
			return strconv.FormatInt(n>>u.bits, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
