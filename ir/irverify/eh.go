package irverify

import (
	"slices"

	"github.com/mirin-go/mirin/ir"
)

func (v *verifier) isEHPad(i ir.InstrID) bool {
	switch v.f.Instr(i).Op {
	case ir.OpLandingPad, ir.OpCatchPad, ir.OpCleanupPad, ir.OpCatchSwitch:
		return true
	}
	return false
}

// firstNonPhi returns the first instruction of a block that is no phi.
func (v *verifier) firstNonPhi(b ir.BlockID) ir.InstrID {
	i := v.f.Blocks[b].First
	for i != 0 && v.f.Instr(i).Op == ir.OpPhi {
		i = v.f.Instrs[i].Next
	}
	return i
}

// ehPadPreds checks that an EH pad's block is entered by unwinding alone.
func (v *verifier) ehPadPreds(i ir.InstrID) bool {
	f := v.f
	in := f.Instr(i)
	b := in.Block
	if !v.check(b != f.Order[0], "EH pad cannot be in entry block.", instr(i)) {
		return false
	}
	preds := v.preds[b]
	switch in.Op {
	case ir.OpLandingPad:
		for _, p := range preds {
			t := f.Terminator(p)
			ok := f.Instr(t).Op == ir.OpInvoke
			if ok {
				n := f.NumArgOps(t)
				ok = f.Op(t, n+2).Block() == b && f.Op(t, n+1).Block() != b
			}
			if !v.check(ok, "Block containing LandingPadInst must be jumped to only by the unwind edge of an invoke.", instr(i)) {
				return false
			}
		}
		return true
	case ir.OpCatchPad:
		if len(preds) > 0 {
			cs := f.Op(i, 0).Instr()
			uniq := true
			for _, p := range preds {
				uniq = uniq && p == preds[0]
			}
			if !v.check(uniq && cs != 0 && preds[0] == f.Instr(cs).Block, "Block containg CatchPadInst must be jumped to only by its catchswitch.", instr(i)) {
				return false
			}
		}
		cs := f.Op(i, 0).Instr()
		if cs != 0 && f.Instr(cs).Op == ir.OpCatchSwitch {
			if !v.check(v.unwindDest(cs) != b, "Catchswitch cannot unwind to one of its catchpads", instr(cs), instr(i)) {
				return false
			}
		}
		return true
	}
	// What is unwound from must be a child of what is unwound to.
	to := v.parentPad(i)
	for _, p := range preds {
		t := f.Terminator(p)
		from := ir.Value(0)
		switch f.Instr(t).Op {
		case ir.OpInvoke:
			n := f.NumArgOps(t)
			if !v.check(f.Op(t, n+2).Block() == b && f.Op(t, n+1).Block() != b, "EH pad must be jumped to via an unwind edge", instr(i), instr(t)) {
				return false
			}
			from = 0
			if x := f.Instr(t).Extra; x != 0 {
				for _, bu := range f.Extras[x].Bundles {
					if bu.Tag == "funclet" && len(bu.Args) > 0 {
						from = bu.Args[0]
					}
				}
			}
		case ir.OpCleanupRet:
			from = f.Op(t, 0)
			if !v.check(from != to, "A cleanupret must exit its cleanup", instr(t)) {
				return false
			}
		case ir.OpCatchSwitch:
			from = ir.Local(t)
		default:
			v.fail("EH pad must be jumped to via an unwind edge", instr(i), instr(t))
			return false
		}
		// The edge may exit from zero or more nested pads.
		seen := map[ir.Value]bool{}
		for n := 0; ; n++ {
			if !v.check(from != ir.Local(i), "EH pad cannot handle exceptions raised within it", from, instr(t)) {
				return false
			}
			if v.samePad(from, to) {
				break
			}
			if !v.check(from.IsLocal(), "A single unwind edge may only enter one EH pad", instr(t)) {
				return false
			}
			if !v.check(!seen[from], "EH pad jumps through a cycle of pads", from) {
				return false
			}
			seen[from] = true
			from = v.parentOf(from.Instr())
		}
	}
	return true
}

