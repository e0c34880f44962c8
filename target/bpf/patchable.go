package bpf

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/btf"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// simplifyPatchable makes what reads a variable that stands for a relocation
// instructions that are relocated: the number that the variable stands for is the
// immediate of a move or, where it is only an offset or a distance of a shift, of the
// load, store or shift itself.
//
//	%1 = LD_imm64 @"llvm.sk_buff:0:4$0:1"        %1 = LD_imm64 @"llvm.sk_buff:0:4$0:1"
//	%2 = LDD %1, 0                          →    %3 = ADD_rr %0, %1
//	%3 = ADD_rr %0, %2                           %4 = CORE_LD64 LDW, %0, @"llvm.sk_buff:0:4$0:1"
//	%4 = LDW %3, 0
//
// btfHandler makes both what they are in the end. What is read through the variable's
// address without this pass would be no relocation, so it runs at every level.
var simplifyPatchable = target.Pass{
	Name:     "bpf-mi-simplify-patchable",
	Title:    "BPF PreEmit SimplifyPatchable",
	After:    "finalize-isel",
	Requires: mir.IsSSA,
	KeepsCFG: true,
	Run:      runSimplifyPatchable,
}

// operandUse is one operand of an instruction.
type operandUse struct {
	i mir.InstrID
	n int
}

type patchSimplifier struct {
	f *mir.Function
	// skip are loads from an address that is the value of a relocation: they stay.
	skip map[mir.InstrID]bool
}

func runSimplifyPatchable(_ target.PassContext, f *mir.Function) error {
	if f.Module == nil {
		return nil
	}
	p := patchSimplifier{f: f}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; {
			// What the load is replaced in stands behind it, or is a load that is looked at again.
			if p.load(i) {
				next := f.Instr(i).Next()
				f.Erase(i)
				i = next
			} else {
				i = f.Instr(i).Next()
			}
		}
	}
	return nil
}

// load replaces what is read from a variable that stands for a relocation, and reports
// whether i was such a load.
func (p *patchSimplifier) load(i mir.InstrID) bool {
	f := p.f
	if !isLoad(f.Instr(i).Opcode) || p.skip[i] || !f.Op(i, 1).IsReg() || !isZero(f.Op(i, 2)) {
		return false
	}
	dst, src := f.Op(i, 0).Reg(), f.Op(i, 1).Reg()
	if !src.IsVirtual() {
		return false
	}
	def := f.UniqueDef(src)
	if def == 0 || f.Instr(def).Opcode != tab.LD_imm64 {
		return false
	}
	g := relocated(f.Module, f, def)
	if g == nil {
		return false
	}
	value := *f.Op(def, 1)
	access := !btf.NeedsType(f.Module, g)
	if f.VReg(dst).Class != int16(tab.GPR32RegClassID) {
		p.users(dst, src, value, true, access)
		return true
	}
	if access {
		for _, u := range p.uses(dst) {
			if f.Instr(u.i).Opcode == desc.SUBREG_TO_REG {
				p.users(f.Op(u.i, 0).Reg(), dst, value, false, true)
			}
		}
	}
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	f.Erase(b.Copy(dst, src)) // the copy is of a part
	b.Build(desc.COPY, mir.RegOp(dst, mir.Def), mir.SubRegOp(src, uint16(tab.Sub32), 0))
	return true
}

// uses lists the operands that read a register.
func (p *patchSimplifier) uses(r mir.Reg) (out []operandUse) {
	for i, n := range p.f.Uses(r) {
		out = append(out, operandUse{i, n})
	}
	return out
}

// users looks at what reads dst, the value of a relocation; with replace it reads src instead.
func (p *patchSimplifier) users(dst, src mir.Reg, value mir.Operand, replace, access bool) {
	f := p.f
	for _, u := range p.uses(dst) {
		if replace {
			f.SetReg(u.i, u.n, src)
			f.SetOpFlag(u.i, u.n, mir.Kill, false)
		}
		if access && f.UniqueDef(f.Op(u.i, u.n).Reg()) != 0 {
			p.user(u, value)
		}
	}
}

