package interp

import "slices"

// frameAt makes sure that the stack holds a frame of registers at fp: the loop
// looks at all that an instruction may name, so that much lies behind it.
func (vm *Interp) frameAt(fp, nregs int) []reg {
	if need := fp + nregs + frameRegs; need > len(vm.stack) {
		vm.stack = append(vm.stack, make([]reg, max(need, 2*len(vm.stack))-len(vm.stack))...)
	}
	return vm.stack[fp : fp+nregs : fp+nregs]
}

// doCall executes a call: of a defined function by a new frame, of a library function in place.
func (vm *Interp) doCall(f *frame, ci *callInfo) error {
	callee := ci.code
	if callee == nil || ci.checks != nil {
		var err error
		if callee, err = vm.resolve(ci, vm.stack[f.fp:f.fp+f.c.nregs]); err != nil {
			if err == errReturn {
				return nil
			}
			return err
		}
	}
	if len(vm.frames) >= vm.o.MaxDepth {
		return &Stopped{Reason: "too many nested calls"}
	}
	fp := f.fp + f.c.nregs
	next := vm.frameAt(fp, callee.nregs)
	regs := vm.stack[f.fp:fp]
	n := len(callee.consts)
	copy(next, callee.consts)
	var va []vaArg
	if ci.simple {
		args := next[n : n+len(ci.args)]
		for i := range args {
			args[i] = regs[ci.args[i].src]
		}
	} else {
		for i := range ci.fixed {
			m := &ci.args[i]
			n += copy(next[n:], regs[m.src:m.src+m.n])
		}
		for k := ci.fixed; k < len(ci.args); k++ {
			va = append(va, vm.vaArgOf(ci, k, regs))
		}
	}
	// Field by field: an append of a whole frame is slower than the rest of a call.
	k := len(vm.frames)
	if k == cap(vm.frames) {
		vm.frames = slices.Grow(vm.frames, k)
	}
	vm.frames = vm.frames[:k+1]
	to := &vm.frames[k]
	to.c, to.ci, to.pc, to.fp, to.objMark, to.used = callee, ci, 0, fp, len(vm.stackObjs), vm.used
	if va != nil || to.va != nil {
		to.va = va
	}
	for _, s := range callee.noundef {
		if r := &next[s]; r.u != 0 {
			if err := vm.noundef(*r, "parameter or result"); err != nil {
				return err
			}
		}
	}
	if callee.checks != nil || callee.byvals != nil {
		return vm.enter(callee, next)
	}
	return nil
}

// doReturn ends a frame and hands its result to the caller. done says that the
// frame was the one at depth: it stays, and its pc tells where the result is.
func (vm *Interp) doReturn(f *frame, in *inst, depth int) (done bool, err error) {
	c := f.c
	res := vm.stack[f.fp+int(in.a) : f.fp+c.nregs]
	if c.retChk != nil || f.ci != nil && f.ci.retChk != nil {
		if err := vm.checkReturn(f, c, res); err != nil {
			return false, err
		}
	}
	if len(vm.stackObjs) != f.objMark {
		vm.popStack(f.objMark, f.used)
	} else {
		vm.used = f.used
	}
	vm.fuel -= int64(in.imm)
	n := len(vm.frames) - 1
	if n == depth {
		f.pc = int(in.a)
		return true, nil
	}
	caller := &vm.frames[n-1]
	switch to := vm.stack[caller.fp+int(f.ci.d):]; f.ci.nret {
	case 0:
	case 1:
		to[0] = res[0]
	default:
		copy(to[:f.ci.nret], res)
	}
	vm.frames = vm.frames[:n]
	return false, nil
}

// checkReturn applies what function and call site say of a result.
func (vm *Interp) checkReturn(f *frame, c *code, regs []reg) error {
	for i := range c.retChk {
		if k := &c.retChk[i]; !k.onlyNoundef || regs[0].u != 0 {
			if err := vm.runCheck(k, regs); err != nil {
				return err
			}
		}
	}
	if f.ci == nil {
		return nil
	}
	for i := range f.ci.retChk {
		if k := &f.ci.retChk[i]; !k.onlyNoundef || regs[0].u != 0 {
			if err := vm.runCheck(k, regs); err != nil {
				return err
			}
		}
	}
	return nil
}