// samePad compares parents of pads: none is none, however it is written.
func (v *verifier) samePad(a, b ir.Value) bool {
	return a == b || !a.IsLocal() && !b.IsLocal()
}

// parentPad returns what an EH pad stands in.
func (v *verifier) parentPad(i ir.InstrID) ir.Value { return v.parentOf(i) }

func (v *verifier) parentOf(i ir.InstrID) ir.Value {
	switch v.f.Instr(i).Op {
	case ir.OpCatchPad, ir.OpCleanupPad, ir.OpCatchSwitch:
		return v.f.Op(i, 0)
	}
	return 0
}

// unwindDest returns the block that a catchswitch or cleanupret unwinds to, 0 for the caller.
func (v *verifier) unwindDest(i ir.InstrID) ir.BlockID {
	f := v.f
	ops := f.Ops(i)
	switch in := f.Instr(i); in.Op {
	case ir.OpCatchSwitch:
		n := f.Extras[in.Extra].NumHandlers
		if 1+n < len(ops) {
			return ops[1+n].Block()
		}
	case ir.OpCleanupRet:
		if len(ops) > 1 {
			return ops[1].Block()
		}
	}
	return 0
}

func (v *verifier) landingPad(i ir.InstrID) bool {
	f := v.f
	in := f.Instr(i)
	if !v.check(f.NumOps(i) > 0 || in.Flags&ir.Cleanup != 0, "LandingPadInst needs at least one clause or to be a cleanup.", instr(i)) {
		return false
	}
	v.ehPadPreds(i)
	if v.landing == 0 {
		v.landing = in.Type
	} else if !v.check(v.landing == in.Type, "The landingpad instruction should have a consistent result type inside a function.", instr(i)) {
		return false
	}
	if !v.check(v.g.Persona != 0, "LandingPadInst needs to be in a function with a personality.", instr(i)) {
		return false
	}
	return v.check(v.firstNonPhi(in.Block) == i, "LandingPadInst not the first non-PHI instruction in the block.", instr(i))
}

func (v *verifier) resume(i ir.InstrID) bool {
	if !v.check(v.g.Persona != 0, "ResumeInst needs to be in a function with a personality.", instr(i)) {
		return false
	}
	t := v.f.TypeOf(v.f.Op(i, 0))
	if v.landing == 0 {
		v.landing = t
		return true
	}
	return v.check(v.landing == t, "The resume instruction should have a consistent result type inside a function.", instr(i))
}

func (v *verifier) catchPad(i ir.InstrID) bool {
	f := v.f
	if !v.check(v.g.Persona != 0, "CatchPadInst needs to be in a function with a personality.", instr(i)) {
		return false
	}
	p := f.Op(i, 0).Instr()
	if !v.check(p != 0 && f.Instr(p).Op == ir.OpCatchSwitch, "CatchPadInst needs to be directly nested in a CatchSwitchInst.", f.Op(i, 0)) {
		return false
	}
	if !v.check(v.firstNonPhi(f.Instr(i).Block) == i, "CatchPadInst not the first non-PHI instruction in the block.", instr(i)) {
		return false
	}
	v.ehPadPreds(i)
	v.funclet(i)
	return true
}

func (v *verifier) cleanupPad(i ir.InstrID) bool {
	f := v.f
	if !v.check(v.g.Persona != 0, "CleanupPadInst needs to be in a function with a personality.", instr(i)) {
		return false
	}
	if !v.check(v.firstNonPhi(f.Instr(i).Block) == i, "CleanupPadInst not the first non-PHI instruction in the block.", instr(i)) {
		return false
	}
	if !v.check(v.padParentOK(f.Op(i, 0)), "CleanupPadInst has an invalid parent.", instr(i)) {
		return false
	}
	v.ehPadPreds(i)
	v.funclet(i)
	return true
}

