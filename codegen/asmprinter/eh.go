package asmprinter

import (
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/objabi"
	"github.com/mirin-go/mirin/target"
)

// The exception tables ("LSDA") that personality routines of the Itanium C++
// ABI read; their form is that of GCC's "Exception Handling Tables" and the LSB
// Core specification, 10.6. A table tells for each range of calls where its
// landing pad is and what it catches. It is made from the machine function
// alone, with the clauses of its IR (see codegen/globalisel, irtranslator_eh.go).

// callSite is a range of code and where exceptions out of it go; pad 0 is the caller.
type callSite struct {
	begin, end, pad mc.Sym
	action          int // 1 + offset of the first action, 0 for a cleanup
}

// ehTable collects the table of one function.
type ehTable struct {
	pads    *ir.LandingPads
	sites   []callSite
	actions []byte
	index   map[[2]int]int // offsets of actions by number and next action
}

// hasPads reports whether the function has landing pads.
func (p *Printer) hasPads() bool {
	f := p.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if f.Block(b).Flags&mir.EHPad != 0 {
			return true
		}
	}
	return false
}

// beginExceptions writes what unwinding must know at the start of the function.
func (p *Printer) beginExceptions(g *ir.Global) error {
	if g.Persona == 0 || g.Persona.Tag() != ir.TagGlobal {
		return p.st.NotSupported(p.f, "exception handling with this personality")
	}
	routine := p.Sym(g.Persona.Global())
	enc, err := p.ehEncodings()
	if err != nil {
		return err
	}
	if enc.Personality&mc.EncIndirect != 0 {
		routine = p.reference(g.Persona.Global())
	}
	p.Out.Personality(routine, enc.Personality)
	p.lsda = p.inner("exception", p.funcNum)
	p.Out.LSDA(p.lsda, enc.LSDA)
	return nil
}

// ehEncodings gives the forms of addresses in exception tables.
func (p *Printer) ehEncodings() (objabi.EHEncodings, error) {
	if p.abi == nil {
		p.abi = p.M.ABI()
	}
	if p.abi == nil || p.abi.EH == nil {
		return objabi.EHEncodings{}, p.st.NotSupported(p.f, "exception handling")
	}
	large := false
	switch p.M.Options.CodeModel {
	case target.CodeModelDefault, target.CodeModelTiny, target.CodeModelSmall:
	case target.CodeModelMedium:
		return objabi.EHEncodings{}, p.st.NotSupported(p.f, "exception handling in the medium code model")
	default:
		large = true
	}
	return p.abi.EH(p.M.Options.Reloc == target.RelocPIC, large), nil
}

// encSize is the size of an address in an encoding.
func (p *Printer) encSize(enc uint8) int {
	switch enc & 0xf {
	case mc.EncUData2, mc.EncSData2:
		return 2
	case mc.EncUData4, mc.EncSData4:
		return 4
	case mc.EncUData8, mc.EncSData8:
		return 8
	}
	return int(p.M.Layout.PointerSize(0))
}

// reference returns the symbol of a word that holds the address of a personality
// routine, one for all objects of a program.
func (p *Printer) reference(routine ir.GlobalID) mc.Sym {
	if k := slices.Index(p.personalities, routine); k >= 0 {
		return p.references[k]
	}
	ref := p.Ctx.Symbol("DW.ref." + p.Ctx.At(p.Sym(routine)).Name)
	p.personalities, p.references = append(p.personalities, routine), append(p.references, ref)
	return ref
}

// typeStub returns the symbol of a word that holds the address of a type's description.
func (p *Printer) typeStub(info ir.GlobalID) mc.Sym {
	if stub, ok := p.stubOf[info]; ok {
		return stub
	}
	stub := p.Ctx.Symbol(p.M.Layout.PrivatePrefix() + p.Ctx.At(p.Sym(info)).Name + ".DW.stub")
	p.typeInfos, p.typeStubs = append(p.typeInfos, info), append(p.typeStubs, stub)
	p.stubOf[info] = stub
	return stub
}

