package irprep

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// PartiallyInlineLibCalls makes a square root by the C library the machine's
// instruction, and a call only where the result is not a number: then the
// library says so in errno.
var PartiallyInlineLibCalls = pass.Pass{
	Name:     "partially-inline-libcalls",
	Title:    "Partially inline calls to library functions",
	IR:       true,
	Optional: pass.Skippable,
	Run:      runPartiallyInline,
}

func runPartiallyInline(c *pass.Context, mf *mir.Function) error {
	if mf.IR == nil || mf.FirstBlock() != 0 || !c.Subtarget.Target.ISel.Prepare.FastSqrt {
		return nil
	}
	p := pass.Scratch[preparer](c)
	p.start(c, mf)
	p.rewriteCalls(mf, p.isSqrt, p.inlineSqrt)
	return nil
}

// rewriteCalls rewrites the calls that are wanted. The function gets a body of its
// own only where there are some.
func (p *preparer) rewriteCalls(mf *mir.Function, wanted func(ir.InstrID) bool, rewrite func(ir.InstrID)) {
	p.work = p.work[:0]
	for _, b := range p.f.Order {
		for i := p.f.Blocks[b].First; i != 0; i = p.f.Instrs[i].Next {
			if p.f.Instrs[i].Op == ir.OpCall && wanted(i) {
				p.work = append(p.work, i)
			}
		}
	}
	if len(p.work) == 0 {
		return
	}
	p.f = mf.OwnIR()
	p.f.IndexUses()
	for _, i := range p.work {
		rewrite(i)
	}
	p.f.DropUses()
}

// libCall is the name of the C library's function that a call means, "" for
// others: of a declaration that is not said to be no builtin.
func (p *preparer) libCall(i ir.InstrID) string {
	f := p.f
	if v := f.Callee(i); v.Tag() == ir.TagLibrary {
		return ir.LibFunc(v.Index()).Name()
	}
	id := f.Callee(i).Global()
	if id == 0 {
		return ""
	}
	g := f.Module.Globals[id]
	if g.Kind != ir.GlobalFunc || !g.IsDecl || g.ValueType != f.Instrs[i].SrcType || g.Intrinsic != ir.NotIntrinsic || f.Instrs[i].Flags&ir.MustTail != 0 {
		return ""
	}
	own := f.Module.Attrs.At(f.Global().Attrs).Fn
	if f.Module.Attrs.At(f.Instrs[i].Attrs).Fn.Has("nobuiltin") || f.Module.Attrs.At(g.Attrs).Fn.Has("nobuiltin") || own.Has("no-builtins") || own.Has("no-builtin-"+g.Name) {
		return ""
	}
	return g.Name
}

func (p *preparer) isSqrt(i ir.InstrID) bool {
	f := p.f
	t := f.Instrs[i].Type
	switch p.libCall(i) {
	case "sqrt":
		if t != ir.Double {
			return false
		}
	case "sqrtf":
		if t != ir.Float {
			return false
		}
	default:
		return false
	}
	fn := f.Module.Attrs.At(f.Global().Attrs).Fn
	return f.NumArgOps(i) == 1 && f.TypeOf(f.Op(i, 0)) == t && !fn.Has("strictfp") && f.Instrs[i].Extra == 0
}

// inlineSqrt does one call.
func (p *preparer) inlineSqrt(i ir.InstrID) {
	f := p.f
	in := f.Instrs[i]
	p.c.Count("partially-inline-libcalls", "Number of calls to sqrt made instructions", 1)
	t := in.Type
	root := p.insert(i, ir.Instr{Op: ir.OpCall, Type: t, SrcType: p.t.Func(t, []ir.Type{t}, false), Flags: in.Flags & ir.FastMath}, f.Op(i, 0), ir.IntrinsicVal(ir.IntrSqrt))
	if p.readsOnly(i) { // no errno
		f.ReplaceAllUses(ir.Local(i), root)
		f.Erase(i)
		return
	}
	// With nnan, or of a poison operand, the root is poison, on which a branch would be undefined.
	known := p.insert(i, ir.Instr{Op: ir.OpFreeze, Type: t}, root)
	ok := p.insert(i, ir.Instr{Op: ir.OpFCmp, Pred: ir.FCmpORD, Type: ir.Int1}, known, known)
	b := in.Block
	end := f.SplitBlock(f.Instrs[i].Next, "")
	call := f.AddBlockAfter(b, "")
	br := ir.Instr{Op: ir.OpBr, Type: ir.Void, Loc: in.Loc}
	f.SetTerminator(b, br, ok, ir.BlockVal(end), ir.BlockVal(call))
	f.MoveToEnd(i, call)
	f.Instrs[i].Flags &^= ir.TailCall
	f.Append(call, br, ir.BlockVal(end))
	phi := ir.Local(f.InsertBefore(f.Blocks[end].First, ir.Instr{Op: ir.OpPhi, Type: t, Loc: in.Loc}))
	f.ReplaceAllUses(ir.Local(i), phi)
	f.SetOps(phi.Instr(), []ir.Value{root, ir.BlockVal(b), ir.Local(i), ir.BlockVal(call)})
}

// readsOnly reports calls that write no memory.
func (p *preparer) readsOnly(i ir.InstrID) bool {
	f := p.f
	lists := [2]ir.AttrListID{f.Instrs[i].Attrs}
	if g := f.Callee(i).Global(); g != 0 {
		lists[1] = f.Module.Globals[g].Attrs
	}
	for _, l := range lists {
		if a, ok := f.Module.Attrs.At(l).Fn.Get("memory"); ok && (a.Value == "none" || a.Value == "read") {
			return true
		}
	}
	return false
}
