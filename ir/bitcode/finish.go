package bitcode

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/autoupgrade"
)

// finish gives what the bodies made for the module its final ids, in the order
// of the functions, and runs the upgrades.
func (r *reader) finish() {
	for i := range r.md.ids {
		if r.md.ids[i] != 0 && !r.m.MD.Has(r.md.ids[i]) {
			// Mentioned, never defined: an empty node, as LLVM leaves it.
			r.m.MD.Set(r.md.ids[i], &ir.MDNode{Kind: ir.MDTuple})
		}
	}
	f := finisher{r: r, m: r.m, locs: r.moduleLocs()}
	for i := range r.bodies {
		b := &r.bodies[i]
		f.body(b.done)
		g := r.globals[b.global]
		g.Func = b.done.fn
		for _, a := range b.done.attach {
			g.MD = append(g.MD, ir.Attachment{Kind: a.Kind, Node: f.md(a.Node)})
		}
		for _, u := range b.done.uses {
			r.m.AddUseOrder(u.v, u.indexes)
		}
		b.done = nil
	}
	if !r.blockAddrs() {
		r.fail("Invalid ID")
		return
	}
	for _, s := range autoupgrade.Bitcode(r.m) {
		switch {
		case strings.HasPrefix(s, autoupgrade.Fatal):
			r.fail("%s", s)
			return
		case r.o.Warn != nil:
			r.o.Warn(s)
		}
	}
	r.linkerOptions()
	r.fixProfiles()
	r.fixDeclares()
	r.fixLoops()
}

// fixProfiles drops branch weights that are not as many as there are branches.
func (r *reader) fixProfiles() {
	kind := r.m.MDKind("prof")
	for _, id := range r.m.Funcs {
		f := r.m.Globals[id].Func
		if f == nil || len(f.Attachments) < 2 {
			continue
		}
		for i := ir.InstrID(1); int(i) < len(f.Instrs); i++ {
			f.DeleteAttachments(i, func(a *ir.Attachment) bool { return a.Kind == kind && r.wrongWeights(f, i, a.Node) })
		}
	}
}

// wrongWeights reports branch weights whose number does not fit the instruction.
func (r *reader) wrongWeights(f *ir.Function, i ir.InstrID, node ir.MDID) bool {
	n := r.m.MD.At(node)
	if n == nil || len(n.Ops) == 0 {
		return false
	}
	str := func(k int) string {
		if k < len(n.Ops) {
			if s := r.m.MD.At(n.Ops[k]); s != nil && s.Kind == ir.MDString {
				return s.Str
			}
		}
		return ""
	}
	if str(0) != "branch_weights" {
		return false
	}
	want := 1
	if str(1) == "expected" {
		want = 2
	}
	switch ops := f.Ops(i); f.Instr(i).Op {
	case ir.OpBr, ir.OpSwitch, ir.OpIndirectBr:
		for _, v := range ops {
			if v.Tag() == ir.TagBlock {
				want++
			}
		}
	case ir.OpCall:
		want++
	case ir.OpSelect:
		want += 2
	default:
		return false
	}
	return len(n.Ops) != want
}

// blockAddrs reports whether the blocks that blockaddress names are there.
func (r *reader) blockAddrs() bool {
	good := func(p *ir.ConstPool) bool {
		for c := 1; c < p.Len(); c++ {
			k := p.At(ir.ConstID(c))
			if k.Kind != ir.ConstBlockAddr || int(k.Off) >= len(r.m.Globals) {
				continue
			}
			if f := r.m.Globals[k.Off].Func; f != nil && k.Bits >= uint64(len(f.Blocks)) {
				return false
			}
		}
		return true
	}
	if !good(&r.m.Consts) {
		return false
	}
	for i := range r.bodies {
		if f := r.globals[r.bodies[i].global].Func; f != nil && !good(&f.Consts) {
			return false
		}
	}
	return true
}

// linkerOptions makes named metadata of the options that a module flag held.
func (r *reader) linkerOptions() {
	const name = "llvm.linker.options"
	var options *ir.MDNode
	for i := range r.m.NamedMD {
		l := &r.m.NamedMD[i]
		if l.Name == name {
			return
		}
		if l.Name != "llvm.module.flags" {
			continue
		}
		for _, id := range l.Nodes {
			n := r.m.MD.At(id)
			if n == nil || len(n.Ops) != 3 {
				continue
			}
			if k := r.m.MD.At(n.Ops[1]); k != nil && k.Kind == ir.MDString && k.Str == "Linker Options" {
				options = r.m.MD.At(n.Ops[2])
			}
		}
	}
	if options != nil && options.Kind == ir.MDTuple {
		list := ir.NamedMD{Name: name}
		for _, id := range options.Ops {
			if n := r.m.MD.At(id); n != nil && n.Kind == ir.MDTuple {
				list.Nodes = append(list.Nodes, id)
			}
		}
		r.m.NamedMD = append(r.m.NamedMD, list)
	}
}

