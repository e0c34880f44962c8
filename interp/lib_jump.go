package interp

import (
	"errors"

	"github.com/mirin-go/mirin/ir"
)

// jump is what setjmp knows: the frame, and where it goes on.
type jump struct {
	frame int // index in Interp.frames
	fp    int
	pc    int
	c     *code
	d     uint32 // register of setjmp's result
	mark  int
}

// longJump ends the calls above a frame. It is an error on its way to the loop that runs that frame.
type longJump struct {
	to  jump
	val reg
}

func (*longJump) Error() string { return "longjmp" }

// jumpLib has setjmp and longjmp. A jmp_buf holds the number of its jump, so
// that it can be copied. Functions that call setjmp share no registers
// (decoder.makePlan), because they go on twice after it.
func jumpLib(name string) libFn {
	switch name {
	case "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp":
		return func(c *libCall) error {
			vm := c.vm
			if len(vm.frames) == 0 {
				return unsupported("setjmp as a callback")
			}
			f := &vm.frames[len(vm.frames)-1]
			in := &f.c.insts[f.pc-1]
			if in.op != opCall {
				return unsupported("setjmp as a callback")
			}
			if err := vm.setjmp(c.reg(0), f.c.calls[in.imm].d); err != nil {
				return err
			}
			return c.ret(0)
		}
	case "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk":
		return func(c *libCall) error {
			v := max(uint64(uint32(c.int(1))), 1)
			p := c.reg(0)
			if c.err != nil {
				return c.err
			}
			return c.vm.longjmp(p, def(v))
		}
	}
	return nil
}

// setjmp stores the number of a jump to what the innermost frame does next, with its result in register d.
func (vm *Interp) setjmp(buf reg, d uint32) error {
	o, off, err := vm.access(buf, 8, 1, true)
	if err != nil {
		return err
	}
	f := &vm.frames[len(vm.frames)-1]
	vm.lib.jumps = append(vm.lib.jumps, jump{frame: len(vm.frames) - 1, fp: f.fp, pc: f.pc, c: f.c, d: d, mark: f.objMark})
	o.store(off, 8, def(uint64(len(vm.lib.jumps))), vm.prvShift)
	return nil
}

func (vm *Interp) longjmp(buf, val reg) error {
	o, off, err := vm.access(buf, 8, 1, false)
	if err != nil {
		return err
	}
	n := o.load(off, 8)
	if n.u != 0 || n.v == 0 || n.v > uint64(len(vm.lib.jumps)) {
		return ub("longjmp without setjmp", "")
	}
	j := vm.lib.jumps[n.v-1]
	if j.frame >= len(vm.frames) || vm.frames[j.frame].fp != j.fp || vm.frames[j.frame].c != j.c || vm.frames[j.frame].objMark != j.mark {
		return ub("longjmp into a function that returned", "@%s", j.c.g.Name)
	}
	return &longJump{to: j, val: val}
}

// land goes on after setjmp when err is a jump to a frame from depth on.
func (vm *Interp) land(err error, depth int) bool {
	var j *longJump
	if !errors.As(err, &j) || j.to.frame < depth {
		return false
	}
	if k := j.to.frame + 1; k < len(vm.frames) {
		vm.popStack(vm.frames[k].objMark, vm.frames[k].used)
		vm.frames = vm.frames[:k]
	}
	f := &vm.frames[j.to.frame]
	f.pc = j.to.pc
	vm.stack[f.fp+int(j.to.d)] = j.val
	return true
}

// returnsTwice tells whether the function calls setjmp.
func (d *decoder) returnsTwice() bool {
	twice := false
	d.eachInstr(func(i ir.InstrID, _ ir.BlockID) {
		in := &d.f.Instrs[i]
		if in.Op != ir.OpCall && in.Op != ir.OpInvoke {
			return
		}
		if d.vm.m.Attrs.At(in.Attrs).Fn.Has("returns_twice") {
			twice = true
		}
		if g := d.f.Callee(i).Global(); g != 0 {
			gl := d.vm.m.Globals[g]
			twice = twice || gl.Intrinsic == ir.IntrEhSjljSetjmp || jumpLib(gl.Name) != nil || d.vm.m.Attrs.At(gl.Attrs).Fn.Has("returns_twice")
		}
	})
	return twice
}
