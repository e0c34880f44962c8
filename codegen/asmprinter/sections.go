package asmprinter

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target"
)

// This file chooses the sections of functions and variables.

// uniqueTable is what the numbers of functions' jump tables count from, where sections that
// share a name are told apart.
const uniqueTable = uint32(1 << 29)

// secChoice is a section on the way: base is its name without the global's, own says that
// the global has one to itself.
type secChoice struct {
	base  string
	typ   mc.SectionType
	flags mc.SectionFlags
	ent   int
	own   bool
}

// choose makes the section of global g; unique tells it apart where its name does not.
func (p *Printer) choose(g *ir.Global, c *secChoice, unique uint32) mc.SectionID {
	s := mc.Section{Name: c.base, Type: c.typ, Flags: c.flags, EntSize: uint32(c.ent), Unique: mc.GenericSection}
	if s.Type == 0 {
		s.Type = mc.SecProgBits
	}
	if with, ok := p.associated(g); ok {
		s.Flags |= mc.FlagLinkOrder
		s.LinkedTo, c.own = with, true
		if g.Section != "" {
			s.Unique = unique
		}
	}
	switch {
	case g.Section != "" || !c.own:
	case p.M.Options.SharedSectionNames:
		s.Unique = unique
	default:
		s.Name += "." + g.Name
	}
	p.intoGroup(&s, p.group(g))
	return p.Ctx.Section(s)
}

// associated is the symbol of the global that metadata says g goes with: 0 where that is gone.
func (p *Printer) associated(g *ir.Global) (mc.Sym, bool) {
	for _, a := range g.MD {
		if p.Mod.MDKinds()[a.Kind] != "associated" {
			continue
		}
		if n := p.Mod.MD.At(a.Node); n != nil && len(n.Ops) > 0 {
			if v := p.Mod.MD.At(n.Ops[0]); v != nil && v.Value.Global() != 0 {
				return p.Sym(v.Value.Global()), true
			}
		}
		return 0, true
	}
	return 0, false
}

// large makes the choice one of those that may be anywhere in memory, where the global is.
func (p *Printer) large(g *ir.Global, c *secChoice) {
	if !p.M.IsLarge(p.Mod, g) {
		return
	}
	for _, f := range p.Ctx.Info().SectionFlags {
		if f.Letter == 'l' {
			c.flags |= f.Flag
		}
	}
	if g.Section == "" {
		c.base = ".l" + c.base[1:]
	}
}

func (p *Printer) funcSection(g *ir.Global) mc.SectionID {
	c := secChoice{base: ".text", flags: mc.FlagAlloc | mc.FlagExec, own: p.M.Options.FunctionSections || p.group(g) != 0}
	if g.Section != "" {
		c.base = g.Section
	}
	p.large(g, &c)
	return p.choose(g, &c, uint32(p.funcNum)+1)
}

// dataSection chooses where a variable goes.
func (p *Printer) dataSection(g *ir.Global, zero bool, size, align uint64) mc.SectionID {
	const rw = mc.FlagAlloc | mc.FlagWrite
	c := secChoice{own: p.M.Options.DataSections || p.group(g) != 0}
	thread := g.TLS != ir.NotTLS
	if h := p.Hooks.Section; h != nil && g.Section == "" {
		if s := h(g); s != "" {
			return p.section(s, mc.SecProgBits, rw, 0, p.group(g))
		}
	}
	switch {
	case g.Section != "":
		c.base, c.flags, c.typ = g.Section, mc.FlagAlloc, sectionType(g.Section)
		if !g.Constant {
			c.flags |= mc.FlagWrite
		}
		if thread {
			c.flags |= mc.FlagTLS
		}
	case thread && zero:
		c.base, c.typ, c.flags = ".tbss", mc.SecNoBits, rw|mc.FlagTLS
	case thread:
		c.base, c.flags = ".tdata", rw|mc.FlagTLS
	case !g.Constant && zero:
		c.base, c.typ, c.flags = ".bss", mc.SecNoBits, rw
	case !g.Constant:
		c.base, c.flags = ".data", rw
	case p.hasAddress(g.Init) && p.M.Options.Reloc == target.RelocPIC:
		c.base, c.flags = ".data.rel.ro", rw
	default:
		c.base, c.flags = ".rodata", mc.FlagAlloc
		p.mergeable(g, &c, size, align)
	}
	p.large(g, &c)
	id := p.choose(g, &c, p.varSection)
	if p.Ctx.SectionAt(id).Unique == p.varSection {
		p.varSection++
	}
	return id
}

// firstVarSection is the first number of a variable's section: those of functions have theirs,
// where they need numbers.
func (p *Printer) firstVarSection() uint32 {
	n := uint32(1)
	if p.M.Options.SharedSectionNames && p.M.Options.FunctionSections {
		for _, id := range p.Mod.Funcs {
			if g := p.Mod.Globals[id]; !g.IsDecl && g.Linkage != ir.AvailableExternally {
				n++
			}
		}
	}
	return n
}

// mergeable has constants whose address is nobody's be joined with equal ones.
func (p *Printer) mergeable(g *ir.Global, c *secChoice, size, align uint64) {
	if g.Unnamed != ir.GlobalUnnamedAddr || p.hasAddress(g.Init) || p.group(g) != 0 {
		return
	}
	if n := p.cString(g); n > 0 && align <= uint64(n) {
		c.base, c.flags, c.ent, c.own = ".rodata.str"+strconv.Itoa(n)+"."+strconv.Itoa(int(align)), mc.FlagAlloc|mc.FlagMerge|mc.FlagStrings, n, false
	} else if size == 4 || size == 8 || size == 16 || size == 32 {
		c.base, c.flags, c.ent, c.own = ".rodata.cst"+strconv.Itoa(int(size)), mc.FlagAlloc|mc.FlagMerge, int(size), false
	}
}

// sectionType is the type that a section of a given name has.
func sectionType(name string) mc.SectionType {
	is := func(base string) bool {
		return name == base || len(name) > len(base) && name[:len(base)] == base && name[len(base)] == '.'
	}
	switch {
	case is(".init_array"):
		return mc.SecInitArray
	case is(".fini_array"):
		return mc.SecFiniArray
	case is(".preinit_array"):
		return mc.SecPreinitArray
	case is(".note"):
		return mc.SecNote
	case is(".bss"), is(".tbss"), is(".lbss"):
		return mc.SecNoBits
	}
	return mc.SecProgBits
}