// user makes an instruction that takes the value of a relocation as an operand one that is relocated.
func (p *patchSimplifier) user(u operandUse, value mir.Operand) {
	f := p.f
	switch op := f.Instr(u.i).Opcode; {
	case isLoad(op):
		if p.skip == nil {
			p.skip = map[mir.InstrID]bool{}
		}
		p.skip[u.i] = true
	case op == tab.ADD_rr:
		p.sum(u, value)
	case op == tab.SLL_rr:
		p.shift(u, value, tab.SLL_ri)
	case op == tab.SRA_rr:
		p.shift(u, value, tab.SRA_ri)
	case op == tab.SRL_rr:
		p.shift(u, value, tab.SRL_ri)
	}
}

// shift makes a shift by the value of a relocation a relocated one.
func (p *patchSimplifier) shift(u operandUse, value mir.Operand, op desc.Opcode) {
	if u.n == 2 {
		p.build(u.i, tab.CORE_SHIFT, op, *p.f.Op(u.i, 1), value)
	}
}

// sum makes accesses through a sum of a base and the value of a relocation relocated ones of the base.
func (p *patchSimplifier) sum(u operandUse, value mir.Operand) {
	f := p.f
	base := *f.Op(u.i, 3-u.n)
	address := f.Op(u.i, 0).Reg()
	if f.UniqueDef(address) == 0 {
		return
	}
	for _, a := range p.uses(address) {
		op := f.Instr(a.i).Opcode
		var core desc.Opcode
		switch {
		case isLoad32(op):
			core = tab.CORE_LD32
		case isLoad(op):
			core = tab.CORE_LD64
		case isStore(op):
			core = tab.CORE_ST
		default:
			continue
		}
		// The address is no value that is stored.
		if a.n != 1 || !isZero(f.Op(a.i, 2)) || isStore(op) && f.Op(a.i, 0).IsReg() && f.Op(a.i, 0).Reg() == address {
			continue
		}
		p.build(a.i, core, op, base, value)
	}
}

// build replaces i by a relocated instruction that is op in the end.
func (p *patchSimplifier) build(i mir.InstrID, core, op desc.Opcode, base, value mir.Operand) {
	f := p.f
	b := mir.Builder{F: f, Loc: f.Instr(i).Loc}
	b.SetBefore(i)
	first := *f.Op(i, 0)
	if first.IsReg() {
		first = mir.SubRegOp(first.Reg(), first.SubReg(), first.Flags()&mir.Def)
	}
	if base.IsReg() {
		base = mir.SubRegOp(base.Reg(), base.SubReg(), 0)
	}
	b.BuildInstr(core, first, mir.ImmOp(int64(op)), base, value)
	f.Erase(i)
}

func isZero(o *mir.Operand) bool { return o.IsImm() && o.Imm() == 0 }

func isLoad32(op desc.Opcode) bool {
	switch op {
	case tab.LDB32, tab.LDH32, tab.LDW32, tab.LDBACQ32, tab.LDHACQ32, tab.LDWACQ32:
		return true
	}
	return false
}

func isLoad(op desc.Opcode) bool {
	switch op {
	case tab.LDB, tab.LDH, tab.LDW, tab.LDD, tab.LDDACQ, tab.LDBSX, tab.LDHSX, tab.LDWSX:
		return true
	}
	return isLoad32(op)
}

func isStore(op desc.Opcode) bool {
	switch op {
	case tab.STB, tab.STH, tab.STW, tab.STD, tab.STDREL, tab.STB32, tab.STH32, tab.STW32, tab.STBREL32, tab.STHREL32, tab.STWREL32,
		tab.STB_imm, tab.STH_imm, tab.STW_imm, tab.STD_imm:
		return true
	}
	return false
}
