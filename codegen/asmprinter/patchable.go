package asmprinter

import (
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/objabi"
	"github.com/mirin-go/mirin/target"
)

// Places where a function begins that tools change while it runs, and the list of
// them ("patchable-function-entry", "patchable-function", "fentry-call"), and data
// before and behind its label.

// count is the value of a function attribute that is a number, 0 when it is not there.
func (p *Printer) count(key string) (int, error) {
	v, ok := target.FnAttr(p.f, key)
	if !ok || v == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(v, 10, 31)
	if err != nil {
		return 0, p.st.NotSupported(p.f, key+"="+v)
	}
	return int(n), nil
}

// beforeLabel writes what stands before the label of the function: its data, and
// the first of the places to be patched.
func (p *Printer) beforeLabel(g *ir.Global) error {
	p.patch = 0
	if g.Prefix != 0 {
		if err := p.constant(&p.Mod.Consts, g.Prefix, p.constType(g.Prefix)); err != nil {
			return err
		}
	}
	n, err := p.count("patchable-function-prefix")
	if n == 0 || err != nil {
		return err
	}
	if p.Hooks.Nops == nil {
		return p.st.NotSupported(p.f, "patchable-function-prefix")
	}
	p.patch = p.inner("patch", p.funcNum)
	p.Out.Label(p.patch)
	one := p.Hooks.Nops(p.st, nil, 1)
	for range n {
		if err := p.Out.Inst(&one[0], p.mcST); err != nil {
			return err
		}
	}
	return nil
}

// constType is the type of a constant.
func (p *Printer) constType(v ir.Value) ir.Type {
	if v.Const() == 0 {
		return ir.Ptr
	}
	return p.Mod.Consts.At(v.Const()).Type
}

// patchable writes one of the instructions that the passes of layout's
// instrumentation.go insert.
func (p *Printer) patchable(i mir.InstrID) error {
	op := p.f.Instr(i).Opcode
	switch op {
	case desc.FENTRY_CALL:
		if p.Hooks.Call == 0 {
			break
		}
		in := p.inst.Reset(p.Hooks.Call).Add(mc.ExprOp(p.Ctx.Ref(p.Ctx.Symbol("__fentry__"), mc.ModNone)))
		return p.Out.Inst(in, p.mcST)
	case desc.PATCHABLE_RET, desc.PATCHABLE_TAIL_CALL:
		return p.sled(i)
	case desc.PATCHABLE_FUNCTION_ENTER:
		if _, ok := target.FnAttr(p.f, "patchable-function-entry"); !ok {
			return p.sled(i)
		}
		n, err := p.count("patchable-function-entry")
		if err != nil {
			return err
		}
		// The place is behind a mark for indirect branches.
		if before := p.f.Instr(i).Prev(); before != 0 && !p.f.Desc(before).IsMeta() && p.patch == 0 {
			p.patch = p.inner("patch", p.funcNum)
			p.Out.Label(p.patch)
		}
		return p.nops(n)
	case desc.PATCHABLE_OP:
		return p.roomForPatch(i, int(p.f.Op(i, 0).Imm()))
	}
	return p.st.NotSupported(p.f, "the instruction "+p.f.Facts.Str(p.f.Facts.Instr(op).Name))
}

// roomForPatch makes the instruction behind i one of at least size bytes, or puts one
// of that size before it, which can be written over at once.
func (p *Printer) roomForPatch(i mir.InstrID, size int) error {
	next := p.f.Instr(i).Next()
	for next != 0 && (p.f.Desc(next).IsMeta() || p.f.IsDebugInstr(next)) {
		next = p.f.Instr(next).Next()
	}
	if next != 0 && p.f.Instr(next).Opcode != desc.INLINEASM && p.f.Instr(next).Opcode != desc.INLINEASM_BR {
		if err := p.lower(next, &p.inst); err != nil {
			return err
		}
		code, _, err := p.M.Target.MC.Encoder(p.M).Encode(p.Ctx, p.mcST, &p.inst, nil, nil)
		if err != nil || len(code) >= size {
			return err
		}
	}
	return p.nops(size)
}

// nops writes n bytes of instructions that do nothing, as few as there can be.
func (p *Printer) nops(n int) error {
	if n > 0 && p.Hooks.Nops == nil {
		return p.st.NotSupported(p.f, "a place to be patched")
	}
	if n > 0 {
		p.nopBuf = p.Hooks.Nops(p.st, p.nopBuf[:0], n)
		for k := range p.nopBuf {
			if err := p.Out.Inst(&p.nopBuf[k], p.mcST); err != nil {
				return err
			}
		}
	}
	return nil
}

// patchTable lists where the function may be patched; begin is its first instruction.
func (p *Printer) patchTable(g *ir.Global, s, begin mc.Sym) {
	name, _ := target.FnAttr(p.f, "patchable-function-entry-section")
	if name == "" {
		name = "__patchable_function_entries"
	}
	if p.patch == 0 {
		p.patch = begin
	}
	word := int(p.M.Layout.PointerSize(0))
	p.Out.SwitchSection(p.linkedSection(name, mc.FlagAlloc|mc.FlagWrite, g, s))
	p.Out.Align(log2(uint64(word)), 0, 0)
	p.Out.Value(p.Ctx.Ref(p.patch, mc.ModNone), word)
}

// linkedSection is a section about function s of global g, which stays or goes with it.
func (p *Printer) linkedSection(name string, flags mc.SectionFlags, g *ir.Global, s mc.Sym) mc.SectionID {
	sec := mc.Section{Name: name, Type: mc.SecProgBits, Flags: flags | mc.FlagLinkOrder, Unique: mc.GenericSection, LinkedTo: s}
	p.intoGroup(&sec, p.group(g))
	return p.Ctx.Section(sec)
}

// isPatchable reports a function that the list of places to be patched has.
func (p *Printer) isPatchable() (bool, error) {
	for _, key := range [...]string{"patchable-function-entry", "patchable-function-prefix"} {
		if n, err := p.count(key); n > 0 || err != nil {
			return n > 0, err
		}
	}
	return false, nil
}

// property writes the note that linkers join: a program has what all its objects have.
func (p *Printer) property(x objabi.Property) {
	word := int(p.M.Layout.PointerSize(0))
	p.Out.SwitchSection(p.section(".note.gnu.property", mc.SecNote, mc.FlagAlloc, 0, 0))
	p.Out.Align(log2(uint64(word)), 0, 0)
	p.Out.Int(4, 4)              // the name's length
	p.Out.Int(uint64(8+word), 4) // that of what describes it
	p.Out.Int(5, 4)              // NT_GNU_PROPERTY_TYPE_0
	p.Out.Bytes([]byte("GNU\x00"))
	p.Out.Int(uint64(x.Kind), 4)
	p.Out.Int(4, 4)
	p.Out.Int(uint64(x.Bits), 4)
	p.Out.Align(log2(uint64(word)), 0, 0)
}
