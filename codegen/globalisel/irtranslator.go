package globalisel

import (
	"errors"
	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
	"github.com/mirin-go/mirin/target"
)

// IRTranslator turns the IR function of f into generic machine code.
//
// An IR value is a list of registers, one per scalar leaf of its type (arrays
// and structs have several). Arguments and constants stand in a block of their
// own, which is merged into the entry block at the end. Blocks are translated
// in reverse post order, so that definitions come before their uses but for
// PHIs, which are completed last. Blocks that are not reachable are left out.
// Debug locations are kept. #dbg_declare of a static alloca becomes the variable
// of its stack object, the other debug records become debug instructions.
var IRTranslator = pass.Pass{
	Name:  "irtranslator",
	Title: "IRTranslator",
	Sets:  mir.IsSSA | mir.TracksLiveness,
	// -O0 makes plainer switches and no tail calls.
	Optional: pass.Relaxable,
	Run:      runIRTranslator,
}

// span is a run of translator.regs.
type span struct{ off, n uint32 }

// edge is an edge of the IR's control flow.
type edge struct{ from, to ir.BlockID }

// pendingPhi is a PHI whose incoming values are added at the end; def is its first machine PHI.
type pendingPhi struct {
	phi   ir.InstrID
	first mir.InstrID // the machine PHIs follow each other, one per part
	block mir.BlockID
}

// blockConst is a constant made in the current block, for reuse there.
type blockConst struct {
	t mir.LLT
	v int64
	r mir.Reg
}

// translator is the state of the pass for one function.
type translator struct {
	Builder // at the end of the current block
	entry   Builder
	mb, eb  mir.Builder

	c     *pass.Context
	st    *target.Subtarget
	f     *mir.Function
	fn    *ir.Function
	mod   *ir.Module
	types *ir.Types
	pool  *ir.ConstPool // the machine function's constants
	dl    *ir.DataLayout
	err   error

	regs    []mir.Reg   // registers of all values, named by spans
	local   []span      // by InstrID
	consts  []span      // by ConstID
	globals []globalReg // by GlobalID
	stamp   uint32      // of the function, in globals

	leafs     [][]callconv.Part // by Type
	leafTypes *ir.Types         // the table that leafs belongs to

	blocks []mir.BlockID    // by ir.BlockID: the first machine block, 0 when unreachable
	last   []mir.BlockID    // by ir.BlockID: the machine block with the terminator
	cfg    analysis.Graph   // nodes are ir.BlockIDs
	probs  iranalysis.Probs // of the edges of cfg, when optimizing
	// phiPred marks by stamp the predecessors that the PHI being finished has.
	phiPred  []uint32
	phis     []pendingPhi
	preds    map[edge][]mir.BlockID // machine blocks of edges that switches make
	curConst []blockConst
	cur      ir.BlockID

	demote mir.Reg // hidden result pointer, 0 none
	// structReturn is the address that returns hand back, 0 none (target.CallConv.StructReturn).
	structReturn mir.Reg
	pads         *ir.LandingPads // made when first asked for
	labels       int             // number of EH_LABELs so far
	tailed       bool            // the current block ended in a tail call
	frames       []int32         // by InstrID: twice the stack object of an alloca and one, 0 for none
	args         []callconv.Arg
	plain        target.CallInfo // the last call of plainCall
	calls        callLowering
	sw           switchState
	uses         []uint8                     // how often each value is used, 255 for more; when optimizing
	conds        []ir.Value                  // of the branch being made
	joins        []ir.InstrID                // what joins them
	asmJumps     map[ir.InstrID]*asmLowering // callbrs with results
	pendingDebug []pendingDebug
	lateRecords  []uint32 // records of the block that wait for its first plain instruction
	callAttrs    callAttrs
}

func runIRTranslator(c *pass.Context, f *mir.Function) error {
	if f.IR == nil {
		return nil // MIR input
	}
	if err := c.Subtarget.Refused(f, false); err != nil {
		return err
	}
	t := pass.Scratch[translator](c)
	t.start(c, f)
	t.function()
	f.RenumberBlocks()
	return t.err
}

