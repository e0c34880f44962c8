package asmprinter

import (
	"fmt"
	"slices"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
)

// End writes globals, aliases, and what closes the output.
func (p *Printer) End() error {
	p.varSection = p.firstVarSection()
	for _, id := range p.Mod.Vars {
		if err := p.global(p.Mod.Globals[id]); err != nil {
			return err
		}
	}
	for _, id := range p.Mod.Aliases {
		if err := p.alias(p.Mod.Globals[id]); err != nil {
			return err
		}
	}
	for _, id := range p.Mod.IFuncs {
		if err := p.ifunc(p.Mod.Globals[id]); err != nil {
			return err
		}
	}
	// Declarations with attributes that a linker must know.
	for id, g := range p.Mod.Globals {
		if g == nil || !g.IsDecl {
			continue
		}
		if g.Linkage == ir.ExternWeak {
			p.Out.Attribute(p.Sym(ir.GlobalID(id)), mc.AttrWeak)
		}
		p.visibility(g, p.Sym(ir.GlobalID(id)))
	}
	p.exceptionRefs()
	for _, h := range p.handlers {
		if err := h.End(asmOutput{p}); err != nil {
			return err
		}
	}
	if note := p.Ctx.Info().StackNote; note != "" {
		p.Out.SwitchSection(p.section(note, mc.SecProgBits, 0, 0, 0))
	}
	p.partitions()
	return nil
}

// global writes one variable.
func (p *Printer) global(g *ir.Global) error {
	switch {
	case g.Name == "llvm.used" || g.Name == "llvm.compiler.used" || g.Section == "llvm.metadata":
		return nil
	case g.Name == "llvm.global_ctors":
		return p.structors(g, ".init_array", mc.SecInitArray)
	case g.Name == "llvm.global_dtors":
		return p.structors(g, ".fini_array", mc.SecFiniArray)
	case g.IsDecl || g.Linkage == ir.AvailableExternally:
		return nil
	}
	s := p.Sym(g.ID)
	size, align := p.layout(g)
	zero := p.isZero(g.Init)
	p.Out.Attribute(s, mc.AttrTypeObject)
	if g.Linkage == ir.Common {
		p.visibility(g, s)
		p.Out.Common(s, max(size, 1), align)
		return nil
	}
	sec := p.dataSection(g, zero, size, align)
	if zero && g.HasLocalLinkage() && p.Ctx.SectionAt(sec).Name == ".bss" && g.TLS == ir.NotTLS && size > 0 {
		p.Out.LocalCommon(s, size, align)
		return nil
	}
	p.Out.SwitchSection(sec)
	p.linkage(g, s)
	if align > 1 {
		p.Out.Align(log2(align), 0, 0)
	}
	p.Out.Label(s)
	if zero {
		// An empty variable takes a byte, so that its address is its own.
		p.Out.Zeros(max(size, 1))
	} else if err := p.constant(&p.Mod.Consts, g.Init, g.ValueType); err != nil {
		return fmt.Errorf("global %s: %w", g.Name, err)
	} else if size == 0 {
		p.Out.Zeros(1)
	}
	p.Out.Size(s, p.Ctx.Const(int64(size)))
	return nil
}

// layout gives the size and alignment of a variable with an initializer.
func (p *Printer) layout(g *ir.Global) (size, align uint64) {
	t, dl := p.Mod.Types, p.M.Layout
	size, align = dl.SizeOf(t, g.ValueType), dl.PrefAlign(t, g.ValueType)
	if g.Align > 0 {
		// An alignment that is given is what the variable gets, but one smaller
		// than the preferred only where the section is given too.
		return size, 1 << (g.Align - 1)
	}
	return size, preferred(size, align)
}

// sectionOf is the section of a variable with an initializer.
func (p *Printer) sectionOf(g *ir.Global) mc.SectionID {
	size, align := p.layout(g)
	return p.dataSection(g, p.isZero(g.Init), size, align)
}

// preferred raises the alignment of large variables without a given one to 16, as LLVM does.
func preferred(size, align uint64) uint64 {
	if size > 128/8 && align < 16 {
		return 16
	}
	return align
}

func log2(n uint64) uint8 {
	l := uint8(0)
	for n > 1 {
		n >>= 1
		l++
	}
	return l
}

// cString returns the element size of a zero-terminated array without other
// zeros, 0 for anything else.
func (p *Printer) cString(g *ir.Global) int {
	t := p.Mod.Types
	if t.Kind(g.ValueType) != ir.KindArray || g.Init.Const() == 0 {
		return 0
	}
	c := p.Mod.Consts.At(g.Init.Const())
	n := t.IntBits(t.Elem(g.ValueType)) / 8
	if n != 1 && n != 2 && n != 4 {
		return 0
	}
	if c.Kind == ir.ConstZero && t.NumElems(g.ValueType) == 1 {
		return n // the empty string
	}
	if c.Kind != ir.ConstData {
		return 0
	}
	data := p.Mod.Consts.Data(g.Init.Const())
	for i := 0; i < len(data); i += n {
		zero := !slices.ContainsFunc(data[i:i+n], func(b byte) bool { return b != 0 })
		if zero != (i == len(data)-n) {
			return 0
		}
	}
	return n
}

