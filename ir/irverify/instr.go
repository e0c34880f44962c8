package irverify

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/support/rows"
)

// block checks what a block asks of its phi nodes.
func (v *verifier) block(b ir.BlockID) {
	f := v.f
	first := f.Blocks[b].First
	if first == 0 || f.Instr(first).Op != ir.OpPhi {
		return
	}
	if v.plainPhis(b) {
		return
	}
	preds := slices.Clone(v.preds[b])
	slices.Sort(preds)
	for i := first; i != 0 && f.Instr(i).Op == ir.OpPhi; i = f.Instrs[i].Next {
		type entry struct {
			b ir.BlockID
			v ir.Value
		}
		var in []entry
		ops := f.Ops(i)
		for k := 0; k+1 < len(ops); k += 2 {
			in = append(in, entry{ops[k+1].Block(), ops[k]})
		}
		if !v.check(len(in) == len(preds), "PHINode should have one entry for each predecessor of its parent basic block!", instr(i)) {
			return
		}
		slices.SortStableFunc(in, func(a, b entry) int { return int(a.b) - int(b.b) })
		before := func(k int) any {
			if k == 0 {
				return nil
			}
			return in[k-1].v
		}
		for k, e := range in {
			if !v.check(k == 0 || in[k-1].b != e.b || v.same(in[k-1].v, e.v),
				"PHI node has multiple entries for the same basic block with different incoming values!", instr(i), block(e.b), e.v, before(k)) {
				return
			}
			if !v.check(e.b == preds[k], "PHI node entries do not match predecessors!", instr(i), block(e.b), block(preds[k])) {
				return
			}
		}
	}
}

// plainPhis reports that each phi node of a block names each of the block's
// predecessors, which are all different, once.
func (v *verifier) plainPhis(b ir.BlockID) bool {
	f, preds := v.f, v.preds[b]
	v.marks = rows.AtLeast(v.marks, len(f.Blocks))
	v.mark += 2 // above the marks that a node left which was not plain
	for _, p := range preds {
		if v.marks[p] == v.mark {
			return false
		}
		v.marks[p] = v.mark
	}
	for i := f.Blocks[b].First; i != 0 && f.Instr(i).Op == ir.OpPhi; i = f.Instrs[i].Next {
		ops := f.Ops(i)
		if len(ops) != 2*len(preds) {
			return false
		}
		for k := 1; k < len(ops); k += 2 {
			m := &v.marks[ops[k].Block()]
			if *m != v.mark {
				return false
			}
			*m = v.mark + 1 // each node turns the marks of all
		}
		v.mark++
	}
	return true
}

// same reports equal values; constants that are not shared compare by what they print.
func (v *verifier) same(a, b ir.Value) bool {
	if a == b {
		return true
	}
	if a.Const() == 0 || b.Const() == 0 {
		return false
	}
	s := v.slots()
	return string(s.AppendOperand(nil, &v.f.Consts, a)) == string(s.AppendOperand(nil, &v.f.Consts, b))
}

// instruction checks one instruction: what its operation asks, then what all ask.
func (v *verifier) instruction(i ir.InstrID) {
	f := v.f
	in := f.Instr(i)
	v.records(in.Records, in.Block)
	ok := true
	switch in.Op {
	case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
		ok = v.callSite(i)
	case ir.OpAlloca:
		ok = v.alloca(i)
	case ir.OpLoad:
		ok = v.load(i)
	case ir.OpStore:
		ok = v.store(i)
	case ir.OpGEP:
		ok = v.gep(i)
	case ir.OpAtomicRMW, ir.OpCmpXchg:
		ok = v.atomicOp(i)
	case ir.OpPhi:
		ok = v.phi(i)
	case ir.OpLandingPad:
		ok = v.landingPad(i)
	case ir.OpResume:
		ok = v.resume(i)
	case ir.OpCatchPad:
		ok = v.catchPad(i)
	case ir.OpCleanupPad:
		ok = v.cleanupPad(i)
	case ir.OpCatchSwitch:
		ok = v.catchSwitch(i)
	case ir.OpCleanupRet:
		ok = v.cleanupRet(i)
	case ir.OpCatchRet:
		ok = v.catchRet(i)
	case ir.OpRet:
		ok = v.ret(i)
	case ir.OpSwitch:
		ok = v.switchInst(i)
	default:
		ok = v.operandTypes(i, in)
	}
	if ok {
		v.anyInstr(i)
	}
}

