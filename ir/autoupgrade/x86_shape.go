package autoupgrade

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// x86Shape returns what makes the replacement of a call, nil for a shape that
// does not exist. It returns 0 where the call is no call of the old intrinsic.
func x86Shape(op string) func(*x86call) ir.Value {
	switch op {
	case "bin":
		return func(o *x86call) ir.Value { return o.merge(o.bin(binOp(o.param[0]), o.arg(0), o.arg(1))) }
	case "andn":
		return func(o *x86call) ir.Value { return o.merge(o.andNot(o.arg(0), o.arg(1))) }
	case "bits":
		return shapeBits
	case "gen":
		return func(o *x86call) ir.Value { return o.merge(o.generic(o.param[0], o.operands()...)) }
	case "ctlz":
		return func(o *x86call) ir.Value { return o.merge(o.generic("ctlz", o.arg(0), o.int(ir.Int1, 0))) }
	case "rotate":
		return shapeRotate
	case "round":
		return shapeRound
	case "call":
		return func(o *x86call) ir.Value { return o.merge(o.x86(o.sized(), o.operands()...)) }
	case "keep":
		return func(o *x86call) ir.Value {
			n := len(o.args())
			o.want(n >= 2)
			return o.orElse(o.x86(o.sized(), o.args()[:n-1]...), o.arg(n-1), o.arg(0))
		}
	case "fma":
		return shapeFMA
	case "fmaaddsub":
		return shapeFMAAddSub
	case "vperm2var":
		return shapePerm2Var
	case "cmpmask":
		return func(o *x86call) ir.Value {
			return o.bitsOf(o.icmp(predOf(o.param[0]), o.arg(0), o.arg(1)), o.arg(2))
		}
	case "cmpimm":
		return shapeCompareImm
	case "fcmp":
		return shapeFCmp
	case "callmask":
		return func(o *x86call) ir.Value {
			n := len(o.args())
			o.want(n >= 2)
			name := o.param[0] + "." + itoa(o.size(o.typeOf(o.arg(0))))
			return o.bitsOf(o.x86(name, o.args()[:n-1]...), o.arg(n-1))
		}
	case "kbits", "knot", "kortest", "kunpck":
		return shapeMasks(op)
	case "cmp":
		return func(o *x86call) ir.Value {
			return o.cast(ir.OpSExt, o.icmp(predOf(o.param[0]), o.arg(0), o.arg(1)), o.ret)
		}
	case "value":
		return func(o *x86call) ir.Value { return o.truth(o.param[0] != "0") }
	case "vpcom":
		return shapeVPCom
	case "m2v":
		return func(o *x86call) ir.Value {
			return o.call.named(o.cast(ir.OpSExt, o.maskVec(o.arg(0), o.lanes()), o.ret), "vpmovm2")
		}
	}
	return x86Shape2(op)
}

// x86Shape2 has the shapes of moves, memory and conversions.
func x86Shape2(op string) func(*x86call) ir.Value {
	switch op {
	case "splat":
		return func(o *x86call) ir.Value { return o.merge(o.splat(o.arg(0), o.lanes())) }
	case "broadcastm":
		return func(o *x86call) ir.Value {
			n := o.lanes()
			return o.splat(o.cast(ir.OpZExt, o.arg(0), o.u.t.Elem(o.ret)), n)
		}
	case "first":
		return func(o *x86call) ir.Value { return o.merge(o.swizzle(o.arg(0), make([]int64, o.lanes()))) }
	case "unpack":
		return shapeUnpack
	case "dup":
		return shapeDup
	case "align", "palignr":
		return shapeAlign
	case "shufp":
		return shapeShufP
	case "shuflane":
		return shapeShufLane
	case "perm4":
		return shapePerm4
	case "repeat":
		return shapeRepeat
	case "bytes":
		return shapeBytes
	case "mload", "mstore", "mstore1", "expandload", "compressstore":
		return shapeMaskedMemory(op)
	case "bload":
		return shapeBroadcastLoad
	case "bload128":
		return func(o *x86call) ir.Value {
			n := o.lanes()
			o.want(n%2 == 0)
			l := o.load(o.u.t.Vector(o.u.t.Elem(o.ret), uint64(n/2), false), o.arg(0), 1)
			m := append(iota64(n/2), iota64(n/2)...)
			return o.swizzle(l, m)
		}
	case "storelow":
		return func(o *x86call) ir.Value {
			t := o.u.t.Vector(ir.Int64, 2, false)
			v := o.call.named(o.cast(ir.OpBitCast, o.arg(1), t), "cast")
			return ir.Local(o.store(o.extractElem(v, 0, ir.Int64), o.arg(0), 1))
		}
	case "cvt":
		return shapeConvert
	case "half":
		return shapeHalf
	case "trunc":
		return func(o *x86call) ir.Value { return o.merge(o.cast(ir.OpTrunc, o.arg(0), o.ret)) }
	case "uifirst":
		return func(o *x86call) ir.Value {
			o.lanes()
			return o.insertElem(o.arg(0), o.cast(ir.OpUIToFP, o.arg(1), o.u.t.Elem(o.ret)), 0, ir.Int64)
		}
	case "movefirst":
		return shapeMoveFirst
	case "bf16", "frcz", "fmsubadd", "vpermil2", "crc", "carry", "recoverfp", "rdtscp":
		return shapeSame(op)
	}
	return nil
}

