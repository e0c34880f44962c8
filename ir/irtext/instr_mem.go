package irtext

import (
	"math/bits"

	"github.com/mirin-go/mirin/ir"
)

// pow2 rounds a size up to a power of two.
func pow2(n uint64) uint64 {
	if n <= 1 {
		return 1
	}
	return 1 << bits.Len64(n-1)
}

// alignAfterComma reads ", align N" and reports a comma before metadata.
func (p *parser) alignAfterComma(in *ir.Instr) (comma bool) {
	for p.ok() && p.eat(',') {
		if p.tok == tMDName {
			return true
		}
		if !p.is("align") {
			p.error("expected metadata or 'align'")
			return false
		}
		in.Align = p.optAlign()
	}
	return false
}

// scopeAndOrdering reads syncscope("…") and an ordering.
func (p *parser) scopeAndOrdering(in *ir.Instr) ir.Ordering {
	if p.eatWord("syncscope") {
		p.expect('(', "Expected '(' in syncscope")
		s := p.string("Expected synchronization scope name")
		p.expect(')', "Expected ')' in syncscope")
		in.Scope = p.syncScope(s)
	}
	return p.ordering()
}

func (p *parser) syncScope(s string) uint32 {
	if s == "" {
		return 0
	}
	w := p.worker
	for i, n := range w.scopes {
		if n == s {
			return uint32(i) | mdProvisional
		}
	}
	w.scopes = append(w.scopes, s)
	return uint32(len(w.scopes)-1) | mdProvisional
}

func (p *parser) ordering() (o ir.Ordering) {
	switch {
	case p.tok != tWord:
		p.error("Expected ordering on atomic instruction")
		return
	case p.is("unordered"):
		o = ir.Unordered
	case p.is("monotonic"):
		o = ir.Monotonic
	case p.is("acquire"):
		o = ir.Acquire
	case p.is("release"):
		o = ir.Release
	case p.is("acq_rel"):
		o = ir.AcqRel
	case p.is("seq_cst"):
		o = ir.SeqCst
	default:
		p.error("Expected ordering on atomic instruction")
		return
	}
	p.next()
	return o
}

// neverSized reports types that are not first-class values of memory: an
// alignment does not help them.
func (p *parser) neverSized(t ir.Type) bool {
	k := p.t.Kind(t)
	return k != ir.KindStruct && k != ir.KindArray && !p.sized(t)
}

// opaque reports structs that have no body where the parser stands: they have
// none, or get it further below.
func (p *parser) opaque(t ir.Type) bool { return p.t.IsOpaque(t) || p.typeOffs[t] > p.off }

// sized reports whether a type has a size.
func (p *parser) sized(t ir.Type) bool {
	return !p.t.AnyPart(t, func(t ir.Type) bool {
		switch p.t.Kind(t) {
		case ir.KindVoid, ir.KindFunction, ir.KindLabel, ir.KindMetadata, ir.KindToken:
			return true
		case ir.KindStruct:
			if p.opaque(t) {
				return true
			}
			subs := p.t.Subtypes(t)
			for _, m := range subs {
				// Scalable vectors can stand in a struct with their like alone.
				if p.t.Kind(m) == ir.KindScalableVector && (m != subs[0] || subs[len(subs)-1] != m) {
					return true
				}
			}
		case ir.KindTargetExt:
			return p.t.TargetLayout(t) == t && TargetTypeProps(p.t, t)&PropVecElem == 0
		}
		return false
	})
}

func (p *parser) load(in *ir.Instr, off int) (comma bool) {
	in.Op = ir.OpLoad
	atomic := p.eatWord("atomic")
	if p.eatWord("volatile") {
		in.Flags |= ir.Volatile
	}
	tOff := p.off
	t := p.typ("expected type")
	p.expect(',', "expected comma after load's type")
	pOff := p.off
	pt, v := p.typeAndValue()
	if !p.ok() {
		return
	}
	if atomic {
		in.Order = p.scopeAndOrdering(in)
	}
	comma = p.alignAfterComma(in)
	if !p.ok() {
		return
	}
	switch {
	case p.t.Kind(pt) != ir.KindPointer || !p.firstClass(t):
		p.errorAt(pOff, "load operand must be a pointer to a first class type")
	case atomic && in.Align == 0:
		p.errorAt(pOff, "atomic load must have explicit non-zero alignment")
	case in.Order == ir.Release || in.Order == ir.AcqRel:
		p.errorAt(pOff, "atomic load cannot use Release ordering")
	case in.Align == 0 && !p.sized(t) || p.neverSized(t):
		p.errorAt(tOff, "loading unsized types is not allowed")
	}
	if p.ok() && in.Align == 0 {
		in.Align = logAlign(p.dl.ABIAlign(p.t, t))
	}
	in.Type, in.SrcType = t, t
	p.push(v)
	return comma
}

// logAlign turns an alignment in bytes, a power of two, into ir's form.
func logAlign(a uint64) uint8 { return uint8(bits.TrailingZeros64(a)) + 1 }