func (v *verifier) ret(i ir.InstrID) bool {
	want := v.t.Result(v.g.ValueType)
	n := v.f.NumOps(i)
	if want == ir.Void {
		return v.check(n == 0, "Found return instr that returns non-void in Function of void return type!", instr(i), typeOf(want))
	}
	return v.check(n == 1 && v.f.TypeOf(v.f.Op(i, 0)) == want,
		"Function return type does not match operand type of return inst!", instr(i), typeOf(want))
}

func (v *verifier) switchInst(i ir.InstrID) bool {
	ops := v.f.Ops(i)
	if v.cases == nil || len(v.cases) > 64 { // a large one would be cleared as a whole each time
		v.cases = map[ir.Value]bool{}
	}
	seen := v.cases
	clear(seen)
	for k := 2; k+1 < len(ops); k += 2 {
		if !v.check(v.f.TypeOf(ops[k]) == v.f.TypeOf(ops[0]), "Switch constants must all be same type as switch value!", instr(i)) {
			return false
		}
		if seen[ops[k]] {
			v.fail("Duplicate integer as switch case", instr(i), ops[k])
			return false
		}
		seen[ops[k]] = true
	}
	return true
}

func (v *verifier) alloca(i ir.InstrID) bool {
	f := v.f
	in := f.Instr(i)
	if !v.check(v.sized(in.SrcType), "Cannot allocate unsized type", instr(i)) {
		return false
	}
	if !v.check(!v.nonLocalExt(in.SrcType), "Alloca has illegal target extension type", instr(i)) {
		return false
	}
	as := v.t.AddrSpace(in.Type)
	if v.triple.IsAMDGPU() && !v.check(as == 5, "alloca on amdgpu must be in addrspace(5)", instr(i)) {
		return false
	}
	if !v.check(v.isInt(f.TypeOf(f.Op(i, 0))), "Alloca array size must have integer type", instr(i)) {
		return false
	}
	if in.Flags&ir.SwiftError != 0 {
		if !v.check(v.isPtr(in.SrcType), "swifterror alloca must have pointer type", instr(i)) {
			return false
		}
		n, ok := v.constInt(f.Op(i, 0))
		if !v.check(ok && n == 1, "swifterror alloca must not be array allocation", instr(i)) {
			return false
		}
		v.swiftErrorValue(i)
	}
	return true
}

// swiftErrorValue checks the uses of a swifterror alloca or argument.
func (v *verifier) swiftErrorValue(x ir.InstrID) {
	f := v.f
	for _, u := range v.usersOf(x) {
		in := f.Instr(u)
		call := in.Op == ir.OpCall || in.Op == ir.OpInvoke
		if !v.check(in.Op == ir.OpLoad || in.Op == ir.OpStore || call,
			"swifterror value can only be loaded and stored from, or as a swifterror argument!", ir.Local(x), instr(u)) {
			return
		}
		if in.Op == ir.OpStore && !v.check(f.Op(u, 1) == ir.Local(x), "swifterror value should be the second operand when used by stores", ir.Local(x), instr(u)) {
			return
		}
		if call {
			v.swiftErrorCall(u, ir.Local(x))
		}
	}
}

func (v *verifier) swiftErrorCall(u ir.InstrID, x ir.Value) {
	l := v.m.Attrs.At(v.f.Instr(u).Attrs)
	for k, a := range v.f.Ops(u)[:v.f.NumArgOps(u)] {
		if a == x && !v.check(has(l.Param(k), "swifterror"),
			"swifterror value when used in a callsite should be marked with swifterror attribute", x, instr(u)) {
			return
		}
	}
}

func (v *verifier) atomicType(t ir.Type) bool {
	return v.isInt(t) || v.isPtr(t) || v.t.IsFloat(t) || v.t.Kind(t) == ir.KindVector
}

func (v *verifier) atomicSize(t ir.Type, i ir.InstrID) bool {
	size := v.dl.SizeInBits(v.t, t)
	if !v.check(size >= 8, "atomic memory access' size must be byte-sized", typeOf(t), instr(i)) {
		return false
	}
	return v.check(bits.OnesCount64(size) == 1, "atomic memory access' operand must have a power-of-two size", typeOf(t), instr(i))
}

