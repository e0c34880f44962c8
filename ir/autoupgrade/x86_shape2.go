package autoupgrade

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// predicate of the immediate of a compare; the other two are never and always.
func immPred(imm int64, signed bool) (p ir.Pred, constant bool) {
	if imm == 3 || imm == 7 {
		return 0, true
	}
	names := [8]string{0: "eq", 1: "lt", 2: "le", 4: "ne", 5: "ge", 6: "gt"}
	n := names[imm&7]
	if len(n) == 2 && n != "eq" && n != "ne" {
		if signed {
			n = "s" + n
		} else {
			n = "u" + n
		}
	}
	return predOf(n), false
}

func shapeCompareImm(o *x86call) ir.Value {
	t := o.typeOf(o.arg(0))
	imm := o.imm(2) & 7
	p, constant := immPred(imm, o.param[0] == "signed")
	o.want(o.u.t.Kind(t) == ir.KindVector)
	if !constant {
		return o.bitsOf(o.icmp(p, o.arg(0), o.arg(1)), o.arg(3))
	}
	v := o.null(o.boolOf(t))
	if imm == 7 {
		v = o.int(o.boolOf(t), 1)
	}
	return o.bitsOf(v, o.arg(3))
}

// shapeFCmp gives the compare that kept its name a vector for its mask.
func shapeFCmp(o *x86call) ir.Value {
	args := append([]ir.Value(nil), o.args()...)
	n := len(args)
	at := 3
	o.want(n == 4 || n == 5)
	t := o.typeOf(args[0])
	o.want(o.u.t.Kind(t) == ir.KindVector && o.u.t.IntBits(o.typeOf(args[at])) != 0)
	args[at] = o.maskVec(args[at], int(o.u.t.NumElems(t)))
	r := o.x86(o.name, args...)
	o.takeName(r.Instr())
	return o.bitsOf(r, 0)
}

// shapeMasks is for operations on masks.
func shapeMasks(op string) func(*x86call) ir.Value {
	return func(o *x86call) ir.Value {
		w := o.u.t.IntBits(o.typeOf(o.arg(0)))
		o.want(w > 0 && w <= 64)
		a := o.maskVec(o.arg(0), w)
		if op == "knot" {
			return o.cast(ir.OpBitCast, o.not(a), o.ret)
		}
		b := o.maskVec(o.arg(1), w)
		switch op {
		case "kbits":
			switch o.param[0] {
			case "andn":
				a = o.andNot(a, b)
			case "xnor":
				a = o.bin(ir.OpXor, o.not(a), b)
			default:
				a = o.bin(binOp(o.param[0]), a, b)
			}
			return o.cast(ir.OpBitCast, a, o.ret)
		case "kunpck":
			o.want(w%2 == 0)
			half := iota64(w / 2)
			a, b = o.shuffle(a, a, half), o.shuffle(b, b, half)
			return o.cast(ir.OpBitCast, o.shuffle(b, a, iota64(w)), o.ret)
		}
		t := o.typeOf(o.arg(0))
		v := o.cast(ir.OpBitCast, o.bin(ir.OpOr, a, b), t)
		k := o.null(t)
		if o.param[0] != "0" {
			k = o.int(t, ^uint64(0))
		}
		return o.cast(ir.OpZExt, o.icmp(ir.ICmpEQ, v, k), o.ret)
	}
}

func shapeVPCom(o *x86call) ir.Value {
	switch imm := o.imm(2) & 7; imm {
	case 6:
		return o.truth(false)
	case 7:
		return o.truth(true)
	default:
		names := [6]string{"lt", "le", "gt", "ge", "eq", "ne"}
		n := names[imm]
		if imm < 4 {
			n = o.param[0][:1] + n
		}
		return o.cast(ir.OpSExt, o.icmp(predOf(n), o.arg(0), o.arg(1)), o.ret)
	}
}

// perLane is the number of elements in 128 bits of the result.
func (o *x86call) perLane() (n, lane int) {
	n, w := o.lanes(), o.size(o.ret)
	o.want(w > 0 && w%128 == 0 && n%(w/128) == 0)
	return n, n / (w / 128)
}

