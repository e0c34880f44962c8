package irsummary

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// refs collects the globals that constants and instructions refer to, other
// than by a call.
type refs struct {
	b    *builder
	f    *ir.Function // nil for an initializer
	pool *ir.ConstPool

	list []uint64 // in the order in which they were met
	has  map[uint64]bool
	seen map[ir.Value]bool
	todo []ir.Value

	blockAddress, localIFunc bool
}

// add notes a global.
func (r *refs) add(guid uint64) {
	if r.has == nil {
		r.has = map[uint64]bool{}
	}
	if !r.has[guid] {
		r.has[guid] = true
		r.list = append(r.list, guid)
	}
}

// global notes a global by its id.
func (r *refs) global(id ir.GlobalID) {
	g := r.b.m.Globals[id]
	if g.Kind == ir.GlobalIFunc && g.HasLocalLinkage() {
		r.localIFunc = true
	}
	r.add(r.b.value(id))
}

// visit follows a value through constants and instructions to globals. What
// was seen before is not followed again.
func (r *refs) visit(v ir.Value) {
	if v == 0 {
		return
	}
	if id := v.Global(); id != 0 {
		r.global(id)
		return
	}
	r.push(v)
	r.drain()
}

// instr follows the operands of an instruction.
func (r *refs) instr(i ir.InstrID) {
	r.push(ir.Local(i))
	r.drain()
}

func (r *refs) push(v ir.Value) {
	if v == 0 || v.Const() == 0 && !v.IsLocal() || r.seen[v] {
		return
	}
	if r.seen == nil {
		r.seen = map[ir.Value]bool{}
	}
	r.seen[v] = true
	r.todo = append(r.todo, v)
}

func (r *refs) drain() {
	for len(r.todo) > 0 {
		v := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		callee := -1
		var ops []ir.Value
		if c := v.Const(); c != 0 {
			switch x := r.pool.At(c); {
			case x.Kind == ir.ConstBlockAddr:
				r.blockAddress = true
				continue
			case x.Kind >= ir.ConstArray && x.Kind <= ir.ConstSplat, x.Kind >= ir.ConstExpr && x.Kind != ir.ConstBlockAddr:
				ops = r.pool.Ops(c)
			}
		} else {
			i := v.Instr()
			if int(i) <= r.f.NumArgs {
				continue
			}
			ops = r.f.Ops(i)
			switch in := r.f.Instr(i); in.Op {
			case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
				callee = r.f.NumArgOps(i)
				for _, x := range r.f.Extras[in.Extra].Bundles {
					for _, a := range x.Args {
						r.operand(a)
					}
				}
			}
		}
		for k, o := range ops {
			if k != callee || o.Global() == 0 {
				r.operand(o)
			}
		}
	}
}

func (r *refs) operand(v ir.Value) {
	if id := v.Global(); id != 0 {
		r.global(id)
		return
	}
	r.push(v)
}

// funcSummary summarises one function.
type funcSummary struct {
	*builder
	f     *ir.Function
	s     ir.GlobalSummary
	calls map[uint64]int // places in s.Calls
	count counter
	users map[ir.InstrID][]ir.InstrID // made when it is asked for
	order orderOf

	unknownCall, mayThrow, asmRefs bool
}

// call finds or adds a call edge.
func (x *funcSummary) call(guid uint64) *ir.SummaryCall {
	i, ok := x.calls[guid]
	if !ok {
		i = len(x.s.Calls)
		x.calls[guid] = i
		x.s.Calls = append(x.s.Calls, ir.SummaryCall{Callee: guid})
	}
	return &x.s.Calls[i]
}

