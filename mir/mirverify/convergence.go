package mirverify

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// convState says whether a function has convergence control tokens at all.
type convState struct{ seen bool }

func (c *convState) reset() { c.seen = false }

func isControl(op desc.Opcode) bool {
	return op >= desc.CONVERGENCECTRL_ENTRY && op <= desc.CONVERGENCECTRL_LOOP
}

func (v *Verifier) isConvergent(i mir.InstrID) bool {
	f := v.f
	in := f.Instr(i)
	if in.Opcode == desc.INLINEASM || in.Opcode == desc.INLINEASM_BR {
		return in.NumOps() > 1 && f.Op(i, 1).IsImm() && f.Op(i, 1).Imm()&mir.AsmConvergent != 0
	}
	return f.Desc(i).IsConvergent() && in.Flags()&mir.NoConvergent == 0
}

// errConvergence reports a fault with the instructions that take part, which
// LLVM prints without a heading.
func (v *Verifier) errConvergence(msg string, token mir.Reg, is ...mir.InstrID) {
	v.errFunc(msg)
	r := v.rep
	e := &r.Errors[len(r.Errors)-1]
	e.Instr = is[len(is)-1]
	e.Block = v.f.Instr(e.Instr).Block()
	for k, i := range is {
		if token != 0 && k == 0 {
			r.line(v.regText(token))
			r.line(": ")
		}
		r.text = r.pr.AppendInstr(r.text, i)
		r.note()
		r.note()
	}
}

// checkConvergence checks the use of convergence control tokens.
func (v *Verifier) checkConvergence() {
	if !v.conv.seen {
		return
	}
	f := v.f
	const unknown, controlled, uncontrolled = 0, 1, 2
	kind := unknown
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		first := true
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			token := v.tokenOf(i)
			op := f.Instr(i).Opcode
			switch {
			case op == desc.CONVERGENCECTRL_ENTRY && b != f.FirstBlock():
				v.errConvergence("Entry intrinsic can occur only in the entry block.", 0, i)
			case op == desc.CONVERGENCECTRL_ENTRY && !first:
				v.errConvergence("Entry intrinsic cannot be preceded by a convergent operation in the same basic block.", 0, i)
			case op <= desc.CONVERGENCECTRL_ANCHOR && isControl(op) && token != 0:
				v.errConvergence("Entry or anchor intrinsic cannot have a convergencectrl token operand.", 0, i)
			case op == desc.CONVERGENCECTRL_LOOP && token == 0:
				v.errConvergence("Loop intrinsic must have a convergencectrl token operand.", 0, i)
			case op == desc.CONVERGENCECTRL_LOOP && !first:
				v.errConvergence("Loop intrinsic cannot be preceded by a convergent operation in the same basic block.", 0, i)
			}
			if !v.isConvergent(i) {
				continue
			}
			first = false
			want := uncontrolled
			if token != 0 || isControl(op) {
				want = controlled
			}
			if kind == unknown {
				kind = want
			} else if kind != want {
				v.errConvergence("Cannot mix controlled and uncontrolled convergence in the same function.", 0, i)
			}
		}
	}
}

// tokenOf returns the instruction whose token i uses, 0 for none and for a faulty use.
func (v *Verifier) tokenOf(i mir.InstrID) mir.InstrID {
	f := v.f
	token := mir.InstrID(0)
	ops := f.Ops(i)
	for k := range ops {
		if !ops[k].IsUse() || !ops[k].Reg().IsVirtual() {
			continue
		}
		r := ops[k].Reg()
		d := f.UniqueDef(r)
		if d == 0 || !isControl(f.Instr(d).Opcode) {
			continue
		}
		if !v.isConvergent(i) {
			v.errConvergence("Convergence control tokens can only be used by convergent operations.", r, d, i)
			return 0
		}
		if token != 0 {
			v.errConvergence("An operation can use at most one convergence control token.", r, d, i)
			return 0
		}
		token = d
	}
	return token
}
