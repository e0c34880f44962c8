package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Numbers of fixed metadata kinds (ir.FixedMDKinds).
const (
	mdTBAA          = 1
	mdRange         = 4
	mdInvariantLoad = 6
	mdAliasScope    = 7
	mdNoAlias       = 8
	mdNonTemporal   = 9
)

// alignLog2 is log2 of an instruction's alignment, the type's when none is given.
func (t *translator) alignLog2(in *ir.Instr, ty ir.Type) uint8 {
	if in.Align != 0 {
		return in.Align - 1
	}
	return log2(t.dl.ABIAlign(t.types, ty))
}

// memOperand describes the access of a load or store to ptr.
func (t *translator) memOperand(i ir.InstrID, ptr ir.Value, ty ir.Type, fl mir.MemFlags) mir.MemOperand {
	in := t.fn.Instr(i)
	m := mir.MemOperand{Ptr: uint32(ptr), PtrKind: mir.PtrValue, Flags: fl, BaseAlign: t.alignLog2(in, ty),
		Order: in.Order, SyncScope: in.Scope, AddrSpace: t.types.AddrSpace(t.typ(ptr)),
		Size: int64(t.dl.StoreSize(t.types, ty))}
	if in.Flags&ir.Volatile != 0 {
		m.Flags |= mir.MemVolatile
	}
	for a := in.MD; a != 0; a = t.fn.Attachments[a].Next {
		node := t.fn.Attachments[a].Node
		switch t.fn.Attachments[a].Kind {
		case mdTBAA:
			m.TBAA = node
		case mdAliasScope:
			m.AliasScope = node
		case mdNoAlias:
			m.NoAlias = node
		case mdNonTemporal:
			m.Flags |= mir.MemNonTemporal
		case mdInvariantLoad:
			if fl&mir.MemLoad != 0 {
				m.Flags |= mir.MemInvariant
			}
		}
	}
	return m
}

// dereferenceable reports whether size bytes at ptr can be read whenever the
// function runs: within a local object, a global variable, or an argument that says so.
func (t *translator) dereferenceable(ptr ir.Value, size int64) bool {
	off := int64(0)
	for range 8 {
		i := ptr.Instr()
		if i == 0 || t.fn.Instr(i).Op != ir.OpGEP {
			break
		}
		o, ok := t.dl.ConstGEPOffset(t.fn, i)
		if !ok {
			return false
		}
		off += o
		ptr = t.op(i, 0)
	}
	if off < 0 {
		return false
	}
	have := int64(0)
	switch ptr.Tag() {
	case ir.TagGlobal:
		g := t.mod.Globals[ptr.Global()]
		if g.Kind == ir.GlobalVar && g.Linkage != ir.ExternWeak {
			have = int64(t.dl.SizeOf(t.types, g.ValueType))
		}
	case ir.TagLocal:
		i := ptr.Instr()
		switch in := t.fn.Instr(i); in.Op {
		case ir.OpAlloca:
			if fi, ok := t.frame(i); ok {
				have = t.f.Frame.Object(fi).Size
			}
		case ir.OpArgument:
			attrs := t.mod.Attrs.At(t.fn.Global().Attrs).Param(int(i) - 1)
			if a, ok := attrs.Get("dereferenceable"); ok {
				have = int64(a.Int)
			} else if a, ok := attrs.Get("byval"); ok {
				have = int64(t.dl.SizeOf(t.types, a.Type))
			} else if a, ok := attrs.Get("sret"); ok && attrs.Has("dereferenceable") {
				have = int64(t.dl.SizeOf(t.types, a.Type))
			}
		}
	}
	return off+size <= have
}

// part narrows a memory operand to one part of the value.
func partMem(m mir.MemOperand, lt mir.LLT, off int64) mir.MemOperand {
	m.Type, m.Size, m.Offset = lt, int64(lt.Bytes()), off
	return m
}

// checkAtomic refuses atomic accesses that the target has no instruction for.
func (t *translator) checkAtomic(in *ir.Instr, ty ir.Type) bool {
	n := int(t.dl.SizeInBits(t.types, ty))
	if n > t.st.MaxAtomicBits() || n < 8 || n&(n-1) != 0 {
		t.fail("an atomic access of this size")
		return false
	}
	if in.Align != 0 && 1<<(in.Align-1) < n/8 {
		t.fail("an atomic access that is not aligned")
		return false
	}
	return true
}

