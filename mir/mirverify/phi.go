package mirverify

import "github.com/mirin-go/mirin/mir"

const phiFlags = mir.Implicit | mir.InternalRead | mir.EarlyClobber | mir.Debug

// checkPHIs compares the PHIs of a block with its predecessors.
func (v *Verifier) checkPHIs(b mir.BlockID) {
	f := v.f
	reachable := v.cfg.reachable(b)
	for i := f.Block(b).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
		ops := f.Ops(i)
		if len(ops) == 0 {
			continue
		}
		d := &ops[0]
		if !d.IsDef() {
			v.errOperand(i, 0, "Expected first PHI operand to be a register def")
			continue
		}
		if d.IsTied() || d.Flags()&phiFlags != 0 {
			v.errOperand(i, 0, "Unexpected flag on PHI operand")
		}
		if !d.Reg().IsVirtual() {
			v.errOperand(i, 0, "Expected first PHI operand to be a virtual register")
		}
		for k := 1; k+1 < len(ops); k += 2 {
			v.checkPHIOperand(b, i, k, reachable)
		}
		if !reachable {
			continue
		}
		s := &v.flow
		s.stamp++
		s.loaded = 0
		for k := range ops {
			if ops[k].Kind() == mir.OpMBB {
				s.seen[ops[k].Block()] = s.stamp
			}
		}
		for _, p := range f.Preds(b) {
			if s.seen[p] != s.stamp {
				v.errInstr(i, "Missing PHI operand")
				v.rep.note(v.blockText(p), " is a predecessor according to the CFG.")
			}
		}
	}
}

func (v *Verifier) checkPHIOperand(b mir.BlockID, i mir.InstrID, k int, reachable bool) {
	f := v.f
	o, from := f.Op(i, k), f.Op(i, k+1)
	if !o.IsReg() {
		v.errOperand(i, k, "Expected PHI operand to be a register")
		return
	}
	if o.IsTied() || o.Flags()&phiFlags != 0 {
		v.errOperand(i, k, "Unexpected flag on PHI operand")
	}
	if from.Kind() != mir.OpMBB {
		v.errOperand(i, k+1, "Expected PHI operand to be a basic block")
		return
	}
	p := from.Block()
	if !v.cfg.isPred(p, b) {
		v.errOperand(i, k+1, "PHI input is not a predecessor block")
		return
	}
	if reachable && !o.IsUndef() && o.Reg().IsVirtual() && v.cfg.reachable(p) && !v.liveOut(o.Reg(), p) {
		v.errOperand(i, k, "PHI operand is not live-out from predecessor")
	}
}

// phiNeeds adds what PHIs need at the end of predecessors: the predecessor
// needs it at its start unless it is alive at its end.
func (v *Verifier) phiNeeds() {
	f, s := v.f, &v.flow
	if f.Props&mir.NoPHIs != 0 {
		return
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
			ops := f.Ops(i)
			for k := 1; k+1 < len(ops); k += 2 {
				if !ops[k].IsReg() || ops[k].IsUndef() || !ops[k].Reg().IsVirtual() || ops[k+1].Kind() != mir.OpMBB {
					continue
				}
				r, p := ops[k].Reg(), ops[k+1].Block()
				if !v.cfg.isPred(p, b) {
					continue
				}
				if d := s.simpleDef(r); d != 0 && v.cfg.dominates(d, p) {
					continue
				}
				s.load(r)
				if s.out[p] == s.stamp {
					continue
				}
				if s.kill[p] == s.stamp {
					s.faults = append(s.faults, need{r, p})
				}
				if p == f.FirstBlock() {
					s.faults = append(s.faults, need{r, 0})
				}
				s.needs = append(s.needs, need{r, p})
			}
		}
	}
}