// finisher moves the things of one body into the module.
type finisher struct {
	r     *reader
	m     *ir.Module
	d     *doneBody
	final []ir.MDID
	ids   []ir.MDID // of the body's locations
	asms  []uint32
	locs  *locSet
}

// moduleLocs finds the uniqued locations that module metadata has.
func (r *reader) moduleLocs() *locSet {
	n := 0
	for i := range r.bodies {
		n += len(r.bodies[i].done.locs)
	}
	locs := newLocSet(&r.m.MD, n)
	for i := 1; i < r.m.MD.Len(); i++ {
		if l, ok := r.m.MD.Location(ir.MDID(i)); ok && !l.Distinct {
			locs.put(ir.MDID(i), &l)
		}
	}
	return locs
}

// location returns the module's node of a location.
func (f *finisher) location(l ir.DILocation) ir.MDID {
	if l.Distinct {
		return f.m.MD.AddLocation(l)
	}
	id := f.locs.get(&l)
	if id == 0 {
		id = f.m.MD.AddLocation(l)
		f.locs.put(id, &l)
	}
	return id
}

func (f *finisher) body(d *doneBody) {
	f.d = d
	f.final = append(f.final[:0], make([]ir.MDID, len(d.mds))...)
	f.asms = append(f.asms[:0], make([]uint32, len(d.asms))...)
	fn := d.fn
	for i, n := range d.mds {
		// Locations of the body are the module's where it has them.
		if l, ok := d.mdLocs[ir.MDID(i)]; ok && n == nil && !l.Distinct {
			f.md(ir.MDID(i) | provisional)
		}
	}
	for _, i := range d.opAt {
		fn.Operands[i] = f.value(fn.Operands[i])
	}
	for _, x := range d.extra {
		for _, b := range fn.Extras[x].Bundles {
			for i := range b.Args {
				b.Args[i] = f.value(b.Args[i])
			}
		}
	}
	f.ids = append(f.ids[:0], make([]ir.MDID, len(d.locs))...)
	ids := f.ids
	for i := 1; i < len(d.locs); i++ {
		l := d.locs[i]
		l.Scope, l.InlinedAt = f.md(l.Scope), f.md(l.InlinedAt)
		ids[i] = f.location(l)
	}
	for _, i := range d.locAt {
		fn.Instrs[i].Loc = ids[fn.Instrs[i].Loc]
	}
	for i := range fn.Attachments {
		fn.Attachments[i].Node = f.md(fn.Attachments[i].Node)
	}
	for i := range fn.DbgRecords {
		x := &fn.DbgRecords[i]
		for k := range x.Args {
			x.Args[k] = f.md(x.Args[k])
		}
		x.Loc = f.md(x.Loc)
	}
}

func (f *finisher) value(v ir.Value) ir.Value {
	switch {
	case v.Tag() == ir.TagMetadata:
		return ir.MDVal(f.md(v.MD()))
	case v.Tag() == ir.TagInlineAsm && v.Index()&provisional != 0:
		i := v.Index() &^ provisional
		if f.asms[i] == 0 {
			f.asms[i] = f.m.AddInlineAsm(f.d.asms[i])
		}
		return ir.AsmVal(f.asms[i])
	}
	return v
}

// mdOpen is the final id of a location while what it refers to is moved.
const mdOpen = ^ir.MDID(0)

// md moves a node and what it refers to.
func (f *finisher) md(id ir.MDID) ir.MDID {
	if id&provisional == 0 {
		return id
	}
	i := id &^ provisional
	switch f.final[i] {
	case 0:
	case mdOpen: // it contains itself
		f.final[i] = f.m.MD.Reserve()
		return f.final[i]
	default:
		return f.final[i]
	}
	n := f.d.mds[i]
	if l, ok := f.d.mdLocs[i]; ok && n == nil {
		f.final[i] = mdOpen
		l.Scope, l.InlinedAt = f.md(l.Scope), f.md(l.InlinedAt)
		if f.final[i] == mdOpen {
			f.final[i] = f.location(l)
		} else {
			f.m.MD.SetLocation(f.final[i], l)
		}
		return f.final[i]
	}
	if n == nil {
		n = &ir.MDNode{Kind: ir.MDTuple}
	}
	empty := n.Kind == ir.MDTuple && len(n.Ops) == 0 && !n.Distinct
	if empty && f.r.emptyNode != 0 {
		f.final[i] = f.r.emptyNode
		return f.final[i]
	}
	final := f.m.MD.Add(n)
	f.final[i] = final
	if empty {
		f.r.emptyNode = final
	}
	for k := range n.Ops {
		n.Ops[k] = f.md(n.Ops[k])
	}
	for k := range n.Fields {
		n.Fields[k].Node = f.md(n.Fields[k].Node)
	}
	if n.Kind == ir.MDConst {
		if n.Value.Tag() == ir.TagConst {
			n.Value = f.m.Consts.CopyFrom(f.d.mdPool, n.Value)
		} else {
			n.Value = f.value(n.Value)
		}
	}
	return final
}
