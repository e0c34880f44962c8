package outliner

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/suffixtree"
	"github.com/mirin-go/mirin/target"
)

// MachineOutliner makes functions of instructions that occur several times.
var MachineOutliner = pass.Pass{Name: "machine-outliner", Title: "Machine Outliner", Requires: mir.NoVRegs, Optional: pass.Skippable, RunModule: run}

// sequence is what may become a function: the places in the string where it begins.
type sequence struct {
	length int // numbers
	size   int // instructions that count
	tail   bool
	starts []uint32
}

type outliner struct {
	c      *pass.Context
	m      *pass.Module
	hooks  *target.OutlineHooks
	tuning target.OutlineTuning
	mapper *mapper
	rerun  int
	gone   places        // of the string that were taken
	di     *ir.DIBuilder // nil until a function is described
	// liveness of the union of all candidates and of one of them
	all, one        liveness.LivePhysRegs
	uses, defs, own regSet
}

func run(c *pass.Context, m *pass.Module) error {
	o := &outliner{c: c, m: m, hooks: c.Machine.Target.Outline, tuning: c.Machine.Options.Tuning.Outline}
	if o.hooks == nil {
		return fmt.Errorf("machine-outliner: target %s does not say what may be outlined", c.Machine.Target.Name)
	}
	o.tuning.Benefit = max(o.tuning.Benefit, 1)
	for o.rerun = 0; o.rerun <= o.tuning.Reruns; o.rerun++ {
		made, err := o.round()
		if err != nil {
			return err
		}
		if made == 0 {
			break
		}
	}
	return nil
}

// round maps the module and outlines what is worth it; it returns how many functions it made.
func (o *outliner) round() (int, error) {
	o.mapper = newMapper()
	if err := o.mapper.add(o.m, &o.tuning); err != nil {
		return 0, err
	}
	o.c.Count(name, "Outlinable instructions mapped", o.mapper.legals)
	o.c.Count(name, "Invisible instructions skipped during mapping", o.mapper.unseen)
	o.c.Count(name, "Total number of instructions mapped and saved to mapping vector", int64(len(o.mapper.str)))
	if len(o.mapper.str) == 0 {
		return 0, nil
	}
	o.gone.reset(len(o.mapper.str))
	list := o.candidates()
	// What saves the largest part comes first.
	slices.SortStableFunc(list, func(a, b *sequence) int {
		before := func(a, b *sequence) bool { return a.cost()*o.outlined(b) > b.cost()*o.outlined(a) }
		switch {
		case before(a, b):
			return -1
		case before(b, a):
			return 1
		}
		return 0
	})
	made := 0
	for _, s := range list {
		s.starts = slices.DeleteFunc(s.starts, func(k uint32) bool { return o.gone.any(int(k), int(k)+s.length) })
		if o.benefit(s) < o.tuning.Benefit {
			continue
		}
		f, err := o.function(s, made)
		if err != nil {
			return made, err
		}
		made++
		o.c.Count(name, "Number of functions created", 1)
		for _, k := range s.starts {
			o.replace(s, int(k), f)
			o.gone.add(int(k), int(k)+s.length)
			o.c.Count(name, "Number of candidates outlined", 1)
		}
	}
	return made, nil
}

const name = "machine-outliner"

// cost is the size of all occurrences, outlined that of the function and its calls.
func (s *sequence) cost() int { return len(s.starts) * s.size }

func (o *outliner) outlined(s *sequence) int {
	if s.tail {
		return len(s.starts)*o.hooks.TailCallSize + s.size
	}
	return len(s.starts)*o.hooks.CallSize + s.size + o.hooks.ReturnSize
}

func (o *outliner) benefit(s *sequence) int { return max(0, s.cost()-o.outlined(s)) }

// candidates lists what repeats and is worth a function.
func (o *outliner) candidates() []*sequence {
	p := o.mapper
	tree := suffixtree.New(p.str)
	tree.Children = o.tuning.LeafChildren
	var list []*sequence
	var apart []uint32
	for length, starts := range tree.Repeats() {
		// Those that overlap with the one before cannot be outlined too.
		apart = apart[:0]
		end := 0
		for _, k := range starts {
			if int(k) >= end {
				apart = append(apart, k)
				end = int(k) + length
			}
		}
		if len(apart) < 2 {
			continue
		}
		first, last := apart[0], int(apart[0])+length-1
		f := o.m.Funcs[p.fn[first]]
		s := sequence{length: length, size: int(p.size[last]-p.size[first]) + 1, starts: apart, tail: isTerminator(f, p.at[last])}
		if o.benefit(&s) < o.tuning.Benefit {
			continue
		}
		s.starts = slices.Clone(apart)
		list = append(list, &s)
	}
	return list
}

