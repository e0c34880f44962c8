package mctargetdesc

import (
	"math"

	"github.com/mirin-go/mirin/mc"
)

// loadReal loads a floating-point number into a register of either file; the operand is its bits, or
// a whole number.
func (r *reader) loadReal(ops []operand) error {
	v := uint64(ops[1].v)
	if v>>52&0x7ff == 0 {
		v = math.Float64bits(float64(v))
	}
	d, float := ops[0].reg.n, ops[0].reg.files == "f"
	switch {
	case r.word == "li.s" && float:
		return r.singleFP(d, v)
	case r.word == "li.s":
		return r.loadImm(int64(singleBits(v)), d, -1, true, false)
	case float:
		return r.doubleFP(d, v)
	}
	return r.doubleGP(d, v)
}

func singleBits(v uint64) uint32 { return math.Float32bits(float32(math.Float64frombits(v))) }

// constant puts a number among read-only data and gives its label.
func (r *reader) constant(v uint64, size int) mc.Expr {
	ctx, out := r.p.Context(), r.p.Streamer()
	old := out.Section()
	l := ctx.Temp("tmp")
	out.SwitchSection(ctx.ReadOnlySection())
	out.Label(l)
	if y := ctx.At(l); out.IsText() {
		y.Flags |= mc.SymDefined
		y.Section = out.Section()
	}
	if size == 8 {
		out.Align(3, 0, 0)
	}
	out.Int(v, size)
	out.SwitchSection(old)
	return ctx.Ref(l, mc.ModNone)
}

// partial puts the address of a label without its low half into the register for expansions.
func (r *reader) partial(at int, l mc.Expr) error {
	r.nomacro()
	switch {
	case r.pic && r.pointers64():
		return r.inst("LD", at, r.gp, r.spec("got", l))
	case r.pic:
		return r.inst("LW", at, r.gp, r.spec("got", l))
	case r.pointers64():
		return r.steps(step{"LUi", at, r.spec("highest", l)}, step{"DADDiu", at, at, r.spec("higher", l)}, step{"DSLL", at, at, imm(16)},
			step{"DADDiu", at, at, r.spec("hi", l)}, step{"DSLL", at, at, imm(16)})
	}
	return r.inst("LUi", at, r.spec("hi", l))
}

func (r *reader) singleFP(d int, v uint64) error {
	b := singleBits(v)
	if b == 0 {
		return r.inst("MTC1", d, 0)
	}
	at, err := r.atReg()
	if err != nil {
		return err
	}
	if b&0xffff == 0 {
		if err := r.loadImm(int64(b), at, -1, true, false); err != nil {
			return err
		}
		return r.inst("MTC1", d, at)
	}
	l := r.constant(uint64(b), 4)
	if err := r.partial(at, l); err != nil {
		return err
	}
	return r.inst("LWC1", d, at, r.spec("lo", l))
}

func (r *reader) doubleFP(d int, v uint64) error {
	hi, lo := int64(v>>32), uint32(v)
	wide := r.has("gp64")
	if lo == 0 && hi&0xffff == 0 {
		at := 0
		if hi != 0 {
			var err error
			if at, err = r.atReg(); err != nil {
				return err
			}
			if wide {
				err = r.loadImm(int64(v), at, -1, false, false)
			} else {
				err = r.loadImm(hi, at, -1, true, false)
			}
			if err != nil {
				return err
			}
		}
		switch {
		case wide:
			return r.inst("DMTC1", d, at)
		case r.has("fp64"):
			fd := r.regOf("FGR64", d)
			return r.steps(step{"MTC1_D64", fd, 0}, step{"MTHC1_D64", fd, fd, at})
		}
		if r.has("mips32r2") {
			fd := r.regOf("AFGR64", d&^1)
			return r.steps(step{"MTC1", d, 0}, step{"MTHC1_D32", fd, fd, at})
		}
		return r.steps(step{"MTC1", d + 1, at}, step{"MTC1", d, 0})
	}
	at, err := r.atReg()
	if err != nil {
		return err
	}
	l := r.constant(v, 8)
	if err := r.partial(at, l); err != nil {
		return err
	}
	if r.has("fp64") {
		return r.inst("LDC164", d, at, r.spec("lo", l))
	}
	return r.inst("LDC1", d, at, r.spec("lo", l))
}

func (r *reader) doubleGP(d int, v uint64) error {
	hi, lo := int64(v>>32), uint32(v)
	wide := r.has("gp64")
	if lo == 0 {
		if wide {
			return r.loadImm(int64(v), d, -1, false, false)
		}
		if err := r.loadImm(hi, d, -1, true, false); err != nil {
			return err
		}
		return r.loadImm(0, d+1, -1, true, false)
	}
	at, err := r.atReg()
	if err != nil {
		return err
	}
	l := r.constant(v, 8)
	if err := r.partial(at, l); err != nil {
		return err
	}
	add := "ADDiu"
	if r.pointers64() {
		add = "DADDiu"
	}
	if err := r.inst(add, at, at, r.spec("lo", l)); err != nil {
		return err
	}
	if wide {
		return r.inst("LD", d, at, imm(0))
	}
	return r.steps(step{"LW", d, at, imm(0)}, step{"LW", d + 1, at, imm(4)})
}
