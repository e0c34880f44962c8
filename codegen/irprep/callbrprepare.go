package irprep

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// CallBrPrepare gives the results of callbr a value of its own where it leads by a jump out of
// the assembly: what copies them behind the assembly does not run on these ways.
//
//	%x = callbr i32 asm …() to label %a [label %b]
//	b:                                               b:
//	  use(%x)                                   →      %y = call i32 @llvm.callbr.landingpad.i32(i32 %x)
//	                                                   use(%y)
var CallBrPrepare = pass.Pass{
	Name:  "callbrprepare",
	Title: "Prepare callbr",
	IR:    true,
	Run:   runCallBrPrepare,
}

// callBrPreparer is the state of the pass for one callbr.
type callBrPreparer struct {
	*preparer
	call ir.InstrID
	// pads are the values at the begin of the blocks that the assembly jumps to, starts those
	// of other blocks that were asked for.
	pads, starts map[ir.BlockID]ir.Value
	phis         []ir.InstrID // made here
}

func runCallBrPrepare(c *pass.Context, mf *mir.Function) error {
	if mf.IR == nil || mf.FirstBlock() != 0 || !slices.ContainsFunc(mf.IR.Order, func(b ir.BlockID) bool { return hasCallBrResult(mf.IR, b) }) {
		return nil
	}
	p := pass.Scratch[preparer](c)
	p.start(c, mf)
	p.f = mf.OwnIR()
	p.f.IndexUses()
	defer p.f.DropUses()
	for _, b := range slices.Clone(p.f.Order) {
		if hasCallBrResult(p.f, b) {
			(&callBrPreparer{preparer: p, call: p.f.Terminator(b), pads: map[ir.BlockID]ir.Value{}, starts: map[ir.BlockID]ir.Value{}}).run()
		}
	}
	return nil
}

func hasCallBrResult(f *ir.Function, b ir.BlockID) bool {
	t := f.Instr(f.Terminator(b))
	return t.Op == ir.OpCallBr && t.Type != ir.Void
}

func (p *callBrPreparer) run() {
	f, call := p.f, p.call
	var uses []ir.Use
	for u := range f.Uses(ir.Local(call)) {
		uses = append(uses, u)
	}
	if len(uses) == 0 {
		return
	}
	for n := f.NumArgOps(call) + 2; n < f.NumOps(call); n++ {
		to := f.Op(call, n).Block()
		first := f.Blocks[to].First
		preds := 0
		for range f.Preds(to) {
			preds++
		}
		if preds > 1 || f.Instrs[first].Op == ir.OpPhi {
			to = f.SplitEdge(call, n, "")
			first = f.Blocks[to].First
		}
		pad := f.InsertBefore(first, ir.Instr{Op: ir.OpCall, Type: f.Instrs[call].Type, SrcType: p.t.Func(f.Instrs[call].Type, []ir.Type{f.Instrs[call].Type}, false),
			Loc: f.Instrs[call].Loc}, ir.Local(call), ir.IntrinsicVal(ir.IntrCallbrLandingpad))
		p.pads[to] = ir.Local(pad)
	}
	for _, u := range uses {
		if u.N < 0 { // a bundle's; only assumptions have such
			continue
		}
		b := f.Instrs[u.I].Block
		v := ir.Value(0)
		if f.Instrs[u.I].Op == ir.OpPhi {
			v = p.atEnd(f.Op(u.I, u.N+1).Block())
		} else if v = p.pads[b]; v == 0 {
			v = p.atStart(b)
		}
		f.SetOp(u.I, u.N, v)
	}
	p.foldSame()
}

// atEnd is what the result is at the end of b.
func (p *callBrPreparer) atEnd(b ir.BlockID) ir.Value {
	if b == p.f.Instrs[p.call].Block {
		return ir.Local(p.call)
	}
	if v := p.pads[b]; v != 0 {
		return v
	}
	return p.atStart(b)
}

// atStart is what the result is at the start of b: where ways join, a PHI.
func (p *callBrPreparer) atStart(b ir.BlockID) ir.Value {
	if v := p.starts[b]; v != 0 {
		return v
	}
	f := p.f
	var from []ir.BlockID
	for u := range f.Preds(b) {
		from = append(from, f.Instrs[u.I].Block)
	}
	if len(from) == 0 { // a way that does not come from the callbr: nobody reads it there
		return ir.ConstVal(f.Consts.Plain(ir.ConstPoison, f.Instrs[p.call].Type))
	}
	if len(from) == 1 {
		p.starts[b] = p.atEnd(from[0])
		return p.starts[b]
	}
	phi := f.InsertBefore(f.Blocks[b].First, ir.Instr{Op: ir.OpPhi, Type: f.Instrs[p.call].Type})
	p.phis = append(p.phis, phi)
	p.starts[b] = ir.Local(phi)
	ops := make([]ir.Value, 0, 2*len(from))
	for _, x := range from {
		ops = append(ops, p.atEnd(x), ir.BlockVal(x))
	}
	f.SetOps(phi, ops)
	return ir.Local(phi)
}

// foldSame takes out PHIs that have one value but themselves.
func (p *callBrPreparer) foldSame() {
	f := p.f
	for again := true; again; {
		again = false
		for k, phi := range p.phis {
			same := ir.Value(0)
			for n := 0; n < f.NumOps(phi); n += 2 {
				if v := f.Op(phi, n); v != ir.Local(phi) && v != same {
					if same != 0 {
						same = 0
						break
					}
					same = v
				}
			}
			if same == 0 {
				continue
			}
			f.ReplaceAllUses(ir.Local(phi), same)
			f.Erase(phi)
			p.phis = slices.Delete(p.phis, k, k+1)
			again = true
			break
		}
	}
}