// exceptionRefs writes the words that tables and frames refer to.
func (p *Printer) exceptionRefs() {
	word := p.M.Layout.PointerSize(0)
	for k, s := range p.references {
		name := p.Ctx.At(s).Name
		p.Out.Attribute(s, mc.AttrHidden)
		p.Out.Attribute(s, mc.AttrWeak)
		p.Out.SwitchSection(p.Ctx.Section(mc.Section{Name: ".data." + name, Type: mc.SecProgBits, Flags: mc.FlagAlloc | mc.FlagWrite | mc.FlagGroup,
			Unique: mc.GenericSection, Group: name, Comdat: true}))
		p.Out.Align(log2(word), 0, 0)
		p.Out.Attribute(s, mc.AttrTypeObject)
		p.Out.Size(s, p.Ctx.Const(int64(word)))
		p.Out.Label(s)
		p.Out.Value(p.Ctx.Ref(p.Sym(p.personalities[k]), mc.ModNone), int(word))
	}
	for k, s := range p.typeStubs {
		p.Out.SwitchSection(p.section(".data", mc.SecProgBits, mc.FlagAlloc|mc.FlagWrite, 0, 0))
		p.Out.Align(log2(word), 0, 0)
		p.Out.Label(s)
		p.Out.Value(p.Ctx.Ref(p.Sym(p.typeInfos[k]), mc.ModNone), int(word))
	}
}

// exceptionTable writes the table of the function between begin and end.
func (p *Printer) exceptionTable(g *ir.Global, begin, end mc.Sym) error {
	enc, err := p.ehEncodings()
	if err != nil {
		return err
	}
	t := &ehTable{pads: ir.NewLandingPads(p.f.IR), index: map[[2]int]int{}}
	if err := p.callSites(t, begin, end); err != nil {
		return err
	}
	name, group := ".gcc_except_table", p.group(g)
	if p.M.Options.FunctionSections || group != 0 {
		name += "." + g.Name
	}
	p.Out.SwitchSection(p.section(name, mc.SecProgBits, mc.FlagAlloc, 0, group))
	p.Out.Align(2, 0, 0)
	label := func(s string) mc.Sym { return p.inner(s, p.funcNum) }
	ttbase, ttbaseref, first, last := label("ttbase"), label("ttbaseref"), label("cst_begin"), label("cst_end")
	p.Out.Label(p.lsda)
	p.Out.Int(mc.EncOmit, 1) // landing pads count from the start of the function
	types := len(t.pads.Types) > 0 || len(t.pads.Filters) > 0
	if types {
		p.Out.Int(uint64(enc.Type), 1)
	} else {
		p.Out.Int(mc.EncOmit, 1)
	}
	if types {
		p.Out.ULEB128(p.Ctx.Diff(ttbase, ttbaseref))
		p.Out.Label(ttbaseref)
	}
	p.Out.Int(mc.EncULEB128, 1)
	p.Out.ULEB128(p.Ctx.Diff(last, first))
	p.Out.Label(first)
	for _, c := range t.sites {
		p.Out.ULEB128(p.Ctx.Diff(c.begin, begin))
		p.Out.ULEB128(p.Ctx.Diff(c.end, c.begin))
		if c.pad == 0 {
			p.Out.ULEB128(p.Ctx.Const(0))
		} else {
			p.Out.ULEB128(p.Ctx.Diff(c.pad, begin))
		}
		p.Out.ULEB128(p.Ctx.Const(int64(c.action)))
	}
	p.Out.Label(last)
	for _, b := range t.actions {
		p.Out.Int(uint64(b), 1)
	}
	p.Out.Align(2, 0, 0)
	if !types {
		return nil
	}
	if err := p.typeTable(t, enc.Type); err != nil {
		return err
	}
	p.Out.Label(ttbase)
	for _, b := range t.pads.Filters {
		p.Out.Int(uint64(b), 1)
	}
	p.Out.Align(2, 0, 0)
	return nil
}

