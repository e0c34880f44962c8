package ir

// same reports whether two operands have one type, and remembers the fault.
func (b Builder) same(op Op, x, y Value) bool {
	if s, t := b.TypeOf(x), b.TypeOf(y); s != t {
		b.fail("%v: operands have types %s and %s", op, b.typeName(s), b.typeName(t))
		return false
	}
	return true
}

// want reports whether v's type, or that of its lanes, is of one of the kinds.
func (b Builder) want(op Op, v Value, what string, kinds ...TypeKind) bool {
	k := b.t.Kind(b.t.Scalar(b.TypeOf(v)))
	for _, x := range kinds {
		if k == x {
			return true
		}
	}
	b.fail("%v: operand of type %s, want %s", op, b.typeName(b.TypeOf(v)), what)
	return false
}

func (b Builder) ints(op Op, v Value) bool {
	return b.want(op, v, "an integer or vector of integers", KindInteger)
}

func (b Builder) floats(op Op, v Value) bool {
	return b.want(op, v, "a floating-point number or vector of them", KindHalf, KindBFloat, KindFloat, KindDouble, KindX86FP80, KindFP128, KindPPCFP128)
}

// Binary adds a binary operation: OpAdd to OpXor.
func (b Builder) Binary(op Op, x, y Value) Value {
	t := b.TypeOf(x)
	ok := false
	switch op {
	case OpFAdd, OpFSub, OpFMul, OpFDiv, OpFRem:
		ok = b.floats(op, x)
	case OpAdd, OpSub, OpMul, OpUDiv, OpSDiv, OpURem, OpSRem, OpShl, OpLShr, OpAShr, OpAnd, OpOr, OpXor:
		ok = b.ints(op, x)
	default:
		b.fail("%v is no binary operation", op)
	}
	if !ok || !b.same(op, x, y) {
		return b.poison(t)
	}
	return b.emit(Instr{Op: op, Type: t}, x, y)
}

// Add adds integers; With(NUW|NSW) promises that nothing is lost.
func (b Builder) Add(x, y Value) Value { return b.Binary(OpAdd, x, y) }

// Sub subtracts integers.
func (b Builder) Sub(x, y Value) Value { return b.Binary(OpSub, x, y) }

// Mul multiplies integers.
func (b Builder) Mul(x, y Value) Value { return b.Binary(OpMul, x, y) }

// UDiv divides unsigned integers.
func (b Builder) UDiv(x, y Value) Value { return b.Binary(OpUDiv, x, y) }

// SDiv divides signed integers, rounding toward zero.
func (b Builder) SDiv(x, y Value) Value { return b.Binary(OpSDiv, x, y) }

// URem is the remainder of UDiv.
func (b Builder) URem(x, y Value) Value { return b.Binary(OpURem, x, y) }

// SRem is the remainder of SDiv.
func (b Builder) SRem(x, y Value) Value { return b.Binary(OpSRem, x, y) }

// Shl shifts left.
func (b Builder) Shl(x, y Value) Value { return b.Binary(OpShl, x, y) }

// LShr shifts right, filling with zeros.
func (b Builder) LShr(x, y Value) Value { return b.Binary(OpLShr, x, y) }

// AShr shifts right, filling with the sign.
func (b Builder) AShr(x, y Value) Value { return b.Binary(OpAShr, x, y) }

// And is the bitwise and.
func (b Builder) And(x, y Value) Value { return b.Binary(OpAnd, x, y) }

// Or is the bitwise or.
func (b Builder) Or(x, y Value) Value { return b.Binary(OpOr, x, y) }

// Xor is the bitwise exclusive or.
func (b Builder) Xor(x, y Value) Value { return b.Binary(OpXor, x, y) }

// Neg is 0 - x.
func (b Builder) Neg(x Value) Value {
	if !b.ints(OpSub, x) {
		return b.poison(b.TypeOf(x))
	}
	return b.Sub(b.Zero(b.TypeOf(x)), x)
}

