package asmprinter

import (
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// XRay (Berris et al., "XRay: A Function Call Tracing System", 2016): where a function
// is entered and left stands a sled, code that does nothing and has room for a call
// that a runtime writes over it, and a table says where the sleds are.

// sled is one place.
type sled struct {
	at   mc.Sym
	kind uint8
}

// The kinds of sleds.
const (
	sledEnter    = 0
	sledExit     = 1
	sledTailCall = 2
	sledLogArgs  = 3 // an entry whose first argument is logged
)

// sled writes the sled that an instruction of xray-instrumentation stands for.
func (p *Printer) sled(i mir.InstrID) error {
	h := p.Hooks
	if h.Nops == nil || len(h.SledJump) == 0 {
		return p.st.NotSupported(p.f, "XRay instrumentation")
	}
	op := p.f.Instr(i).Opcode
	if op == desc.PATCHABLE_TAIL_CALL && !p.f.Facts.Instr(desc.Opcode(p.f.Op(i, 0).Imm())).IsBarrier() {
		return p.st.NotSupported(p.f, "XRay instrumentation of a tail call under a condition")
	}
	p.Out.AlignCode(1, p.mcST, 0)
	s := sled{at: p.inner("xray_sled_"+strconv.Itoa(p.funcNum)+"_", len(p.sleds))}
	p.Out.Label(s.at)
	var err error
	switch op {
	case desc.PATCHABLE_FUNCTION_ENTER:
		if _, args := target.FnAttr(p.f, "xray-log-args"); args {
			s.kind = sledLogArgs
		}
		p.Out.Bytes(h.SledJump)
		err = p.nops(h.SledRoom)
	case desc.PATCHABLE_RET:
		s.kind = sledExit
		if err = p.patched(i); err == nil {
			err = p.nops(h.SledRoom + len(h.SledJump) - 1)
		}
	case desc.PATCHABLE_TAIL_CALL:
		s.kind = sledTailCall
		p.Out.Bytes(h.SledJump)
		if err = p.nops(h.SledRoom); err == nil {
			err = p.patched(i)
		}
	}
	p.sleds = append(p.sleds, s)
	return err
}

// patched writes the instruction whose opcode is the first operand of i.
func (p *Printer) patched(i mir.InstrID) error {
	f := p.f
	in := p.inst.Reset(desc.Opcode(f.Op(i, 0).Imm()))
	for k := 1; k < f.Instr(i).NumOps(); k++ {
		o, ok, err := p.operand(f.Op(i, k))
		if err != nil {
			return err
		}
		if ok {
			in.Add(o)
		}
	}
	if p.Hooks.Rewrite != nil {
		p.Hooks.Rewrite(p.st, f, i, in)
	}
	return p.Out.Inst(in, p.mcST)
}

// sledTable lists the sleds of the function s, which begins at begin.
func (p *Printer) sledTable(g *ir.Global, s, begin mc.Sym) {
	how, _ := target.FnAttr(p.f, "function-instrument")
	always := uint64(0)
	if how == "xray-always" {
		always = 1
	}
	word := int(p.M.Layout.PointerSize(0))
	label := func(name string) mc.Sym { return p.inner(name, p.funcNum) }
	p.Out.SwitchSection(p.linkedSection("xray_instr_map", mc.FlagAlloc, g, s))
	first := label("xray_sleds_start")
	p.Out.Label(first)
	for k, x := range p.sleds {
		here := p.inner("xray_entry_"+strconv.Itoa(p.funcNum)+"_", k)
		p.Out.Label(here)
		p.Out.Value(p.Ctx.Diff(x.at, here), word)
		p.Out.Value(p.Ctx.Binary(mc.OpSub, p.Ctx.Ref(begin, mc.ModNone), p.Ctx.RefOff(here, mc.ModNone, int64(word))), word)
		p.Out.Int(uint64(x.kind), 1)
		p.Out.Int(always, 1)
		p.Out.Int(2, 1) // the version of the table
		p.Out.Zeros(uint64(4*word - 2*word - 3))
	}
	p.Out.Label(label("xray_sleds_end"))
	p.Out.SwitchSection(p.linkedSection("xray_fn_idx", mc.FlagAlloc, g, s))
	p.Out.Align(log2(uint64(word)), 0, 0)
	index := label("xray_fn_idx")
	p.Out.Label(index)
	p.Out.Value(p.Ctx.Diff(first, index), word)
	p.Out.Int(uint64(len(p.sleds)), word)
}