// isZero reports an initializer of zero bytes only.
func (p *Printer) isZero(v ir.Value) bool {
	c := v.Const()
	if c == 0 {
		return false
	}
	r := p.Mod.Consts.At(c)
	switch r.Kind {
	case ir.ConstZero, ir.ConstNull, ir.ConstUndef, ir.ConstPoison:
		return true
	case ir.ConstInt, ir.ConstFP:
		for _, w := range p.Mod.Consts.Words(c) {
			if w != 0 {
				return false
			}
		}
		return true
	case ir.ConstData:
		for _, b := range p.Mod.Consts.Data(c) {
			if b != 0 {
				return false
			}
		}
		return true
	case ir.ConstArray, ir.ConstStruct, ir.ConstVector, ir.ConstSplat:
		for _, o := range p.Mod.Consts.Ops(c) {
			if !p.isZero(o) {
				return false
			}
		}
		return true
	}
	return false
}

// hasAddress reports an initializer that needs relocations.
func (p *Printer) hasAddress(v ir.Value) bool {
	if v.Tag() == ir.TagGlobal {
		return true
	}
	c := v.Const()
	if c == 0 {
		return false
	}
	switch p.Mod.Consts.At(c).Kind {
	case ir.ConstBlockAddr, ir.ConstDSOLocalEquivalent, ir.ConstNoCFI, ir.ConstPtrAuth:
		return true
	case ir.ConstArray, ir.ConstStruct, ir.ConstVector, ir.ConstSplat, ir.ConstExpr:
		for _, o := range p.Mod.Consts.Ops(c) {
			if p.hasAddress(o) {
				return true
			}
		}
	}
	return false
}

// structors writes constructors or destructors in the order of their priority.
func (p *Printer) structors(g *ir.Global, name string, typ mc.SectionType) error {
	type entry struct {
		prio uint64
		fn   ir.Value
		with *ir.Global // what it is about: they stay or go together
	}
	if p.isZero(g.Init) {
		return nil
	}
	var list []entry
	pool := &p.Mod.Consts
	for _, e := range pool.Ops(g.Init.Const()) {
		f := pool.Ops(e.Const())
		if len(f) < 2 || p.isZero(f[1]) {
			continue
		}
		e := entry{prio: pool.At(f[0].Const()).Bits, fn: f[1]}
		if len(f) > 2 && f[2].Global() != 0 {
			if e.with = p.Mod.Globals[f[2].Global()]; e.with.IsDecl || e.with.Linkage == ir.AvailableExternally {
				continue
			}
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b entry) int { return int(a.prio) - int(b.prio) })
	for _, e := range list {
		n := name
		if e.prio != 65535 {
			n = fmt.Sprintf("%s.%d", name, e.prio)
		}
		sec := mc.Section{Name: n, Type: typ, Flags: mc.FlagAlloc | mc.FlagWrite, Unique: mc.GenericSection}
		if e.with != nil {
			sec.Group, sec.Comdat = p.Ctx.At(p.Sym(e.with.ID)).Name, true
			sec.Flags |= mc.FlagGroup
		}
		p.Out.SwitchSection(p.Ctx.Section(sec))
		p.Out.Align(log2(p.M.Layout.PointerSize(0)), 0, 0)
		if err := p.constant(pool, e.fn, ir.Ptr); err != nil {
			return err
		}
	}
	return nil
}

// ifunc writes a function that a resolver chooses when the program is loaded.
func (p *Printer) ifunc(g *ir.Global) error {
	e, err := p.expr(&p.Mod.Consts, g.Init)
	if err != nil {
		return fmt.Errorf("ifunc %s: %w", g.Name, err)
	}
	s := p.Sym(g.ID)
	p.linkage(g, s)
	p.Out.Attribute(s, mc.AttrTypeIFunc)
	p.Out.Assign(s, p.mcExpr(e))
	return nil
}

// partitions says which parts of the program globals are to be in.
func (p *Printer) partitions() {
	const symPart = mc.SectionType(0x6fff4c05) // SHT_LLVM_SYMPART
	n := uint32(0)
	for _, list := range [...][]ir.GlobalID{p.Mod.Funcs, p.Mod.Vars, p.Mod.Aliases, p.Mod.IFuncs} {
		for _, id := range list {
			g := p.Mod.Globals[id]
			if g.Partition == "" || g.Visibility != ir.DefaultVisibility || g.IsDecl {
				continue
			}
			n++
			p.Out.SwitchSection(p.Ctx.Section(mc.Section{Name: ".llvm_sympart", Type: symPart, Unique: n}))
			p.Out.Bytes(append([]byte(g.Partition), 0))
			p.Out.Value(p.Ctx.Ref(p.Sym(id), mc.ModNone), int(p.M.Layout.PointerSize(0)))
		}
	}
}

// alias writes another name for an expression.
func (p *Printer) alias(g *ir.Global) error {
	e, err := p.expr(&p.Mod.Consts, g.Init)
	if err != nil {
		return fmt.Errorf("alias %s: %w", g.Name, err)
	}
	s := p.Sym(g.ID)
	p.linkage(g, s)
	if p.Mod.Types.Kind(g.ValueType) == ir.KindFunction {
		p.Out.Attribute(s, mc.AttrTypeFunction)
	}
	p.Out.Assign(s, p.mcExpr(e))
	return nil
}