// Not is x ^ -1.
func (b Builder) Not(x Value) Value {
	if !b.ints(OpXor, x) {
		return b.poison(b.TypeOf(x))
	}
	return b.Xor(x, b.Int(b.TypeOf(x), -1))
}

// FAdd adds floating-point numbers.
func (b Builder) FAdd(x, y Value) Value { return b.Binary(OpFAdd, x, y) }

// FSub subtracts floating-point numbers.
func (b Builder) FSub(x, y Value) Value { return b.Binary(OpFSub, x, y) }

// FMul multiplies floating-point numbers.
func (b Builder) FMul(x, y Value) Value { return b.Binary(OpFMul, x, y) }

// FDiv divides floating-point numbers.
func (b Builder) FDiv(x, y Value) Value { return b.Binary(OpFDiv, x, y) }

// FRem is C's fmod.
func (b Builder) FRem(x, y Value) Value { return b.Binary(OpFRem, x, y) }

// FNeg changes the sign.
func (b Builder) FNeg(x Value) Value {
	if !b.floats(OpFNeg, x) {
		return b.poison(b.TypeOf(x))
	}
	return b.emit(Instr{Op: OpFNeg, Type: b.TypeOf(x)}, x)
}

// boolOf is i1, or the vector of i1 with as many lanes as t.
func (b Builder) boolOf(t Type) Type {
	if b.t.IsVector(t) {
		return b.t.Vector(Int1, b.t.NumElems(t), b.t.Kind(t) == KindScalableVector)
	}
	return Int1
}

// ICmp compares integers or pointers.
func (b Builder) ICmp(p Pred, x, y Value) Value {
	t := b.boolOf(b.TypeOf(x))
	switch {
	case p < ICmpEQ:
		b.fail("icmp: the predicate is one of fcmp")
		return b.poison(t)
	case !b.want(OpICmp, x, "an integer or pointer", KindInteger, KindPointer) || !b.same(OpICmp, x, y):
		return b.poison(t)
	}
	return b.emit(Instr{Op: OpICmp, Pred: p, Type: t}, x, y)
}

// FCmp compares floating-point numbers.
func (b Builder) FCmp(p Pred, x, y Value) Value {
	t := b.boolOf(b.TypeOf(x))
	switch {
	case p > FCmpTrue:
		b.fail("fcmp: the predicate is one of icmp")
		return b.poison(t)
	case !b.floats(OpFCmp, x) || !b.same(OpFCmp, x, y):
		return b.poison(t)
	}
	return b.emit(Instr{Op: OpFCmp, Pred: p, Type: t}, x, y)
}

// Cast adds a cast: OpTrunc to OpAddrSpaceCast.
func (b Builder) Cast(op Op, v Value, to Type) Value {
	if !b.knownType(to) || !b.known(v) {
		return b.poison(to)
	}
	if op < OpTrunc || op > OpAddrSpaceCast {
		b.fail("%v is no cast", op)
		return b.poison(to)
	}
	from := b.TypeOf(v)
	fi, ti := b.t.IntBits(b.t.Scalar(from)), b.t.IntBits(b.t.Scalar(to))
	ff, tf := b.t.FloatBits(b.t.Scalar(from)), b.t.FloatBits(b.t.Scalar(to))
	fp, tp := b.t.Kind(b.t.Scalar(from)) == KindPointer, b.t.Kind(b.t.Scalar(to)) == KindPointer
	ok := true
	switch op {
	case OpTrunc:
		ok = fi > ti && ti > 0
	case OpZExt, OpSExt:
		ok = fi > 0 && fi < ti
	case OpFPToUI, OpFPToSI:
		ok = ff > 0 && ti > 0
	case OpUIToFP, OpSIToFP:
		ok = fi > 0 && tf > 0
	case OpFPTrunc:
		ok = ff > tf && tf > 0
	case OpFPExt:
		ok = ff > 0 && ff < tf
	case OpPtrToInt, OpPtrToAddr:
		ok = fp && ti > 0
	case OpIntToPtr:
		ok = fi > 0 && tp
	case OpAddrSpaceCast:
		ok = fp && tp && from != to
	case OpBitCast:
		ok = fp == tp && !b.t.IsAggregate(from) && !b.t.IsAggregate(to) &&
			(fp || b.layout.SizeInBits(b.t, from) == b.layout.SizeInBits(b.t, to))
	}
	if b.t.IsVector(from) != b.t.IsVector(to) && op != OpBitCast {
		ok = false
	}
	if !ok {
		b.fail("%v: no cast from %s to %s", op, b.typeName(from), b.typeName(to))
		return b.poison(to)
	}
	return b.emit(Instr{Op: op, Type: to}, v)
}

