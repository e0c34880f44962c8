package mctargetdesc

import (
	"math/bits"

	"github.com/mirin-go/mirin/mc"
)

// loadImm puts a number into a register, with src (unless it is -1) added. narrow says that its low
// 32 bits count; address that it is one.
func (r *reader) loadImm(v int64, dst, src int, narrow, address bool) error {
	if !narrow && !r.has("gp64") {
		return failed("instruction requires a 64-bit architecture")
	}
	if narrow {
		if !isInt(v, 32) && !isUInt(v, 32) {
			return failed("instruction requires a 32-bit immediate")
		}
		v = int64(int32(v))
	}
	add := "ADDu"
	if !narrow {
		add = "DADDu"
	}
	t := dst
	from := max(src, 0)
	if src >= 0 && src == dst && !isInt(v, 16) && !(isUInt(v, 16) && r.pointers64()) {
		var err error
		if t, err = r.atReg(); err != nil {
			return err
		}
	}
	plus := func() error {
		if src < 0 {
			return nil
		}
		return r.inst(add, dst, t, src)
	}
	switch {
	case isInt(v, 16):
		if address && !narrow {
			return r.inst("DADDiu", dst, from, imm(v))
		}
		return r.inst("ADDiu", dst, from, imm(v))
	case isUInt(v, 16):
		if src >= 0 && r.pointers64() {
			add = "DADDu"
		}
		if err := r.inst("ORi", t, 0, imm(v)); err != nil {
			return err
		}
		return plus()
	case isInt(v, 32) || isUInt(v, 32):
		r.nomacro()
		hi, lo := v>>16&0xffff, v&0xffff
		switch {
		case !narrow && !isInt(v, 32) && v == 0xffffffff:
			if err := r.steps(step{"LUi", t, imm(0xffff)}, step{"DSRL32", t, t, imm(0)}); err != nil {
				return err
			}
			return plus()
		case !narrow && !isInt(v, 32):
			if err := r.steps(step{"ORi", t, 0, imm(hi)}, step{"DSLL", t, t, imm(16)}); err != nil {
				return err
			}
		default:
			if err := r.inst("LUi", t, imm(hi)); err != nil {
				return err
			}
		}
		if lo != 0 {
			if err := r.inst("ORi", t, t, imm(lo)); err != nil {
				return err
			}
		}
		return plus()
	}
	r.nomacro()
	if first, last := bits.TrailingZeros64(uint64(v)), 63-bits.LeadingZeros64(uint64(v)); last-first <= 15 {
		n := first - (15 - (last - first))
		if err := r.inst("ORi", t, 0, imm(v>>n&0xffff)); err != nil {
			return err
		}
		if err := r.inst("DSLL", t, t, imm(int64(n))); err != nil {
			return err
		}
		return plus()
	}
	if err := r.loadImm(v>>32, t, -1, true, false); err != nil {
		return err
	}
	n := 16
	for at := 16; at >= 0; at -= 16 {
		if chunk := v >> at & 0xffff; chunk != 0 {
			if err := r.dsll(t, n); err != nil {
				return err
			}
			if err := r.inst("ORi", t, t, imm(chunk)); err != nil {
				return err
			}
			n = 0
		}
		n += 16
	}
	if n -= 16; n > 0 {
		if err := r.dsll(t, n); err != nil {
			return err
		}
	}
	return plus()
}

// dsll shifts a register by up to 63 bits.
func (r *reader) dsll(t, n int) error {
	if n >= 32 {
		return r.inst("DSLL32", t, t, imm(int64(n-32)))
	}
	return r.inst("DSLL", t, t, imm(int64(n)))
}

// address loads what la and dla ask for: a number or a symbol, with a register added unless base is 0 or -1.
func (r *reader) loadAddress(dst, base int, x mc.Expr, v int64, narrow bool) error {
	if narrow && r.pointers64() {
		r.p.Warn(0, 0, "la used to load 64-bit address")
		narrow = false
	}
	if !narrow && !r.has("mips3") {
		return failed("instruction requires a 64-bit architecture")
	}
	if x != 0 {
		return r.loadSymbol(dst, base, x, narrow)
	}
	if !r.pointers64() {
		narrow = true
	}
	if base == 0 {
		base = -1
	}
	return r.loadImm(v, dst, base, narrow, true)
}