func binOp(s string) ir.Op {
	switch s {
	case "add":
		return ir.OpAdd
	case "sub":
		return ir.OpSub
	case "mul":
		return ir.OpMul
	case "and":
		return ir.OpAnd
	case "or":
		return ir.OpOr
	case "fadd":
		return ir.OpFAdd
	case "fsub":
		return ir.OpFSub
	case "fmul":
		return ir.OpFMul
	case "fdiv":
		return ir.OpFDiv
	}
	return ir.OpXor
}

func predOf(s string) ir.Pred {
	switch s {
	case "ne":
		return ir.ICmpNE
	case "slt":
		return ir.ICmpSLT
	case "sle":
		return ir.ICmpSLE
	case "sgt":
		return ir.ICmpSGT
	case "sge":
		return ir.ICmpSGE
	case "ult":
		return ir.ICmpULT
	case "ule":
		return ir.ICmpULE
	case "ugt":
		return ir.ICmpUGT
	case "uge":
		return ir.ICmpUGE
	}
	return ir.ICmpEQ
}

// sized picks the parameter for the width of the first operand.
func (o *x86call) sized() string {
	o.want(len(o.param) == 3)
	s := "-"
	switch o.size(o.typeOf(o.arg(0))) {
	case 128:
		s = o.param[0]
	case 256:
		s = o.param[1]
	case 512:
		s = o.param[2]
	}
	o.want(s != "-")
	return s
}

// andNot is and of the complement of a.
func (c *call) andNot(a, b ir.Value) ir.Value { return c.bin(ir.OpAnd, c.not(a), b) }

func (c *call) not(a ir.Value) ir.Value {
	return c.bin(ir.OpXor, a, c.int(c.typeOf(a), ^uint64(0)))
}

// orElse takes r where the mask is set; zeroing and merging say what else.
func (o *x86call) orElse(r, mask, pass ir.Value) ir.Value {
	if o.mask == zeroing {
		pass = o.null(o.typeOf(r))
	}
	return o.maskSelect(mask, r, pass)
}

// splat makes a vector of n equal elements as IRBuilder does.
func (c *call) splat(v ir.Value, n int) ir.Value {
	e := c.typeOf(v)
	c.want(c.u.t.IntBits(e) != 0 || c.u.t.IsFloat(e))
	t := c.u.t.Vector(e, uint64(n), false)
	p := c.named(c.insertElem(c.plain(ir.ConstPoison, t), v, 0, ir.Int64), ".splatinsert")
	return c.named(c.swizzle(p, make([]int64, n)), ".splat")
}

// shapeBits is for operations on the bits of floating-point vectors.
func shapeBits(o *x86call) ir.Value {
	t := o.ints(o.ret)
	a := o.cast(ir.OpBitCast, o.arg(0), t)
	if o.param[0] == "andn" {
		a = o.not(a)
		a = o.bin(ir.OpAnd, a, o.cast(ir.OpBitCast, o.arg(1), t))
	} else {
		a = o.bin(binOp(o.param[0]), a, o.cast(ir.OpBitCast, o.arg(1), t))
	}
	return o.merge(o.cast(ir.OpBitCast, a, o.ret))
}

func shapeRotate(o *x86call) ir.Value {
	n := o.lanes()
	amount := o.arg(1)
	if t := o.typeOf(amount); t != o.ret {
		e := o.u.t.Elem(o.ret)
		from, to := o.u.t.IntBits(t), o.u.t.IntBits(e)
		o.want(from != 0 && to != 0)
		switch {
		case from < to:
			amount = o.cast(ir.OpZExt, amount, e)
		case from > to:
			amount = o.cast(ir.OpTrunc, amount, e)
		}
		amount = o.splat(amount, n)
	}
	o.want(o.u.t.IntBits(o.u.t.Elem(o.ret)) != 0 && o.typeOf(o.arg(0)) == o.ret)
	return o.merge(o.generic(o.param[0], o.arg(0), o.arg(0), amount))
}