func (p *parser) store(in *ir.Instr, off int) (comma bool) {
	in.Op = ir.OpStore
	atomic := p.eatWord("atomic")
	if p.eatWord("volatile") {
		in.Flags |= ir.Volatile
	}
	vOff := p.off
	t, v := p.typeAndValue()
	p.expect(',', "expected ',' after store operand")
	pOff := p.off
	pt, ptr := p.typeAndValue()
	if !p.ok() {
		return
	}
	if atomic {
		in.Order = p.scopeAndOrdering(in)
	}
	comma = p.alignAfterComma(in)
	if !p.ok() {
		return
	}
	switch {
	case p.t.Kind(pt) != ir.KindPointer:
		p.errorAt(pOff, "store operand must be a pointer")
	case !p.firstClass(t):
		p.errorAt(vOff, "store operand must be a first class value")
	case atomic && in.Align == 0:
		p.errorAt(vOff, "atomic store must have explicit non-zero alignment")
	case in.Order == ir.Acquire || in.Order == ir.AcqRel:
		p.errorAt(vOff, "atomic store cannot use Acquire ordering")
	case in.Align == 0 && !p.sized(t) || p.neverSized(t):
		p.errorAt(vOff, "storing unsized types is not allowed")
	}
	if p.ok() && in.Align == 0 {
		in.Align = logAlign(p.dl.ABIAlign(p.t, t))
	}
	in.SrcType = t
	p.push(v)
	p.push(ptr)
	return comma
}

func (p *parser) alloca(in *ir.Instr) (comma bool) {
	in.Op = ir.OpAlloca
	if p.eatWord("inalloca") {
		in.Flags |= ir.InAlloca
	}
	if p.eatWord("swifterror") {
		in.Flags |= ir.SwiftError
	}
	off := p.off
	t := p.typ("expected type")
	if !p.ok() {
		return
	}
	if k := p.t.Kind(t); k == ir.KindFunction || k == ir.KindLabel || k == ir.KindMetadata {
		p.errorAt(off, "invalid type for alloca")
		return
	}
	as := uint32(0)
	var size ir.Value
	state := 0 // what may still come: 0 size, 1 align, 2 addrspace
	for p.ok() && p.eat(',') {
		switch {
		case p.tok == tMDName:
			comma = true
		case p.is("align") && state <= 1:
			in.Align = p.optAlign()
			state = 2
			continue
		case p.is("addrspace") && state <= 2:
			as = p.addrSpace()
			if state == 2 {
				continue
			}
			state = 3 // a comma behind it is that of metadata
		case state == 0:
			sOff := p.off
			st, v := p.typeAndValue()
			if p.ok() && p.t.IntBits(st) == 0 {
				p.errorAt(sOff, "element count must have integer type")
				return
			}
			size, state = v, 1
			continue
		case state == 1:
			// LLVM takes a comma behind the count, whatever follows.
		default:
			p.error("expected metadata or 'addrspace'")
		}
		break
	}
	if !p.ok() {
		return
	}
	switch p.t.Kind(t) {
	case ir.KindFunction, ir.KindLabel, ir.KindMetadata, ir.KindToken, ir.KindX86AMX, ir.KindVoid:
		if t != ir.X86AMX {
			p.errorAt(off, "invalid type for alloca")
			return
		}
	}
	if in.Align == 0 && !p.sized(t) || p.neverSized(t) {
		p.errorAt(off, "Cannot allocate unsized type")
		return
	}
	if size == 0 {
		size = ir.ConstVal(p.pool.Int(ir.Int32, 1))
	}
	if as != 0 {
		in.Extra = p.fn.f.AddExtra(ir.Extra{AddrSpace: as})
	}
	if in.Align == 0 {
		in.Align = logAlign(p.dl.PrefAlign(p.t, t))
	}
	in.Type, in.SrcType = p.t.Pointer(as), t
	p.push(size)
	return comma
}

func (p *parser) gep(in *ir.Instr) (comma bool) {
	fs := p.fn
	in.Op, in.Flags = ir.OpGEP, p.gepFlags()
	src := p.typ("expected type")
	p.expect(',', "expected comma after getelementptr's type")
	off := p.off
	t, v := p.typeAndValue()
	if !p.ok() {
		return
	}
	if p.t.Kind(p.t.Scalar(t)) != ir.KindPointer {
		p.errorAt(off, "base of getelementptr must be a pointer")
		return
	}
	fs.types, fs.offs = append(fs.types[:0], t), append(fs.offs[:0], off)
	p.push(v)
	for p.eat(',') {
		if p.tok == tMDName {
			comma = true
			break
		}
		fs.offs = append(fs.offs, p.off)
		it, iv := p.typeAndValue()
		if !p.ok() {
			return
		}
		fs.types = append(fs.types, it)
		p.push(iv)
	}
	in.SrcType = src
	if len(fs.types) == 2 && t == ir.Ptr && (fs.types[1] == ir.Int64 || fs.types[1] == ir.Int32) && src >= ir.Int1 && src <= ir.Ptr {
		in.Type = t
		return comma
	}
	in.Type = p.gepType(off, src, fs.types, fs.ops, fs.offs, true)
	return comma
}

