package irpass

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// Run is a run of passes over a module. Numbers that keep things apart go through all of its functions.
type Run struct {
	M      *ir.Module
	layout *ir.DataLayout
	// barriers numbers calls of llvm.bpf.passthrough, typeIDs variables that stand for numbers of types.
	barriers uint32
	typeIDs  int
	// NoSerialize and NoAvoid leave parts of bpf-adjust-opt out.
	NoSerialize, NoAvoid bool
	// Warn takes what StaticOffset has to say of an access.
	Warn func(f *ir.Function, loc ir.MDID, text string)
}

// NewRun begins a run over a module of a layout.
func NewRun(m *ir.Module, layout *ir.DataLayout) *Run { return &Run{M: m, layout: layout} }

// A Pass is one of the passes, for commands.
type Pass struct {
	Name, Title string
	run         func(r *Run, f *ir.Function) error
	module      func(r *Run)
}

// Passes lists the passes.
func Passes() []Pass {
	return []Pass{
		{Name: "bpf-check-and-opt-ir", Title: "BPF Check And Adjust IR", run: func(_ *Run, f *ir.Function) error { return CheckAndOpt(f) },
			module: func(r *Run) { AssignSections(r.M) }},
		{Name: "bpf-abstract-member-access", Title: "BPF Abstract Member Access", run: (*Run).MemberAccess},
		{Name: "bpf-preserve-di-type", Title: "BPF Preserve Debuginfo Type", run: (*Run).DIType},
		{Name: "bpf-adjust-opt", Title: "BPF Adjust Optimization", run: func(r *Run, f *ir.Function) error { r.AdjustOpt(f); return nil }},
		{Name: "bpf-preserve-static-offset", Title: "BPF Preserve Static Offset",
			run: func(r *Run, f *ir.Function) error { return r.StaticOffset(f, false) }},
		{Name: "bpf-preserve-static-offset<allow-partial>", Title: "BPF Preserve Static Offset, what is not known yet left",
			run: func(r *Run, f *ir.Function) error { return r.StaticOffset(f, true) }},
		{Name: "bpf-aspace-simplify", Title: "BPF Address Space Cast Simplification", run: func(_ *Run, f *ir.Function) error { SimplifySpaces(f); return nil }},
	}
}

// Run runs a pass over all functions.
func (r *Run) Run(p *Pass) error {
	for _, id := range r.M.Funcs {
		f := r.M.Globals[id].Func
		if f == nil {
			continue
		}
		if err := p.run(r, f); err != nil {
			return err
		}
		intrin.Declare(f)
	}
	if p.module != nil {
		p.module(r)
	}
	return nil
}

// accessAttachment is the kind of metadata that tells the type of an access.
const accessAttachment = "llvm.preserve.access.index"

// attachment is the node that stands at an instruction under a kind, 0 for none.
func attachment(f *ir.Function, i ir.InstrID, kind string) ir.MDID {
	for a := f.Instrs[i].MD; a != 0; a = f.Attachments[a].Next {
		if f.Module.MDKinds()[f.Attachments[a].Kind] == kind {
			return f.Attachments[a].Node
		}
	}
	return 0
}

// subprogramOf describes a function, nil where nothing does.
func subprogramOf(m *ir.Module, g *ir.Global) *ir.MDNode {
	for _, a := range g.MD {
		if n := m.MD.At(a.Node); n != nil && n.Str == "DISubprogram" {
			return n
		}
	}
	return nil
}

// at returns a node, nil for 0.
func (r *Run) at(id ir.MDID) *ir.MDNode {
	if id == 0 {
		return nil
	}
	return r.M.MD.At(id)
}

// list returns the nodes of a tuple, none for 0.
func (r *Run) list(id ir.MDID) []ir.MDID {
	if n := r.at(id); n != nil && n.Kind == ir.MDTuple {
		return n.Ops
	}
	return nil
}

// relocation is the variable of a name that stands for a relocation, of a type.
func (r *Run) relocation(name string, t ir.Type, attr string, root ir.MDID) ir.GlobalID {
	if id := r.M.Lookup(name); id != 0 {
		return id
	}
	attrs := r.M.Attrs.Intern(&ir.AttrList{Fn: ir.AttrSet{{Key: attr, IsString: true}}})
	return r.M.AddGlobal(&ir.Global{Kind: ir.GlobalVar, Name: name, ValueType: t, IsDecl: true, Attrs: attrs,
		MD: []ir.Attachment{{Kind: r.M.MDKind(accessAttachment), Node: root}}})
}

// loadFrom reads a variable before an instruction.
func (r *Run) loadFrom(f *ir.Function, at ir.InstrID, g ir.GlobalID, t ir.Type) ir.Value {
	align := uint8(3)
	if t == ir.Int64 {
		align = 4
	}
	return ir.Local(insert(f, at, ir.Instr{Op: ir.OpLoad, Type: t, SrcType: t, Align: align}, ir.GlobalVal(g)))
}

// passThrough puts a barrier between a value and those that use it, before an instruction:
// optimizers know nothing of its result, and no two are equal.
func (r *Run) passThrough(f *ir.Function, at ir.InstrID, v ir.Value) ir.Value {
	t := f.TypeOf(v)
	seq := ir.ConstVal(f.Consts.Int(ir.Int32, uint64(r.barriers)))
	r.barriers++
	ft := f.Module.Types.Func(t, []ir.Type{ir.Int32, t}, false)
	return ir.Local(insert(f, at, ir.Instr{Op: ir.OpCall, Type: t, SrcType: ft}, seq, v, ir.IntrinsicVal(numbersOf().passthrough)))
}

// numbers are the intrinsics that are BPF's alone.
type numbers struct {
	passthrough, compare, gepLoad, gepStore, fieldInfo, typeInfo, enumValue, typeID ir.Intrinsic
}

func numbersOf() numbers {
	return numbers{
		passthrough: ir.LookupIntrinsic("llvm.bpf.passthrough"), compare: ir.LookupIntrinsic("llvm.bpf.compare"),
		gepLoad: ir.LookupIntrinsic("llvm.bpf.getelementptr.and.load"), gepStore: ir.LookupIntrinsic("llvm.bpf.getelementptr.and.store"),
		fieldInfo: ir.LookupIntrinsic("llvm.bpf.preserve.field.info"), typeInfo: ir.LookupIntrinsic("llvm.bpf.preserve.type.info"),
		enumValue: ir.LookupIntrinsic("llvm.bpf.preserve.enum.value"), typeID: ir.LookupIntrinsic("llvm.bpf.btf.type.id"),
	}
}