// Trunc cuts an integer to a narrower type.
func (b Builder) Trunc(v Value, to Type) Value { return b.Cast(OpTrunc, v, to) }

// ZExt widens an integer with zeros.
func (b Builder) ZExt(v Value, to Type) Value { return b.Cast(OpZExt, v, to) }

// SExt widens an integer with its sign.
func (b Builder) SExt(v Value, to Type) Value { return b.Cast(OpSExt, v, to) }

// FPToSI converts to a signed integer, rounding toward zero.
func (b Builder) FPToSI(v Value, to Type) Value { return b.Cast(OpFPToSI, v, to) }

// FPToUI converts to an unsigned integer, rounding toward zero.
func (b Builder) FPToUI(v Value, to Type) Value { return b.Cast(OpFPToUI, v, to) }

// SIToFP converts a signed integer.
func (b Builder) SIToFP(v Value, to Type) Value { return b.Cast(OpSIToFP, v, to) }

// UIToFP converts an unsigned integer.
func (b Builder) UIToFP(v Value, to Type) Value { return b.Cast(OpUIToFP, v, to) }

// FPTrunc rounds to a narrower floating-point type.
func (b Builder) FPTrunc(v Value, to Type) Value { return b.Cast(OpFPTrunc, v, to) }

// FPExt widens to a wider floating-point type.
func (b Builder) FPExt(v Value, to Type) Value { return b.Cast(OpFPExt, v, to) }

// PtrToInt and IntToPtr convert between addresses and integers.
func (b Builder) PtrToInt(v Value, to Type) Value { return b.Cast(OpPtrToInt, v, to) }

// IntToPtr makes a pointer of an integer.
func (b Builder) IntToPtr(v Value, to Type) Value { return b.Cast(OpIntToPtr, v, to) }

// BitCast reads the bits of a value as another type of the same size.
func (b Builder) BitCast(v Value, to Type) Value { return b.Cast(OpBitCast, v, to) }

// Alloca reserves stack memory for a value of type t and returns its address.
func (b Builder) Alloca(t Type) Value { return b.AllocaN(t, b.Int(Int32, 1)) }

// AllocaN reserves stack memory for n values of type t.
func (b Builder) AllocaN(t Type, n Value) Value {
	if !b.sized(OpAlloca, t) || !b.ints(OpAlloca, n) {
		return b.poison(Ptr)
	}
	return b.emit(Instr{Op: OpAlloca, Type: Ptr, SrcType: t, Align: b.abiAlign(t)}, n)
}

// Load reads a value of type t.
func (b Builder) Load(t Type, ptr Value) Value {
	if !b.sized(OpLoad, t) || !b.want(OpLoad, ptr, "a pointer", KindPointer) {
		return b.poison(t)
	}
	return b.emit(Instr{Op: OpLoad, Type: t, SrcType: t, Align: b.abiAlign(t)}, ptr)
}

// Store writes a value.
func (b Builder) Store(v, ptr Value) {
	if t := b.TypeOf(v); b.want(OpStore, ptr, "a pointer", KindPointer) && b.sized(OpStore, t) {
		b.emit(Instr{Op: OpStore, Type: Void, SrcType: t, Align: b.abiAlign(t)}, v, ptr)
	}
}

