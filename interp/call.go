package interp

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
)

// call decodes a call or invoke.
func (d *decoder) call(i ir.InstrID, ops []ir.Value) {
	vm, f := d.vm, d.f
	in := &f.Instrs[i]
	callee := f.Callee(i)
	args := ops[:f.NumArgOps(i)]
	if callee.Tag() == ir.TagInlineAsm {
		d.inlineAsm(i, callee, args)
		return
	}
	g := callee.Global()
	for g != 0 && vm.m.Globals[g].Kind == ir.GlobalAlias {
		g = vm.m.Globals[g].Init.Global()
	}
	if g != 0 && vm.m.Globals[g].Intrinsic != ir.NotIntrinsic {
		d.intrinsic(i, vm.m.Globals[g], args)
		return
	}
	res := d.layout(in.Type)
	ci := callInfo{d: d.slots[i], nret: res.slots, result: in.Type, fixed: len(args), fnType: in.SrcType}
	if g != 0 && vm.m.Globals[g].Kind == ir.GlobalFunc {
		ci.fn = g
	} else {
		ci.callee = d.val(callee)
	}
	if vm.t.IsVarArg(in.SrcType) {
		ci.fixed = min(len(args), len(vm.t.Subtypes(in.SrcType)))
	}
	attrs := vm.m.Attrs.At(in.Attrs)
	for k, a := range args {
		ty := f.TypeOf(a)
		ci.types = append(ci.types, ty)
		s := d.val(a)
		ci.args = append(ci.args, argMove{s, d.layout(ty).slots})
		if c, ok := d.check(attrs.Param(k), ty, s); ok {
			c.what = "argument"
			ci.checks = append(ci.checks, c)
		}
		bv, _ := d.byval(attrs.Param(k))
		ci.byvalAt = append(ci.byvalAt, bv)
	}
	if in.Type != ir.Void {
		if c, ok := d.check(attrs.Ret, in.Type, 0); ok {
			ci.retChk = append(ci.retChk, c)
		}
	}
	// Where caller and callee say the same of an argument, one check is enough: the callee's.
	if ci.fn != 0 && vm.m.Globals[ci.fn].Func != nil {
		gl := vm.m.Attrs.At(vm.m.Globals[ci.fn].Attrs)
		same := true
		for k := range args {
			if len(attrs.Param(k)) > len(gl.Param(k)) {
				same = false
			}
			for j := range attrs.Param(k) {
				a := attrs.Param(k)[j]
				if x, ok := gl.Param(k).Get(a.Key); !ok || x != a {
					same = false
				}
			}
		}
		if same {
			ci.checks = nil
		}
	}
	ci.simple = ci.fixed == len(ci.args) && !slices.ContainsFunc(ci.args, func(m argMove) bool { return m.n != 1 })
	d.c.calls = append(d.c.calls, ci)
	d.emit(proto{op: opCall, imm: uint64(len(d.c.calls) - 1)})
	d.valueMD(i, in)
}

// inlineAsm knows assembly without instructions alone: a barrier, and values
// that are passed through because an input shares the place of an output.
func (d *decoder) inlineAsm(i ir.InstrID, callee ir.Value, args []ir.Value) {
	a := d.vm.m.InlineAsms()[callee.Index()]
	for line := range strings.SplitSeq(a.Asm, "\n") {
		if s := strings.TrimSpace(line); s != "" && !strings.HasPrefix(s, "#") && s != "nop" {
			d.bad(unsupported("inline assembly %q", a.Asm))
			return
		}
	}
	// outputs are the places of outputs: an argument's number for memory, else -1;
	// tied are the inputs that share them.
	var outputs []int
	tied := map[int]ir.Value{}
	k := 0
	for c := range strings.SplitSeq(a.Constraints, ",") {
		switch {
		case strings.HasPrefix(c, "=*"):
			outputs = append(outputs, k)
			k++
		case strings.HasPrefix(c, "="):
			outputs = append(outputs, -1)
		case strings.HasPrefix(c, "~"):
		default:
			if n, err := strconv.Atoi(c); err == nil && k < len(args) {
				tied[n] = args[k]
			}
			k++
		}
	}
	attrs := d.vm.m.Attrs.At(d.f.Instrs[i].Attrs)
	slot := d.slots[i]
	for n, place := range outputs {
		v, ok := tied[n]
		switch {
		case place >= 0 && place < len(args) && ok:
			ty := d.f.TypeOf(v)
			if e, _ := attrs.Param(place).Get("elementtype"); e.Type != ty {
				d.bad(unsupported("inline assembly whose operands differ in type"))
				return
			}
			p, s, l := d.opnd(args[place]), d.opnd(v), d.layout(ty)
			d.gen(func(vm *Interp, regs []reg) error {
				o, off, err := vm.access(regs[*p], l.store, 1, true)
				if err == nil {
					vm.storeValue(o, off, l, regs[*s:*s+l.slots])
				}
				return err
			})
		case place >= 0: // the memory stays as it is
		case ok:
			n := d.layout(d.f.TypeOf(v)).slots
			if slot+n > d.slots[i]+d.layout(d.f.Instrs[i].Type).slots {
				d.bad(unsupported("inline assembly whose operands differ in type"))
				return
			}
			d.copy(slot, d.val(v), n)
			slot += n
		default:
			d.bad(unsupported("inline assembly with results"))
			return
		}
	}
}