func (t *translator) load(i ir.InstrID) {
	in := t.fn.Instr(i)
	ptr := t.op(i, 0)
	if in.Order != ir.NotAtomic && !t.checkAtomic(in, in.Type) {
		return
	}
	rs, base := t.get(ir.Local(i)), t.get1(ptr)
	if t.err != nil || len(rs) == 0 {
		return
	}
	m := t.memOperand(i, ptr, in.Type, mir.MemLoad)
	if t.dereferenceable(ptr, m.Size) {
		m.Flags |= mir.MemDereferenceable
	}
	parts := t.parts(in.Type)
	if len(parts) == 1 {
		m.Ranges = t.attachment(i, mdRange)
	}
	for k, p := range parts {
		t.LoadTo(rs[k], t.partAddr(base, p.Offset), partMem(m, p.LLT, p.Offset))
	}
}

func (t *translator) store(i ir.InstrID) {
	in := t.fn.Instr(i)
	v, ptr := t.op(i, 0), t.op(i, 1)
	ty := t.typ(v)
	if in.Order != ir.NotAtomic && !t.checkAtomic(in, ty) {
		return
	}
	rs, base := t.get(v), t.get1(ptr)
	if t.err != nil {
		return
	}
	m := t.memOperand(i, ptr, ty, mir.MemStore)
	for k, p := range t.parts(ty) {
		t.Store(rs[k], t.partAddr(base, p.Offset), partMem(m, p.LLT, p.Offset))
	}
}

// partAddr is the address of a part: base + off, which stays in the object.
func (t *translator) partAddr(base mir.Reg, off int64) mir.Reg {
	if off == 0 {
		return base
	}
	pt := t.f.TypeOf(base)
	d := t.New(pt)
	c := t.blockConst(mir.Scalar(t.dl.IndexBits(pt.AddrSpace())), off)
	t.emit(mir.NoUWrap|mir.InBounds, desc.G_PTR_ADD, Def(d), Use(base), Use(c))
	return d
}

// lifetime marks where the life of a stack object begins or ends, for
// stack-coloring.
func (t *translator) lifetime(i ir.InstrID, start bool) {
	if t.c.Opt == 0 {
		return
	}
	p := t.op(i, 0)
	fi, ok := t.frame(p.Instr())
	if !ok || !p.IsLocal() {
		return // not about an object in the frame
	}
	op := desc.LIFETIME_END
	if start {
		op = desc.LIFETIME_START
	}
	t.Build(op, mir.FrameOp(fi))
}

// stackProtector gives the word that a stack protector is, or keeps it in its stack object.
func (t *translator) stackProtector(i ir.InstrID, x ir.Intrinsic) {
	h := t.st.Target.ISel.StackGuard
	if h == nil {
		t.fail("a stack protector")
		return
	}
	if x == ir.IntrStackguard {
		word := h(t.st, t.Builder.Builder)
		if word == 0 {
			t.fail("a stack protector of this system")
			return
		}
		t.Copy(t.def(i), word)
		return
	}
	slot := t.op(i, 1)
	fi, ok := t.frame(slot.Instr())
	if !ok || !slot.IsLocal() {
		t.fail("a stack protector that is no alloca of the entry block")
		return
	}
	t.f.Frame.StackProtector = fi
	v := t.get1(t.op(i, 0))
	ty := t.Type(v)
	t.Store(v, t.get1(slot), mir.MemOperand{Type: ty, Size: int64(ty.Bytes()), Ptr: uint32(int32(fi)), PtrKind: mir.PtrFixedStack,
		BaseAlign: t.f.Frame.Object(fi).Align, Flags: mir.MemVolatile})
}

// maxStackObject keeps sums of sizes far from where they would wrap around.
const maxStackObject = 1 << 40

