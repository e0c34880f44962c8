package interp

import (
	"math"
	"math/big"
	"slices"

	"github.com/mirin-go/mirin/ir"
)

// intrinsicWide decodes the integer intrinsics over elements of more than 64 bits that
// numbers without a width answer best. A result of undefined bits is undefined as a whole.
func (d *decoder) intrinsicWide(i ir.InstrID, id ir.Intrinsic, args []ir.Value) bool {
	_, w, words, n := d.lanes(d.f.Instrs[i].Type)
	var eval func(x [][]reg, out []reg)
	operands := 2
	switch id {
	case ir.IntrAbs:
		flag, _ := d.f.Consts.SignedInt(d.vm.t, args[1])
		operands = 1
		eval = func(x [][]reg, out []reg) {
			z := toBigSigned(x[0], w)
			if flag != 0 && z.Sign() < 0 && z.TrailingZeroBits() == uint(w-1) {
				setPoison(out)
				return
			}
			fromBig(z.Abs(z), w, out)
		}
	case ir.IntrBitreverse:
		operands = 1
		eval = func(x [][]reg, out []reg) {
			a, z := toBig(x[0]), new(big.Int)
			for k := range int(w) {
				z.SetBit(z, int(w)-1-k, a.Bit(k))
			}
			fromBig(z, w, out)
		}
	case ir.IntrFshl, ir.IntrFshr:
		operands = 3
		eval = func(x [][]reg, out []reg) {
			s := uint(new(big.Int).Mod(toBig(x[2]), big.NewInt(int64(w))).Uint64())
			z := toBig(x[0])
			z.Or(z.Lsh(z, uint(w)), toBig(x[1]))
			if id == ir.IntrFshl {
				s = uint(w) - s
			}
			fromBig(z.Rsh(z, s), w, out)
		}
	case ir.IntrSaddSat, ir.IntrUaddSat, ir.IntrSsubSat, ir.IntrUsubSat, ir.IntrSshlSat, ir.IntrUshlSat:
		eval = func(x [][]reg, out []reg) { saturateWide(id, w, x[0], x[1], out) }
	default:
		return false
	}
	var src [3]*uint32
	for k := range operands {
		src[k] = d.opnd(args[k])
	}
	r := d.late(d.slots[i])
	d.gen(func(vm *Interp, regs []reg) error {
		x := make([][]reg, operands)
		for k := uint32(0); k < n*words; k += words {
			for o := range x {
				x[o] = slices.Clone(regs[*src[o]+k : *src[o]+k+words])
			}
			out := regs[*r+k : *r+k+words]
			switch poison, undef := wordsState(x...); {
			case poison:
				setPoison(out)
			case undef:
				undefWide(w, out)
			default:
				eval(x, out)
			}
		}
		return nil
	})
	return true
}

// bounds are the least number of w bits and the one above the greatest.
func bounds(signed bool, w uint32) (lo, hi *big.Int) {
	lo, hi = new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(w))
	if signed {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	return lo, hi
}

func clamp(z *big.Int, signed bool, w uint32, out []reg) {
	lo, hi := bounds(signed, w)
	switch {
	case z.Cmp(lo) < 0:
		z = lo
	case z.Cmp(hi) >= 0:
		z = hi.Sub(hi, big.NewInt(1))
	}
	fromBig(z, w, out)
}

func saturateWide(id ir.Intrinsic, w uint32, a, b, out []reg) {
	signed := id == ir.IntrSaddSat || id == ir.IntrSsubSat || id == ir.IntrSshlSat
	number := toBig
	if signed {
		number = func(r []reg) *big.Int { return toBigSigned(r, w) }
	}
	z := number(a)
	switch id {
	case ir.IntrSaddSat, ir.IntrUaddSat:
		z.Add(z, number(b))
	case ir.IntrSsubSat, ir.IntrUsubSat:
		z.Sub(z, number(b))
	default:
		n := toBig(b)
		if n.Cmp(big.NewInt(int64(w))) >= 0 {
			setPoison(out)
			return
		}
		z.Lsh(z, uint(n.Uint64()))
	}
	clamp(z, signed, w, out)
}

// fpToIntSatWide converts a number to an integer of w bits, the nearest there is; none is 0.
func fpToIntSatWide(f float64, signed bool, w uint32, out []reg) {
	switch lo, hi := bounds(signed, w); {
	case f != f:
		fromBig(new(big.Int), w, out)
	case math.IsInf(f, 1):
		fromBig(hi.Sub(hi, big.NewInt(1)), w, out)
	case math.IsInf(f, -1):
		fromBig(lo, w, out)
	default:
		z, _ := bigFloat(math.Trunc(f)).Int(nil)
		clamp(z, signed, w, out)
	}
}

// toIntSatWide decodes llvm.fptosi.sat and llvm.fptoui.sat to more than 64 bits.
func (d *decoder) toIntSatWide(i ir.InstrID, signed bool, arg ir.Value) bool {
	_, w, words, n := d.lanes(d.f.Instrs[i].Type)
	kind, _, from, _ := d.lanes(d.f.TypeOf(arg))
	if from > 1 {
		return false
	}
	a, r := d.opnd(arg), d.late(d.slots[i])
	d.gen(func(vm *Interp, regs []reg) error {
		for k := range n {
			x, out := regs[*a+k], regs[*r+k*words:*r+(k+1)*words]
			switch {
			case x.poison():
				setPoison(out)
			case x.u != 0:
				undefWide(w, out)
			default:
				fpToIntSatWide(toFloat(kind, x.v), signed, w, out)
			}
		}
		return nil
	})
	return true
}
