package irprep

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// CodeGenPrepare brings what instructions take in next to them: the selector
// folds what stands in one block, so addresses, comparisons, masks and
// extensions move to their uses (codegenprepare_sink.go, …_address.go); slow
// divisions get a short way (…_divide.go), selects of what is dear to compute
// become branches (…_select.go), and returns move to the tail calls before them (…_return.go).
var CodeGenPrepare = pass.Pass{
	Name:     "codegenprepare",
	Title:    "CodeGen Prepare",
	IR:       true,
	Optional: pass.Skippable,
	Run:      runCodeGenPrepare,
}

// preparer is the state of this pass, and of smaller ones, for one function.
type preparer struct {
	c       *pass.Context
	st      *target.Subtarget
	mf      *mir.Function
	f       *ir.Function
	t       *ir.Types
	dl      *ir.DataLayout
	optSize bool
	blocks  []ir.BlockID
	work    []ir.InstrID
	edges   []ir.Use

	// sunk is, by address, where it was last computed anew.
	sunk    []sunkAddress
	mode    addressMode
	divides []divideGroup
	selects []selectPhi
}

func runCodeGenPrepare(c *pass.Context, mf *mir.Function) error {
	if mf.IR == nil || mf.FirstBlock() != 0 {
		return nil // from MIR, past this pass
	}
	p := pass.Scratch[preparer](c)
	p.start(c, mf)
	if !p.worthwhile() {
		return nil
	}
	p.f = mf.OwnIR()
	p.f.IndexUses()
	if !p.optSize {
		p.bypassSlowDivisions()
	}
	p.removeEmptyBlocks()
	p.splitIndirectEdges()
	p.foldPhis()
	p.duplicateReturns()
	p.sinkUsersFirst()
	p.sinkAddresses()
	if !p.optSize {
		p.selectsToBranches()
	}
	p.f.DropUses()
	return nil
}

// start turns to a function.
func (p *preparer) start(c *pass.Context, mf *mir.Function) {
	p.c, p.st, p.mf, p.f, p.t, p.dl = c, c.Subtarget, mf, mf.IR, mf.IR.Module.Types, c.Machine.Layout
	a := p.f.Module.Attrs.At(p.f.Global().Attrs).Fn
	p.optSize = a.Has("optsize") || a.Has("minsize")
}

// worthwhile reports whether there is anything that the pass might change: the
// body is copied only then.
func (p *preparer) worthwhile() bool {
	f := p.f
	if len(f.Order) > 1 {
		return true
	}
	for i := f.Blocks[f.Order[0]].First; i != 0; i = f.Instrs[i].Next {
		switch f.Instrs[i].Op {
		case ir.OpSelect, ir.OpUDiv, ir.OpSDiv, ir.OpURem, ir.OpSRem:
			return true
		}
	}
	return false
}

// insert adds an instruction in front of at, with at's place in the source.
func (p *preparer) insert(at ir.InstrID, in ir.Instr, ops ...ir.Value) ir.Value {
	in.Loc = p.f.Instrs[at].Loc
	return ir.Local(p.f.InsertBefore(at, in, ops...))
}

// int is an integer constant.
func (p *preparer) int(t ir.Type, v int64) ir.Value {
	u := uint64(v)
	if n := p.t.IntBits(t); n < 64 {
		u &= 1<<n - 1
	}
	return ir.ConstVal(p.f.Consts.Int(t, u))
}

// constant is the value of an integer constant of up to 64 bits.
func (p *preparer) constant(v ir.Value) (int64, bool) { return p.f.Consts.SignedInt(p.t, v) }

// firstPlace is the first instruction of a block behind its PHIs; 0 in blocks
// that begin as exception handling wants it.
func (p *preparer) firstPlace(b ir.BlockID) ir.InstrID {
	i := p.f.Blocks[b].First
	for i != 0 && p.f.Instrs[i].Op == ir.OpPhi {
		i = p.f.Instrs[i].Next
	}
	if i == 0 {
		return 0
	}
	switch p.f.Instrs[i].Op {
	case ir.OpLandingPad, ir.OpCleanupPad, ir.OpCatchPad, ir.OpCatchSwitch:
		return 0
	}
	return i
}