func (v *verifier) load(i ir.InstrID) bool {
	in := v.f.Instr(i)
	if !v.check(v.isPtr(v.f.TypeOf(v.f.Op(i, 0))), "Load operand must be a pointer.", instr(i)) {
		return false
	}
	if !v.check(v.sized(in.Type), "loading unsized types is not allowed", instr(i)) {
		return false
	}
	if in.Order != ir.NotAtomic {
		if !v.check(in.Order != ir.Release && in.Order != ir.AcqRel, "Load cannot have Release ordering", instr(i)) {
			return false
		}
		if !v.check(v.atomicType(in.Type), "atomic load operand must have integer, pointer, floating point, or vector type!", typeOf(in.Type), instr(i)) {
			return false
		}
		return v.atomicSize(in.Type, i)
	}
	return true
}

func (v *verifier) store(i ir.InstrID) bool {
	in := v.f.Instr(i)
	t := v.f.TypeOf(v.f.Op(i, 0))
	if !v.check(v.isPtr(v.f.TypeOf(v.f.Op(i, 1))), "Store operand must be a pointer.", instr(i)) {
		return false
	}
	if !v.check(v.sized(t), "storing unsized types is not allowed", instr(i)) {
		return false
	}
	if in.Order != ir.NotAtomic {
		if !v.check(in.Order != ir.Acquire && in.Order != ir.AcqRel, "Store cannot have Acquire ordering", instr(i)) {
			return false
		}
		if !v.check(v.atomicType(t), "atomic store operand must have integer, pointer, floating point, or vector type!", typeOf(t), instr(i)) {
			return false
		}
		return v.atomicSize(t, i)
	}
	return true
}

func (v *verifier) atomicOp(i ir.InstrID) bool {
	in := v.f.Instr(i)
	t := v.f.TypeOf(v.f.Op(i, 1))
	if in.Op == ir.OpCmpXchg {
		if !v.check(v.isInt(t) || v.isPtr(t), "cmpxchg operand must have integer or pointer type", typeOf(t), instr(i)) {
			return false
		}
	}
	return v.atomicSize(t, i)
}

func (v *verifier) gep(i ir.InstrID) bool {
	in := v.f.Instr(i)
	if !v.check(v.isPtr(v.t.Scalar(v.f.TypeOf(v.f.Op(i, 0)))), "GEP base pointer is not a vector or a vector of pointers", instr(i)) {
		return false
	}
	for _, o := range v.f.Ops(i)[1:] {
		if !v.check(v.isInt(v.t.Scalar(v.f.TypeOf(o))), "GEP indexes must be integers", instr(i)) {
			return false
		}
	}
	if !v.check(v.sized(in.SrcType), "GEP into unsized type!", instr(i)) {
		return false
	}
	if v.t.Kind(in.SrcType) == ir.KindStruct {
		return v.check(!v.containsScalable(in.SrcType), "getelementptr cannot target structure that contains scalable vectortype", instr(i))
	}
	return true
}

func (v *verifier) phi(i ir.InstrID) bool {
	f := v.f
	in := f.Instr(i)
	if !v.check(in.Prev == 0 || f.Instr(in.Prev).Op == ir.OpPhi, "PHI nodes not grouped at top of basic block!", instr(i), block(in.Block)) {
		return false
	}
	return v.check(!v.tokenLike(in.Type), "PHI nodes cannot have token type!")
}

// invokable are the intrinsics that may be invoked.
var invokable = []string{"donothing", "seh.try.begin", "seh.try.end", "seh.scope.begin", "seh.scope.end", "coro.resume", "coro.destroy",
	"coro.await.suspend.void", "coro.await.suspend.bool", "coro.await.suspend.handle", "experimental.patchpoint.void",
	"experimental.patchpoint", "fake.use", "experimental.gc.statepoint", "wasm.throw", "wasm.rethrow", "allow.runtime.check",
	"allow.ubsan.check"}