func (v *verifier) padParentOK(p ir.Value) bool {
	if p.Const() != 0 {
		return v.f.Consts.At(p.Const()).Kind == ir.ConstTokenNone
	}
	if !p.IsLocal() {
		return false
	}
	op := v.f.Instr(p.Instr()).Op
	return op == ir.OpCatchPad || op == ir.OpCleanupPad
}

func (v *verifier) catchSwitch(i ir.InstrID) bool {
	f := v.f
	in := f.Instr(i)
	if !v.check(v.g.Persona != 0, "CatchSwitchInst needs to be in a function with a personality.", instr(i)) {
		return false
	}
	if !v.check(v.firstNonPhi(in.Block) == i, "CatchSwitchInst not the first non-PHI instruction in the block.", instr(i)) {
		return false
	}
	if !v.check(v.padParentOK(f.Op(i, 0)), "CatchSwitchInst has an invalid parent.", f.Op(i, 0)) {
		return false
	}
	if d := v.unwindDest(i); d != 0 {
		n := v.firstNonPhi(d)
		if !v.check(v.isEHPad(n) && f.Instr(n).Op != ir.OpLandingPad, "CatchSwitchInst must unwind to an EH block which is not a landingpad.", instr(i)) {
			return false
		}
		if v.samePad(v.parentOf(n), f.Op(i, 0)) {
			v.sibling(i, n, i)
		}
	}
	n := f.Extras[in.Extra].NumHandlers
	if !v.check(n != 0, "CatchSwitchInst cannot have empty handler list", instr(i)) {
		return false
	}
	for _, h := range f.Ops(i)[1 : 1+n] {
		first := v.firstNonPhi(h.Block())
		if !v.check(f.Instr(first).Op == ir.OpCatchPad, "CatchSwitchInst handlers must be catchpads", instr(i), block(h.Block())) {
			return false
		}
	}
	v.ehPadPreds(i)
	return true
}

func (v *verifier) cleanupRet(i ir.InstrID) bool {
	f := v.f
	p := f.Op(i, 0).Instr()
	if !v.check(p != 0 && f.Instr(p).Op == ir.OpCleanupPad, "CleanupReturnInst needs to be provided a CleanupPad", instr(i), f.Op(i, 0)) {
		return false
	}
	if d := v.unwindDest(i); d != 0 {
		n := v.firstNonPhi(d)
		return v.check(v.isEHPad(n) && f.Instr(n).Op != ir.OpLandingPad, "CleanupReturnInst must unwind to an EH block which is not a landingpad.", instr(i))
	}
	return true
}

func (v *verifier) catchRet(i ir.InstrID) bool {
	p := v.f.Op(i, 0).Instr()
	return v.check(p != 0 && v.f.Instr(p).Op == ir.OpCatchPad, "CatchReturnInst needs to be provided a CatchPad", instr(i), v.f.Op(i, 0))
}

// unwindEdge is one way out of a funclet pad: to a pad (0: the caller).
type unwindEdge struct {
	from ir.InstrID
	to   ir.InstrID
}

