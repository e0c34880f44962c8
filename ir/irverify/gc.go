package irverify

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

func (v *verifier) deoptimize(i ir.InstrID) {
	f := v.f
	in := f.Instr(i)
	if !v.check(in.Op == ir.OpCall, "experimental_deoptimize cannot be invoked", instr(i)) ||
		!v.check(len(v.bundlesOf(i, "deopt")) == 1, "experimental_deoptimize must have exactly one \"deopt\" operand bundle") ||
		!v.check(in.Type == v.t.Result(v.g.ValueType), "experimental_deoptimize return type must match caller return type") {
		return
	}
	v.deopts = append(v.deopts, f.Callee(i).Global())
	next := in.Next
	if !v.check(next != 0 && f.Instr(next).Op == ir.OpRet, "calls to experimental_deoptimize must be followed by a return") {
		return
	}
	if in.Type != ir.Void {
		v.check(f.NumOps(next) > 0 && f.Op(next, 0) == ir.Local(i), "calls to experimental_deoptimize must be followed by a return of the value computed by experimental_deoptimize")
	}
}

// deoptConventions checks that all declarations of deoptimize are called alike.
func (v *verifier) deoptConventions() {
	var first *ir.Global
	var all []*ir.Global
	for _, id := range v.m.Funcs {
		g := v.m.Globals[id]
		if g.IsDecl && strings.HasPrefix(g.Name, "llvm.experimental.deoptimize") {
			all = append(all, g)
		}
	}
	for _, g := range all {
		if first == nil {
			first = g
			continue
		}
		if first.CC != g.CC {
			v.fail("All llvm.experimental.deoptimize declarations must have the same calling convention", global(first.ID), global(g.ID))
		}
	}
}

func (v *verifier) guard(i ir.InstrID) {
	if v.check(v.f.Instr(i).Op == ir.OpCall, "experimental_guard cannot be invoked", instr(i)) {
		v.check(len(v.bundlesOf(i, "deopt")) == 1, "experimental_guard must have exactly one \"deopt\" operand bundle")
	}
}

// statepointOf returns the statepoint that a token comes from, 0 when it is none.
func (v *verifier) statepointOf(x ir.Value) ir.InstrID {
	s := x.Instr()
	if s == 0 {
		return 0
	}
	if v.f.Instr(s).Op == ir.OpLandingPad {
		b := v.f.Instr(s).Block
		if len(v.preds[b]) == 0 {
			return 0
		}
		s = v.f.Terminator(v.preds[b][0])
	}
	op := v.f.Instr(s).Op
	if op != ir.OpCall && op != ir.OpInvoke {
		return 0
	}
	if g := v.callee(s); g == nil || !strings.HasPrefix(g.Name, "llvm.experimental.gc.statepoint") {
		return 0
	}
	return s
}

func isUndef(f *ir.Function, x ir.Value) bool {
	if x.Const() == 0 {
		return false
	}
	k := f.Consts.At(x.Const()).Kind
	return k == ir.ConstUndef || k == ir.ConstPoison
}

