package irsummary

import (
	"slices"

	"github.com/mirin-go/mirin/ir"
)

// Options control Build. The zero value is LLVM's default.
type Options struct {
	// MaxVTables is the number of profiled vtables that a load refers to, 6 when 0.
	MaxVTables int
	// MaxTargets is the number of targets of a profiled indirect call, 3 when 0.
	MaxTargets int
	// MaxIndirectEdges takes the place of MaxTargets when above 0.
	MaxIndirectEdges int
}

// builder summarises one module.
type builder struct {
	m        *ir.Module
	dl       *ir.DataLayout
	o        Options
	s        *ir.Summary
	profile  profile
	thin     bool
	guids    []uint64 // by GlobalID
	promoted map[uint64]bool
	// flags are those of the module by name.
	flags map[string]int64
}

// Build summarises a module. Its globals must have names.
func Build(m *ir.Module, o Options) *ir.Summary {
	if o.MaxVTables == 0 {
		o.MaxVTables = 6
	}
	if o.MaxTargets == 0 {
		o.MaxTargets = 3
	}
	dl, err := ir.ParseDataLayout(m.DataLayout)
	if err != nil {
		dl, _ = ir.ParseDataLayout("")
	}
	b := &builder{m: m, dl: dl, o: o, promoted: map[uint64]bool{}}
	b.s = &ir.Summary{Modules: []ir.SummaryModule{{}}}
	b.moduleFlags()
	b.thin = true
	if v, ok := b.flags["ThinLTO"]; ok {
		b.thin = v != 0
	}
	b.s.FullLTO = !b.thin
	if b.flags["EnableSplitLTOUnit"] != 0 {
		b.s.Flags |= ir.SummarySplitLTOUnit
	}
	if b.flags["UnifiedLTO"] != 0 {
		b.s.Flags |= ir.SummaryUnifiedLTO
	}
	b.guids = make([]uint64, len(m.Globals))
	for i := 1; i < len(m.Globals); i++ {
		b.guids[i] = m.GUID(ir.GlobalID(i))
	}
	b.profile.read(b)
	used := b.usedLocals()
	asm := len(used) > 0 || len(m.ModuleAsm) > 0
	for _, id := range m.Funcs {
		if f := m.Globals[id].Func; f != nil {
			b.function(f, asm)
		}
	}
	for _, id := range m.Vars {
		if g := m.Globals[id]; !g.IsDecl {
			b.variable(g)
		}
	}
	for _, id := range m.Aliases {
		b.alias(m.Globals[id])
	}
	for _, id := range m.IFuncs {
		if x := b.of(b.base(m.Globals[id].Init)); x != nil {
			x.Live = true
		}
	}
	for _, id := range used {
		if x := b.of(id); x != nil {
			x.NotEligible = true
		}
	}
	for _, name := range [...]string{"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors", "llvm.global.annotations"} {
		if id := m.Lookup(name); id != 0 {
			if x := b.of(id); x != nil {
				x.Live = true
			}
		}
	}
	b.eligibility()
	b.s.Sort()
	return b.s
}

// of returns the summary of a global, nil when it has none.
func (b *builder) of(id ir.GlobalID) *ir.GlobalSummary {
	if id == 0 {
		return nil
	}
	if v := b.s.Find(b.guids[id]); v != nil && len(v.Summaries) > 0 {
		return &v.Summaries[0]
	}
	return nil
}

// value makes sure that the index has a global and returns its GUID.
func (b *builder) value(id ir.GlobalID) uint64 {
	b.s.Value(b.guids[id]).Name = b.m.Globals[id].Name
	return b.guids[id]
}

func (b *builder) add(id ir.GlobalID, g ir.GlobalSummary) {
	v := b.s.Value(b.value(id))
	v.Summaries = append(v.Summaries, g)
}

// eligibility marks what refers to locals that cannot be renamed.
func (b *builder) eligibility() {
	for i := range b.s.Values {
		v := &b.s.Values[i]
		if len(v.Summaries) == 0 {
			continue
		}
		g := &v.Summaries[0]
		if !b.thin || slices.ContainsFunc(g.Refs, func(r ir.SummaryRef) bool { return b.promoted[r.GUID] }) ||
			slices.ContainsFunc(g.Calls, func(c ir.SummaryCall) bool { return b.promoted[c.Callee] }) {
			g.NotEligible = true
		}
	}
}