func isTerminator(f *mir.Function, head mir.InstrID) bool {
	for i := range f.InBundle(head) {
		if f.Desc(i).IsTerminator() {
			return true
		}
	}
	return false
}

// function makes the function of a sequence, number n of the round, from its first
// occurrence.
func (o *outliner) function(s *sequence, n int) (*mir.Function, error) {
	p := o.mapper
	from := o.m.Funcs[p.fn[s.starts[0]]]
	g := o.declare(s, n)
	f := mir.NewFunction(g.Name, from.Facts)
	f.Module, f.IR = o.m.IR, g.Func
	f.IsOutlined = true
	f.Props = mir.NoPHIs | mir.NoVRegs | mir.TracksLiveness
	b := f.AddBlock()
	first, last := p.at[s.starts[0]], p.at[int(s.starts[0])+s.length-1]
	for i := first; ; i = from.NextBundle(i) {
		if !isOfFunction(from, i) {
			o.copyBundle(f, b, from, i)
		}
		if i == last {
			break
		}
	}
	st, err := o.m.Subtarget(g.ID)
	if err != nil {
		return nil, err
	}
	if err := o.liveIns(s, st, f, b); err != nil {
		return nil, err
	}
	if !s.tail {
		mb := mir.Builder{F: f, Block: b}
		mb.BuildInstr(o.hooks.Return)
	}
	o.describe(s, g)
	o.m.Add(f)
	return f, nil
}

// isOfFunction reports an instruction that says something of the function that it
// stands in, its variables or stack objects, and does nothing.
func isOfFunction(f *mir.Function, i mir.InstrID) bool {
	switch f.Instr(i).Opcode {
	case desc.LIFETIME_START, desc.LIFETIME_END:
		return true
	}
	return f.IsDebugInstr(i)
}

func (o *outliner) copyBundle(f *mir.Function, b mir.BlockID, from *mir.Function, head mir.InstrID) {
	for i := range from.InBundle(head) {
		if i != head && isOfFunction(from, i) {
			continue
		}
		c := f.CloneFrom(from, i)
		f.InsertBefore(b, 0, c)
		if i != head {
			f.BundleWithPred(c)
		}
	}
}

// liveIns finds what the function reads: what is live at any of the places where
// it is called.
func (o *outliner) liveIns(s *sequence, st *target.Subtarget, f *mir.Function, entry mir.BlockID) error {
	o.all.Init(st, f)
	for _, k := range s.starts {
		n := o.mapper.fn[k]
		g := o.m.Funcs[n]
		gst, err := o.m.Subtarget(o.m.IDs[n])
		if err != nil {
			return err
		}
		first := o.mapper.at[k]
		b := g.Instr(first).Block()
		o.one.Init(gst, g)
		o.one.AddLiveOuts(b)
		for i := g.Block(b).Last(); ; i = g.Instr(i).Prev() {
			if !g.IsDebugInstr(i) {
				o.one.StepBackward(i)
			}
			if i == first {
				break
			}
		}
		for _, r := range o.one.Regs() {
			o.all.Add(r)
		}
	}
	for _, r := range o.all.Regs() {
		if o.all.Lists(r) {
			f.AddLiveIn(entry, mir.Reg(r), mir.AllLanes)
		}
	}
	return nil
}

// replace puts a call where a sequence begins and erases the sequence.
func (o *outliner) replace(s *sequence, k int, callee *mir.Function) {
	f := o.m.Funcs[o.mapper.fn[k]]
	first, last := o.mapper.at[k], o.mapper.at[k+s.length-1]
	mb := mir.Builder{F: f}
	mb.SetBefore(first)
	op := o.hooks.Call
	if s.tail {
		op = o.hooks.TailCall
	}
	call := mb.BuildInstr(op, mir.IndexOp(mir.OpGlobal, uint32(callee.IR.ID), 0, 0))
	if f.Props&mir.TracksLiveness != 0 {
		o.addRegisters(f, call, last)
	}
	end := f.NextBundle(last)
	for i := first; i != end; {
		next := f.Instr(i).Next()
		if len(f.CallSites) > 0 {
			f.CallSites = slices.DeleteFunc(f.CallSites, func(c mir.CallSite) bool { return c.Instr == i })
		}
		f.Erase(i)
		i = next
	}
}

