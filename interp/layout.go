package interp

import (
	"encoding/binary"

	"github.com/mirin-go/mirin/ir"
)

type leafKind uint8

const (
	leafInt  leafKind = iota
	leafPtr           //
	leafF16           // half
	leafBF16          //
	leafF32           //
	leafF64           //
	leafWide          // integer above 64 bits: words registers, low first
	leafF80           // x86_fp80: two registers, significand and sign with exponent
	leafBad           // a floating-point type that is not supported
)

// leaf is one scalar part of a type.
type leaf struct {
	kind  leafKind
	bits  uint32
	off   uint64 // in memory
	words uint32 // registers
	slot  uint32 // first register, from the value's first
}

func (l *leaf) bytes() uint64 { return uint64(l.bits+7) / 8 }

// layout is a type as registers and as memory.
type layout struct {
	slots  uint32
	leaves []leaf
	// packed says that the leaves are the lanes of a vector that lie bit beside bit in memory.
	packed bool
	// lane is the number of bytes of each leaf where these are numbers of 1, 2, 4 or 8 bytes that lie close together, else 0.
	lane  uint8
	store uint64 // bytes that a store writes
	size  uint64 // distance in an array
	align uint64
	bad   string // why the type is not supported
}

const maxSlots = 1 << 16

// layoutOf returns the layout of a type that a register can hold.
func (vm *Interp) layoutOf(ty ir.Type) *layout {
	for int(ty) >= len(vm.layouts) {
		vm.layouts = append(vm.layouts, make([]*layout, int(ty)+16-len(vm.layouts))...)
	}
	if l := vm.layouts[ty]; l != nil {
		return l
	}
	l := &layout{}
	switch vm.t.Kind(ty) {
	case ir.KindVoid, ir.KindLabel, ir.KindMetadata:
	case ir.KindToken:
		l.slots = 1
	default:
		l.store, l.size, l.align = vm.dl.StoreSize(vm.t, ty), vm.dl.SizeOf(vm.t, ty), vm.dl.ABIAlign(vm.t, ty)
		vm.flatten(l, ty, 0)
		l.findLanes()
	}
	vm.layouts[ty] = l
	return l
}

func (l *layout) add(kind leafKind, bits uint32, off uint64, words uint32) {
	l.leaves = append(l.leaves, leaf{kind: kind, bits: bits, off: off, words: words, slot: l.slots})
	l.slots += words
}

func (vm *Interp) flatten(l *layout, ty ir.Type, off uint64) {
	t := vm.t
	if l.slots > maxSlots {
		l.bad = "a value of more than 65536 parts"
		return
	}
	switch k := t.Kind(ty); k {
	case ir.KindInteger:
		n := uint32(t.IntBits(ty))
		if n <= 64 {
			l.add(leafInt, n, off, 1)
		} else {
			l.add(leafWide, n, off, (n+63)/64)
		}
	case ir.KindPointer:
		if t.AddrSpace(ty) != 0 && vm.dl.PointerSize(t.AddrSpace(ty)) != vm.ptrBytes {
			l.bad = "a pointer of an address space of another size"
		}
		l.add(leafPtr, uint32(vm.ptrBytes*8), off, 1)
	case ir.KindHalf:
		l.add(leafF16, 16, off, 1)
	case ir.KindBFloat:
		l.add(leafBF16, 16, off, 1)
	case ir.KindFloat:
		l.add(leafF32, 32, off, 1)
	case ir.KindDouble:
		l.add(leafF64, 64, off, 1)
	case ir.KindX86FP80:
		l.add(leafF80, 80, off, 2)
	case ir.KindFP128, ir.KindPPCFP128:
		l.add(leafBad, 128, off, 2)
		l.bad = "type " + map[ir.TypeKind]string{ir.KindFP128: "fp128", ir.KindPPCFP128: "ppc_fp128"}[k]
	case ir.KindArray:
		e := t.Elem(ty)
		size := vm.dl.SizeOf(t, e)
		if t.NumElems(ty) > maxSlots {
			l.bad = "a value of more than 65536 parts"
			return
		}
		for i := uint64(0); i < t.NumElems(ty) && l.bad == ""; i++ {
			vm.flatten(l, e, off+i*size)
		}
	case ir.KindVector:
		e := t.Elem(ty)
		bits := vm.dl.SizeInBits(t, e)
		if t.NumElems(ty) > maxSlots {
			l.bad = "a value of more than 65536 parts"
			return
		}
		if bits%8 != 0 {
			if len(l.leaves) > 0 || off != 0 {
				l.bad = "a vector of " + itoa(bits) + "-bit elements inside of an aggregate"
			}
			if bits > 64 {
				l.bad = "a vector of " + itoa(bits) + "-bit elements"
			}
			l.packed = true
			for i := uint64(0); i < t.NumElems(ty); i++ {
				l.add(leafInt, uint32(bits), 0, 1)
			}
			return
		}
		for i := uint64(0); i < t.NumElems(ty); i++ {
			vm.flatten(l, e, off+i*bits/8)
		}
	case ir.KindStruct:
		if t.IsOpaque(ty) {
			l.bad = "an opaque type"
			return
		}
		off0 := vm.dl.Struct(t, ty).Offsets
		for i, m := range t.Subtypes(ty) {
			vm.flatten(l, m, off+off0[i])
		}
	case ir.KindScalableVector:
		l.bad = "a scalable vector"
	default:
		l.bad = "a value of this type"
	}
	if l.packed && len(l.leaves) > 0 && t.Kind(ty) == ir.KindStruct {
		l.bad = "a vector of bits inside of an aggregate"
	}
}