// alloca makes a stack object of constant size in the entry block, or a dynamic allocation.
func (t *translator) alloca(i ir.InstrID) {
	in := t.fn.Instr(i)
	if in.Flags&(ir.InAlloca|ir.SwiftError) != 0 {
		t.fail("alloca inalloca or swifterror")
		return
	}
	if t.dl.IsScalable(t.types, in.SrcType) {
		t.fail("type vscale")
		return
	}
	size := int64(min(t.dl.SizeOf(t.types, in.SrcType), maxStackObject+1))
	al := t.alignLog2(in, in.SrcType)
	count, isConst := t.pool.SignedInt(t.types, t.op(i, 0))
	if size > maxStackObject || isConst && size != 0 && uint64(count) > uint64(maxStackObject/size) {
		t.fail("a stack object of more than 2^40 bytes")
		return
	}
	if isConst && in.Block == t.fn.Order[0] {
		fi := t.f.Frame.CreateStackObject(max(1, size*count), al, 0)
		t.f.Frame.Object(fi).Name = uint32(i)
		if k := t.f.Frame.Protect; int(i) < len(k) {
			t.f.Frame.Object(fi).Flags |= k[i]
		}
		t.frames[i] = int32(fi)<<1 | 1
		t.Build(desc.G_FRAME_INDEX, Def(t.def(i)), mir.FrameOp(fi))
		return
	}
	if by, probed := target.FnAttr(t.f, "probe-stack"); probed && by != "inline-asm" {
		t.fail("a stack object of variable size that a function probes (probe-stack=" + by + ")")
		return
	}
	pt := t.f.TypeOf(t.def(i))
	it := mir.Scalar(pt.ScalarBits())
	n := t.Resize(desc.G_ZEXT, it, t.get1(t.op(i, 0)))
	elem := t.get1(ir.ConstVal(t.pool.Int(t.types.Int(it.ScalarBits()), uint64(size))))
	bytes := t.Bin(desc.G_MUL, it, n, elem)
	// The stack pointer stays aligned: the size is rounded up to its alignment.
	stack := int64(1) << t.st.StackAlign()
	if stack == 1 {
		stack = 16
	}
	up := t.New(it)
	t.emit(mir.NoUWrap, desc.G_ADD, Def(up), Use(bytes), Use(t.Const(it, stack-1)))
	rounded := t.Bin(desc.G_AND, it, up, t.Const(it, -stack))
	dyn := int64(1)
	if int64(1)<<al > stack {
		dyn = 1 << al
	}
	t.Build(desc.G_DYN_STACKALLOC, Def(t.def(i)), Use(rounded), mir.ImmOp(dyn))
	fr := &t.f.Frame
	fr.HasVarSizedObjects = true
	fr.MaxAlign = max(fr.MaxAlign, log2(uint64(dyn)))
	fi := fr.CreateStackObject(0, log2(uint64(dyn)), mir.FrameVarSized)
	fr.Object(fi).Name = uint32(i)
}

var rmwOpcodes = [...]desc.Opcode{
	ir.RMWXchg: desc.G_ATOMICRMW_XCHG, ir.RMWAdd: desc.G_ATOMICRMW_ADD, ir.RMWSub: desc.G_ATOMICRMW_SUB,
	ir.RMWAnd: desc.G_ATOMICRMW_AND, ir.RMWNand: desc.G_ATOMICRMW_NAND, ir.RMWOr: desc.G_ATOMICRMW_OR,
	ir.RMWXor: desc.G_ATOMICRMW_XOR, ir.RMWMax: desc.G_ATOMICRMW_MAX, ir.RMWMin: desc.G_ATOMICRMW_MIN,
	ir.RMWUMax: desc.G_ATOMICRMW_UMAX, ir.RMWUMin: desc.G_ATOMICRMW_UMIN, ir.RMWFAdd: desc.G_ATOMICRMW_FADD,
	ir.RMWFSub: desc.G_ATOMICRMW_FSUB, ir.RMWFMax: desc.G_ATOMICRMW_FMAX, ir.RMWFMin: desc.G_ATOMICRMW_FMIN,
}

// atomicRMW translates atomicrmw; atomic-expand has left those alone that the target has.
func (t *translator) atomicRMW(i ir.InstrID) {
	in := *t.fn.Instr(i)
	if !t.checkAtomic(&in, in.Type) {
		return
	}
	addr, v := t.get1(t.op(i, 0)), t.get1(t.op(i, 1))
	d := t.def(i)
	if t.err != nil {
		return
	}
	if int(in.Pred) >= len(rmwOpcodes) || rmwOpcodes[in.Pred] == 0 {
		t.fail("atomicrmw of this operation")
		return
	}
	m := t.memOperand(i, t.op(i, 0), in.Type, mir.MemLoad|mir.MemStore)
	m.Type = t.f.TypeOf(d)
	n := t.Build(rmwOpcodes[in.Pred], Def(d), Use(addr), Use(v))
	t.f.SetMem(n, t.f.AddMem(m))
}

func (t *translator) cmpXchg(i ir.InstrID) {
	in := *t.fn.Instr(i)
	ty := t.typ(t.op(i, 1))
	if !t.checkAtomic(&in, ty) {
		return
	}
	addr, cmp, val := t.get1(t.op(i, 0)), t.get1(t.op(i, 1)), t.get1(t.op(i, 2))
	rs := t.get(ir.Local(i))
	if t.err != nil {
		return
	}
	m := t.memOperand(i, t.op(i, 0), ty, mir.MemLoad|mir.MemStore)
	m.Type, m.FailOrder = t.f.TypeOf(cmp), in.Order2
	n := t.Build(desc.G_ATOMIC_CMPXCHG_WITH_SUCCESS, Def(rs[0]), Def(rs[1]), Use(addr), Use(cmp), Use(val))
	t.f.SetMem(n, t.f.AddMem(m))
}