// addRegisters makes the call say what the instructions behind it, up to last,
// define, and what they read that none of them defined before.
func (o *outliner) addRegisters(f *mir.Function, call, last mir.InstrID) {
	o.uses.reset()
	o.defs.reset()
	for i := last; ; i = f.Instr(f.BundleHead(i)).Prev() {
		head := f.BundleHead(i)
		if f.IsDebugInstr(head) {
			continue
		}
		o.own.reset()
		for _, op := range f.Ops(head) {
			switch {
			case !op.IsReg():
			case op.IsDef():
				o.defs.insert(op.Reg())
				if !o.own.has(op.Reg()) {
					o.uses.erase(op.Reg())
				}
			case !op.IsUndef():
				o.uses.insert(op.Reg())
				o.own.insert(op.Reg())
			}
		}
		if head == call {
			break
		}
	}
	for _, r := range o.defs.list() {
		f.AddOp(call, mir.RegOp(r, mir.Def|mir.Implicit))
	}
	for _, r := range o.uses.list() {
		f.AddOp(call, mir.RegOp(r, mir.Implicit))
	}
}

// declare adds the function to the module's IR, with a body that only returns.
func (o *outliner) declare(s *sequence, n int) *ir.Global {
	m := o.m.IR
	base := "OUTLINED_FUNCTION_"
	if o.rerun > 0 {
		base += strconv.Itoa(o.rerun+1) + "_"
	}
	base += strconv.Itoa(n)
	unique := base
	for k := 1; m.Lookup(unique) != 0; k++ {
		unique = base + "." + strconv.Itoa(k)
	}
	body := m.Define(unique, m.Types.Func(ir.Void, nil, false))
	b := ir.NewBuilder(body)
	b.SetBlock(b.Block("entry"))
	b.RetVoid()
	g := body.Global()
	g.Linkage, g.Unnamed = ir.Internal, ir.GlobalUnnamedAddr
	g.Attrs = m.Attrs.Intern(&ir.AttrList{Fn: o.attributes(s)})
	return g
}

// attributes are those of a function that is to be small, with the features of
// the first that it comes from; nothing unwinds through it if that is so of all,
// and it has unwind tables if that is so of any.
func (o *outliner) attributes(s *sequence) ir.AttrSet {
	m := o.m.IR
	noUnwind := true
	var tables *ir.Attr
	// Tables for every instruction say more than those for calls.
	kind := func(a *ir.Attr) int {
		switch {
		case a == nil:
			return 0
		case a.Value == "sync":
			return 1
		}
		return 2
	}
	for _, k := range s.starts {
		fn := m.Attrs.At(m.Globals[o.m.IDs[o.mapper.fn[k]]].Attrs).Fn
		noUnwind = noUnwind && fn.Has("nounwind")
		if a, ok := fn.Get("uwtable"); ok && kind(&a) > kind(tables) {
			tables = &a
		}
	}
	set := ir.AttrSet{{Key: "minsize"}}
	if noUnwind {
		set = append(set, ir.Attr{Key: "nounwind"})
	}
	set = append(set, ir.Attr{Key: "optsize"})
	if tables != nil {
		set = append(set, *tables)
	}
	first := m.Attrs.At(m.Globals[o.m.IDs[o.mapper.fn[s.starts[0]]]].Attrs).Fn
	for _, key := range [...]string{"target-cpu", "target-features"} {
		if a, ok := first.Get(key); ok && a.IsString {
			set = append(set, a)
		}
	}
	return set
}

// describe gives the function a subprogram where one of those it comes from has
// one: code that the compiler made, in the same unit.
func (o *outliner) describe(s *sequence, g *ir.Global) {
	md := &o.m.IR.MD
	for _, k := range s.starts {
		for _, a := range o.m.IR.Globals[o.m.IDs[o.mapper.fn[k]]].MD {
			sp := md.At(a.Node)
			if a.Kind != 0 || sp == nil || sp.Str != "DISubprogram" {
				continue
			}
			field := func(name string) ir.MDID {
				for k := range sp.Fields {
					if sp.Fields[k].Name == name {
						return sp.Fields[k].Node
					}
				}
				return 0
			}
			if o.di == nil {
				o.di = ir.NewDIBuilder(o.m.IR)
				o.di.Reuse()
			}
			t := o.di.Node("DISubroutineType", ir.MDField{Name: "types", Node: o.di.Tuple()})
			f := []ir.MDField{{Name: "name", Kind: ir.MDFieldString, Str: g.Name}, {Name: "linkageName", Kind: ir.MDFieldString, Str: o.c.Machine.Layout.GlobalPrefix() + g.Name},
				{Name: "scope", Node: field("file")}, {Name: "file", Node: field("file")}, {Name: "type", Node: t},
				{Name: "flags", Kind: ir.MDFieldWord, Str: "DIFlagArtificial"},
				{Name: "spFlags", Kind: ir.MDFieldWord, Str: "DISPFlagDefinition | DISPFlagOptimized"}, {Name: "unit", Node: field("unit")}}
			g.MD = append(g.MD, ir.Attachment{Node: md.Add(&ir.MDNode{Kind: ir.MDSpecialized, Str: "DISubprogram", Distinct: true, Fields: f})})
			return
		}
	}
}