func (v *verifier) gcRelocate(i ir.InstrID) {
	f := v.f
	at := instr(i)
	t := f.Instr(i).Type
	if !v.check(v.isPtrOrVec(t), "gc.relocate must return a pointer or a vector of pointers", at) {
		return
	}
	tok := f.Op(i, 0)
	if s := tok.Instr(); s != 0 && f.Instr(s).Op == ir.OpLandingPad {
		b := f.Instr(s).Block
		uniq := len(v.preds[b]) > 0
		for _, p := range v.preds[b] {
			uniq = uniq && p == v.preds[b][0]
		}
		if !v.check(uniq, "safepoints should have unique landingpads", instr(s)) {
			return
		}
		if !v.check(v.statepointOf(tok) != 0, "gc relocate should be linked to a statepoint", at) {
			return
		}
	} else {
		ok := s != 0 && v.statepointOf(tok) != 0 || isUndef(f, tok)
		if !v.check(ok, "gc relocate is incorrectly tied to the statepoint", at, tok) {
			return
		}
	}
	s := v.statepointOf(tok)
	if s == 0 {
		return
	}
	n1, ok1 := v.constInt(f.Op(i, 1))
	n2, ok2 := v.constInt(f.Op(i, 2))
	if !v.check(ok1, "gc.relocate operand #2 must be integer offset", at) || !v.check(ok2, "gc.relocate operand #3 must be integer offset", at) {
		return
	}
	args := f.Ops(s)[:f.NumArgOps(s)]
	if b := v.bundlesOf(s, "gc-live"); len(b) > 0 {
		args = b[0].Args
	}
	if !v.check(n1 < uint64(len(args)), "gc.relocate: statepoint base index out of bounds", at) ||
		!v.check(n2 < uint64(len(args)), "gc.relocate: statepoint derived index out of bounds", at) {
		return
	}
	bt, dt := f.TypeOf(args[n1]), f.TypeOf(args[n2])
	if !v.check(v.isPtrOrVec(dt), "gc.relocate: relocated value must be a pointer", at) ||
		!v.check(v.t.IsVector(t) == v.t.IsVector(dt), "gc.relocate: vector relocates to vector and pointer to pointer", at) {
		return
	}
	if !v.check(v.isPtrOrVec(bt), "gc.relocate: relocated value must be a pointer", at) {
		return
	}
	v.check(v.t.AddrSpace(v.t.Scalar(t)) == v.t.AddrSpace(v.t.Scalar(dt)), "gc.relocate: relocating a pointer shouldn't change its address space", at)
}

func (v *verifier) gcResult(i ir.InstrID) {
	f := v.f
	if !v.check(f.NumArgOps(i) == 1, "wrong number of arguments", instr(i)) {
		return
	}
	tok := f.Op(i, 0)
	s := v.statepointOf(tok)
	if isUndef(f, tok) {
		return
	}
	if !v.check(s != 0, "gc.result operand #1 must be from a statepoint", instr(i), tok) {
		return
	}
	a, ok := v.paramAttr(s, 2, "elementtype")
	if ok {
		v.check(f.Instr(i).Type == v.t.Result(a.Type), "gc.result result type does not match wrapped callee", instr(i))
	}
}

func (v *verifier) statepoint(i ir.InstrID) {
	f := v.f
	at := instr(i)
	a, ok := v.m.Attrs.At(f.Instr(i).Attrs).Param(2).Get("elementtype")
	if !v.check(ok, "gc.statepoint callee argument must have elementtype attribute", at) {
		return
	}
	if !v.check(v.t.Kind(a.Type) == ir.KindFunction, "gc.statepoint callee elementtype must be function type", at) {
		return
	}
	n, ok := v.constInt(f.Op(i, 3))
	if !ok {
		return
	}
	params := v.t.Subtypes(a.Type)
	if v.t.IsVarArg(a.Type) {
		if !v.check(int(n) >= len(params), "gc.statepoint mismatch in number of vararg call args", at) {
			return
		}
	} else if !v.check(int(n) == len(params), "gc.statepoint mismatch in number of call args", at) {
		return
	}
	if fl, ok := v.constInt(f.Op(i, 4)); ok && !v.check(fl&^3 == 0, "unknown flag used in gc.statepoint flags argument", at) {
		return
	}
	for k, t := range params {
		if 5+k < f.NumArgOps(i) && !v.check(f.TypeOf(f.Op(i, 5+k)) == t, "gc.statepoint call argument does not match wrapped function type", at) {
			return
		}
	}
	for _, u := range v.usersOf(i) {
		in := f.Instr(u)
		ok := false
		if in.Op == ir.OpCall {
			if g := v.callee(u); g != nil {
				ok = strings.HasPrefix(g.Name, "llvm.experimental.gc.relocate") || strings.HasPrefix(g.Name, "llvm.experimental.gc.result")
			}
		}
		if !v.check(ok, "gc.result or gc.relocate are the only value uses of a gc.statepoint", at, instr(u)) {
			return
		}
	}
}