// anyInstr checks what all instructions have in common.
func (v *verifier) anyInstr(i ir.InstrID) {
	f := v.f
	in := f.Instr(i)
	ops := f.Ops(i)
	if in.Op != ir.OpPhi && slices.Contains(ops, ir.Local(i)) && v.dom.reached(in.Block) {
		v.fail("Only PHI nodes may reference their own value!", instr(i))
		return
	}
	isCall := in.Op == ir.OpCall || in.Op == ir.OpInvoke || in.Op == ir.OpCallBr
	if in.Type == ir.Metadata && !v.check(in.Op == ir.OpCall || in.Op == ir.OpInvoke, "Invalid use of metadata!", instr(i)) {
		return
	}
	calleeAt := -1
	if isCall {
		switch in.Op {
		case ir.OpCall:
			calleeAt = len(ops) - 1
		case ir.OpInvoke:
			calleeAt = len(ops) - 3
		default:
			calleeAt = f.NumArgOps(i)
		}
	}
	one := func(o ir.Value, n int) bool {
		switch o.Tag() {
		case ir.TagGlobal:
			g := v.m.Globals[o.Index()]
			if g.Kind != ir.GlobalFunc || !isIntrinsicName(g.Name) {
				return true
			}
			if !v.check(n == calleeAt && isCall, "Cannot take the address of an intrinsic!", instr(i)) {
				return false
			}
			name := strings.TrimPrefix(g.Name, "llvm.")
			ok := in.Op == ir.OpCall || in.Op == ir.OpCallBr && name == "amdgcn.kill" || slices.ContainsFunc(invokable, func(s string) bool { return name == s || strings.HasPrefix(name, s+".") })
			return v.check(ok, "Cannot invoke an intrinsic other than donothing, patchpoint, statepoint, coro_resume, coro_destroy, clang.arc.attachedcall or wasm.(re)throw", instr(i))
		case ir.TagConst:
			v.bodyConstant(o, 0)
		case ir.TagLocal:
			v.dominates(o.Instr(), i, n) // and the other operands
		case ir.TagInlineAsm:
			return v.check(n == calleeAt && isCall, "Cannot take the address of an inline asm!", instr(i))
		}
		return true
	}
	for n, o := range ops {
		if o.IsLocal() {
			v.dominates(o.Instr(), i, n) // and the other operands
		} else if o != 0 && !one(o, n) {
			return
		}
	}
	if x := in.Extra; x != 0 {
		for _, b := range f.Extras[x].Bundles {
			for _, o := range b.Args {
				if b.Tag == "clang.arc.attachedcall" && o.Global() != 0 {
					continue
				}
				if o != 0 && !one(o, -2) {
					return
				}
			}
		}
	}
	if in.MD != 0 && !v.instrMetadata(i, in) {
		return
	}
	if in.Loc != 0 {
		if !v.checkDI(v.mdIs(in.Loc, "DILocation"), "invalid !dbg metadata attachment", instr(i), mdNode(in.Loc)) {
			return
		}
		v.mdNode(in.Loc, true)
	}
	for a := in.MD; a != 0; a = f.Attachments[a].Next {
		at := f.Attachments[a]
		v.mdNode(at.Node, v.m.MDKinds()[at.Kind] == "llvm.loop")
	}
}

func (v *verifier) dominates(def, user ir.InstrID, n int) bool {
	f := v.f
	d := f.Instr(def)
	if d.Op == ir.OpArgument || v.dom.clear(d, def, user) {
		return true
	}
	if d.Op == ir.OpInvoke {
		k := f.NumArgOps(def)
		if f.Op(def, k+1) == f.Op(def, k+2) {
			return true
		}
	}
	if n < 0 {
		n = 0
	}
	return v.check(v.dom.dominatesUse(def, user, n), "Instruction does not dominate all uses!", instr(def), instr(user))
}

// The kinds of metadata that instructions are asked about, and their names.
const (
	mdFpmath = iota
	mdRange
	mdNoaliasAddrspace
	mdInvariantGroup
	mdNonnull
	mdDereferenceable
	mdDereferenceableOrNull
	mdNofree
	mdTbaa
	mdNoalias
	mdAliasScope
	mdLlvmAccessGroup
	mdAlign
	mdProf
	mdMemprof
	mdCallsite
	mdCalleeType
	mdAnnotation
	mdCaptures
	mdMmra
	mdAllocToken
	mdDIAssignID
	numCheckedKinds
)