// GEP computes an address: the first index counts elements of type t from the
// base, the others go down into t.
func (b Builder) GEP(t Type, base Value, indices ...Value) Value {
	if !b.sized(OpGEP, t) || !b.want(OpGEP, base, "a pointer", KindPointer) {
		return b.poison(Ptr)
	}
	for _, i := range indices {
		if !b.ints(OpGEP, i) {
			return b.poison(Ptr)
		}
	}
	b.ops = append(append(b.ops[:0], base), indices...)
	return b.emit(Instr{Op: OpGEP, Type: b.TypeOf(base), SrcType: t}, b.ops...)
}

// Field computes the address of member i of the struct of type t at base.
func (b Builder) Field(t Type, base Value, i int) Value {
	if !b.knownType(t) {
		return b.poison(Ptr)
	}
	if b.t.Kind(t) != KindStruct || i < 0 || i >= len(b.t.Subtypes(t)) {
		b.fail("getelementptr: %s has no member %d", b.typeName(t), i)
		return b.poison(Ptr)
	}
	return b.With(InBounds|NUW|NUSW).GEP(t, base, b.Int(Int32, 0), b.Int(Int32, int64(i)))
}

// Elem computes the address of element i of an array of elements of type t.
func (b Builder) Elem(t Type, base, i Value) Value { return b.With(InBounds|NUSW).GEP(t, base, i) }

// Select is x where cond is true and y where it is false.
func (b Builder) Select(cond, x, y Value) Value {
	if !b.ints(OpSelect, cond) || !b.same(OpSelect, x, y) {
		return b.poison(b.TypeOf(x))
	}
	return b.emit(Instr{Op: OpSelect, Type: b.TypeOf(x)}, cond, x, y)
}

// Freeze makes an undefined value a fixed one.
func (b Builder) Freeze(v Value) Value {
	if !b.known(v) {
		return b.poison(NoType)
	}
	return b.emit(Instr{Op: OpFreeze, Type: b.TypeOf(v)}, v)
}

// Phi starts a phi of type t; AddIncoming gives it its values.
func (b Builder) Phi(t Type) Value {
	if !b.knownType(t) {
		return b.poison(NoType)
	}
	return b.emit(Instr{Op: OpPhi, Type: t})
}

// AddIncoming adds a value for the way from a predecessor.
func (b Builder) AddIncoming(phi, v Value, from BlockID) {
	if !b.known(phi) || !b.known(v) || !b.knownBlock(from) {
		return
	}
	i := phi.Instr()
	if phi.Tag() != TagLocal || b.f.Instrs[i].Op != OpPhi {
		b.fail("AddIncoming: the value is no phi")
		return
	}
	if b.TypeOf(v) != b.TypeOf(phi) {
		b.fail("phi: value of type %s, want %s", b.typeName(b.TypeOf(v)), b.typeName(b.TypeOf(phi)))
		return
	}
	b.f.AddOps(i, v, BlockVal(from))
}

// Call calls a function of the module.
func (b Builder) Call(callee GlobalID, args ...Value) Value {
	if callee == 0 || int(callee) >= len(b.f.Module.Globals) {
		b.fail("call: there is no function %d", callee)
		return b.poison(NoType)
	}
	g := b.f.Module.Globals[callee]
	return b.CallPtr(g.ValueType, GlobalVal(callee), g.CC, args...)
}