func shapeUnpack(o *x86call) ir.Value {
	n, lane := o.perLane()
	high := 0
	if o.param[0] == "1" {
		high = lane / 2
	}
	m := make([]int64, n)
	for i := range m {
		at, in := i/lane*lane, i%lane
		m[i] = int64(at + in/2 + high + in%2*n)
	}
	return o.merge(o.shuffle(o.arg(0), o.arg(1), m))
}

// shapeDup repeats an element in each group: of two, or of one in a pair.
func shapeDup(o *x86call) ir.Value {
	n := o.lanes()
	o.want(n%2 == 0)
	off := int64(0)
	if o.param[0] == "1" {
		off = 1
	}
	m := make([]int64, n)
	for i := range m {
		m[i] = int64(i&^1) + off
	}
	return o.merge(o.shuffle(o.arg(0), o.arg(0), m))
}

// shapeAlign shifts two vectors to the right as one: whole for valign, in
// each 16 bytes for palignr.
func shapeAlign(o *x86call) ir.Value {
	n, lane := o.perLane()
	imm := int(o.imm(2) & 255)
	a, b := o.arg(0), o.arg(1)
	if strings.Contains(o.base, "valign") {
		lane = n
		imm &= n - 1
	} else if imm >= 32 {
		return o.null(o.ret)
	} else if imm > 16 {
		imm -= 16
		a, b = o.null(o.ret), a
	}
	m := make([]int64, n)
	for i := range m {
		at := i%lane + imm
		if at >= lane {
			at += n - lane
		}
		m[i] = int64(at + i/lane*lane)
	}
	return o.merge(o.call.named(o.shuffle(b, a, m), "palignr"))
}

func shapeShufP(o *x86call) ir.Value {
	n, w := o.lanes(), o.size(o.ret)
	o.want(w/n == 32 || w/n == 64)
	imm := uint(o.imm(2))
	per := 128 / (w / n)
	half := per / 2
	m := make([]int64, n)
	for l := 0; l < n; l += per {
		for i := range per {
			o.want(l+i < n)
			at := int(imm>>(l+i)) & 1
			if per == 4 {
				at = int(imm>>(2*i)) & 3
			}
			if i >= half {
				at += n
			}
			m[l+i] = int64(at + l)
		}
	}
	return o.merge(o.shuffle(o.arg(0), o.arg(1), m))
}

// shapeShufLane picks lanes of 128 bits, the lower half of them from the first operand.
func shapeShufLane(o *x86call) ir.Value {
	n, lane := o.perLane()
	lanes := n / lane
	o.want(lanes == 2 || lanes == 4)
	imm := int(o.imm(2))
	bits := lanes / 2
	m := make([]int64, n)
	for l := range lanes {
		at := imm & (lanes - 1)
		imm >>= bits
		if l >= lanes/2 {
			at += lanes
		}
		for i := range lane {
			m[l*lane+i] = int64(at*lane + i)
		}
	}
	return o.merge(o.shuffle(o.arg(0), o.arg(1), m))
}

func shapePerm4(o *x86call) ir.Value {
	n := o.lanes()
	o.want(n%4 == 0)
	imm := o.imm(1)
	m := make([]int64, n)
	for i := range m {
		m[i] = imm>>(i%4*2)&3 + int64(i&^3)
	}
	return o.merge(o.shuffle(o.arg(0), o.arg(0), m))
}

// shapeRepeat repeats a vector until it fills a longer one.
func shapeRepeat(o *x86call) ir.Value {
	t := o.typeOf(o.arg(0))
	o.want(o.u.t.Kind(t) == ir.KindVector)
	src := int(o.u.t.NumElems(t))
	m := make([]int64, o.lanes())
	for i := range m {
		m[i] = int64(i % src)
	}
	return o.merge(o.shuffle(o.arg(0), o.arg(0), m))
}