// resolve finds what a call site calls, checks the arguments, and executes
// library functions. errReturn says that the call is done.
func (vm *Interp) resolve(ci *callInfo, regs []reg) (*code, error) {
	for i := range ci.checks {
		k := &ci.checks[i]
		if k.onlyNoundef && regs[k.slot].u == 0 {
			continue
		}
		if err := vm.runCheck(k, regs[k.slot:]); err != nil {
			return nil, err
		}
	}
	if ci.code != nil {
		return ci.code, nil
	}
	id := ci.fn
	if id == 0 {
		p := regs[ci.callee]
		if p.u != 0 {
			return nil, ub("call of undef or poison", "")
		}
		if ci.lastCode != nil && ci.last == p {
			return ci.lastCode, nil
		}
		i, ok := vm.object(p)
		if !ok || vm.objs[i].kind != objFunc || vm.objs[i].base != p.v {
			if p.v == 0 {
				return nil, ub("call of null", "")
			}
			return nil, ub("call of no function", "address %#x", p.v)
		}
		id = vm.objs[i].name
		if vm.objs[i].name == 0 {
			return nil, unsupported("a call of this library function through a pointer")
		}
	}
	g := vm.m.Globals[id]
	if g.Func == nil {
		return nil, vm.callExternal(id, ci, regs)
	}
	c := vm.codeOf(id)
	if g.ValueType == ci.fnType {
		if ci.fn != 0 {
			ci.code = c
		} else {
			ci.last, ci.lastCode = regs[ci.callee], c
		}
		return c, nil
	}
	return nil, vm.callOther(id, c, ci, regs)
}

// callOther calls a function through a type that is not its own, as old-style
// C does: arguments are matched by position, missing ones are undefined.
func (vm *Interp) callOther(id ir.GlobalID, c *code, ci *callInfo, regs []reg) error {
	g := vm.m.Globals[id]
	params := vm.t.Subtypes(g.ValueType)
	var args []reg
	for k, t := range params {
		l := vm.layoutOf(t)
		part := make([]reg, l.slots)
		if k >= len(ci.args) || ci.args[k].n != l.slots {
			for j := range l.leaves {
				undefLeaf(&l.leaves[j], part[l.leaves[j].slot:])
			}
		} else {
			copy(part, regs[ci.args[k].src:])
			al := vm.layoutOf(ci.types[k])
			if len(l.leaves) == 1 && len(al.leaves) == 1 && l.leaves[0].words == 1 {
				switch a, b := al.leaves[0], l.leaves[0]; {
				case a.bits > b.bits && a.kind == leafInt:
					part[0] = evalCast(ir.OpTrunc, 0, a.bits, b.bits, part[0])
				case a.kind == leafPtr && b.kind == leafInt, a.kind == leafInt && b.kind == leafPtr:
					part[0].p = 0
				case (a.kind >= leafF16) != (b.kind >= leafF16):
					return ub("call with a wrong type", "argument %d of @%s", k+1, g.Name)
				}
			}
		}
		args = append(args, part...)
	}
	var va []vaArg
	if vm.t.IsVarArg(g.ValueType) {
		for k := len(params); k < len(ci.args); k++ {
			va = append(va, vm.vaArgOf(ci, k, regs))
		}
	}
	res, err := vm.callCode(c, args, va)
	if err != nil {
		return err
	}
	f := &vm.frames[len(vm.frames)-1]
	out := vm.stack[f.fp : f.fp+f.c.nregs]
	if ci.nret > 0 {
		if uint32(len(res)) != ci.nret {
			return ub("call with a wrong type", "the result of @%s", g.Name)
		}
		copy(out[ci.d:], res)
	}
	return errReturn
}

func (vm *Interp) vaArgOf(ci *callInfo, k int, regs []reg) vaArg {
	a := ci.args[k]
	v := vaArg{regs: append([]reg(nil), regs[a.src:a.src+a.n]...), ty: ci.types[k]}
	if ci.byvalAt[k].size != 0 {
		v.byval = &ci.byvalAt[k]
	}
	return v
}