// loadSymbol puts the address of a symbol into a register, with src added unless it is 0 or -1.
func (r *reader) loadSymbol(dst, src int, e mc.Expr, narrow bool) error {
	if src == 0 {
		src = -1
	}
	r.nomacro()
	if r.pic {
		return r.loadGOT(dst, src, e)
	}
	if r.pointers64() && r.has("gp64") {
		return r.loadSymbol64(dst, src, e)
	}
	t := dst
	if src == dst {
		var err error
		if t, err = r.atReg(); err != nil {
			return err
		}
	}
	if err := r.steps(step{"LUi", t, r.spec("hi", e)}, step{"ADDiu", t, t, r.spec("lo", e)}); err != nil || src < 0 {
		return err
	}
	return r.inst("ADDu", dst, t, src)
}

func (r *reader) loadSymbol64(dst, src int, e mc.Expr) error {
	highest, higher, hi, lo := r.spec("highest", e), r.spec("higher", e), r.spec("hi", e), r.spec("lo", e)
	t := dst
	if src == dst {
		var err error
		if t, err = r.atReg(); err != nil {
			return err
		}
	} else if at := r.at(); at != 0 && at != dst {
		l := []step{{"LUi", dst, highest}, {"LUi", at, hi}, {"DADDiu", dst, dst, higher}, {"DADDiu", at, at, lo}, {"DSLL32", dst, dst, imm(0)}, {"DADDu", dst, dst, at}}
		if src >= 0 {
			l = append(l, step{"DADDu", dst, dst, src})
		}
		return r.steps(l...)
	}
	l := []step{{"LUi", t, highest}, {"DADDiu", t, t, higher}, {"DSLL", t, t, imm(16)}, {"DADDiu", t, t, hi}, {"DSLL", t, t, imm(16)}, {"DADDiu", t, t, lo}}
	if src >= 0 {
		l = append(l, step{"DADDu", dst, t, src})
	}
	return r.steps(l...)
}

// local reports that a symbol is not of other files, as far as is known where it is used.
func (r *reader) local(s mc.Sym) bool {
	ctx := r.p.Context()
	y := ctx.At(s)
	name := ctx.SymName(s)
	if name == ".text" || name == ".data" || name == ".bss" {
		return true
	}
	return y.Section != 0 && y.Flags&mc.SymDefined != 0 || y.Flags&mc.SymTemp != 0 || y.Binding == mc.BindLocal || len(name) > 1 && (name[:2] == ".L" || r.abi == "o32" && name[0] == '$')
}

// loadGOT loads an address from the global offset table.
func (r *reader) loadGOT(dst, src int, e mc.Expr) error {
	ctx := r.p.Context()
	v, ok := ctx.Reduce(e, nil)
	switch {
	case !ok:
		return failed("expected relocatable expression")
	case v.B != 0:
		return failed("expected relocatable expression with only one symbol")
	}
	load, addi, add := "LW", "ADDiu", "ADDu"
	if r.pointers64() {
		load, addi, add = "LD", "DADDiu", "DADDu"
	}
	sym := ctx.Ref(v.A, mc.ModNone)
	isLocal := r.local(v.A)
	xgot := r.has("xgot") && !isLocal
	if dst == 25 && src < 0 && v.Off == 0 && !isLocal {
		if xgot {
			return r.steps(step{"LUi", 25, r.spec("call_hi", sym)}, step{add, 25, 25, r.gp}, step{load, 25, 25, r.spec("call_lo", sym)})
		}
		return r.inst(load, 25, r.gp, r.spec("call16", sym))
	}
	t := dst
	if src == dst {
		var err error
		if t, err = r.atReg(); err != nil {
			return err
		}
	}
	var lo any
	if v.Off != 0 {
		if !isInt(v.Off, 16) {
			return failed("macro instruction uses large offset, which is not currently supported")
		}
		lo = imm(v.Off)
	}
	var l []step
	switch {
	case xgot:
		l = []step{{"LUi", t, r.spec("got_hi", e)}, {add, t, t, r.gp}, {load, t, t, r.spec("got_lo", sym)}}
	case r.newABI():
		l = []step{{load, t, r.gp, r.spec("got_disp", sym)}}
	case isLocal:
		l, lo = []step{{load, t, r.gp, r.spec("got", e)}}, r.spec("lo", e)
	default:
		l = []step{{load, t, r.gp, r.spec("got", sym)}}
	}
	if lo != nil {
		l = append(l, step{addi, t, t, lo})
	}
	if src >= 0 {
		l = append(l, step{add, dst, t, src})
	}
	return r.steps(l...)
}
