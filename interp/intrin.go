package interp

import (
	"math"
	"math/bits"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// lane1 and lane2 are operations on the lanes of one or two values.
type (
	lane1 func(w uint32, k leafKind, a reg) reg
	lane2 func(w uint32, k leafKind, a, b reg) reg
)

// intrinsic decodes a call of an intrinsic.
func (d *decoder) intrinsic(i ir.InstrID, g *ir.Global, args []ir.Value) {
	in := &d.f.Instrs[i]
	id := g.Intrinsic
	if d.intrinsicMem(i, id, args) || d.intrinsicInt(i, id, args) || d.intrinsicFP(i, id, args) || d.intrinsicVec(i, id, args) {
		d.valueMD(i, in)
		return
	}
	switch id {
	case ir.IntrDbgDeclare, ir.IntrDbgValue, ir.IntrDbgLabel, ir.IntrDbgAssign, ir.IntrDonothing, ir.IntrSideeffect, ir.IntrPrefetch,
		ir.IntrExperimentalNoaliasScopeDecl, ir.IntrPseudoprobe, ir.IntrInvariantEnd, ir.IntrVaEnd, ir.IntrFakeUse, ir.IntrVarAnnotation, ir.IntrClearCache:
		return
	case ir.IntrInvariantStart, ir.IntrAnnotation, ir.IntrPtrAnnotation, ir.IntrExpect, ir.IntrExpectWithProbability, ir.IntrLaunderInvariantGroup,
		ir.IntrStripInvariantGroup, ir.IntrThreadlocalAddress, ir.IntrSsaCopy, ir.IntrArithmeticFence:
		if id == ir.IntrInvariantStart {
			d.copy(d.slots[i], d.val(args[1]), 1)
			return
		}
		d.copy(d.slots[i], d.val(args[0]), d.layout(in.Type).slots)
		return
	case ir.IntrTrap, ir.IntrUbsantrap, ir.IntrDebugtrap:
		d.gen(func(*Interp, []reg) error { return ub("trap", "%s", id) })
		return
	case ir.IntrAssume:
		a := d.opnd(args[0])
		d.gen(func(vm *Interp, regs []reg) error {
			if r := regs[*a]; r.u != 0 || r.v == 0 {
				return ub("assume of false", "")
			}
			return nil
		})
		d.assumeBundles(in)
		return
	case ir.IntrIsConstant:
		d.copyConst(i, 0)
		return
	case ir.IntrAllowRuntimeCheck, ir.IntrAllowUbsanCheck, ir.IntrExperimentalWidenableCondition:
		d.copyConst(i, 1)
		return
	case ir.IntrReadcyclecounter, ir.IntrReadsteadycounter:
		r := d.late(d.slots[i])
		d.gen(func(vm *Interp, regs []reg) error { regs[*r] = def(uint64(vm.o.Now().UnixNano())); return nil })
		return
	case ir.IntrFrameaddress, ir.IntrReturnaddress, ir.IntrSponentry, ir.IntrAddressofreturnaddress:
		r := d.late(d.slots[i])
		d.gen(func(vm *Interp, regs []reg) error {
			regs[*r] = def(vm.stackTop - vm.used)
			return nil
		})
		return
	case ir.IntrEhSjljSetjmp:
		// The first and third word of the buffer are the program's: frame and stack.
		p, r, word := d.opnd(args[0]), d.late(d.slots[i]), d.vm.ptrBytes
		d.gen(func(vm *Interp, regs []reg) error {
			regs[*r] = def(0)
			return vm.setjmp(addPtr(regs[*p], word), *r)
		})
		return
	case ir.IntrEhSjljLongjmp:
		p, word := d.opnd(args[0]), d.vm.ptrBytes
		d.gen(func(vm *Interp, regs []reg) error { return vm.longjmp(addPtr(regs[*p], word), def(1)) })
		return
	case ir.IntrGetRounding:
		d.copyConst(i, 1)
		return
	case ir.IntrEhTypeidFor:
		d.copyConst(i, 1)
		return
	}
	d.bad(unsupported("intrinsic @%s", g.Name))
}

func (d *decoder) copyConst(i ir.InstrID, v uint64) {
	s := uint32(len(d.c.consts))
	d.c.consts = append(d.c.consts, def(v))
	d.copy(d.slots[i], s, 1)
}

// assumeBundles checks what the bundles of an assume promise of pointers.
func (d *decoder) assumeBundles(in *ir.Instr) {
	if in.Extra == 0 {
		return
	}
	for _, b := range d.f.Extras[in.Extra].Bundles {
		if len(b.Args) == 0 {
			continue
		}
		p := d.opnd(b.Args[0])
		var n *uint32
		if len(b.Args) > 1 {
			n = d.opnd(b.Args[1])
		}
		tag := b.Tag
		d.gen(func(vm *Interp, regs []reg) error {
			v := regs[*p]
			bad := false
			switch tag {
			case "nonnull":
				bad = v.u != 0 || v.v == 0
			case "noundef":
				return vm.noundef(v, "assume bundle")
			case "align":
				if n != nil && regs[*n].u == 0 && regs[*n].v != 0 && !vm.o.Lenient.Align {
					bad = v.u != 0 || v.v%regs[*n].v != 0
				}
			case "dereferenceable":
				if n != nil && regs[*n].u == 0 && regs[*n].v != 0 {
					_, _, err := vm.access(v, regs[*n].v, 1, false)
					return err
				}
			}
			if bad {
				return ub("assume of false", "bundle %q", tag)
			}
			return nil
		})
	}
}

// map1 and map2 emit an operation on all lanes.
func (d *decoder) map1(i ir.InstrID, a ir.Value, fn lane1) bool {
	k, w, words, n := d.lanes(d.f.TypeOf(a))
	if words > 1 {
		return false
	}
	s, r := d.opnd(a), d.late(d.slots[i])
	d.gen(func(vm *Interp, regs []reg) error {
		for j := range n {
			x := regs[*s+j]
			if x.poison() {
				regs[*r+j] = poisonReg
			} else {
				regs[*r+j] = fn(w, k, x)
			}
		}
		return nil
	})
	return true
}

func (d *decoder) map2(i ir.InstrID, a, b ir.Value, fn lane2) bool {
	k, w, words, n := d.lanes(d.f.TypeOf(a))
	if words > 1 {
		return false
	}
	s, t, r := d.opnd(a), d.opnd(b), d.late(d.slots[i])
	step := uint32(1)
	if !d.vm.t.IsVector(d.f.TypeOf(b)) {
		step = 0
	}
	d.gen(func(vm *Interp, regs []reg) error {
		for j := range n {
			x, y := regs[*s+j], regs[*t+j*step]
			if x.poison() || y.poison() {
				regs[*r+j] = poisonReg
			} else {
				regs[*r+j] = fn(w, k, x, y)
			}
		}
		return nil
	})
	return true
}

func (d *decoder) intrinsicInt(i ir.InstrID, id ir.Intrinsic, args []ir.Value) bool {
	in := &d.f.Instrs[i]
	if _, _, words, _ := d.lanes(in.Type); words > 1 && d.intrinsicWide(i, id, args) {
		return true
	}
	pred := func(p ir.Pred) bool {
		if _, _, words, n := d.lanes(in.Type); words > 1 {
			_, w, _, _ := d.lanes(in.Type)
			a, b, r := d.opnd(args[0]), d.opnd(args[1]), d.late(d.slots[i])
			d.gen(func(vm *Interp, regs []reg) error {
				for k := uint32(0); k < n*words; k += words {
					x, y := regs[*a+k:*a+k+words], regs[*b+k:*b+k+words]
					c := evalWideICmp(p, w, x, y)
					for j := range words {
						regs[*r+k+j] = evalSelect(c, x[j], y[j], 64)
					}
				}
				return nil
			})
			return true
		}
		return d.map2(i, args[0], args[1], func(w uint32, k leafKind, a, b reg) reg {
			return evalSelect(evalICmp(p, 0, w, a, b), a, b, w)
		})
	}
	flag := func(v ir.Value) bool { n, _ := d.f.Consts.SignedInt(d.vm.t, v); return n != 0 }
	switch id {
	case ir.IntrSmax:
		return pred(ir.ICmpSGT)
	case ir.IntrSmin:
		return pred(ir.ICmpSLT)
	case ir.IntrUmax:
		return pred(ir.ICmpUGT)
	case ir.IntrUmin:
		return pred(ir.ICmpULT)
	case ir.IntrScmp, ir.IntrUcmp:
		lt := ir.ICmpULT
		if id == ir.IntrScmp {
			lt = ir.ICmpSLT
		}
		_, rb, _, _ := d.lanes(in.Type)
		return d.map2(i, args[0], args[1], func(w uint32, _ leafKind, a, b reg) reg {
			l, e := evalICmp(lt, 0, w, a, b), evalICmp(ir.ICmpEQ, 0, w, a, b)
			if l.u|e.u != 0 {
				return reg{u: mask(rb)}
			}
			switch {
			case e.v != 0:
				return def(0)
			case l.v != 0:
				return def(mask(rb))
			}
			return def(1)
		})
	case ir.IntrAbs:
		poison := flag(args[1])
		return d.map1(i, args[0], func(w uint32, _ leafKind, a reg) reg {
			switch {
			case a.u != 0:
				return reg{u: mask(w)}
			case a.v>>(w-1) == 0:
				return a
			case a.v == 1<<(w-1) && poison:
				return poisonReg
			}
			return def(-a.v & mask(w))
		})
	case ir.IntrBswap:
		if _, w, words, n := d.lanes(in.Type); words > 1 && n == 1 && w%16 == 0 {
			a, r := d.opnd(args[0]), d.late(d.slots[i])
			nb := w / 8
			d.gen(func(vm *Interp, regs []reg) error {
				out := make([]reg, words)
				for j := range nb {
					s := regs[*a+j/8]
					if s.poison() {
						setPoison(regs[*r : *r+words])
						return nil
					}
					k := nb - 1 - j
					out[k/8].v |= s.v >> (j % 8 * 8) & 0xff << (k % 8 * 8)
					out[k/8].u |= s.u >> (j % 8 * 8) & 0xff << (k % 8 * 8)
				}
				copy(regs[*r:], out)
				return nil
			})
			return true
		}
		return d.map1(i, args[0], func(w uint32, _ leafKind, a reg) reg {
			return reg{v: bits.ReverseBytes64(a.v) >> (64 - w), u: bits.ReverseBytes64(a.u) >> (64 - w)}
		})
	case ir.IntrBitreverse:
		return d.map1(i, args[0], func(w uint32, _ leafKind, a reg) reg {
			return reg{v: bits.Reverse64(a.v) >> (64 - w), u: bits.Reverse64(a.u) >> (64 - w)}
		})
	case ir.IntrCtpop, ir.IntrCtlz, ir.IntrCttz:
		return d.bitCount(i, id, args)
	case ir.IntrFshl, ir.IntrFshr:
		return d.funnel(i, id, args)
	case ir.IntrSaddWithOverflow, ir.IntrUaddWithOverflow, ir.IntrSsubWithOverflow, ir.IntrUsubWithOverflow, ir.IntrSmulWithOverflow, ir.IntrUmulWithOverflow:
		op, fl := overflowOp(id)
		_, w, words, n := d.lanes(d.f.TypeOf(args[0]))
		a, b, r := d.opnd(args[0]), d.opnd(args[1]), d.late(d.slots[i])
		d.gen(func(vm *Interp, regs []reg) error {
			for k := range n {
				x, y, out := regs[*a+k*words:*a+k*words+words], regs[*b+k*words:*b+k*words+words], regs[*r+k*words:*r+k*words+words]
				poison, undef := wordsState(x, y)
				ov := reg{}
				if words > 1 {
					tmp := make([]reg, words)
					evalWideBin(op, fl, w, x, y, tmp)
					ov = boolReg(tmp[0].poison())
					evalWideBin(op, 0, w, x, y, tmp)
					copy(out, tmp)
				} else {
					t, _ := evalBin(op, fl, w, x[0], y[0])
					ov = boolReg(t.poison())
					out[0], _ = evalBin(op, 0, w, x[0], y[0])
				}
				if undef {
					ov = reg{u: 1}
				}
				if poison {
					ov = poisonReg
				}
				regs[*r+n*words+k] = ov
			}
			return nil
		})
		return true
	case ir.IntrSaddSat, ir.IntrUaddSat, ir.IntrSsubSat, ir.IntrUsubSat, ir.IntrSshlSat, ir.IntrUshlSat:
		return d.map2(i, args[0], args[1], func(w uint32, _ leafKind, a, b reg) reg { return saturate(id, w, a, b) })
	case ir.IntrObjectsize:
		minimum := flag(args[1])
		_, w, _, _ := d.lanes(in.Type)
		r := d.late(d.slots[i])
		d.gen(func(vm *Interp, regs []reg) error {
			// The answer of an optimizer that knows nothing is always right.
			v := mask(w)
			if minimum {
				v = 0
			}
			regs[*r] = def(v)
			return nil
		})
		return true
	case ir.IntrPtrmask:
		return d.map2(i, args[0], args[1], func(w uint32, _ leafKind, a, b reg) reg {
			if a.u|b.u != 0 {
				return reg{u: mask(w)}
			}
			return reg{v: a.v & b.v, p: a.p}
		})
	}
	return false
}

func overflowOp(id ir.Intrinsic) (ir.Op, uint8) {
	switch id {
	case ir.IntrSaddWithOverflow:
		return ir.OpAdd, fNSW
	case ir.IntrUaddWithOverflow:
		return ir.OpAdd, fNUW
	case ir.IntrSsubWithOverflow:
		return ir.OpSub, fNSW
	case ir.IntrUsubWithOverflow:
		return ir.OpSub, fNUW
	case ir.IntrSmulWithOverflow:
		return ir.OpMul, fNSW
	}
	return ir.OpMul, fNUW
}

func saturate(id ir.Intrinsic, w uint32, a, b reg) reg {
	if a.u|b.u != 0 {
		return reg{u: mask(w)}
	}
	top := mask(w) >> 1
	var op ir.Op
	var fl uint8
	signedSat := false
	switch id {
	case ir.IntrSaddSat:
		op, fl, signedSat = ir.OpAdd, fNSW, true
	case ir.IntrUaddSat:
		op, fl = ir.OpAdd, fNUW
	case ir.IntrSsubSat:
		op, fl, signedSat = ir.OpSub, fNSW, true
	case ir.IntrUsubSat:
		op, fl = ir.OpSub, fNUW
	case ir.IntrSshlSat:
		op, fl, signedSat = ir.OpShl, fNSW, true
	default:
		op, fl = ir.OpShl, fNUW
	}
	if op == ir.OpShl && b.v >= uint64(w) {
		return poisonReg
	}
	r, _ := evalBin(op, fl, w, a, b)
	if !r.poison() {
		return r
	}
	switch {
	case signedSat && a.v>>(w-1) != 0:
		return def(top + 1)
	case signedSat:
		return def(top)
	case op == ir.OpSub:
		return def(0)
	}
	return def(mask(w))
}

func (d *decoder) bitCount(i ir.InstrID, id ir.Intrinsic, args []ir.Value) bool {
	zeroPoison := false
	if len(args) > 1 {
		n, _ := d.f.Consts.SignedInt(d.vm.t, args[1])
		zeroPoison = n != 0
	}
	_, w, words, n := d.lanes(d.f.TypeOf(args[0]))
	a, r := d.opnd(args[0]), d.late(d.slots[i])
	d.gen(func(vm *Interp, regs []reg) error {
		for k := range n {
			x := regs[*a+k*words : *a+k*words+words]
			out := regs[*r+k*words : *r+k*words+words]
			poison, undef := wordsState(x)
			c, zero := 0, true
			for j := range words {
				zero = zero && x[j].v == 0
			}
			switch id {
			case ir.IntrCtpop:
				for j := range words {
					c += bits.OnesCount64(x[j].v)
				}
			case ir.IntrCttz:
				for j := uint32(0); j < words; j++ {
					if x[j].v != 0 {
						c += bits.TrailingZeros64(x[j].v)
						break
					}
					c += 64
				}
				c = min(c, int(w))
			default:
				for j := int(words) - 1; j >= 0; j-- {
					c += bits.LeadingZeros64(x[j].v)
					if x[j].v != 0 {
						break
					}
				}
				c -= int(words*64 - w)
			}
			for j := range out {
				out[j] = reg{}
			}
			switch {
			case poison, zero && !undef && zeroPoison && id != ir.IntrCtpop:
				setPoison(out)
			case undef:
				undefWide(w, out)
			default:
				out[0] = def(uint64(c))
			}
		}
		return nil
	})
	return true
}

func (d *decoder) funnel(i ir.InstrID, id ir.Intrinsic, args []ir.Value) bool {
	_, w, words, n := d.lanes(d.f.TypeOf(args[0]))
	a, b, c, r := d.opnd(args[0]), d.opnd(args[1]), d.opnd(args[2]), d.late(d.slots[i])
	if words > 1 {
		return false
	}
	d.gen(func(vm *Interp, regs []reg) error {
		for k := range n {
			x, y, s := regs[*a+k], regs[*b+k], regs[*c+k]
			switch {
			case x.poison() || y.poison() || s.poison():
				regs[*r+k] = poisonReg
			case s.u != 0:
				regs[*r+k] = reg{u: mask(w)}
			default:
				sh := uint32(s.v % uint64(w))
				if id == ir.IntrFshr {
					sh = (w - sh) % w
					if sh == 0 {
						regs[*r+k] = y
						continue
					}
				}
				if sh == 0 {
					regs[*r+k] = x
					continue
				}
				regs[*r+k] = reg{v: (x.v<<sh | y.v>>(w-sh)) & mask(w), u: (x.u<<sh | y.u>>(w-sh)) & mask(w)}
			}
		}
		return nil
	})
	return true
}

// intrinsicFP decodes floating-point intrinsics, constrained ones (rounding to
// nearest, exceptions ignored) among them.
func (d *decoder) intrinsicFP(i ir.InstrID, id ir.Intrinsic, args []ir.Value) bool {
	in := &d.f.Instrs[i]
	if len(args) == 0 {
		return false
	}
	if k, _, _, n := d.lanes(d.f.TypeOf(args[0])); n > 0 && (k == leafF80 || k == leafBad) {
		return k == leafF80 && n == 1 && d.intrinsic80(i, id, args)
	}
	fl := d.fmf(in.Flags)
	name := strings.TrimPrefix(id.String(), "llvm.")
	if rest, ok := strings.CutPrefix(name, "experimental.constrained."); ok {
		return d.constrained(i, rest, args)
	}
	if fn := mathUnary(name); fn != nil && len(args) == 1 {
		exactName := name == "fabs"
		return d.map1(i, args[0], func(w uint32, k leafKind, a reg) reg {
			if exactName {
				return reg{v: a.v &^ fpSign(k), u: a.u &^ fpSign(k)}
			}
			if fl != 0 && fmfPoison(k, fl, a) {
				return poisonReg
			}
			if a.u != 0 {
				return undefFP(k)
			}
			r := def(mathLane(fn, k, a.v))
			if fl != 0 && fmfPoison(k, fl, r) {
				return poisonReg
			}
			return r
		})
	}
	switch id {
	case ir.IntrPow, ir.IntrAtan2, ir.IntrCopysign:
		fn := map[ir.Intrinsic]func(x, y float64) float64{ir.IntrPow: pow, ir.IntrAtan2: math.Atan2, ir.IntrCopysign: nil}[id]
		return d.map2(i, args[0], args[1], func(w uint32, k leafKind, a, b reg) reg {
			if id == ir.IntrCopysign {
				s := fpSign(k)
				return reg{v: a.v&^s | b.v&s, u: a.u&^s | b.u&s}
			}
			if a.u|b.u != 0 {
				return undefFP(k)
			}
			return def(fromFloat(k, fn(toFloat(k, a.v), toFloat(k, b.v))))
		})
	case ir.IntrMinnum, ir.IntrMaxnum, ir.IntrMinimumnum, ir.IntrMaximumnum, ir.IntrMinimum, ir.IntrMaximum:
		most := id == ir.IntrMaxnum || id == ir.IntrMaximumnum || id == ir.IntrMaximum
		through := id == ir.IntrMinimum || id == ir.IntrMaximum
		return d.map2(i, args[0], args[1], func(w uint32, k leafKind, a, b reg) reg {
			if fl != 0 && fmfPoison(k, fl, a, b) {
				return poisonReg
			}
			return evalMinMax(most, through, k, a, b)
		})
	case ir.IntrPowi, ir.IntrLdexp:
		_, ib, _, _ := d.lanes(d.f.TypeOf(args[1]))
		return d.map2(i, args[0], args[1], func(w uint32, k leafKind, a, b reg) reg {
			if a.u|b.u != 0 {
				return undefFP(k)
			}
			e := signed(b.v, ib)
			if id == ir.IntrLdexp {
				return def(fromFloat(k, math.Ldexp(toFloat(k, a.v), int(e))))
			}
			return def(powi(k, a.v, e))
		})
	case ir.IntrFma, ir.IntrFmuladd:
		k, _, _, n := d.lanes(in.Type)
		if d.single(in.Type) && (k == leafF64 || k == leafF32) && fl == 0 && id == ir.IntrFmuladd {
			x := proto{op: opFMulAdd64, d: d.slots[i], a: d.val(args[0]), b: d.val(args[1]), c: d.val(args[2])}
			if k == leafF32 {
				x.op = opFMulAdd32
			}
			d.emit(x)
			return true
		}
		a, b, c, r := d.opnd(args[0]), d.opnd(args[1]), d.opnd(args[2]), d.late(d.slots[i])
		d.gen(func(vm *Interp, regs []reg) error {
			for j := range n {
				regs[*r+j] = evalFMA(id == ir.IntrFma, k, fl, regs[*a+j], regs[*b+j], regs[*c+j])
			}
			return nil
		})
		return true
	case ir.IntrLround, ir.IntrLlround, ir.IntrLrint, ir.IntrLlrint:
		_, tb, _, _ := d.lanes(in.Type)
		return d.map1(i, args[0], func(w uint32, k leafKind, a reg) reg {
			f := toFloat(k, a.v)
			if id == ir.IntrLround || id == ir.IntrLlround {
				f = math.Round(f)
			} else {
				f = math.RoundToEven(f)
			}
			v, ok := fpToInt(f, tb, true)
			if a.u != 0 || !ok {
				return reg{u: mask(tb)}
			}
			return def(v)
		})
	case ir.IntrFptosiSat, ir.IntrFptouiSat:
		_, tb, words, _ := d.lanes(in.Type)
		if words > 1 {
			return d.toIntSatWide(i, id == ir.IntrFptosiSat, args[0])
		}
		return d.map1(i, args[0], func(w uint32, k leafKind, a reg) reg {
			if a.u != 0 {
				return reg{u: mask(tb)}
			}
			sign := id == ir.IntrFptosiSat
			f := toFloat(k, a.v)
			v, ok := fpToInt(f, tb, sign)
			switch {
			case ok:
				return def(v)
			case f != f:
				return def(0)
			case sign && f < 0:
				return def(1 << (tb - 1))
			case sign:
				return def(mask(tb) >> 1)
			case f < 0:
				return def(0)
			}
			return def(mask(tb))
		})
	case ir.IntrIsFpclass:
		m, _ := d.f.Consts.SignedInt(d.vm.t, args[1])
		return d.map1(i, args[0], func(w uint32, k leafKind, a reg) reg {
			if a.u != 0 {
				return reg{u: 1}
			}
			return boolReg(fpClass(k, a.v)&uint64(m) != 0)
		})
	case ir.IntrSincos, ir.IntrModf, ir.IntrFrexp:
		k, _, words, n := d.lanes(d.f.TypeOf(args[0]))
		if words > 1 {
			return false
		}
		const eb = 32 // the exponent of frexp
		a, r := d.opnd(args[0]), d.late(d.slots[i])
		d.gen(func(vm *Interp, regs []reg) error {
			for j := range n {
				x := regs[*a+j]
				if x.u != 0 {
					regs[*r+j], regs[*r+n+j] = x, x
					continue
				}
				f := toFloat(k, x.v)
				switch id {
				case ir.IntrSincos:
					regs[*r+j], regs[*r+n+j] = def(mathLane(sin, k, x.v)), def(mathLane(cos, k, x.v))
				case ir.IntrModf:
					ip, fp := math.Modf(f)
					regs[*r+j], regs[*r+n+j] = def(fromFloat(k, math.Copysign(fp, f))), def(fromFloat(k, ip))
				default:
					fr, e := math.Frexp(f)
					regs[*r+j], regs[*r+n+j] = def(fromFloat(k, fr)), def(uint64(e)&mask(eb))
				}
			}
			return nil
		})
		return true
	case ir.IntrConvertFromFp16, ir.IntrConvertToFp16:
		tk, _, _, _ := d.lanes(in.Type)
		return d.map1(i, args[0], func(w uint32, k leafKind, a reg) reg {
			if id == ir.IntrConvertFromFp16 {
				return evalFCast(ir.OpFPExt, 0, leafF16, tk, 16, fpBits(tk), a)
			}
			return evalFCast(ir.OpFPTrunc, 0, k, leafF16, fpBits(k), 16, a)
		})
	}
	return false
}

func powi(k leafKind, v uint64, e int64) uint64 {
	// As compiler-rt does it: squares, then one division for negative exponents.
	r := fromFloat(k, 1)
	n := e
	for {
		if n&1 != 0 {
			r = fbin(ir.OpFMul, k, r, v)
		}
		if n /= 2; n == 0 {
			break
		}
		v = fbin(ir.OpFMul, k, v, v)
	}
	if e < 0 {
		return fbin(ir.OpFDiv, k, fromFloat(k, 1), r)
	}
	return r
}

func fma(k leafKind, a, b, c uint64) uint64 {
	for _, v := range [...]uint64{a, b, c} {
		if isNaN(k, v) {
			return quiet(k, v)
		}
	}
	x, y, z := toFloat(k, a), toFloat(k, b), toFloat(k, c)
	var f float64
	switch k {
	case leafF64:
		f = math.FMA(x, y, z)
	default:
		// The product is exact in float64; the sum is rounded to odd, then once more.
		p := float64(x * y)
		f = p + z
		if !math.IsInf(f, 0) && f == f {
			bb := f - p
			e := (p - (f - bb)) + (z - bb)
			if e != 0 && math.Float64bits(f)&1 == 0 {
				if (e > 0) == (f > 0) {
					f = math.Float64frombits(math.Float64bits(f) + 1)
				} else {
					f = math.Float64frombits(math.Float64bits(f) - 1)
				}
			}
		}
	}
	r := fromFloat(k, f)
	if isNaN(k, r) {
		return defaultNaN(k)
	}
	return r
}

// fpClass returns the bit of llvm.is.fpclass for a number.
func fpClass(k leafKind, v uint64) uint64 {
	neg := v&fpSign(k) != 0
	var pos, negBit uint64
	f := toFloat(k, v)
	minNormal := map[leafKind]float64{leafF64: 0x1p-1022, leafF32: 0x1p-126, leafF16: 0x1p-14, leafBF16: 0x1p-126}[k]
	switch {
	case isNaN(k, v):
		if quiet(k, v) == v {
			return 2
		}
		return 1
	case isInf(k, v):
		pos, negBit = 0x200, 4
	case f == 0:
		pos, negBit = 0x40, 0x20
	case math.Abs(f) < minNormal:
		pos, negBit = 0x80, 0x10
	default:
		pos, negBit = 0x100, 8
	}
	if neg {
		return negBit
	}
	return pos
}

// constrained decodes a constrained operation as its plain form.
func (d *decoder) constrained(i ir.InstrID, name string, args []ir.Value) bool {
	in := &d.f.Instrs[i]
	plain := ir.Instr{Type: in.Type}
	ops := map[string]ir.Op{"fadd": ir.OpFAdd, "fsub": ir.OpFSub, "fmul": ir.OpFMul, "fdiv": ir.OpFDiv, "frem": ir.OpFRem,
		"fptosi": ir.OpFPToSI, "fptoui": ir.OpFPToUI, "sitofp": ir.OpSIToFP, "uitofp": ir.OpUIToFP, "fptrunc": ir.OpFPTrunc, "fpext": ir.OpFPExt}
	op, ok := ops[name]
	if !ok {
		if fn := mathUnary(name); fn != nil {
			return d.map1(i, args[0], func(w uint32, k leafKind, a reg) reg {
				if a.u != 0 {
					return undefFP(k)
				}
				return def(mathLane(fn, k, a.v))
			})
		}
		return false
	}
	plain.Op = op
	if op >= ir.OpFAdd && op <= ir.OpFRem {
		d.fp(i, &plain, args[:2])
	} else {
		d.cast(i, &plain, args[:1])
	}
	return true
}