// enter checks the parameters of a function that has just been called, and copies byval ones.
func (vm *Interp) enter(c *code, regs []reg) error {
	for i := range c.checks {
		k := &c.checks[i]
		if err := vm.runCheck(k, regs[c.args+k.slot:]); err != nil {
			return err
		}
	}
	for _, b := range c.byvals {
		p := &regs[c.args+b.slot]
		i, ok := vm.pushStack(b.size, b.align)
		if !ok {
			return &Stopped{Reason: "stack overflow"}
		}
		src, off, err := vm.access(*p, b.size, 1, false)
		if err != nil {
			return err
		}
		vm.move(&vm.objs[i], 0, src, off, b.size)
		*p = vm.ptr(i)
	}
	return nil
}

// runCheck applies attributes to a value: what violates them is poison, and
// undefined behaviour where noundef stands too.
func (vm *Interp) runCheck(k *check, r []reg) error {
	what := k.what
	if what == "" {
		what = "parameter or result"
	}
	for i := range r[:k.n] {
		v := &r[i]
		if v.u == 0 && i == 0 {
			bad := k.nonnull && v.v == 0 || k.align > 1 && v.v&(k.align-1) != 0 || k.hasRange && !inRange(v.v, k.lo, k.hi)
			if bad {
				*v = poisonReg
			}
			if k.deref != 0 && !bad {
				if _, _, err := vm.access(*v, k.deref, 1, false); err != nil {
					return ub("not dereferenceable", "%s: %v", what, err)
				}
			}
		}
		if k.noundef && v.u != 0 {
			if err := vm.noundef(*v, what); err != nil {
				return err
			}
		}
	}
	return nil
}

func (vm *Interp) alloca(c *code, in *inst, regs []reg) error {
	a := &c.allocas[in.imm]
	size := a.size
	if a.countW != 0 {
		n := regs[in.a]
		if n.u != 0 {
			return ub("alloca of undef size", "")
		}
		if n.v > 1<<40 {
			return &Stopped{Reason: "stack overflow"}
		}
		size *= n.v
	}
	i, ok := vm.pushStack(size, a.align)
	if !ok {
		return &Stopped{Reason: "stack overflow"}
	}
	vm.objs[i].dead = a.dead
	regs[in.d] = vm.ptr(i)
	return nil
}

func (vm *Interp) indirect(f *frame, in *inst, regs []reg) error {
	p := regs[in.a]
	if p.u != 0 {
		return ub("branch on undef or poison", "indirectbr")
	}
	base := vm.globals[f.c.g.ID].v + 8
	if k, l := p.v-base, f.c.indirs[in.imm]; k < uint64(len(l)) && l[k] != 0 {
		f.pc = int(l[k] - 1)
		vm.fuel -= int64(in.k)
		return nil
	}
	return ub("indirect branch to no destination", "%#x", p.v)
}

// call runs a function with the given argument registers to its end.
func (vm *Interp) call(id ir.GlobalID, args []reg) ([]reg, error) {
	g := vm.m.Globals[id]
	for g.Kind == ir.GlobalAlias && g.Init.Global() != 0 {
		g = vm.m.Globals[g.Init.Global()]
	}
	if g.Func == nil {
		return nil, unsupported("a call of @%s from outside", g.Name)
	}
	c := vm.codeOf(g.ID)
	if int(c.numArgs) != len(args) {
		if int(c.numArgs) > len(args) {
			return nil, fmt.Errorf("@%s takes %d arguments, not %d", g.Name, c.numArgs, len(args))
		}
		args = args[:c.numArgs]
	}
	return vm.callCode(c, args, nil)
}

func (vm *Interp) callCode(c *code, args []reg, va []vaArg) ([]reg, error) {
	fp := 0
	if n := len(vm.frames); n > 0 {
		fp = vm.frames[n-1].fp + vm.frames[n-1].c.nregs
	}
	if len(vm.frames) >= vm.o.MaxDepth {
		return nil, &Stopped{Reason: "too many nested calls"}
	}
	next := vm.frameAt(fp, c.nregs)
	n := copy(next, c.consts)
	copy(next[n:], args)
	depth := len(vm.frames)
	vm.frames = append(vm.frames, frame{c: c, fp: fp, objMark: len(vm.stackObjs), used: vm.used, va: va})
	for _, s := range c.noundef {
		if err := vm.noundef(next[s], "parameter or result"); err != nil {
			return nil, vm.locate(err)
		}
	}
	if err := vm.enter(c, next); err != nil {
		return nil, vm.locate(err)
	}
	if err := vm.run(depth); err != nil {
		return nil, err
	}
	f := &vm.frames[depth]
	res := append([]reg(nil), vm.stack[f.fp+f.pc:f.fp+f.pc+int(c.ret.slots)]...)
	vm.frames = vm.frames[:depth]
	return res, nil
}