func (b *builder) function(f *ir.Function, asm bool) {
	g := f.Global()
	x := &funcSummary{builder: b, f: f, s: b.common(g), calls: map[uint64]int{}}
	x.s.Kind = ir.FunctionSummary
	x.count.init(b, f)
	plain := refs{b: b, f: f, pool: &f.Consts, seen: map[ir.Value]bool{}}
	outer := refs{b: b, pool: &b.m.Consts}
	for _, v := range [...]ir.Value{g.Prefix, g.Prologue, g.Persona} {
		outer.visit(v)
	}
	for _, id := range outer.list {
		plain.add(id)
	}
	var loads, stores []ir.InstrID
	for _, blk := range f.Order {
		for i := f.Blocks[blk].First; i != 0; i = f.Instrs[i].Next {
			in := f.Instr(i)
			if k := f.IntrinsicOf(i); k.IsDebug() || k == ir.IntrPseudoprobe {
				continue
			}
			x.s.Insts++
			if b.thin && in.Flags&ir.Volatile == 0 {
				if in.Op == ir.OpLoad {
					plain.seen[ir.Local(i)] = true
					loads = append(loads, i)
					continue
				}
				if in.Op == ir.OpStore {
					plain.seen[ir.Local(i)] = true
					stores = append(stores, i)
					plain.visit(f.Op(i, 0))
					continue
				}
			}
			plain.instr(i)
			b.vtables(&plain, in)
			x.instr(i, in, asm)
		}
	}
	x.references(&plain, loads, stores)
	for _, id := range x.count.imports {
		b.s.Value(id)
		x.call(id).Hotness = ir.HotnessCritical
	}
	if x.asmRefs || b.indirectTargets(f) || plain.localIFunc {
		x.s.NotEligible = true
	}
	x.funcFlags(g)
	if b.profile.partial {
		b.s.BlockCount += uint64(len(f.Order))
	}
	b.add(g.ID, x.s)
}

// references orders the references: plain ones, those only read, those only written.
func (x *funcSummary) references(plain *refs, loads, stores []ir.InstrID) {
	follow := func(r *refs, list []ir.InstrID) {
		for _, i := range list {
			delete(r.seen, ir.Local(i))
			r.instr(i)
			x.vtables(r, x.f.Instr(i))
		}
		plain.localIFunc = plain.localIFunc || r.localIFunc
	}
	load := refs{b: x.builder, f: x.f, pool: &x.f.Consts, seen: plain.seen}
	follow(&load, loads)
	store := refs{b: x.builder, f: x.f, pool: &x.f.Consts, seen: map[ir.Value]bool{}}
	follow(&store, stores)
	for _, id := range store.list {
		if load.has[id] { // read and written
			plain.add(id)
			delete(load.has, id)
		}
	}
	for _, id := range plain.list {
		x.s.Refs = append(x.s.Refs, ir.SummaryRef{GUID: id})
	}
	for _, id := range load.list {
		if load.has[id] && !plain.has[id] {
			plain.add(id)
			x.s.Refs = append(x.s.Refs, ir.SummaryRef{GUID: id, ReadOnly: true})
		}
	}
	for _, id := range store.list {
		if !plain.has[id] {
			plain.add(id)
			x.s.Refs = append(x.s.Refs, ir.SummaryRef{GUID: id, WriteOnly: true})
		}
	}
}

// vtables adds the vtables that a profile says an instruction loads from.
func (b *builder) vtables(r *refs, in *ir.Instr) {
	if in.MD == 0 {
		return
	}
	targets, _ := b.valueProfile(r.f, in, profVTables, b.o.MaxVTables)
	for _, t := range targets {
		b.s.Value(t.value)
		r.add(t.value)
	}
}

// indirectTargets reports functions one of whose blocks has its address taken
// other than by callbr, which has no place for one here.
func (b *builder) indirectTargets(f *ir.Function) bool {
	for c := 1; c < f.Consts.Len(); c++ {
		if r := f.Consts.At(ir.ConstID(c)); r.Kind == ir.ConstBlockAddr && ir.GlobalID(r.Off) == f.ID {
			return true
		}
	}
	for c := 1; c < b.m.Consts.Len(); c++ {
		if r := b.m.Consts.At(ir.ConstID(c)); r.Kind == ir.ConstBlockAddr && ir.GlobalID(r.Off) == f.ID {
			return true
		}
	}
	return false
}