// typeTable writes the types, the last first: their numbers count backwards from its end.
func (p *Printer) typeTable(t *ehTable, enc uint8) error {
	size := p.encSize(enc)
	for k := len(t.pads.Types) - 1; k >= 0; k-- {
		v := t.pads.Types[k]
		switch {
		case v == 0:
			p.Out.Int(0, size)
		case v.Tag() != ir.TagGlobal:
			return p.st.NotSupported(p.f, "catching a type that is no global")
		default:
			info := p.Sym(v.Global())
			if enc&mc.EncIndirect != 0 {
				info = p.typeStub(v.Global())
			}
			e := p.Ctx.Ref(info, mc.ModNone)
			if enc&0x70 == mc.EncPCRel {
				here := p.inner("ti"+strconv.Itoa(p.funcNum)+"_", k)
				p.Out.Label(here)
				e = p.Ctx.Diff(info, here)
			}
			p.Out.Value(e, size)
		}
	}
	return nil
}

// callSites collects the ranges in the order of the code. Calls outside of
// invokes get ranges without a pad: where a table has no range for a call, the
// program ends.
func (p *Printer) callSites(t *ehTable, begin, end mc.Sym) error {
	f := p.f
	last, calls := begin, false
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		pad := p.unwindDest(b)
		from := mir.InstrID(0)
		if pad != 0 {
			from = f.EdgePlace(b, pad)
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.Desc(i).IsCall() && !f.Desc(i).IsReturn() {
				calls = true
			}
			if i != from {
				continue
			}
			start := p.ehLabel(i)
			if calls {
				t.sites = append(t.sites, callSite{begin: last, end: start})
			}
			for i = f.Instr(i).Next(); i != 0 && f.Instr(i).Opcode != desc.EH_LABEL; i = f.Instr(i).Next() {
			}
			to := f.PadLabel(pad)
			if i == 0 || to == 0 {
				return p.st.NotSupported(f, "a landing pad or an invoke without its labels")
			}
			lp := t.pads.Of(ir.BlockID(f.Block(pad).IRBlock))
			if lp == 0 {
				return p.st.NotSupported(f, "a landing pad without its instruction in the IR")
			}
			last, calls = p.ehLabel(i), false
			t.sites = append(t.sites, callSite{start, last, p.ehLabel(to), t.action(t.pads.Actions(lp))})
		}
	}
	if calls {
		t.sites = append(t.sites, callSite{begin: last, end: end})
	}
	return nil
}

func (p *Printer) ehLabel(i mir.InstrID) mc.Sym {
	s := p.Ctx.Symbol(p.f.Symbols[p.f.Op(i, 0).Index()])
	p.Ctx.At(s).Flags |= mc.SymInner
	return s
}

// unwindDest is the landing pad among the successors of b, 0 for none.
func (p *Printer) unwindDest(b mir.BlockID) mir.BlockID {
	for _, s := range p.f.Succs(b) {
		if p.f.Block(s.Block).Flags&mir.EHPad != 0 {
			return s.Block
		}
	}
	return 0
}

// action adds a chain of actions, sharing ends that are there, and returns 1 +
// the offset of its first one. An action is a number and the distance from
// there to the next action, 0 at the end.
func (t *ehTable) action(ids []int) int {
	next := 0
	for k := len(ids) - 1; k >= 0; k-- {
		key := [2]int{ids[k], next}
		off, ok := t.index[key]
		if !ok {
			off = len(t.actions)
			t.actions = appendSLEB(t.actions, ids[k])
			dist := 0
			if next != 0 {
				dist = next - 1 - len(t.actions)
			}
			t.actions = appendSLEB(t.actions, dist)
			t.index[key] = off
		}
		next = off + 1
	}
	return next
}

func appendSLEB(b []byte, v int) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