// funclet checks that all ways out of a funclet pad, by unwinding, go to one place.
func (v *verifier) funclet(pad ir.InstrID) {
	f := v.f
	var first *unwindEdge
	work := []ir.InstrID{pad}
	seen := map[ir.InstrID]bool{}
	for len(work) > 0 {
		cur := work[len(work)-1]
		work = work[:len(work)-1]
		if !v.check(!seen[cur], "FuncletPadInst must not be nested within itself", instr(cur)) {
			return
		}
		seen[cur] = true
		for _, u := range slices.Backward(v.usersOf(cur)) { // LLVM sees the last user first
			var dest ir.BlockID
			switch f.Instr(u).Op {
			case ir.OpCleanupRet, ir.OpCatchSwitch:
				if f.Instr(u).Op == ir.OpCatchSwitch && v.unwindDest(u) == 0 {
					// Unwinds to the caller, or its catchpads may tell more.
					for _, h := range v.usersOf(u) {
						if f.Instr(h).Op == ir.OpCatchPad {
							work = append(work, h)
						}
					}
				}
				dest = v.unwindDest(u)
			case ir.OpInvoke:
				dest = f.Op(u, f.NumArgOps(u)+2).Block()
			case ir.OpCall:
				continue
			case ir.OpCleanupPad:
				work = append(work, u)
				continue
			default:
				if f.Instr(u).Op != ir.OpCatchRet {
					v.fail("Bogus funclet pad use", instr(u))
				}
				continue
			}
			to := ir.InstrID(0)
			if dest != 0 {
				to = v.firstNonPhi(dest)
				if !v.isEHPad(to) || f.Instr(to).Op == ir.OpLandingPad {
					continue
				}
				// Edges to pads inside this funclet do not leave it.
				inside := false
				for p := v.parentOf(to); p.IsLocal(); p = v.parentOf(p.Instr()) {
					if p.Instr() == pad {
						inside = true
						break
					}
				}
				if inside {
					continue
				}
			} else if f.Instr(u).Op == ir.OpCatchSwitch {
				continue
			}
			if f.Instr(u).Op == ir.OpCatchSwitch && v.parentOf(u) != ir.Local(pad) && cur == pad {
				continue
			}
			e := unwindEdge{u, to}
			if first == nil {
				first = &e
				if f.Instr(pad).Op == ir.OpCleanupPad && to != 0 && v.samePad(v.parentOf(to), v.parentOf(pad)) {
					v.sibling(pad, to, u)
				}
				continue
			}
			if !v.check(first.to == to, "Unwind edges out of a funclet pad must have the same unwind dest", instr(pad), instr(u), instr(first.from)) {
				return
			}
		}
	}
	if first != nil && f.Instr(pad).Op == ir.OpCatchPad {
		cs := f.Op(pad, 0).Instr()
		to := ir.InstrID(0)
		if d := v.unwindDest(cs); d != 0 {
			to = v.firstNonPhi(d)
		}
		v.check(first.to == to, "Unwind edges out of a catch must have the same unwind dest as the parent catchswitch", instr(pad), instr(first.from), instr(cs))
	}
}

// siblingEdge is where a pad unwinds to, and by which instruction.
type siblingEdge struct{ from, to, by ir.InstrID }

func (v *verifier) sibling(from, to, by ir.InstrID) {
	for _, e := range v.siblings {
		if e.from == from {
			return
		}
	}
	v.siblings = append(v.siblings, siblingEdge{from, to, by})
}

func (v *verifier) siblingOf(p ir.InstrID) (siblingEdge, bool) {
	for _, e := range v.siblings {
		if e.from == p {
			return e, true
		}
	}
	return siblingEdge{}, false
}

// siblingFunclets checks that sibling pads do not unwind to each other in a circle.
func (v *verifier) siblingFunclets() {
	visited := map[ir.InstrID]bool{}
	for _, start := range v.siblings {
		if visited[start.from] {
			continue
		}
		active := map[ir.InstrID]bool{start.from: true}
		for e := start; ; {
			if active[e.to] {
				var about []any
				for p := e.to; ; {
					n, _ := v.siblingOf(p)
					about = append(about, instr(p))
					if n.by != p {
						about = append(about, instr(n.by))
					}
					if p = n.to; p == e.to {
						break
					}
				}
				v.fail("EH pads can't handle each other's exceptions", about...)
				return
			}
			if visited[e.to] {
				break
			}
			visited[e.to] = true
			n, ok := v.siblingOf(e.to)
			if !ok {
				break
			}
			active[e.to] = true
			e = n
		}
	}
}