// shapeBytes shifts each 16 bytes of a vector; the amount is in bits or bytes.
func shapeBytes(o *x86call) ir.Value {
	w := o.size(o.ret)
	o.want(w%128 == 0 && w <= 512)
	n := w / 8
	unit := 1
	if o.param[1] == "8" {
		unit = 8
	}
	shift := int(o.imm(1)) / unit
	t := o.u.t.Vector(ir.Int8, uint64(n), false)
	v := o.call.named(o.cast(ir.OpBitCast, o.arg(0), t), "cast")
	r := o.null(t)
	if shift < 16 {
		m := make([]int64, n)
		for i := range m {
			in, l := i%16, i/16*16
			at := in + shift // to the right: zeros come in behind
			if o.param[0] == "left" {
				at = n + in - shift
				if at < n {
					at += 16 - n
				}
			} else if at >= 16 {
				at += n - 16
			}
			m[i] = int64(at + l)
		}
		if o.param[0] == "left" {
			r = o.shuffle(r, v, m)
		} else {
			r = o.shuffle(v, r, m)
		}
	}
	return o.call.named(o.cast(ir.OpBitCast, r, o.ret), "cast")
}

// shapeMaskedMemory is for loads and stores of the elements that a mask says.
func shapeMaskedMemory(op string) func(*x86call) ir.Value {
	return func(o *x86call) ir.Value {
		p, v, mask := o.arg(0), o.arg(1), o.arg(2)
		t := o.typeOf(v)
		o.want(o.u.t.Kind(o.typeOf(p)) == ir.KindPointer && o.u.t.IntBits(o.typeOf(mask)) != 0 && o.size(t) >= 8)
		n := int(o.u.t.NumElems(t))
		over := []ir.Type{t, o.typeOf(p)}
		align := uint8(1)
		if op[0] == 'm' && len(o.param) > 0 && o.param[0] == "0" {
			align = alignOf(o.call, t)
		}
		attr := ir.AttrSet{{Key: "align", Int: 1 << (align - 1), HasInt: true}}
		var call ir.InstrID
		switch op {
		case "expandload":
			o.want(o.ret == t)
			return ir.Local(o.intrinsic("llvm.masked.expandload", over[:1], p, o.maskVec(mask, n), v))
		case "compressstore":
			return ir.Local(o.intrinsic("llvm.masked.compressstore", over[:1], v, p, o.maskVec(mask, n)))
		case "mload":
			o.want(o.ret == t)
			if o.allOnes(mask) {
				return o.load(t, p, align)
			}
			call = o.intrinsic("llvm.masked.load", over, p, o.maskVec(mask, n), v)
			o.f.Instr(call).Attrs = o.paramAttrs(0, attr)
			return ir.Local(call)
		case "mstore1":
			mask = o.bin(ir.OpAnd, mask, o.int(o.typeOf(mask), 1))
			fallthrough
		default:
			if o.allOnes(mask) {
				return ir.Local(o.store(v, p, align))
			}
			call = o.intrinsic("llvm.masked.store", over, v, p, o.maskVec(mask, n))
			o.f.Instr(call).Attrs = o.paramAttrs(1, attr)
			return ir.Local(call)
		}
	}
}

// shapeBroadcastLoad loads one element and inserts it everywhere.
func shapeBroadcastLoad(o *x86call) ir.Value {
	n := o.lanes()
	e := o.u.t.Elem(o.ret)
	o.want(e == ir.Float || e == ir.Double)
	align := uint8(3)
	if e == ir.Double {
		align = 4
	}
	x := o.load(e, o.arg(0), align)
	v := o.plain(ir.ConstPoison, o.ret)
	for i := range n {
		v = o.insertElem(v, x, uint64(i), ir.Int32)
	}
	return v
}