// funcFlags sets the flags that attributes tell.
func (x *funcSummary) funcFlags(g *ir.Global) {
	l := x.m.Attrs.At(g.Attrs)
	set := func(on bool, f ir.SummaryFuncFlags) {
		if on {
			x.s.FuncFlags |= f
		}
	}
	if mem, ok := l.Fn.Get("memory"); ok {
		none := mem.Value == "none"
		set(none, ir.SummaryReadNone)
		set(!none && !strings.Contains(mem.Value, "write"), ir.SummaryReadOnly)
	}
	set(l.Fn.Has("norecurse"), ir.SummaryNoRecurse)
	set(l.Ret.Has("noalias"), ir.SummaryReturnDoesNotAlias)
	set(l.Fn.Has("noinline"), ir.SummaryNoInline)
	set(l.Fn.Has("alwaysinline"), ir.SummaryAlwaysInline)
	set(l.Fn.Has("nounwind"), ir.SummaryNoUnwind)
	set(x.mayThrow, ir.SummaryMayThrow)
	set(x.unknownCall, ir.SummaryHasUnknownCall)
	set(x.f.Instr(x.f.Terminator(x.f.Order[0])).Op == ir.OpUnreachable, ir.SummaryMustBeUnreachable)
}

// instr summarises what is special about calls and about instructions that throw.
func (x *funcSummary) instr(i ir.InstrID, in *ir.Instr, asm bool) {
	f := x.f
	switch in.Op {
	case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
	case ir.OpResume:
		x.mayThrow = true
		return
	case ir.OpCleanupRet:
		x.mayThrow = x.mayThrow || f.NumOps(i) == 1
		return
	case ir.OpCatchSwitch:
		x.mayThrow = x.mayThrow || f.NumOps(i)-1 == f.Extras[in.Extra].NumHandlers
		return
	default:
		return
	}
	callee := f.Callee(i)
	if callee.Tag() == ir.TagInlineAsm {
		x.asmRefs = x.asmRefs || asm && in.Op == ir.OpCall
		x.unknownCall = true
		return
	}
	named := strip(&f.Consts, callee).Global()
	fn := named
	if fn != 0 && x.m.Globals[fn].Kind == ir.GlobalAlias {
		fn = x.base(ir.GlobalVal(fn))
	}
	if fn != 0 && x.m.Globals[fn].Kind == ir.GlobalFunc {
		if k := x.m.Globals[fn].Intrinsic; k != ir.NotIntrinsic && in.Op == ir.OpCall {
			x.intrinsic(i, k)
			return
		}
		x.direct(in, named)
		return
	}
	x.unknownCall = true
	if fn != 0 && x.m.Globals[fn].Kind == ir.GlobalIFunc && x.m.Globals[fn].HasLocalLinkage() {
		x.s.NotEligible = true
	}
	if callee.Const() != 0 || callee.Global() != 0 {
		return
	}
	x.indirectCall(in)
}

// direct adds the edge of a call of a known function.
func (x *funcSummary) direct(in *ir.Instr, callee ir.GlobalID) {
	hot := ir.HotnessUnknown
	if n, ok := x.count.of(in); ok {
		hot = x.profile.hotness(n)
	}
	c := x.call(x.value(callee))
	c.Hotness = max(c.Hotness, hot)
	if in.Flags&(ir.TailCall|ir.MustTail) != 0 {
		c.Tail = true
	}
	if hot == ir.HotnessUnknown {
		c.RelFreq = min(c.RelFreq+x.count.relative(in.Block), 1<<28-1)
	}
}

// indirectCall adds the targets that !callees and profiles tell.
func (x *funcSummary) indirectCall(in *ir.Instr) {
	for a := in.MD; a != 0; a = x.f.Attachments[a].Next {
		if x.m.MDKinds()[x.f.Attachments[a].Kind] != "callees" {
			continue
		}
		n := x.m.MD.At(x.f.Attachments[a].Node)
		for _, o := range n.Ops {
			if k := x.m.MD.At(o); k != nil && k.Kind == ir.MDConst {
				if g := k.Value.Global(); g != 0 {
					x.call(x.value(g))
				}
			}
		}
	}
	most := x.o.MaxTargets
	if x.o.MaxIndirectEdges > 0 {
		most = x.o.MaxIndirectEdges
	}
	targets, total := x.valueProfile(x.f, in, profTargets, most)
	left := total
	for _, t := range targets {
		if t.count*100 < 30*left || t.count*100 < 5*total {
			break // not worth promoting
		}
		left -= min(t.count, left)
		x.builder.s.Value(t.value)
		c := x.call(t.value)
		c.Hotness = max(c.Hotness, x.profile.hotness(t.count))
	}
}