// loadValue reads a value of layout l into regs; the bounds have been checked.
func (vm *Interp) loadValue(o *object, off uint64, l *layout, regs []reg) {
	if l.packed {
		loadBits(o, off, l, regs, vm.big)
		return
	}
	if l.lane != 0 && !vm.big && o.defined(off, l.store) {
		loadLanes(o.data[off:off+l.store], l.lane, regs)
		return
	}
	for i := range l.leaves {
		f := &l.leaves[i]
		vm.loadLeaf(o, off+f.off, f, regs[f.slot:])
	}
}

// wordAt is where word w of a wide number lies, which has left bytes above it.
func (m *memory) wordAt(f *leaf, w uint32, left uint64) uint64 {
	if m.big {
		return left
	}
	return uint64(w) * 8
}

func (vm *Interp) loadLeaf(o *object, off uint64, f *leaf, regs []reg) {
	switch f.kind {
	case leafPtr:
		regs[0] = vm.loadPtr(o, off)
	case leafWide, leafF80, leafBad:
		n := f.bytes()
		poison := false
		for w := uint32(0); w < f.words; w++ {
			k := min(n, 8)
			r := vm.load(o, off+vm.wordAt(f, w, n-k), k)
			if w == f.words-1 && f.bits%64 != 0 {
				r = cutReg(r, f.bits%64)
			}
			poison = poison || r.poison()
			regs[w] = r
			n -= k
		}
		if poison {
			for w := range f.words {
				regs[w] = poisonReg
			}
		}
	default:
		r := vm.load(o, off, f.bytes())
		if f.bits&7 != 0 {
			r = cutReg(r, f.bits)
		}
		regs[0] = r
	}
}

// findLanes sets lane.
func (l *layout) findLanes() {
	if l.bad != "" || l.packed || len(l.leaves) < 2 {
		return
	}
	n := l.leaves[0].bits
	for i := range l.leaves {
		f := &l.leaves[i]
		if f.kind == leafPtr || f.words != 1 || f.bits != n || f.off != uint64(i)*uint64(n/8) || n != 8 && n != 16 && n != 32 && n != 64 {
			return
		}
	}
	l.lane = uint8(n / 8)
}

// defined reports whether n bytes have no undefined bits.
func (o *object) defined(off, n uint64) bool {
	if o.sh == nil {
		return true
	}
	s := o.sh[off : off+n]
	for ; len(s) >= 8; s = s[8:] {
		if binary.LittleEndian.Uint64(s) != 0 {
			return false
		}
	}
	for _, x := range s {
		if x != 0 {
			return false
		}
	}
	return true
}