// start empties the state for f.
func (t *translator) start(c *pass.Context, f *mir.Function) {
	t.c, t.st, t.f, t.fn, t.mod = c, c.Subtarget, f, f.IR, f.IR.Module
	t.types, t.dl, t.pool, t.err = t.mod.Types, c.Machine.Layout, f.IRConsts(), nil
	// What large functions need without optimisation, by measure; what is not used is not touched.
	f.Reserve(5*len(t.fn.Instrs)/2, 16*len(t.fn.Instrs), 5*len(t.fn.Instrs)/2)
	t.mb, t.eb = mir.Builder{F: f}, mir.Builder{F: f}
	t.Builder, t.entry = Builder{&t.mb}, Builder{&t.eb}
	t.regs = t.regs[:0]
	t.local = rows.Zeroed(t.local, len(t.fn.Instrs))
	t.consts = rows.Zeroed(t.consts, t.pool.Len())
	t.blocks = rows.Zeroed(t.blocks, len(t.fn.Blocks))
	t.last = rows.Zeroed(t.last, len(t.fn.Blocks))
	t.phiPred = rows.Zeroed(t.phiPred, len(t.fn.Blocks))
	t.frames = rows.Zeroed(t.frames, len(t.fn.Instrs))
	if n := len(t.mod.Globals); len(t.globals) < n || t.stamp == ^uint32(0) {
		t.globals, t.stamp = make([]globalReg, n), 0
	}
	t.stamp++
	if t.preds == nil || len(t.preds) > 0 {
		t.preds = map[edge][]mir.BlockID{}
	}
	t.phis, t.curConst, t.pendingDebug = t.phis[:0], t.curConst[:0], t.pendingDebug[:0]
	t.demote, t.structReturn, t.pads, t.labels, t.asmJumps = 0, 0, nil, 0, nil
	if c.Opt > 0 {
		t.countUses()
	}
	if t.leafTypes != t.types {
		t.leafs, t.leafTypes = nil, t.types
	}
}

// globalReg is the register with the address of a global, in the function with the stamp.
type globalReg struct {
	stamp uint32
	regs  span
}

// global returns the register with the address of a global, none before it is made.
func (t *translator) global(g ir.GlobalID) (s span, ok bool) {
	r := &t.globals[g]
	if r.stamp != t.stamp {
		return span{}, false
	}
	return r.regs, true
}

// frame returns the stack object of an alloca; ok is false for what has none.
func (t *translator) frame(i ir.InstrID) (fi int, ok bool) {
	n := t.frames[i]
	return int(n >> 1), n != 0
}

// fail records that something is not supported; the first reason counts.
func (t *translator) fail(what string) {
	if t.err == nil {
		t.setErr(t.st.NotSupported(t.f, what))
	}
}

// function translates the whole function.
func (t *translator) function() {
	g := t.fn.Global()
	attrs := t.mod.Attrs.At(g.Attrs).Fn
	iranalysis.FillCFG(&t.cfg, t.fn)
	if t.c.Opt > 0 {
		t.probs.Compute(t.fn, &t.cfg)
	}
	entry := t.f.AddBlock()
	t.eb.Block = entry
	for _, b := range t.fn.Order {
		if t.cfg.Reachable(int(b)) {
			mb := t.f.AddBlock()
			t.blocks[b], t.last[b] = mb, mb
			t.f.Block(mb).IRBlock = uint32(b)
		}
	}
	t.markAddressTaken()
	t.f.ExposesReturnsTwice = attrs.Has("returns_twice")
	t.f.Align = functionAlign(t, g, attrs)
	t.mb.SetBlock(entry)
	t.formalArguments(g)
	for _, b := range t.cfg.RPO() {
		if t.err != nil {
			return
		}
		t.block(ir.BlockID(b))
	}
	if t.err != nil {
		return
	}
	t.finishPhis()
	t.finishDebug()
	t.mergeEntry(entry)
	t.fallThrough()
}

// functionAlign is log2 of the function's alignment: at least what the target prefers unless size counts.
func functionAlign(t *translator, g *ir.Global, attrs ir.AttrSet) uint8 {
	al := uint8(0)
	if !attrs.Has("optsize") && !attrs.Has("minsize") {
		al = t.st.Target.ISel.PrefFuncAlign
	}
	if g.Align > 0 {
		al = max(al, g.Align-1)
	}
	return al
}

// markAddressTaken flags the blocks whose address is taken: other code may jump there.
func (t *translator) markAddressTaken() {
	for _, b := range pass.Scratch[iranalysis.AddressTaken](t.c).Blocks(t.mod, t.fn.ID) {
		if mb := t.blocks[b]; mb != 0 {
			t.f.Block(mb).Flags |= mir.IRAddrTaken
			t.f.Block(mb).AddrTakenIR = uint32(b)
		}
	}
}

// formalArguments lets the target bring in the arguments.
func (t *translator) formalArguments(g *ir.Global) {
	list := t.mod.Attrs.At(g.Attrs)
	t.args = t.args[:0]
	ret := t.parts(t.types.Result(g.ValueType))
	if t.err != nil {
		return
	}
	if !t.calls.canLowerReturn(t.st, t.types, ret, g.CC) {
		if s := t.st.Call.NoHiddenResult; s != "" {
			t.setErr(t.st.Refusal(t.f, 0, s))
			return
		}
		t.demote = t.New(t.pointerLLT(0))
		t.args = append(t.args, t.hiddenResult(t.demote, t.types.Result(g.ValueType)))
	}
	for n := range t.fn.NumArgs {
		id := t.fn.Arg(n)
		v := ir.Local(id)
		ty := t.fn.Instr(id).Type
		t.args = append(t.args, callconv.Arg{Type: ty, Attrs: list.Param(n), Parts: t.parts(ty), Regs: t.get(v), Value: v})
	}
	if t.err != nil {
		return
	}
	t.calls.reused = t.hasTailCalls()
	structReturn, err := t.calls.formalArguments(t.st, t.Builder, t.args)
	t.structReturn = structReturn
	t.setErr(err)
}