// callPtr calls a function by its address, for the C library.
func (vm *Interp) callPtr(p reg, args []reg) ([]reg, error) {
	if p.u != 0 {
		return nil, ub("call of undef or poison", "")
	}
	i, ok := vm.object(p)
	if !ok || vm.objs[i].kind != objFunc || vm.objs[i].base != p.v || vm.objs[i].name == 0 {
		return nil, ub("call of no function", "address %#x", p.v)
	}
	id := vm.objs[i].name
	if vm.m.Globals[id].Func == nil {
		return vm.callLib(id, args)
	}
	c := vm.codeOf(id)
	for int(c.numArgs) > len(args) {
		args = append(args, reg{u: ^uint64(0)})
	}
	return vm.callCode(c, args[:c.numArgs], nil)
}

// locate gives an error the position of the innermost frame.
func (vm *Interp) locate(err error) error {
	var pos *Position
	var u *UB
	var ns *NotSupported
	var s *Stopped
	switch {
	case errors.As(err, &u):
		c := *u
		pos, err = &c.Position, &c
	case errors.As(err, &ns):
		c := *ns
		pos, err = &c.Position, &c
	case errors.As(err, &s):
		c := *s
		pos, err = &c.Position, &c
	default:
		return err
	}
	if pos.Function != "" || len(vm.frames) == 0 {
		return err
	}
	n := len(vm.frames) - 1
	if n > 0 && vm.frames[n].pc == 0 && vm.frames[n-1].pc > 0 {
		n-- // a parameter's check: the fault is the call
	}
	f := &vm.frames[n]
	pos.Function = f.c.g.Name
	if pc := f.pc - 1; pc >= 0 && pc < len(f.c.src) {
		vm.describeInstr(pos, f.c, f.c.src[pc])
	}
	if src := vm.madePoison; u != nil && src.g != nil && strings.Contains(u.Kind+u.Msg, "poison") {
		at := Position{}
		vm.describeInstr(&at, &code{g: src.g}, src.instr)
		pos.Poison = at.Instr + " in @" + src.g.Name
	}
	for k := n - 1; k >= 0 && len(pos.Callers) < 16; k-- {
		pos.Callers = append(pos.Callers, vm.frames[k].c.g.Name)
	}
	return err
}

func (vm *Interp) describeInstr(pos *Position, c *code, i ir.InstrID) {
	f := c.g.Func
	if i == 0 {
		return
	}
	in := &f.Instrs[i]
	pos.Block, pos.Instr = irtext.InstrText(f, i)
	if loc := vm.m.MD.At(in.Loc); loc != nil {
		pos.File, pos.Line = vm.sourceLine(loc)
	}
}

// sourceLine reads a DILocation.
func (vm *Interp) sourceLine(n *ir.MDNode) (file string, line int) {
	scope := ir.MDID(0)
	for _, f := range n.Fields {
		switch f.Name {
		case "line":
			line = int(f.Int)
		case "scope":
			scope = f.Node
		}
	}
	for k := 0; k < 64 && scope != 0; k++ {
		s := vm.m.MD.At(scope)
		scope = 0
		for _, f := range s.Fields {
			if f.Name == "file" && f.Node != 0 {
				for _, x := range vm.m.MD.At(f.Node).Fields {
					if x.Name == "filename" {
						return vm.mdText(x), line
					}
				}
			}
			if f.Name == "scope" {
				scope = f.Node
			}
		}
	}
	return "?", line
}

func (vm *Interp) mdText(f ir.MDField) string {
	if f.Kind == ir.MDFieldNode && f.Node != 0 {
		return vm.m.MD.At(f.Node).Str
	}
	return f.Str
}

// parseRange reads the argument of a range attribute.
func parseRange(s string, bits uint32) (lo, hi uint64, ok bool) {
	a, b, found := strings.Cut(s, ",")
	if !found {
		return 0, 0, false
	}
	x, ok1 := new(big.Int).SetString(strings.TrimSpace(a), 10)
	y, ok2 := new(big.Int).SetString(strings.TrimSpace(b), 10)
	if !ok1 || !ok2 || x.BitLen() > 64 || y.BitLen() > 64 {
		return 0, 0, false
	}
	cut := func(z *big.Int) uint64 {
		if z.Sign() < 0 {
			return uint64(z.Int64()) & mask(bits)
		}
		return z.Uint64() & mask(bits)
	}
	return cut(x), cut(y), true
}