// shapeRound is for operations with a rounding mode behind the mask. Where one
// of nearest (4) needs no intrinsic of the target, the first parameter is it.
func shapeRound(o *x86call) ir.Value {
	n := len(o.args())
	o.want(n >= 4)
	args := append([]ir.Value(nil), o.args()[:n-3]...)
	var r ir.Value
	if mode, ok := o.constInt(o.arg(n - 1)); ok && mode == 4 && o.param[0] != "-" {
		r = o.generic(o.param[0], args...)
	} else {
		r = o.x86(o.param[1], append(args, o.arg(n-1))...)
	}
	return o.maskSelect(o.arg(n-2), r, o.arg(n-3))
}

// signs reads which operands of a fused multiply-add are negated from its name.
func signs(base string) (product, addend bool) {
	return strings.Contains(base, ".vfnm"), strings.Contains(base, "msub.")
}

// fmaMask selects between the result of a fused multiply-add and what passes through.
func (o *x86call) fmaMask(r ir.Value) ir.Value {
	pass := o.arg(0)
	switch o.mask {
	case zeroing:
		pass = o.null(o.ret)
	case third:
		pass = o.arg(2)
	}
	return o.maskSelect(o.arg(3), r, pass)
}

// rounded reports a rounding mode other than the current one.
func (o *x86call) rounded() bool {
	if len(o.args()) < 5 {
		return false
	}
	mode, ok := o.constInt(o.arg(4))
	return !ok || mode != 4
}

func shapeFMA(o *x86call) ir.Value {
	a, b, d := o.arg(0), o.arg(1), o.arg(2)
	product, addend := signs(o.base + ".")
	if product && o.mask == merging {
		b = o.neg(b)
	} else if product {
		a = o.neg(a)
	}
	if addend {
		d = o.neg(d)
	}
	if !o.rounded() {
		o.lanes()
		o.want(o.u.t.IsFloat(o.u.t.Elem(o.ret)) && o.typeOf(a) == o.ret)
		return o.fmaMask(o.generic("fma", a, b, d))
	}
	name := "avx512.vfmadd.ps.512"
	if strings.HasSuffix(o.base, "pd") {
		name = "avx512.vfmadd.pd.512"
	}
	return o.fmaMask(o.x86(name, a, b, d, o.arg(4)))
}

func shapeFMAAddSub(o *x86call) ir.Value {
	a, b, d := o.arg(0), o.arg(1), o.arg(2)
	sub := strings.Contains(o.base, "vfmsubadd")
	if sub {
		o.want(o.mask == third)
	}
	if o.rounded() || sub && len(o.args()) == 5 {
		if sub {
			d = o.neg(d)
		}
		name := "avx512.vfmaddsub.ps.512"
		if strings.HasSuffix(o.base, "pd") {
			name = "avx512.vfmaddsub.pd.512"
		}
		return o.fmaMask(o.x86(name, a, b, d, o.arg(4)))
	}
	n := o.lanes()
	o.want(o.u.t.IsFloat(o.u.t.Elem(o.ret)) && o.typeOf(a) == o.ret)
	odd := o.generic("fma", a, b, d)
	even := o.generic("fma", a, b, o.neg(d))
	if sub {
		odd, even = even, odd
	}
	m := iota64(n)
	for i := range m {
		m[i] += int64(i % 2 * n)
	}
	return o.fmaMask(o.shuffle(even, odd, m))
}

// shapePerm2Var names the intrinsic by the type of the result.
func shapePerm2Var(o *x86call) ir.Value {
	n, w := o.lanes(), o.size(o.ret)
	e := o.u.t.Elem(o.ret)
	suffix := ""
	switch {
	case e == ir.Float:
		suffix = "ps"
	case e == ir.Double:
		suffix = "pd"
	default:
		suffix = map[int]string{8: "qi", 16: "hi", 32: "d", 64: "q"}[w/n]
	}
	a, b := o.arg(0), o.arg(1)
	if strings.Contains(o.base, "vpermt2var") {
		a, b = b, a
	}
	r := o.x86("avx512.vpermi2var."+suffix+"."+itoa(w), a, b, o.arg(2))
	if o.mask == zeroing {
		return o.maskSelect(o.arg(3), r, o.null(o.ret))
	}
	return o.maskSelect(o.arg(3), r, o.cast(ir.OpBitCast, o.arg(1), o.ret))
}

// truth is a vector of zeros or ones.
func (o *x86call) truth(v bool) ir.Value {
	o.lanes()
	o.want(o.u.t.IntBits(o.u.t.Elem(o.ret)) != 0)
	if v {
		return o.int(o.ret, ^uint64(0))
	}
	return o.null(o.ret)
}