// moduleFlags reads !llvm.module.flags with integer values.
func (b *builder) moduleFlags() {
	b.flags = map[string]int64{}
	for _, l := range b.m.NamedMD {
		if l.Name != "llvm.module.flags" {
			continue
		}
		for _, id := range l.Nodes {
			n := b.m.MD.At(id)
			if n == nil || len(n.Ops) != 3 {
				continue
			}
			if k := b.m.MD.At(n.Ops[1]); k != nil && k.Kind == ir.MDString {
				if v, ok := b.mdInt(n.Ops[2]); ok {
					b.flags[k.Str] = v
				}
				if k.Str == "ProfileSummary" {
					b.profile.node = n.Ops[2]
				}
			}
		}
	}
}

// mdInt returns the number of a constant in metadata.
func (b *builder) mdInt(id ir.MDID) (int64, bool) {
	n := b.m.MD.At(id)
	if n == nil || n.Kind != ir.MDConst {
		return 0, false
	}
	return b.m.Consts.SignedInt(b.m.Types, n.Value)
}

func (b *builder) mdString(id ir.MDID) string {
	if n := b.m.MD.At(id); n != nil && n.Kind == ir.MDString {
		return n.Str
	}
	return ""
}

// usedLocals lists the local globals that llvm.used names: they keep their names.
func (b *builder) usedLocals() (out []ir.GlobalID) {
	id := b.m.Lookup("llvm.used")
	if id == 0 {
		return nil
	}
	c := b.m.Globals[id].Init.Const()
	if c == 0 {
		return nil
	}
	if k := b.m.Consts.At(c).Kind; k != ir.ConstArray && k != ir.ConstVector {
		return nil
	}
	for _, v := range b.m.Consts.Ops(c) {
		if g := strip(&b.m.Consts, v).Global(); g != 0 && b.m.Globals[g].HasLocalLinkage() {
			out = append(out, g)
			b.promoted[b.guids[g]] = true
		}
	}
	return out
}

// strip takes casts and getelementptr with zero indices off a constant.
func strip(p *ir.ConstPool, v ir.Value) ir.Value {
	for c := v.Const(); c != 0; c = v.Const() {
		r := p.At(c)
		if r.Kind != ir.ConstExpr {
			break
		}
		switch {
		case r.Op == ir.OpBitCast || r.Op == ir.OpAddrSpaceCast:
		case r.Op == ir.OpGEP && !slices.ContainsFunc(p.Ops(c)[1:], func(o ir.Value) bool { return o.Const() == 0 || !p.IsNullValue(o.Const()) }):
		default:
			return v
		}
		v = p.Ops(c)[0]
	}
	return v
}

// base returns the object that an aliasee stands for, 0 when it is none.
func (b *builder) base(v ir.Value) ir.GlobalID {
	for range len(b.m.Globals) + 8 {
		if g := v.Global(); g != 0 {
			if x := b.m.Globals[g]; x.Kind == ir.GlobalAlias {
				v = x.Init
				continue
			}
			return g
		}
		c := v.Const()
		if c == 0 || b.m.Consts.At(c).Kind != ir.ConstExpr {
			return 0
		}
		v = b.m.Consts.Ops(c)[0]
	}
	return 0
}

// common fills in what all summaries have.
func (b *builder) common(g *ir.Global) ir.GlobalSummary {
	pinned := g.HasLocalLinkage() && g.Section != ""
	if pinned {
		b.promoted[b.guids[g.ID]] = true
	}
	hide := g.Linkage == ir.LinkOnceODR && (g.Unnamed == ir.GlobalUnnamedAddr ||
		g.Unnamed == ir.LocalUnnamedAddr && (g.Kind != ir.GlobalVar || g.Constant))
	return ir.GlobalSummary{Linkage: g.Linkage, Visibility: g.Visibility, NotEligible: pinned, DSOLocal: g.DSOLocal, CanAutoHide: hide}
}