// CallPtr calls a function of type t, by a calling convention, through its address.
func (b Builder) CallPtr(t Type, callee Value, cc uint16, args ...Value) Value {
	if !b.knownType(t) || !b.want(OpCall, callee, "a pointer", KindPointer) {
		return b.poison(NoType)
	}
	if b.t.Kind(t) != KindFunction {
		b.fail("call: %s is no function type", b.typeName(t))
		return b.poison(Int32)
	}
	params, res := b.t.Subtypes(t), b.t.Result(t)
	bad := len(args) < len(params) || len(args) > len(params) && !b.t.IsVarArg(t)
	if bad {
		b.fail("call: %d arguments for %s", len(args), b.typeName(t))
	}
	for i := 0; !bad && i < len(params); i++ {
		if got := b.TypeOf(args[i]); got != params[i] {
			b.fail("call: argument %d has type %s, want %s", i, b.typeName(got), b.typeName(params[i]))
			bad = true
		}
	}
	if bad {
		if res == Void {
			return 0
		}
		return b.poison(res)
	}
	b.ops = append(append(b.ops[:0], args...), callee)
	return b.emit(Instr{Op: OpCall, Type: res, SrcType: t, CC: cc}, b.ops...)
}

// Intrinsic calls an intrinsic function by its full name, "llvm.sqrt.f64",
// declaring it by the types of result and arguments at its first use. intrin.Call
// makes the full name of "llvm.sqrt" and the types.
func (b Builder) Intrinsic(name string, res Type, args ...Value) Value {
	if !b.knownType(res) {
		return b.poison(NoType)
	}
	params := make([]Type, len(args))
	for i, a := range args {
		if params[i] = b.TypeOf(a); params[i] == NoType {
			return b.poison(res)
		}
	}
	if x := LookupIntrinsic(name); x == NotIntrinsic || x == IntrUnknown {
		b.fail("call: there is no intrinsic %s", name)
		return b.poison(res)
	}
	return b.Call(b.f.Module.Declare(name, b.t.Func(res, params, false)), args...)
}

// ExtractValue takes a member out of an aggregate.
func (b Builder) ExtractValue(agg Value, indices ...int) Value {
	t := b.member(OpExtractValue, b.TypeOf(agg), indices)
	if t == NoType {
		return b.poison(Int32)
	}
	return b.emit(Instr{Op: OpExtractValue, Type: t, Extra: b.f.AddExtra(Extra{Ints: ints64(indices)})}, agg)
}

// InsertValue is agg with one member replaced.
func (b Builder) InsertValue(agg, v Value, indices ...int) Value {
	t := b.member(OpInsertValue, b.TypeOf(agg), indices)
	if t != NoType && t != b.TypeOf(v) {
		b.fail("insertvalue: value of type %s, want %s", b.typeName(b.TypeOf(v)), b.typeName(t))
		t = NoType
	}
	if t == NoType {
		return b.poison(b.TypeOf(agg))
	}
	return b.emit(Instr{Op: OpInsertValue, Type: b.TypeOf(agg), Extra: b.f.AddExtra(Extra{Ints: ints64(indices)})}, agg, v)
}

// member finds the type that indices lead to in t, NoType for a fault.
func (b Builder) member(op Op, t Type, indices []int) Type {
	if t == NoType {
		return NoType
	}
	if len(indices) == 0 {
		b.fail("%v: there is no index", op)
		return NoType
	}
	for _, i := range indices {
		switch k := b.t.Kind(t); {
		case k == KindStruct && i >= 0 && i < len(b.t.Subtypes(t)):
			t = b.t.Subtypes(t)[i]
		case k == KindArray && i >= 0 && uint64(i) < b.t.NumElems(t):
			t = b.t.Elem(t)
		default:
			b.fail("%v: %s has no member %d", op, b.typeName(t), i)
			return NoType
		}
	}
	return t
}

func ints64(s []int) []int64 {
	r := make([]int64, len(s))
	for i, v := range s {
		r[i] = int64(v)
	}
	return r
}

// ExtractElement takes lane i out of a vector.
func (b Builder) ExtractElement(v, i Value) Value {
	if !b.t.IsVector(b.TypeOf(v)) {
		b.fail("extractelement: %s is no vector", b.typeName(b.TypeOf(v)))
		return b.poison(Int32)
	}
	if !b.ints(OpExtractElement, i) {
		return b.poison(b.t.Elem(b.TypeOf(v)))
	}
	return b.emit(Instr{Op: OpExtractElement, Type: b.t.Elem(b.TypeOf(v))}, v, i)
}

