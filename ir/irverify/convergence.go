package irverify

import (
	"strings"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/ir"
)

// convergence checks the convergence control tokens of a function
// (LangRef's Convergent Operation Semantics): their uses one by one, then that
// regions nest and that cycles have one heart.

const convergencePrefix = "llvm.experimental.convergence."

// convergenceOp is entry, anchor or loop for a call of these intrinsics, "" for all else.
func (v *verifier) convergenceOp(i ir.InstrID) string {
	switch v.f.Instr(i).Op {
	case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
		if g := v.f.Callee(i).Global(); g != 0 {
			if op, ok := strings.CutPrefix(v.m.Globals[g].Name, convergencePrefix); ok {
				return op
			}
		}
	}
	return ""
}

func (v *verifier) isConvergent(i ir.InstrID) bool {
	in := v.f.Instr(i)
	if in.Op != ir.OpCall && in.Op != ir.OpInvoke && in.Op != ir.OpCallBr {
		return false
	}
	if v.m.Attrs.At(in.Attrs).Fn.Has("convergent") {
		return true
	}
	g := v.f.Callee(i).Global()
	return g != 0 && v.m.Attrs.At(v.m.Globals[g].Attrs).Fn.Has("convergent")
}

// controlToken returns the intrinsic whose token a call uses, 0 for none or a faulty use.
func (v *verifier) controlToken(i ir.InstrID) ir.InstrID {
	x := v.f.Instr(i).Extra
	if x == 0 {
		return 0
	}
	n := 0
	var args []ir.Value
	for _, b := range v.f.Extras[x].Bundles {
		if b.Tag == "convergencectrl" {
			args = b.Args
			n++
		}
	}
	if n == 0 || !v.check(n == 1, "The 'convergencectrl' bundle can occur at most once on a call", instr(i)) ||
		!v.check(len(args) == 1 && v.f.TypeOf(args[0]) == ir.Token, "The 'convergencectrl' bundle requires exactly one token use.", instr(i)) {
		return 0
	}
	d := args[0].Instr()
	if !v.check(d != 0 && v.convergenceOp(d) != "", "Convergence control tokens can only be produced by calls to the convergence control intrinsics.", args[0], instr(i)) {
		return 0
	}
	return d
}

func (v *verifier) convergence() {
	f := v.f
	tokens := map[ir.InstrID]ir.InstrID{}
	const mixed = "Cannot mix controlled and uncontrolled convergence in the same function."
	controlled, uncontrolled := false, false
	for _, b := range f.Order {
		seen := false // a convergent operation before this one
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			op := v.convergenceOp(i)
			token := v.controlToken(i)
			if token != 0 {
				tokens[i] = token
			}
			if op == "entry" && (!v.check(v.m.Attrs.At(v.g.Attrs).Fn.Has("convergent"), "Entry intrinsic can occur only in a convergent function.", instr(i)) ||
				!v.check(b == f.Order[0], "Entry intrinsic can occur only in the entry block.", instr(i)) ||
				!v.check(!seen, "Entry intrinsic cannot be preceded by a convergent operation in the same basic block.", instr(i))) ||
				(op == "entry" || op == "anchor") && !v.check(token == 0, "Entry or anchor intrinsic cannot have a convergencectrl token operand.", instr(i)) ||
				op == "loop" && (!v.check(token != 0, "Loop intrinsic must have a convergencectrl token operand.", instr(i)) ||
					!v.check(!seen, "Loop intrinsic cannot be preceded by a convergent operation in the same basic block.", instr(i))) {
				continue
			}
			convergent := v.isConvergent(i)
			seen = seen || convergent
			switch {
			case token != 0 || op != "":
				if v.check(convergent, "Convergence control token can only be used in a convergent call.", instr(i)) &&
					v.check(!uncontrolled, mixed, instr(i)) {
					controlled = true
				}
			case convergent:
				if v.check(!controlled, mixed, instr(i)) {
					uncontrolled = true
				}
			}
		}
	}
	if len(tokens) > 0 && !v.bad {
		v.convergenceRegions(tokens)
	}
}

// convergenceRegions checks that the tokens live at each use end with the one used.
func (v *verifier) convergenceRegions(tokens map[ir.InstrID]ir.InstrID) {
	f := v.f
	v.dom.blockDominates(f.Order[0], f.Order[0])
	g := &v.dom.graph
	dom := analysis.NewDominators(g)
	loops := analysis.NewLoops(g, dom)
	dominates := func(a, b ir.BlockID) bool { return dom.Dominates(int(a), int(b)) }
	liveIn := map[ir.BlockID][]ir.InstrID{}
	hearts := map[int]ir.InstrID{}
	for _, n := range g.RPO() {
		b := ir.BlockID(n)
		live := append([]ir.InstrID(nil), liveIn[b]...)
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			if t := tokens[i]; t != 0 {
				if !v.check(dominates(f.Instr(t).Block, b), "Convergence control token must dominate all its uses.", instr(t), instr(i)) {
					return
				}
				at := len(live) - 1
				for at >= 0 && live[at] != t {
					at--
				}
				if !v.check(at >= 0, "Convergence region is not well-nested.", instr(t), instr(i)) {
					return
				}
				live = live[:at+1]
				if !v.cycleUse(i, t, loops, hearts) {
					return
				}
			}
			if v.convergenceOp(i) != "" {
				live = append(live, i)
			}
		}
		for _, s := range g.Succs(int(b)) {
			to := ir.BlockID(s)
			old, known := liveIn[to]
			next := []ir.InstrID{}
			if !known {
				for _, t := range live {
					if !dominates(f.Instr(t).Block, to) {
						break
					}
					next = append(next, t)
				}
			} else {
				for _, t := range old {
					for _, l := range live {
						if l == t {
							next = append(next, t)
							break
						}
					}
				}
			}
			liveIn[to] = next
		}
	}
}

// cycleUse checks a use of a token in a cycle that does not hold its definition.
func (v *verifier) cycleUse(i, t ir.InstrID, loops *analysis.Loops, hearts map[int]ir.InstrID) bool {
	f := v.f
	b, def := f.Instr(i).Block, f.Instr(t).Block
	x := int(loops.Loop[b])
	if x < 0 || def == b || loops.Contains(x, int(def)) {
		return true
	}
	if !v.check(v.convergenceOp(i) == "loop",
		"Convergence token used by an instruction other than llvm.experimental.convergence.loop in a cycle that does not contain the token's definition.", instr(i)) {
		return false
	}
	for p := int(loops.All[x].Parent); p >= 0 && !loops.Contains(p, int(def)); p = int(loops.All[x].Parent) {
		x = p
	}
	if !v.check(int(loops.All[x].Header) == int(b), "Cycle heart must dominate all blocks in the cycle.", instr(i), block(b)) ||
		!v.check(hearts[x] == 0, "Two static convergence token uses in a cycle that does not contain either token's definition.", instr(i), instr(hearts[x])) {
		return false
	}
	hearts[x] = i
	return true
}