func loadLanes(b []byte, lane uint8, regs []reg) {
	switch lane {
	case 1:
		for i := range b {
			regs[i] = def(uint64(b[i]))
		}
	case 2:
		for i := range len(b) / 2 {
			regs[i] = def(uint64(binary.LittleEndian.Uint16(b[2*i:])))
		}
	case 4:
		for i := range len(b) / 4 {
			regs[i] = def(uint64(binary.LittleEndian.Uint32(b[4*i:])))
		}
	default:
		for i := range len(b) / 8 {
			regs[i] = def(binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
}

func storeLanes(b []byte, lane uint8, regs []reg) {
	switch lane {
	case 1:
		for i := range b {
			b[i] = byte(regs[i].v)
		}
	case 2:
		for i := range len(b) / 2 {
			binary.LittleEndian.PutUint16(b[2*i:], uint16(regs[i].v))
		}
	case 4:
		for i := range len(b) / 4 {
			binary.LittleEndian.PutUint32(b[4*i:], uint32(regs[i].v))
		}
	default:
		for i := range len(b) / 8 {
			binary.LittleEndian.PutUint64(b[8*i:], regs[i].v)
		}
	}
}

// cutReg keeps the low bits. LLVM leaves it undefined what a load of an odd
// width does with other bits; they are dropped.
func cutReg(r reg, bits uint32) reg {
	if r.poison() {
		return r
	}
	m := uint64(1)<<bits - 1
	return reg{v: r.v & m, u: r.u & m}
}

func (vm *Interp) storeValue(o *object, off uint64, l *layout, regs []reg) {
	if l.packed {
		storeBits(o, off, l, regs, vm.prvShift, vm.big)
		return
	}
	if l.lane != 0 && !vm.big {
		u := uint64(0)
		for i := range regs {
			u |= regs[i].u
		}
		if u == 0 {
			storeLanes(o.data[off:off+l.store], l.lane, regs)
			o.setDefined(off, l.store, vm.prvShift)
			return
		}
	}
	for i := range l.leaves {
		f := &l.leaves[i]
		vm.storeLeaf(o, off+f.off, f, regs[f.slot:])
	}
}

func (vm *Interp) storeLeaf(o *object, off uint64, f *leaf, regs []reg) {
	switch f.kind {
	case leafPtr:
		vm.storePtr(o, off, regs[0])
	case leafWide, leafF80, leafBad:
		n := f.bytes()
		for w := uint32(0); w < f.words; w++ {
			k := min(n, 8)
			vm.store(o, off+vm.wordAt(f, w, n-k), k, regs[w])
			n -= k
		}
	default:
		vm.store(o, off, f.bytes(), regs[0])
	}
}

// bitAt is the first bit of lane i of a vector whose lanes are no whole bytes,
// counted from the lowest bit of the number that they are together: lane 0 has
// the lowest bits, or the highest where the high byte comes first.
func (l *layout) bitAt(i int, big bool) uint64 {
	if big {
		i = len(l.leaves) - 1 - i
	}
	return uint64(i) * uint64(l.leaves[0].bits)
}

// byteAt is where byte b of that number, counted from the lowest, lies.
func (l *layout) byteAt(b uint64, big bool) uint64 {
	if big {
		return l.store - 1 - b
	}
	return b
}

// loadBits and storeBits move such a vector.
func loadBits(o *object, off uint64, l *layout, regs []reg, big bool) {
	for i := range l.leaves {
		bit := l.bitAt(i, big)
		w := uint64(l.leaves[i].bits)
		var r reg
		poison := false
		for k := uint64(0); k < w; k++ {
			b := o.load(off+l.byteAt((bit+k)/8, big), 1)
			poison = poison || b.poison()
			r.v |= b.v >> ((bit + k) % 8) & 1 << k
			r.u |= b.u >> ((bit + k) % 8) & 1 << k
		}
		if poison {
			r = poisonReg
		}
		regs[i] = r
	}
}

func storeBits(o *object, off uint64, l *layout, regs []reg, shift uint8, big bool) {
	for b := uint64(0); b < l.store; b++ {
		var out reg
		poison := false
		for k := uint64(0); k < 8; k++ {
			bit := b*8 + k
			i := bit / uint64(l.leaves[0].bits)
			if i >= uint64(len(l.leaves)) {
				break
			}
			if big {
				i = uint64(len(l.leaves)) - 1 - i
			}
			r, s := regs[i], bit%uint64(l.leaves[0].bits)
			poison = poison || r.poison()
			out.v |= r.v >> s & 1 << k
			out.u |= r.u >> s & 1 << k
		}
		if poison {
			out = poisonReg
		}
		o.store(off+l.byteAt(b, big), 1, out, shift)
	}
}