// hasTailCalls reports calls that must be jumps, or are in some conventions.
func (t *translator) hasTailCalls() bool {
	for i := range t.fn.Instrs {
		in := &t.fn.Instrs[i]
		if in.Op == ir.OpCall && (in.Flags&ir.MustTail != 0 || in.Flags&ir.TailCall != 0 && t.st.Call != nil && t.st.Call.TailCalls != nil && t.st.Call.TailCalls(t.st, in.CC)) {
			return true
		}
	}
	return false
}

// hiddenResult is the argument that points to where a result in memory goes.
func (t *translator) hiddenResult(r mir.Reg, ty ir.Type) callconv.Arg {
	return callconv.Arg{Type: ir.Ptr, Attrs: ir.AttrSet{{Key: "sret", Type: ty}},
		Parts: []callconv.Part{{Type: ir.Ptr, LLT: t.pointerLLT(0)}}, Regs: []mir.Reg{r}}
}

func (t *translator) setErr(err error) {
	if t.err != nil {
		return
	}
	t.err = err
	if u := (*target.Unsupported)(nil); err != nil && errors.As(err, &u) && u.Loc == 0 {
		u.Loc = t.mb.Loc
	}
}

// block translates one IR block at the end of its machine block.
func (t *translator) block(b ir.BlockID) {
	t.cur = b
	t.mb.SetBlock(t.blocks[b])
	t.curConst, t.tailed, t.lateRecords = t.curConst[:0], false, t.lateRecords[:0]
	for i := t.fn.Blocks[b].First; i != 0; i = t.fn.Instr(i).Next {
		t.mb.Loc = mir.DebugLoc(t.fn.Instr(i).Loc)
		if op, r := t.fn.Instr(i).Op, t.fn.Instr(i).Records; r != 0 || len(t.lateRecords) > 0 {
			t.lateRecords = append(t.lateRecords, r)
			// PHIs stand together, and a landing pad begins with its label.
			if op != ir.OpPhi && op != ir.OpLandingPad {
				for _, r := range t.lateRecords {
					t.debugRecords(r)
				}
				t.lateRecords = t.lateRecords[:0]
			}
		}
		t.instr(i)
		if t.err != nil || t.tailed {
			return
		}
	}
}

func (t *translator) newBlockAfter(at mir.BlockID) mir.BlockID {
	n := t.f.AddBlockAfter(at)
	t.f.Block(n).IRBlock = t.f.Block(at).IRBlock
	return n
}

func (t *translator) enterBlock(b mir.BlockID) {
	t.mb.SetBlock(b)
	t.curConst = t.curConst[:0]
	t.last[t.cur] = b
}

// mergeEntry puts arguments and constants at the front of the entry block.
func (t *translator) mergeEntry(entry mir.BlockID) {
	first := t.blocks[t.fn.Order[0]]
	at := t.f.Block(first).First()
	for i := t.f.Block(entry).First(); i != 0; {
		n := t.f.Instr(i).Next()
		t.f.Move(first, at, i)
		i = n
	}
	for _, l := range t.f.LiveInsOf(entry) {
		t.f.AddLiveIn(first, l.Reg, l.Mask)
	}
	t.f.RemoveBlock(entry)
}

// finishPhis adds the incoming values.
func (t *translator) finishPhis() {
	for k, p := range t.phis {
		stamp := uint32(k + 1)
		ops := t.fn.Ops(p.phi)
		parts := int(t.local[p.phi].n)
		for k := 0; k+1 < len(ops); k += 2 {
			// A switch with several edges to the block is listed once an edge.
			from := ops[k+1].Block()
			if !t.cfg.Reachable(int(from)) || t.phiPred[from] == stamp {
				continue
			}
			t.phiPred[from] = stamp
			vals := t.get(ops[k])
			if t.err != nil {
				return
			}
			e := edge{from, t.fn.Instr(p.phi).Block}
			preds, ok := t.preds[e]
			if !ok {
				preds = t.last[from : from+1]
			}
			for _, mb := range preds {
				if !t.f.HasSucc(mb, p.block) {
					continue
				}
				i := p.first
				for n := range parts {
					t.f.AddOp(i, Use(vals[n]))
					t.f.AddOp(i, mir.BlockOp(mb))
					i = t.f.Instr(i).Next()
				}
			}
		}
	}
}