func (p *parser) cmpxchg(in *ir.Instr) (comma bool) {
	in.Op = ir.OpCmpXchg
	if p.eatWord("weak") {
		in.Flags |= ir.Weak
	}
	if p.eatWord("volatile") {
		in.Flags |= ir.Volatile
	}
	pOff := p.off
	pt, ptr := p.typeAndValue()
	p.expect(',', "expected ',' after cmpxchg address")
	cOff := p.off
	ct, c := p.typeAndValue()
	p.expect(',', "expected ',' after cmpxchg cmp operand")
	nOff := p.off
	nt, n := p.typeAndValue()
	if !p.ok() {
		return
	}
	in.Order = p.scopeAndOrdering(in)
	in.Order2 = p.ordering()
	comma = p.alignAfterComma(in)
	if !p.ok() {
		return
	}
	switch {
	case in.Order < ir.Monotonic:
		p.error("invalid cmpxchg success ordering")
	case in.Order2 < ir.Monotonic || in.Order2 == ir.Release || in.Order2 == ir.AcqRel:
		p.error("invalid cmpxchg failure ordering")
	case p.t.Kind(pt) != ir.KindPointer:
		p.errorAt(pOff, "cmpxchg operand must be a pointer")
	case ct != nt:
		p.errorAt(nOff, "compare value and new value type do not match")
	case !p.firstClass(ct):
		p.errorAt(cOff, "cmpxchg operand must be a first class value")
	}
	if p.ok() && in.Align == 0 {
		in.Align = uint8(bits.Len64(max(p.dl.StoreSize(p.t, ct), 1))) // LLVM rounds it down
	}
	in.SrcType, in.Type = ct, p.t.Struct([]ir.Type{ct, ir.Int1}, false)
	p.push(ptr)
	p.push(c)
	p.push(n)
	return comma
}

// rmwNames are the operations of atomicrmw in the order of ir's numbers.
var rmwNames = [...]string{"xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "fadd", "fsub", "fmax", "fmin",
	"uinc_wrap", "udec_wrap", "usub_cond", "usub_sat", "fmaximum", "fminimum"}

func (p *parser) atomicRMW(in *ir.Instr) (comma bool) {
	in.Op = ir.OpAtomicRMW
	if p.eatWord("volatile") {
		in.Flags |= ir.Volatile
	}
	op := -1
	for i, n := range rmwNames {
		if p.is(n) {
			op = i
		}
	}
	if op < 0 {
		p.error("expected binary operation in atomicrmw")
		return
	}
	in.Pred = ir.Pred(op)
	p.next()
	pOff := p.off
	pt, ptr := p.typeAndValue()
	p.expect(',', "expected ',' after atomicrmw address")
	vOff := p.off
	t, v := p.typeAndValue()
	if !p.ok() {
		return
	}
	in.Order = p.scopeAndOrdering(in)
	comma = p.alignAfterComma(in)
	if !p.ok() {
		return
	}
	isFP := in.Pred >= ir.Pred(ir.RMWFAdd) && in.Pred <= ir.Pred(ir.RMWFMin) || in.Pred >= ir.Pred(ir.RMWFMaximum)
	name := rmwNames[op]
	switch s := p.t.Scalar(t); {
	case in.Order == ir.Unordered:
		p.error("atomicrmw cannot be unordered")
	case p.t.Kind(pt) != ir.KindPointer:
		p.errorAt(pOff, "atomicrmw operand must be a pointer")
	case p.t.Kind(t) == ir.KindScalableVector:
		p.errorAt(vOff, "atomicrmw operand may not be scalable")
	case op == int(ir.RMWXchg):
		if p.t.IntBits(t) == 0 && !p.t.IsFloat(t) && p.t.Kind(t) != ir.KindPointer {
			p.errorAt(vOff, "atomicrmw "+name+" operand must be an integer, floating point, or pointer type")
		}
	case isFP && !p.t.IsFloat(s):
		p.errorAt(vOff, "atomicrmw "+name+" operand must be a floating point type")
	case !isFP && p.t.IntBits(t) == 0:
		p.errorAt(vOff, "atomicrmw "+name+" operand must be an integer")
	}
	if size := 8 * p.dl.StoreSize(p.t, t); p.ok() && bits.OnesCount64(size) != 1 {
		p.errorAt(vOff, "atomicrmw operand must be power-of-two byte-sized integer")
	}
	if p.ok() && in.Align == 0 {
		in.Align = logAlign(pow2(p.dl.StoreSize(p.t, t)))
	}
	in.Type, in.SrcType = t, t
	p.push(ptr)
	p.push(v)
	return comma
}