// InsertElement is v with lane i replaced by x.
func (b Builder) InsertElement(v, x, i Value) Value {
	if t := b.TypeOf(v); !b.t.IsVector(t) || b.t.Elem(t) != b.TypeOf(x) {
		b.fail("insertelement: a lane of %s is no %s", b.typeName(t), b.typeName(b.TypeOf(x)))
		return b.poison(t)
	}
	if !b.ints(OpInsertElement, i) {
		return b.poison(b.TypeOf(v))
	}
	return b.emit(Instr{Op: OpInsertElement, Type: b.TypeOf(v)}, v, x, i)
}

// Shuffle picks lanes of x and y, counted on; -1 is a poison lane.
func (b Builder) Shuffle(x, y Value, mask ...int) Value {
	t := b.TypeOf(x)
	if !b.t.IsVector(t) || !b.same(OpShuffleVector, x, y) {
		b.fail("shufflevector: %s is no vector", b.typeName(t))
		return b.poison(t)
	}
	for _, i := range mask {
		if i < -1 || uint64(i+1) > 2*b.t.NumElems(t) {
			b.fail("shufflevector: there is no lane %d", i)
			return b.poison(t)
		}
	}
	if len(mask) == 0 {
		b.fail("shufflevector: there is no lane")
		return b.poison(t)
	}
	res := b.t.Vector(b.t.Elem(t), uint64(len(mask)), false)
	return b.emit(Instr{Op: OpShuffleVector, Type: res, Extra: b.f.AddExtra(Extra{Ints: ints64(mask)})}, x, y)
}

// Ret ends the block by returning v, RetVoid without a value.
func (b Builder) Ret(v Value) {
	if want := b.t.Result(b.f.Global().ValueType); b.TypeOf(v) != want {
		b.fail("ret: value of type %s, want %s", b.typeName(b.TypeOf(v)), b.typeName(want))
		return
	}
	b.emit(Instr{Op: OpRet, Type: Void}, v)
}

// RetVoid returns without a value.
func (b Builder) RetVoid() {
	if want := b.t.Result(b.f.Global().ValueType); want != Void {
		b.fail("ret: no value, want %s", b.typeName(want))
		return
	}
	b.emit(Instr{Op: OpRet, Type: Void})
}

// Br ends the block by going to another.
func (b Builder) Br(to BlockID) {
	if !b.knownBlock(to) {
		return
	}
	b.emit(Instr{Op: OpBr, Type: Void}, BlockVal(to))
}

// CondBr goes to yes when cond is true, else to no.
func (b Builder) CondBr(cond Value, yes, no BlockID) {
	if b.TypeOf(cond) != Int1 {
		b.fail("br: condition of type %s, want i1", b.typeName(b.TypeOf(cond)))
		return
	}
	b.emit(Instr{Op: OpBr, Type: Void}, cond, BlockVal(yes), BlockVal(no))
}

// Switch goes to the block of the case that v is equal to; AddCase adds them.
func (b Builder) Switch(v Value, other BlockID) InstrID {
	if !b.ints(OpSwitch, v) {
		return 0
	}
	return b.emit(Instr{Op: OpSwitch, Type: Void}, v, BlockVal(other)).Instr()
}

// AddCase adds a case to a switch.
func (b Builder) AddCase(sw InstrID, v int64, to BlockID) {
	if !b.knownInstr(sw) || !b.knownBlock(to) {
		return
	}
	if b.f.Instrs[sw].Op != OpSwitch {
		b.fail("AddCase: the instruction is no switch")
		return
	}
	c := b.Int(b.TypeOf(b.f.Op(sw, 0)), v)
	b.f.AddOps(sw, c, BlockVal(to))
}

// Unreachable says that the end of the block is never reached.
func (b Builder) Unreachable() { b.emit(Instr{Op: OpUnreachable, Type: Void}) }