var checkedKinds = [numCheckedKinds]string{
	mdFpmath:                "fpmath",
	mdRange:                 "range",
	mdNoaliasAddrspace:      "noalias.addrspace",
	mdInvariantGroup:        "invariant.group",
	mdNonnull:               "nonnull",
	mdDereferenceable:       "dereferenceable",
	mdDereferenceableOrNull: "dereferenceable_or_null",
	mdNofree:                "nofree",
	mdTbaa:                  "tbaa",
	mdNoalias:               "noalias",
	mdAliasScope:            "alias.scope",
	mdLlvmAccessGroup:       "llvm.access.group",
	mdAlign:                 "align",
	mdProf:                  "prof",
	mdMemprof:               "memprof",
	mdCallsite:              "callsite",
	mdCalleeType:            "callee_type",
	mdAnnotation:            "annotation",
	mdCaptures:              "captures",
	mdMmra:                  "mmra",
	mdAllocToken:            "alloc_token",
	mdDIAssignID:            "DIAssignID",
}

// kindNumbers gives the number of each of the module's metadata kinds among
// checkedKinds plus one, 0 for others.
func kindNumbers(m *ir.Module) []uint8 {
	numbers := make([]uint8, len(m.MDKinds()))
	for i, name := range m.MDKinds() {
		numbers[i] = uint8(slices.Index(checkedKinds[:], name) + 1)
	}
	return numbers
}

// growKinds takes in the kinds that came into the module since.
func (v *verifier) growKinds() {
	if len(v.kinds) < len(v.m.MDKinds()) {
		v.kinds = kindNumbers(v.m)
	}
}

// instrMetadata checks the attachments of an instruction, kind by kind.
func (v *verifier) instrMetadata(i ir.InstrID, in *ir.Instr) bool {
	f := v.f
	var nodes [numCheckedKinds]ir.MDID // the first of each kind
	any := false
	for a := in.MD; a != 0; a = f.Attachments[a].Next {
		if k := v.kinds[f.Attachments[a].Kind]; k != 0 && nodes[k-1] == 0 {
			nodes[k-1] = f.Attachments[a].Node
			any = true
		}
	}
	if !any {
		return true
	}
	isCall := in.Op == ir.OpCall || in.Op == ir.OpInvoke
	isMem := in.Op == ir.OpLoad || in.Op == ir.OpStore
	if n := nodes[mdFpmath]; n != 0 && !v.fpMath(i, in, n) {
		return false
	}
	if n := nodes[mdRange]; n != 0 {
		if !v.check(in.Op == ir.OpLoad || isCall, "Ranges are only for loads, calls and invokes!", instr(i)) {
			return false
		}
		v.rangeLike(instr(i), n, in.Type, rangeRange)
	}
	if n := nodes[mdNoaliasAddrspace]; n != 0 {
		if !v.check(isMem || in.Op == ir.OpAtomicRMW || in.Op == ir.OpCmpXchg || in.Op == ir.OpCall,
			"noalias.addrspace are only for memory operations!", instr(i)) {
			return false
		}
		v.rangeLike(instr(i), n, in.Type, rangeAddrSpace)
	}
	if n := nodes[mdInvariantGroup]; n != 0 && !v.check(isMem, "invariant.group metadata is only for loads and stores", instr(i)) {
		return false
	}
	if n := nodes[mdNonnull]; n != 0 {
		if !v.check(v.isPtr(in.Type), "nonnull applies only to pointer types", instr(i)) ||
			!v.check(in.Op == ir.OpLoad, "nonnull applies only to load instructions, use attributes for calls or invokes", instr(i)) ||
			!v.check(len(v.m.MD.At(n).Ops) == 0, "nonnull metadata must be empty", instr(i)) {
			return false
		}
	}
	for _, k := range [...]int{mdDereferenceable, mdDereferenceableOrNull} {
		if n := nodes[k]; n != 0 && !v.dereferenceable(i, in, n) {
			return false
		}
	}
	if n := nodes[mdNofree]; n != 0 {
		if !v.check(v.isPtr(in.Type), "nofree applies only to pointer types", instr(i)) ||
			!v.check(in.Op == ir.OpIntToPtr, "nofree applies only to inttoptr instruction", instr(i)) ||
			!v.check(len(v.m.MD.At(n).Ops) == 0, "nofree metadata must be empty", instr(i)) {
			return false
		}
	}
	if n := nodes[mdTbaa]; n != 0 {
		v.tbaa(i, in, n)
	}
	for _, k := range [...]int{mdNoalias, mdAliasScope} {
		if n := nodes[k]; n != 0 {
			v.aliasScopes(n)
		}
	}
	if n := nodes[mdLlvmAccessGroup]; n != 0 {
		v.accessGroup(n)
	}
	if n := nodes[mdAlign]; n != 0 {
		nd := v.m.MD.At(n)
		if !v.check(v.isPtr(in.Type), "align applies only to pointer types", instr(i)) ||
			!v.check(in.Op == ir.OpLoad, "align applies only to load instructions, use attributes for calls or invokes", instr(i)) ||
			!v.check(len(nd.Ops) == 1, "align takes one operand!", instr(i)) {
			return false
		}
		c, t, ok := v.mdInt(nd.Ops[0])
		if !v.check(ok && t == ir.Int64, "align metadata value must be an i64!", instr(i)) ||
			!v.check(bits.OnesCount64(c) == 1, "align metadata value must be a power of 2!", instr(i)) ||
			!v.check(c <= 1<<32, "alignment is larger that implementation defined limit", instr(i)) {
			return false
		}
	}
	if n := nodes[mdProf]; n != 0 {
		v.prof(i, in, n)
	}
	if n := nodes[mdMemprof]; n != 0 {
		v.memprof(i, n)
	}
	if n := nodes[mdCallsite]; n != 0 {
		if v.check(in.Op == ir.OpCall || in.Op == ir.OpInvoke || in.Op == ir.OpCallBr, "!callsite metadata should only exist on calls", instr(i)) {
			v.callStack(n)
		}
	}
	if n := nodes[mdCalleeType]; n != 0 {
		v.calleeTypeMD(i, n)
	}
	if n := nodes[mdAnnotation]; n != 0 {
		v.annotation(n)
	}
	if n := nodes[mdCaptures]; n != 0 {
		v.captures(i, in, n)
	}
	if n := nodes[mdMmra]; n != 0 {
		v.mmra(i, n)
	}
	if n := nodes[mdAllocToken]; n != 0 {
		v.allocToken(i, n)
	}
	if n := nodes[mdDIAssignID]; n != 0 {
		if !v.checkDI(in.Op == ir.OpAlloca || in.Op == ir.OpStore || in.Op == ir.OpCall, "!DIAssignID attached to unexpected instruction kind", instr(i), mdNode(n)) {
			return false
		}
	}
	return true
}