// shapeConvert is for conversions with and without a rounding mode.
func shapeConvert(o *x86call) ir.Value {
	args := o.args()
	v, n := o.arg(0), o.lanes()
	t := o.typeOf(v)
	o.want(o.u.t.Kind(t) == ir.KindVector)
	op := ir.OpSIToFP
	switch o.param[0] {
	case "ui":
		op = ir.OpUIToFP
	case "fp":
		op = ir.OpFPExt
	}
	var r ir.Value
	mode, isConst := uint64(4), true
	if len(args) == 4 {
		mode, isConst = o.constInt(args[3])
	}
	if isConst && mode == 4 {
		if k := int(o.u.t.NumElems(t)); k > n {
			v = o.shuffle(v, v, iota64(n))
		}
		r = o.call.named(o.cast(op, v, o.ret), o.param[1])
	} else {
		name := "llvm.x86.avx512.sitofp.round"
		if op == ir.OpUIToFP {
			name = "llvm.x86.avx512.uitofp.round"
		}
		o.want(op != ir.OpFPExt)
		r = ir.Local(o.intrinsic(name, []ir.Type{o.ret, t}, v, args[3]))
	}
	if o.mask != merging {
		return r
	}
	return o.maskSelect(o.arg(2), r, o.arg(1))
}

func shapeHalf(o *x86call) ir.Value {
	v, n := o.arg(0), o.lanes()
	t := o.typeOf(v)
	o.want(o.u.t.Kind(t) == ir.KindVector && o.u.t.Elem(t) == ir.Int16)
	if int(o.u.t.NumElems(t)) != n {
		v = o.shuffle(v, v, iota64(n))
	}
	v = o.cast(ir.OpBitCast, v, o.u.t.Vector(ir.Half, uint64(n), false))
	return o.merge(o.call.named(o.cast(ir.OpFPExt, v, o.ret), "cvtph2ps"))
}

// shapeMoveFirst takes the first element of the second or third operand.
func shapeMoveFirst(o *x86call) ir.Value {
	mask := o.arg(3)
	t := o.typeOf(mask)
	bit := o.icmp(ir.ICmpNE, o.bin(ir.OpAnd, mask, o.int(t, 1)), o.null(t))
	a, b := o.extractElem(o.arg(1), 0, ir.Int64), o.extractElem(o.arg(2), 0, ir.Int64)
	return o.insertElem(o.arg(0), o.sel(bit, a, b), 0, ir.Int64)
}

// shapeSame is for intrinsics that exist with other operands or in another form.
func shapeSame(op string) func(*x86call) ir.Value {
	return func(o *x86call) ir.Value {
		args := append([]ir.Value(nil), o.args()...)
		o.want(len(args) >= 1)
		switch op {
		case "bf16":
			for i, a := range args {
				if t := o.typeOf(a); o.u.t.Kind(t) == ir.KindVector && o.u.t.IntBits(o.u.t.Elem(t)) > 1 {
					args[i] = o.cast(ir.OpBitCast, a, o.u.t.Vector(ir.BFloat, uint64(o.size(t)/16), false))
				}
			}
			r := o.x86(o.name, args...)
			o.takeName(r.Instr())
			return o.cast(ir.OpBitCast, r, o.ret)
		case "frcz":
			o.named = true
			return o.x86(o.name, o.arg(1))
		case "fmsubadd":
			return o.x86(strings.Replace(o.name, "msubadd", "maddsub", 1), o.arg(0), o.arg(1), o.neg(o.arg(2)))
		case "vpermil2":
			o.want(len(args) == 4)
			args[2] = o.cast(ir.OpBitCast, args[2], o.ints(o.typeOf(args[2])))
			o.named = true
			return o.x86(o.name, args...)
		case "crc":
			r := o.x86("sse42.crc32.32.8", o.cast(ir.OpTrunc, o.arg(0), ir.Int32), o.arg(1))
			return o.cast(ir.OpZExt, r, o.ret)
		case "carry":
			w := o.u.t.IntBits(o.typeOf(o.arg(1)))
			o.want(w == 32 || w == 64)
			r := o.x86(o.param[0]+"."+itoa(w), o.arg(0), o.arg(1), o.arg(2))
			o.store(o.extractValue(r, 1), o.arg(3), 1)
			return o.extractValue(r, 0)
		case "rdtscp":
			r := o.x86("rdtscp")
			o.takeName(r.Instr())
			o.store(o.extractValue(r, 1), o.arg(0), 1)
			return o.extractValue(r, 0)
		}
		o.named = true
		return ir.Local(o.intrinsic("llvm.eh.recoverfp", nil, args...))
	}
}
