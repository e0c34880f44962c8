package irverify

import (
	"math/bits"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// mdIs reports a specialized node of a class.
func (v *verifier) mdIs(id ir.MDID, class string) bool {
	if id == 0 {
		return false
	}
	if v.m.MD.IsLocation(id) {
		return class == "DILocation"
	}
	n := v.m.MD.At(id)
	return n != nil && n.Kind == ir.MDSpecialized && n.Str == class
}

// mdIsNode reports tuples and specialized nodes.
func (v *verifier) mdIsNode(id ir.MDID) bool {
	if id == 0 {
		return false
	}
	if v.m.MD.IsLocation(id) {
		return true
	}
	n := v.m.MD.At(id)
	return n != nil && (n.Kind == ir.MDTuple || n.Kind == ir.MDSpecialized)
}

func (v *verifier) mdIsString(id ir.MDID) bool {
	return id != 0 && v.m.MD.At(id).Kind == ir.MDString
}

// mdConst returns the constant of a node, nil for others and globals.
func (v *verifier) mdConst(id ir.MDID) *ir.Const {
	if id == 0 {
		return nil
	}
	n := v.m.MD.At(id)
	if n == nil || n.Kind != ir.MDConst || n.Value.Const() == 0 {
		return nil
	}
	return v.m.Consts.At(n.Value.Const())
}

func (v *verifier) mdInt(id ir.MDID) (n uint64, t ir.Type, ok bool) {
	c := v.mdConst(id)
	if c == nil || c.Kind != ir.ConstInt {
		return 0, 0, false
	}
	return c.Bits, c.Type, true
}

func (v *verifier) mdOps(id ir.MDID) []ir.MDID {
	if id == 0 {
		return nil
	}
	n := v.m.MD.At(id)
	if n == nil || n.Kind != ir.MDTuple {
		return nil
	}
	return n.Ops
}

func (v *verifier) mdString(id ir.MDID) string {
	if v.mdIsString(id) {
		return v.m.MD.At(id).Str
	}
	return ""
}

// The kinds of metadata that are lists of ranges.
type rangeKind int

const (
	rangeRange rangeKind = iota
	rangeAbsolute
	rangeAddrSpace
)

// rangeLike checks a list of ranges of values of type t; at is what it hangs on.
func (v *verifier) rangeLike(at any, id ir.MDID, t ir.Type, kind rangeKind) {
	ops := v.mdOps(id)
	if !v.check(len(ops)%2 == 0, "Unfinished range!", mdNode(id)) || !v.check(len(ops) >= 2, "It should have at least one range!", mdNode(id)) {
		return
	}
	type pair struct{ lo, hi uint64 }
	var all []pair
	width := 64
	signed := func(n uint64) int64 { return int64(n<<(64-width)) >> (64 - width) }
	contains := func(p pair, x uint64) bool {
		mask := ^uint64(0) >> (64 - width)
		return (x-p.lo)&mask < (p.hi-p.lo)&mask
	}
	overlap := func(a, b pair) bool { return contains(a, b.lo) || contains(b, a.lo) }
	contiguous := func(a, b pair) bool { return a.hi == b.lo || b.hi == a.lo }
	for i := 0; i < len(ops); i += 2 {
		lo, lt, ok := v.mdInt(ops[i])
		if !v.check(ok, "The lower limit must be an integer!") {
			return
		}
		hi, ht, ok := v.mdInt(ops[i+1])
		if !v.check(ok, "The upper limit must be an integer!") || !v.check(ht == lt, "Range pair types must match!", at) {
			return
		}
		if kind == rangeAddrSpace {
			if !v.check(ht == ir.Int32, "noalias.addrspace type must be i32!", at) {
				return
			}
		} else if !v.check(ht == v.t.Scalar(t), "Range types must match instruction type!", at) {
			return
		}
		width = min(max(v.t.IntBits(ht), 1), 64)
		mask := ^uint64(0) >> (64 - width)
		lo, hi = lo&mask, hi&mask
		if !v.check(lo != hi || lo == mask || lo == 0, "The upper and lower limits cannot be the same value", at) {
			return
		}
		empty := lo == hi && lo == 0
		full := lo == hi && lo == mask
		if !v.check(!empty && (kind == rangeAbsolute || !full), "Range must not be empty!", mdNode(id)) {
			return
		}
		p := pair{lo, hi}
		if n := len(all); n > 0 {
			last := all[n-1]
			if !v.check(!overlap(p, last), "Intervals are overlapping", mdNode(id)) ||
				!v.check(signed(lo) > signed(last.lo), "Intervals are not in order", mdNode(id)) ||
				!v.check(!contiguous(p, last), "Intervals are contiguous", mdNode(id)) {
				return
			}
		}
		all = append(all, p)
	}
	if n := len(all); n > 2 {
		if !v.check(!overlap(all[0], all[n-1]), "Intervals are overlapping", mdNode(id)) {
			return
		}
		v.check(!contiguous(all[0], all[n-1]), "Intervals are contiguous", mdNode(id))
	}
}

// selfOrString reports an operand that is the node itself or a string.
func (v *verifier) selfOrString(id, op ir.MDID) bool { return op == id || v.mdIsString(op) }

func (v *verifier) aliasScopes(list ir.MDID) {
	for _, s := range v.mdOps(list) {
		if !v.check(v.mdIsNode(s), "scope list must consist of MDNodes", mdNode(list)) {
			return
		}
		ops := v.mdOps(s)
		if !v.check(len(ops) == 2 || len(ops) == 3, "scope must have two or three operands", mdNode(s)) ||
			!v.check(v.selfOrString(s, ops[0]), "first scope operand must be self-referential or string", mdNode(s)) ||
			!v.check(len(ops) < 3 || v.mdIsString(ops[2]), "third scope operand must be string (if used)", mdNode(s)) {
			continue
		}
		d := ops[1]
		if !v.check(v.mdIsNode(d), "second scope operand must be MDNode", mdNode(s)) {
			continue
		}
		dops := v.mdOps(d)
		if !v.check(len(dops) == 1 || len(dops) == 2, "domain must have one or two operands", mdNode(d)) ||
			!v.check(v.selfOrString(d, dops[0]), "first domain operand must be self-referential or string", mdNode(d)) {
			continue
		}
		v.check(len(dops) < 2 || v.mdIsString(dops[1]), "second domain operand must be string (if used)", mdNode(d))
	}
}

func (v *verifier) accessGroup(id ir.MDID) {
	valid := func(x ir.MDID) bool { n := v.m.MD.At(x); return n.Kind == ir.MDTuple && len(n.Ops) == 0 && n.Distinct }
	ops := v.mdOps(id)
	if len(ops) > 0 && !valid(id) {
		for _, o := range ops {
			if !v.check(v.mdIsNode(o), "Access scope list must consist of MDNodes", mdNode(id)) ||
				!v.check(valid(o), "Access scope list contains invalid access scope", mdNode(id)) {
				return
			}
		}
		return
	}
	v.check(valid(id), "Access scope list contains invalid access scope", mdNode(id))
}

// unknownProf checks !{!"unknown", !"pass"}.
func (v *verifier) unknownProf(id ir.MDID) {
	ops := v.mdOps(id)
	if v.check(len(ops) == 2, "'unknown' !prof should have a single additional operand", mdNode(id)) &&
		v.check(v.mdIsString(ops[1]), "'unknown' !prof should have an additional operand of type string") {
		v.check(v.mdString(ops[1]) != "", "the 'unknown' !prof operand should not be an empty string")
	}
}

func (v *verifier) prof(i ir.InstrID, in *ir.Instr, id ir.MDID) {
	f := v.f
	ops := v.mdOps(id)
	if !v.check(len(ops) >= 1, "!prof annotations should have at least 1 operand", mdNode(id)) ||
		!v.check(ops[0] != 0, "first operand should not be null", mdNode(id)) ||
		!v.check(v.mdIsString(ops[0]), "expected string with name of the !prof annotation", mdNode(id)) {
		return
	}
	name := v.mdString(ops[0])
	want := 0
	switch in.Op {
	case ir.OpBr:
		if f.NumOps(i) == 3 {
			want = 2
		} else {
			want = 1
		}
	case ir.OpSwitch:
		want = f.NumOps(i) / 2
	case ir.OpIndirectBr:
		want = f.NumOps(i) - 1
	case ir.OpSelect:
		want = 2
	case ir.OpCall:
		want = 1
	case ir.OpCallBr:
		want = f.NumOps(i) - f.NumArgOps(i) - 1
	case ir.OpInvoke:
		want = 2
	}
	if name == "unknown" {
		if v.check(in.Op != ir.OpCall, "'unknown' !prof should only appear on instructions on which 'branch_weights' would", mdNode(id)) {
			if v.check(want != 0, "'unknown' !prof should only appear on instructions on which 'branch_weights' would", mdNode(id)) {
				v.unknownProf(id)
			}
		}
		return
	}
	if !v.check(len(ops) >= 2, "!prof annotations should have no less than 2 operands", mdNode(id)) {
		return
	}
	switch name {
	case "branch_weights":
		from := 1
		if v.mdString(ops[1]) == "expected" && len(ops) > 2 {
			from = 2
		}
		n := len(ops) - from
		if in.Op == ir.OpInvoke {
			if !v.check(n == 1 || n == 2, "Wrong number of InvokeInst branch_weights operands", mdNode(id)) {
				return
			}
		} else {
			if want == 0 {
				v.fail("!prof branch_weights are not allowed for this instruction", mdNode(id))
			}
			if !v.check(n == want, "Wrong number of operands", mdNode(id)) {
				return
			}
		}
		for _, o := range ops[from:] {
			if !v.check(o != 0, "second operand should not be null", mdNode(id)) {
				return
			}
			_, _, ok := v.mdInt(o)
			if !v.check(ok, "!prof brunch_weights operand is not a const int") {
				return
			}
		}
	case "VP":
		const minOps, lastKind = 5, 2 // of ProfDataUtils and InstrProfData.inc
		if !v.check(len(ops) >= minOps, "invalid value profiling metadata", mdNode(id)) {
			return
		}
		kind, _, ok := v.mdInt(ops[1])
		if !v.check(ok, "VP !prof missing kind argument", mdNode(id)) ||
			!v.check(kind <= lastKind, "Invalid VP !prof kind", mdNode(id)) ||
			!v.check(len(ops)%2 == 1, "VP !prof should have an even number of arguments after 'VP'", mdNode(id)) {
			return
		}
		isCall := in.Op == ir.OpCall || in.Op == ir.OpInvoke || in.Op == ir.OpCallBr
		v.check(isCall || kind == lastKind, "VP !prof indirect call or memop size expected to be applied to CallBase instructions only", mdNode(id))
	default:
		v.fail("expected either branch_weights or VP profile name", mdNode(id))
	}
}

// functionMetadata checks !prof and !kcfi_type of a function.
func (v *verifier) functionMetadata(a ir.Attachment) {
	id := a.Node
	ops := v.mdOps(id)
	switch v.m.MDKinds()[a.Kind] {
	case "prof":
		if len(ops) >= 2 && v.mdString(ops[0]) == "unknown" {
			v.unknownProf(id)
			return
		}
		if !v.check(len(ops) >= 2, "!prof annotations should have no less than 2 operands", mdNode(id)) ||
			!v.check(ops[0] != 0, "first operand should not be null", mdNode(id)) ||
			!v.check(v.mdIsString(ops[0]), "expected string with name of the !prof annotation", mdNode(id)) {
			return
		}
		name := v.mdString(ops[0])
		if !v.check(name == "function_entry_count" || name == "synthetic_function_entry_count",
			"first operand should be 'function_entry_count' or 'synthetic_function_entry_count'", mdNode(id)) ||
			!v.check(ops[1] != 0, "second operand should not be null", mdNode(id)) {
			return
		}
		v.check(v.m.MD.At(ops[1]).Kind == ir.MDConst, "expected integer argument to function_entry_count", mdNode(id))
	case "kcfi_type":
		if !v.check(len(ops) == 1, "!kcfi_type must have exactly one operand", mdNode(id)) ||
			!v.check(ops[0] != 0, "!kcfi_type operand must not be null", mdNode(id)) ||
			!v.check(v.m.MD.At(ops[0]).Kind == ir.MDConst, "expected a constant operand for !kcfi_type", mdNode(id)) {
			return
		}
		_, t, ok := v.mdInt(ops[0])
		if v.check(ok, "expected a constant integer operand for !kcfi_type", mdNode(id)) {
			v.check(t == ir.Int32, "expected a 32-bit integer constant operand for !kcfi_type", mdNode(id))
		}
	}
}

func (v *verifier) memprof(i ir.InstrID, id ir.MDID) {
	in := v.f.Instr(i)
	if !v.check(in.Op == ir.OpCall || in.Op == ir.OpInvoke || in.Op == ir.OpCallBr, "!memprof metadata should only exist on calls", instr(i)) {
		return
	}
	ops := v.mdOps(id)
	if !v.check(len(ops) >= 1, "!memprof annotations should have at least 1 metadata operand (MemInfoBlock)", mdNode(id)) {
		return
	}
	for _, mib := range ops {
		if !v.check(mib != 0, "!memprof MemInfoBlock should not be null", mdNode(id)) {
			continue
		}
		mo := v.mdOps(mib)
		if !v.check(len(mo) >= 2, "Each !memprof MemInfoBlock should have at least 2 operands", mdNode(mib)) ||
			!v.check(mo[0] != 0, "!memprof MemInfoBlock first operand should not be null", mdNode(mib)) ||
			!v.check(v.mdIsNode(mo[0]), "!memprof MemInfoBlock first operand should be an MDNode", mdNode(mib)) {
			return
		}
		v.callStack(mo[0])
		if !v.check(v.mdIsString(mo[1]), "!memprof MemInfoBlock second operand should be an MDString", mdNode(mib)) {
			return
		}
		ok := true
		for _, o := range mo[2:] {
			ok = ok && (v.mdIsNode(o) || v.mdIsString(o))
		}
		if !v.check(ok, "Not all !memprof MemInfoBlock operands 2 to N are MDNode", mdNode(mib)) {
			return
		}
		pairs, ints := true, true
		for _, o := range mo[2:] {
			p := v.mdOps(o)
			pairs = pairs && len(p) == 2
			for _, x := range p {
				_, _, ok := v.mdInt(x)
				ints = ints && ok
			}
		}
		if !v.check(pairs, "Not all !memprof MemInfoBlock operands 2 to N are MDNode with 2 operands", mdNode(mib)) ||
			!v.check(ints, "Not all !memprof MemInfoBlock operands 2 to N are MDNode with ConstantInt operands", mdNode(mib)) {
			return
		}
	}
}

func (v *verifier) callStack(id ir.MDID) {
	ops := v.mdOps(id)
	if !v.check(len(ops) >= 1, "call stack metadata should have at least 1 operand", mdNode(id)) {
		return
	}
	for _, o := range ops {
		_, _, ok := v.mdInt(o)
		if !v.check(ok, "call stack metadata operand should be constant integer", mdNode(o)) {
			return
		}
	}
}

func (v *verifier) calleeTypeMD(i ir.InstrID, id ir.MDID) {
	in := v.f.Instr(i)
	if !v.check(in.Op == ir.OpCall || in.Op == ir.OpInvoke || in.Op == ir.OpCallBr, "!callee_type metadata should only exist on calls", instr(i)) {
		return
	}
	for _, o := range v.mdOps(id) {
		if !v.check(v.mdIsNode(o), "The callee_type metadata must be a list of type metadata nodes", mdNode(o)) {
			return
		}
		ops := v.mdOps(o)
		if !v.check(len(ops) == 2, "Well-formed generalized type metadata must contain exactly two operands", mdNode(o)) {
			return
		}
		n, _, ok := v.mdInt(ops[0])
		if !v.check(ok && n == 0, "The first operand of type metadata for functions must be zero", mdNode(o)) {
			return
		}
		s := v.mdString(ops[1])
		if !v.check(v.mdIsString(ops[1]), "The second operand of type metadata for functions must be a string", mdNode(o)) {
			return
		}
		if !v.check(strings.HasSuffix(s, ".generalized"), "Only generalized type metadata can be part of the callee_type metadata list", mdNode(o)) {
			return
		}
	}
}

func (v *verifier) annotation(id ir.MDID) {
	n := v.m.MD.At(id)
	if !v.check(n.Kind == ir.MDTuple, "annotation must be a tuple") ||
		!v.check(len(n.Ops) > 0, "annotation must have at least one operand") {
		return
	}
	for _, o := range n.Ops {
		all := len(v.mdOps(o)) > 0
		for _, x := range v.mdOps(o) {
			all = all && v.mdIsString(x)
		}
		if !v.check(v.mdIsString(o) || all, "operands must be a string or a tuple of strings") {
			return
		}
	}
}

func (v *verifier) captures(i ir.InstrID, in *ir.Instr, id ir.MDID) {
	if !v.check(in.Op == ir.OpStore, "!captures metadata can only be applied to store instructions", instr(i)) ||
		!v.check(v.isPtr(v.f.TypeOf(v.f.Op(i, 0))), "!captures metadata can only be applied to store with value operand of pointer type", instr(i)) {
		return
	}
	ops := v.mdOps(id)
	if !v.check(len(ops) != 0, "!captures metadata cannot be empty", instr(i)) {
		return
	}
	for _, o := range ops {
		s := v.mdString(o)
		if !v.check(v.mdIsString(o), "!captures metadata must be a list of strings", instr(i)) ||
			!v.check(s == "address" || s == "address_is_null" || s == "provenance" || s == "read_provenance", "invalid entry in !captures metadata", instr(i), mdNode(o)) {
			return
		}
	}
}

func (v *verifier) allocToken(i ir.InstrID, id ir.MDID) {
	op := v.f.Instr(i).Op
	ops := v.mdOps(id)
	if v.check(op == ir.OpCall || op == ir.OpInvoke || op == ir.OpCallBr, "!alloc_token should only exist on calls", instr(i)) &&
		v.check(len(ops) == 2, "!alloc_token must have 2 operands", mdNode(id)) &&
		v.check(v.mdIsString(ops[0]), "expected string", mdNode(id)) {
		_, _, ok := v.mdInt(ops[1])
		v.check(ok, "expected integer constant", mdNode(id))
	}
}

func (v *verifier) mmra(i ir.InstrID, id ir.MDID) {
	switch v.f.Instr(i).Op {
	case ir.OpLoad, ir.OpStore, ir.OpAtomicRMW, ir.OpCmpXchg, ir.OpFence, ir.OpCall, ir.OpInvoke, ir.OpCallBr:
	default:
		v.fail("!mmra metadata attached to unexpected instruction kind", instr(i), mdNode(id))
		return
	}
	tag := func(x ir.MDID) bool {
		o := v.mdOps(x)
		return len(o) == 2 && v.mdIsString(o[0]) && v.mdIsString(o[1])
	}
	if tag(id) {
		return
	}
	n := v.m.MD.At(id)
	if !v.check(n.Kind == ir.MDTuple, "!mmra expected to be a metadata tuple", instr(i), mdNode(id)) {
		return
	}
	for _, o := range n.Ops {
		if !v.check(tag(o), "!mmra metadata tuple operand is not an MMRA tag", instr(i), mdNode(o)) {
			return
		}
	}
}

// The module's named lists.

func (v *verifier) named(name string) *ir.NamedMD {
	for i := range v.m.NamedMD {
		if v.m.NamedMD[i].Name == name {
			return &v.m.NamedMD[i]
		}
	}
	return nil
}

func (v *verifier) namedMD(l *ir.NamedMD) {
	if strings.HasPrefix(l.Name, "llvm.dbg.") && !v.checkDI(l.Name == "llvm.dbg.cu", "unrecognized named metadata node in the llvm.dbg namespace", l) {
		return
	}
	for _, id := range l.Nodes {
		if l.Name == "llvm.dbg.cu" && !v.checkDI(v.mdIs(id, "DICompileUnit"), "invalid compile unit", l, mdNode(id)) {
			return
		}
		if id != 0 {
			v.mdNode(id, true)
		}
	}
}

func (v *verifier) idents() {
	l := v.named("llvm.ident")
	if l == nil {
		return
	}
	for _, id := range l.Nodes {
		ops := v.mdOps(id)
		if !v.check(len(ops) == 1, "incorrect number of operands in llvm.ident metadata", mdNode(id)) ||
			!v.check(v.mdIsString(ops[0]), "invalid value for llvm.ident metadata entry operand(the operand should be a string)", mdNode(ops[0])) {
			return
		}
	}
}

func (v *verifier) commandLines() {
	l := v.named("llvm.commandline")
	if l == nil {
		return
	}
	for _, id := range l.Nodes {
		ops := v.mdOps(id)
		if !v.check(len(ops) == 1, "incorrect number of operands in llvm.commandline metadata", mdNode(id)) ||
			!v.check(v.mdIsString(ops[0]), "invalid value for llvm.commandline metadata entry operand(the operand should be a string)", mdNode(ops[0])) {
			return
		}
	}
}

func (v *verifier) errnoTBAA() {
	l := v.named("llvm.errno.tbaa")
	if l == nil {
		return
	}
	if !v.check(len(l.Nodes) > 0, "llvm.errno.tbaa must have at least one operand", l) {
		return
	}
	for _, id := range l.Nodes {
		v.tbaa(0, nil, id)
	}
}

func (v *verifier) moduleFlags() {
	l := v.named("llvm.module.flags")
	if l == nil {
		return
	}
	seen := map[string]ir.MDID{}
	var require []ir.MDID
	platform, version := false, false
	for _, id := range l.Nodes {
		v.moduleFlag(id, seen, &require)
		ops := v.mdOps(id)
		if len(ops) == 3 {
			_, _, ok := v.mdInt(ops[2])
			switch v.mdString(ops[1]) {
			case "aarch64-elf-pauthabi-platform":
				platform = platform || ok
			case "aarch64-elf-pauthabi-version":
				version = version || ok
			}
		}
	}
	if platform != version {
		v.fail("either both or no 'aarch64-elf-pauthabi-platform' and 'aarch64-elf-pauthabi-version' module flags must be present")
	}
	for _, r := range require {
		ops := v.mdOps(r)
		flag, ok := seen[v.mdString(ops[0])]
		if !ok {
			v.fail("invalid requirement on flag, flag is not present in module", mdNode(ops[0]))
			continue
		}
		if v.mdOps(flag)[2] != ops[1] {
			v.fail("invalid requirement on flag, flag does not have the required value", mdNode(ops[0]))
		}
	}
}

func (v *verifier) moduleFlag(id ir.MDID, seen map[string]ir.MDID, require *[]ir.MDID) {
	ops := v.mdOps(id)
	if !v.check(len(ops) == 3, "incorrect number of operands in module flag", mdNode(id)) {
		return
	}
	b, _, ok := v.mdInt(ops[0])
	if !ok || b < 1 || b > 8 {
		if !v.check(ok, "invalid behavior operand in module flag (expected constant integer)", mdNode(ops[0])) {
			return
		}
		v.fail("invalid behavior operand in module flag (unexpected constant)", mdNode(ops[0]))
		return
	}
	if !v.check(v.mdIsString(ops[1]), "invalid ID operand in module flag (expected metadata string)", mdNode(ops[1])) {
		return
	}
	name := v.mdString(ops[1])
	val, vt, isInt := v.mdInt(ops[2])
	switch b {
	case 8:
		w := v.t.IntBits(vt)
		if !v.check(isInt && (w == 0 || w > 64 || val>>(w-1)&1 == 0), "invalid value for 'min' module flag (expected constant non-negative integer)", mdNode(ops[2])) {
			return
		}
	case 7:
		if !v.check(isInt, "invalid value for 'max' module flag (expected constant integer)", mdNode(ops[2])) {
			return
		}
	case 3:
		vo := v.mdOps(ops[2])
		if !v.check(len(vo) == 2, "invalid value for 'require' module flag (expected metadata pair)", mdNode(ops[2])) ||
			!v.check(v.mdIsString(vo[0]), "invalid value for 'require' module flag (first value operand should be a string)", mdNode(vo[0])) {
			return
		}
		*require = append(*require, ops[2])
	case 5, 6:
		if !v.check(v.mdIsNode(ops[2]), "invalid value for 'append'-type module flag (expected a metadata node)", mdNode(ops[2])) {
			return
		}
	}
	if b != 3 {
		_, dup := seen[name]
		if !v.check(!dup, "module flag identifiers must be unique (or of 'require' type)", mdNode(ops[1])) {
			return
		}
		seen[name] = id
	}
	switch name {
	case "wchar_size":
		v.check(isInt, "wchar_size metadata requires constant integer argument")
	case "Linker Options":
		v.check(v.named("llvm.linker.options") != nil, "'Linker Options' named metadata no longer supported")
	case "SemanticInterposition":
		v.check(isInt, "SemanticInterposition metadata requires constant integer argument")
	case "CG Profile":
		for _, e := range v.mdOps(ops[2]) {
			v.cgProfile(e)
		}
	}
}

func (v *verifier) cgProfile(e ir.MDID) {
	ops := v.mdOps(e)
	if !v.check(len(ops) == 3, "expected a MDNode triple", mdNode(e)) {
		return
	}
	for _, o := range ops[:2] {
		ok := o == 0
		if o != 0 {
			n := v.m.MD.At(o)
			if n.Kind == ir.MDConst {
				x := v.stripCasts(n.Value)
				ok = x.Global() != 0 && v.m.Globals[x.Global()].Kind == ir.GlobalFunc
			}
		}
		v.check(ok, "expected a Function or null", mdNode(o))
	}
	_, _, ok := v.mdInt(ops[2])
	v.check(ok, "expected an integer constant", mdNode(ops[2]))
}

func isPow2(n uint64) bool { return bits.OnesCount64(n) == 1 }