func (b *builder) alias(g *ir.Global) {
	id := b.base(g.Init)
	if id == 0 || b.m.Globals[id].Kind == ir.GlobalIFunc {
		return
	}
	s := b.common(g)
	s.Kind = ir.AliasSummary
	s.Aliasee = b.value(id)
	b.add(g.ID, s)
}

func (b *builder) variable(g *ir.Global) {
	s := b.common(g)
	s.Kind = ir.VariableSummary
	r := refs{b: b, pool: &b.m.Consts}
	r.visit(g.Init)
	if r.blockAddress || r.localIFunc {
		s.NotEligible = true
	}
	for _, x := range r.list {
		s.Refs = append(s.Refs, ir.SummaryRef{GUID: x})
	}
	var types []ir.MDID
	for _, a := range g.MD {
		switch b.m.MDKinds()[a.Kind] {
		case "type":
			types = append(types, a.Node)
		case "vcall_visibility":
			if n := b.m.MD.At(a.Node); n != nil && len(n.Ops) > 0 {
				v, _ := b.mdInt(n.Ops[0])
				s.VarFlags = s.VarFlags.WithVCallVisibility(uint64(v))
			}
		}
	}
	if len(types) > 0 && b.s.Flags&ir.SummarySplitLTOUnit == 0 {
		if g.Constant {
			b.vtable(&s, g.Init, 0)
		}
		b.compatible(g, types)
	}
	interposable := g.Linkage == ir.WeakAny || g.Linkage == ir.LinkOnceAny || g.Linkage == ir.ExternWeak || g.Linkage == ir.Common
	if g.Comdat == 0 && g.Linkage != ir.Appending && !interposable && g.Linkage != ir.AvailableExternally && g.DLL != ir.DLLExport {
		s.VarFlags |= ir.SummaryMaybeReadOnly
		if !g.Constant {
			s.VarFlags |= ir.SummaryMaybeWriteOnly
		}
	}
	if g.Constant {
		s.VarFlags |= ir.SummaryConstant
	}
	b.add(g.ID, s)
}

// vtable lists the functions in a vtable with their offsets.
func (b *builder) vtable(s *ir.GlobalSummary, v ir.Value, off uint64) {
	p := &b.m.Consts
	if id := strip(p, v).Global(); id != 0 {
		x := b.m.Globals[id]
		fn := x.Kind == ir.GlobalFunc
		if a := x.Init.Global(); x.Kind == ir.GlobalAlias && a != 0 {
			fn = b.m.Globals[a].Kind == ir.GlobalFunc
		}
		if fn && x.Name != "__cxa_pure_virtual" {
			s.VTableFuncs = append(s.VTableFuncs, ir.SummaryVTableFunc{Func: b.value(id), Offset: off})
		}
		return
	}
	c := v.Const()
	if c == 0 {
		return
	}
	switch r := p.At(c); r.Kind {
	case ir.ConstStruct:
		for i, o := range p.Ops(c) {
			b.vtable(s, o, off+b.dl.StructOffset(b.m.Types, r.Type, i))
		}
	case ir.ConstArray:
		size := b.dl.AllocSize(b.m.Types, b.m.Types.Elem(r.Type))
		for i, o := range p.Ops(c) {
			b.vtable(s, o, off+uint64(i)*size)
		}
	}
}

// compatible notes the type identifiers that a vtable is compatible with.
func (b *builder) compatible(g *ir.Global, types []ir.MDID) {
	for _, t := range types {
		n := b.m.MD.At(t)
		if n == nil || len(n.Ops) != 2 {
			continue
		}
		off, ok := b.mdInt(n.Ops[0])
		x := b.m.MD.At(n.Ops[1])
		if !ok || x == nil || x.Kind != ir.MDString {
			continue
		}
		i := slices.IndexFunc(b.s.VTables, func(v ir.SummaryVTables) bool { return v.Name == x.Str })
		if i < 0 {
			i = len(b.s.VTables)
			b.s.VTables = append(b.s.VTables, ir.SummaryVTables{Name: x.Str})
		}
		b.s.VTables[i].VTables = append(b.s.VTables[i].VTables, ir.SummaryVTable{Offset: uint64(off), GUID: b.value(g.ID)})
	}
}
