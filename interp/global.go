package interp

import (
	"slices"
	"sort"
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// initGlobals gives every global an address and every variable its content.
func (vm *Interp) initGlobals() error {
	m := vm.m
	for _, id := range m.Funcs {
		g := m.Globals[id]
		if g.IsDecl && g.Linkage == ir.ExternWeak && g.Intrinsic == ir.NotIntrinsic && libFunction(g.Name) == nil {
			continue // its address is null
		}
		size := uint64(16)
		if g.Func != nil {
			size = uint64(16 + len(g.Func.Blocks))
		}
		i := vm.alloc(objFunc, nil, size, 16)
		vm.objs[i].name, vm.objs[i].ro = id, true
		vm.globals[id] = vm.ptr(i)
	}
	for _, id := range m.Vars {
		g := m.Globals[id]
		if g.IsDecl {
			p, ok := vm.lib.externVar(vm, g.Name)
			if !ok {
				if g.Linkage == ir.ExternWeak {
					continue
				}
				// Its address may be taken; a use of the content is out of bounds.
				i := vm.alloc(objGlobal, nil, 0, 16)
				vm.objs[i].name = id
				p = vm.ptr(i)
			}
			vm.globals[id] = p
			continue
		}
		size := vm.dl.SizeOf(vm.t, g.ValueType)
		if size > vm.maxMem {
			return &Stopped{Reason: "global @" + g.Name + " does not fit into memory"}
		}
		align := vm.dl.ABIAlign(vm.t, g.ValueType)
		if g.Align != 0 {
			align = 1 << (g.Align - 1)
		}
		i := vm.alloc(objGlobal, make([]byte, size), size, align)
		vm.objs[i].name = id
		vm.globals[id] = vm.ptr(i)
	}
	for n := 0; n < 8; n++ { // aliases of aliases
		for _, id := range m.Aliases {
			if vm.globals[id].v == 0 {
				r, err := vm.constant(&m.Consts, m.Globals[id].Init)
				if err == nil && len(r) == 1 {
					vm.globals[id] = r[0]
				}
			}
		}
	}
	for _, id := range m.Vars {
		g := m.Globals[id]
		if g.IsDecl || g.Init == 0 {
			continue
		}
		i := uint32(vm.globals[id].p)
		if err := vm.writeConst(&m.Consts, g.Init, g.ValueType, &vm.objs[i], 0); err != nil {
			return err
		}
		vm.objs[i].ro = g.Constant
	}
	return nil
}

// writeConst stores a constant into fresh memory, which is zero.
func (vm *Interp) writeConst(p *ir.ConstPool, v ir.Value, ty ir.Type, o *object, off uint64) error {
	if c := v.Const(); c != 0 {
		r := p.At(c)
		switch r.Kind {
		case ir.ConstZero, ir.ConstNull:
			return nil
		case ir.ConstUndef:
			o.setUndef(off, vm.dl.StoreSize(vm.t, ty))
			return nil
		case ir.ConstPoison:
			o.setPoison(off, vm.dl.StoreSize(vm.t, ty))
			return nil
		case ir.ConstData:
			copy(o.data[off:], vm.inOrder(p.Data(c), vm.dl.SizeOf(vm.t, vm.t.Elem(ty))))
			return nil
		case ir.ConstArray:
			e := vm.t.Elem(ty)
			size := vm.dl.SizeOf(vm.t, e)
			for i, x := range p.Ops(c) {
				if err := vm.writeConst(p, x, e, o, off+uint64(i)*size); err != nil {
					return err
				}
			}
			return nil
		case ir.ConstStruct:
			offs := vm.dl.Struct(vm.t, ty).Offsets
			m := vm.t.Subtypes(ty)
			for i, x := range p.Ops(c) {
				if err := vm.writeConst(p, x, m[i], o, off+offs[i]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	regs, err := vm.constant(p, v)
	if err != nil {
		return err
	}
	vm.storeValue(o, off, vm.layoutOf(ty), regs)
	return nil
}

// inOrder gives the bytes of numbers of size bytes, the low one first, in the order of memory.
func (m *memory) inOrder(data []byte, size uint64) []byte {
	if !m.big || size < 2 {
		return data
	}
	data = slices.Clone(data)
	for d := data; len(d) > 0; d = d[size:] {
		slices.Reverse(d[:size])
	}
	return data
}

// constant returns the registers of a constant or global address.
func (vm *Interp) constant(p *ir.ConstPool, v ir.Value) ([]reg, error) {
	if v.Tag() == ir.TagGlobal {
		return []reg{vm.globals[v.Global()]}, nil
	}
	c := v.Const()
	if c == 0 {
		return nil, unsupported("a constant of kind %d", v.Tag())
	}
	r := p.At(c)
	l := vm.layoutOf(r.Type)
	if l.bad != "" {
		return nil, unsupported("%s", l.bad)
	}
	regs := make([]reg, l.slots)
	switch r.Kind {
	case ir.ConstInt, ir.ConstFP:
		for i, w := range p.Words(c) {
			if i < len(regs) {
				regs[i].v = w
			}
		}
	case ir.ConstNull, ir.ConstZero, ir.ConstTokenNone:
	case ir.ConstUndef:
		for i := range l.leaves {
			f := &l.leaves[i]
			undefLeaf(f, regs[f.slot:])
		}
	case ir.ConstPoison:
		for i := range regs {
			regs[i] = poisonReg
		}
	case ir.ConstArray, ir.ConstStruct, ir.ConstVector:
		n := 0
		for _, x := range p.Ops(c) {
			part, err := vm.constant(p, x)
			if err != nil {
				return nil, err
			}
			n += copy(regs[n:], part)
		}
	case ir.ConstSplat:
		part, err := vm.constant(p, p.Ops(c)[0])
		if err != nil {
			return nil, err
		}
		for n := 0; n < len(regs); {
			n += copy(regs[n:], part)
		}
	case ir.ConstData:
		o := object{data: vm.inOrder(p.Data(c), vm.dl.SizeOf(vm.t, vm.t.Elem(r.Type)))}
		vm.loadValue(&o, 0, l, regs)
	case ir.ConstBlockAddr:
		f := vm.globals[ir.GlobalID(r.Off)]
		regs[0] = reg{v: f.v + 8 + r.Bits, p: f.p}
	case ir.ConstDSOLocalEquivalent, ir.ConstNoCFI:
		return vm.constant(p, p.Ops(c)[0])
	case ir.ConstExpr:
		return vm.constExpr(p, c)
	default:
		return nil, unsupported("a ptrauth constant")
	}
	return regs, nil
}

// undefLeaf fills the registers of one leaf with undefined bits.
func undefLeaf(f *leaf, regs []reg) {
	n := f.bits
	for w := range f.words {
		regs[w] = reg{u: ^uint64(0) >> (64 - min(n, 64))}
		n -= min(n, 64)
	}
}

// constExpr evaluates an expression. Vectors of pointers are not supported.
func (vm *Interp) constExpr(p *ir.ConstPool, c ir.ConstID) ([]reg, error) {
	r := p.At(c)
	ops := p.Ops(c)
	var args [][]reg
	for _, x := range ops {
		a, err := vm.constant(p, x)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	typeOf := func(v ir.Value) ir.Type {
		if v.Tag() == ir.TagGlobal {
			return ir.Ptr
		}
		return p.At(v.Const()).Type
	}
	if vm.t.IsVector(r.Type) && r.Op == ir.OpGEP {
		return vm.gepExprVector(p, c, args)
	}
	if vm.t.IsVector(r.Type) && r.Op != ir.OpBitCast {
		return nil, unsupported("a %s expression of vector type", r.Op)
	}
	to := uint32(vm.t.IntBits(r.Type))
	switch r.Op {
	case ir.OpGEP:
		off, ok := vm.dl.ConstExprGEPOffset(vm.m, p, c)
		if !ok {
			return nil, unsupported("a getelementptr expression with such indices")
		}
		b := args[0][0]
		if b.u == 0 {
			b.v = (b.v + uint64(off)) & vm.ptrMask
		}
		return []reg{b}, nil
	case ir.OpPtrToInt, ir.OpPtrToAddr:
		if to > 64 {
			return []reg{def(args[0][0].v), {}}, nil
		}
		return []reg{evalCast(ir.OpTrunc, 0, 64, to, args[0][0])}, nil
	case ir.OpIntToPtr:
		return []reg{def(args[0][0].v & vm.ptrMask)}, nil
	case ir.OpAddrSpaceCast:
		return args[0], nil
	case ir.OpBitCast:
		return vm.bitcast(vm.layoutOf(typeOf(ops[0])), vm.layoutOf(r.Type), args[0]), nil
	case ir.OpTrunc:
		return []reg{evalCast(ir.OpTrunc, 0, uint32(vm.t.IntBits(typeOf(ops[0]))), to, args[0][0])}, nil
	case ir.OpAdd, ir.OpSub, ir.OpXor, ir.OpMul, ir.OpShl:
		if to > 64 {
			break
		}
		x, err := evalBin(r.Op, flagBits(r.Flags), to, args[0][0], args[1][0])
		if err != nil {
			return nil, err
		}
		return []reg{x}, nil
	}
	return nil, unsupported("a constant expression %s of type i%d", r.Op, to)
}

// gepExprVector evaluates a getelementptr expression that gives a vector of pointers.
func (vm *Interp) gepExprVector(p *ir.ConstPool, c ir.ConstID, args [][]reg) ([]reg, error) {
	r := p.At(c)
	out := make([]reg, vm.t.NumElems(r.Type))
	if r.Flags&ir.HasInRange != 0 {
		args = args[:len(args)-2]
	}
	lane := func(a []reg, k int) reg {
		if len(a) > 1 {
			return a[k]
		}
		return a[0]
	}
	for k := range out {
		var idx []int64
		for j, a := range args[1:] {
			x := lane(a, k)
			if x.u != 0 {
				return nil, unsupported("a getelementptr expression with such indices")
			}
			op := p.Ops(c)[j+1]
			w := 64
			if op.Const() != 0 {
				w = vm.t.IntBits(vm.t.Scalar(p.At(op.Const()).Type))
			}
			idx = append(idx, signed(x.v, uint32(w)))
		}
		off, ok := vm.dl.GEPOffset(vm.t, r.SrcType, 0, idx)
		if !ok {
			return nil, unsupported("a getelementptr expression with such indices")
		}
		b := lane(args[0], k)
		if b.u == 0 {
			b.v = (b.v + uint64(off)) & vm.ptrMask
		}
		out[k] = b
	}
	return out, nil
}

// runXtors calls the functions of llvm.global_ctors or llvm.global_dtors by priority.
func (vm *Interp) runXtors(name string) error {
	id := vm.m.Lookup(name)
	if id == 0 || vm.m.Globals[id].Init == 0 {
		return nil
	}
	p := &vm.m.Consts
	c := vm.m.Globals[id].Init.Const()
	if c == 0 || p.At(c).Kind != ir.ConstArray {
		return nil
	}
	type row struct {
		prio uint64
		fn   ir.GlobalID
	}
	var rows []row
	for _, x := range p.Ops(c) {
		s := p.Ops(x.Const())
		if len(s) < 2 {
			continue
		}
		prio, _ := p.SignedInt(vm.t, s[0])
		if g := s[1].Global(); g != 0 {
			rows = append(rows, row{uint64(prio), g})
		}
	}
	dtors := name == "llvm.global_dtors"
	sort.SliceStable(rows, func(i, j int) bool {
		if dtors {
			return rows[i].prio > rows[j].prio
		}
		return rows[i].prio < rows[j].prio
	})
	for _, r := range rows {
		if _, err := vm.call(r.fn, nil); err != nil {
			return err
		}
	}
	return nil
}