func (v *verifier) fpMath(i ir.InstrID, in *ir.Instr, n ir.MDID) bool {
	nd := v.m.MD.At(n)
	if !v.check(v.isFPOrVec(in.Type), "fpmath requires a floating point result!", instr(i)) ||
		!v.check(len(nd.Ops) == 1, "fpmath takes one operand!", instr(i)) {
		return false
	}
	c := v.mdConst(nd.Ops[0])
	if c == nil || c.Kind != ir.ConstFP {
		v.fail("invalid fpmath accuracy!", instr(i))
		return false
	}
	if !v.check(c.Type == ir.Float, "fpmath accuracy must have float type", instr(i)) {
		return false
	}
	x := math.Float32frombits(uint32(c.Bits))
	return v.check(x > 0 && !math.IsInf(float64(x), 0), "fpmath accuracy not a positive number!", instr(i))
}

func (v *verifier) dereferenceable(i ir.InstrID, in *ir.Instr, n ir.MDID) bool {
	nd := v.m.MD.At(n)
	if !v.check(v.isPtr(in.Type), "dereferenceable, dereferenceable_or_null apply only to pointer types", instr(i)) ||
		!v.check(in.Op == ir.OpLoad || in.Op == ir.OpIntToPtr,
			"dereferenceable, dereferenceable_or_null apply only to load and inttoptr instructions, use attributes for calls or invokes", instr(i)) ||
		!v.check(len(nd.Ops) == 1, "dereferenceable, dereferenceable_or_null take one operand!", instr(i)) {
		return false
	}
	_, t, ok := v.mdInt(nd.Ops[0])
	return v.check(ok && t == ir.Int64, "dereferenceable, dereferenceable_or_null metadata value must be an i64!", instr(i))
}
