package irprep

import (
	"math/bits"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/mir"
)

// StackProtector has functions that ask for it (ssp, sspstrong, sspreq) keep a
// word that nobody outside knows between what could be written beyond its end and
// what a caller needs to go on, and look at it before they return: a word that
// has changed ends the program (StackGuard, Cowan et al., USENIX Security 1998).
// What stands next to the word is said by the kinds of the stack objects, which
// prologepilog orders by.
var StackProtector = pass.Pass{
	Name:  "stack-protector",
	Title: "Insert stack protectors",
	IR:    true,
	Run:   runStackProtector,
}

// protectKinds are the flags of stack objects.
var protectKinds = [...]mir.FrameFlags{iranalysis.StackLargeArray: mir.FrameLargeArray, iranalysis.StackSmallArray: mir.FrameSmallArray,
	iranalysis.StackAddressTaken: mir.FrameAddressTaken}

func runStackProtector(c *pass.Context, mf *mir.Function) error {
	if mf.IR == nil || mf.FirstBlock() != 0 {
		return nil
	}
	attrs := mf.IR.Module.Attrs.At(mf.IR.Global().Attrs).Fn
	if !attrs.Has("sspstrong") && !attrs.Has("ssp") && !attrs.Has("sspreq") {
		return nil
	}
	s := pass.Scratch[iranalysis.StackProtection](c)
	if s.Find(mf.IR, c.Machine.Layout); !s.Needed {
		return nil
	}
	p := pass.Scratch[preparer](c)
	p.start(c, mf)
	mf.Frame.Protect = mf.Frame.Protect[:0]
	for _, k := range s.Kinds {
		mf.Frame.Protect = append(mf.Frame.Protect, protectKinds[k])
	}
	p.f = mf.OwnIR()
	p.f.IndexUses()
	p.protect()
	p.f.DropUses()
	return nil
}

// protect writes the word where the function begins and looks at it where it ends.
func (p *preparer) protect() {
	f := p.f
	p.blocks, p.work = append(p.blocks[:0], f.Order...), p.work[:0]
	for _, b := range p.blocks {
		if i := p.guardedExit(b); i != 0 {
			p.work = append(p.work, i)
		}
	}
	if len(p.work) == 0 {
		return
	}
	first := f.Blocks[f.Order[0]].First
	word := ir.Local(f.InsertBefore(first, ir.Instr{Op: ir.OpAlloca, Type: ir.Ptr, SrcType: ir.Ptr, Align: p.wordAlign()}, p.int(ir.Int32, 1)))
	f.InsertBefore(first, ir.Instr{Op: ir.OpCall, Type: ir.Void, SrcType: p.t.Func(ir.Void, []ir.Type{ir.Ptr, ir.Ptr}, false)},
		p.stackGuard(first), word, ir.IntrinsicVal(ir.IntrStackprotector))
	fail := f.AddBlock("")
	f.Append(fail, ir.Instr{Op: ir.OpCall, Type: ir.Void, SrcType: p.t.Func(ir.Void, nil, false),
		Attrs: f.Module.Attrs.Intern(&ir.AttrList{Fn: ir.AttrSet{{Key: "noreturn"}}})}, ir.LibraryVal(ir.LibStackChkFail))
	f.Append(fail, ir.Instr{Op: ir.OpUnreachable, Type: ir.Void})
	for _, i := range p.work {
		guard := p.stackGuard(i)
		kept := p.insert(i, ir.Instr{Op: ir.OpLoad, Type: ir.Ptr, SrcType: ir.Ptr, Flags: ir.Volatile, Align: p.wordAlign()}, word)
		same := p.insert(i, ir.Instr{Op: ir.OpICmp, Pred: ir.ICmpEQ, Type: ir.Int1}, guard, kept)
		b, loc := f.Instrs[i].Block, f.Instrs[i].Loc
		end := f.SplitBlock(i, "")
		f.SetTerminator(b, ir.Instr{Op: ir.OpBr, Type: ir.Void, Loc: loc}, same, ir.BlockVal(end), ir.BlockVal(fail))
		p.c.Count("stack-protector", "Number of functions' ends guarded", 1)
	}
	p.c.Count("stack-protector", "Number of functions protected", 1)
}

// wordAlign is the alignment of a pointer, as instructions have it.
func (p *preparer) wordAlign() uint8 {
	return uint8(bits.TrailingZeros64(p.dl.ABIAlign(p.t, ir.Ptr))) + 1
}

// stackGuard inserts what gives the word that nobody outside knows.
func (p *preparer) stackGuard(at ir.InstrID) ir.Value {
	return p.insert(at, ir.Instr{Op: ir.OpCall, Type: ir.Ptr, SrcType: p.t.Func(ir.Ptr, nil, false)}, ir.IntrinsicVal(ir.IntrStackguard))
}

// guardedExit is the instruction of a block before which the word is looked at: its
// return, or the call before that when it may become a jump, or what leaves the function
// for good by an exception: a call, or what resumes one. 0 for none.
func (p *preparer) guardedExit(b ir.BlockID) ir.InstrID {
	f := p.f
	last := f.Terminator(b)
	if f.Instrs[last].Op == ir.OpRet {
		if i := f.Instrs[last].Prev; i != 0 && f.Instrs[i].Op == ir.OpCall && p.jumps(i, last) {
			return i
		}
		return last
	} else if f.Instrs[last].Op == ir.OpResume {
		return last
	}
	for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
		if op := f.Instrs[i].Op; (op == ir.OpCall || op == ir.OpInvoke) && p.callHas(i, "noreturn") && !p.callHas(i, "nounwind") {
			return i
		}
	}
	return 0
}

// jumps reports whether call i before a return may take the function's place.
func (p *preparer) jumps(i, ret ir.InstrID) bool {
	f := p.f
	if f.Instrs[i].Flags&ir.MustTail != 0 {
		return true
	}
	own, _ := f.Module.Attrs.At(f.Global().Attrs).Fn.Get("disable-tail-calls")
	return p.c.Opt > 0 && own.Value != "true" && f.Instrs[i].Flags&ir.TailCall != 0 && f.IntrinsicOf(i) == ir.NotIntrinsic &&
		(f.NumOps(ret) == 0 || f.Op(ret, 0) == ir.Local(i))
}

// callHas reports an attribute of a call, or of the function that it calls.
func (p *preparer) callHas(i ir.InstrID, key string) bool {
	f := p.f
	if f.Module.Attrs.At(f.Instrs[i].Attrs).Fn.Has(key) {
		return true
	}
	g := f.Callee(i).Global()
	return g != 0 && f.Module.Attrs.At(f.Module.Globals[g].Attrs).Fn.Has(key)
}
