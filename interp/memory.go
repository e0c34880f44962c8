package interp

import (
	"encoding/binary"
	"math/bits"
	"sort"

	"github.com/mirin-go/mirin/ir"
)

type objKind uint8

const (
	objNone objKind = iota
	objGlobal
	objStack
	objHeap
	objFunc
	objLib // what the C library owns
)

var objNames = [...]string{"no object", "global", "stack object", "heap object", "function", "object of the C library"}

// object is one allocation. The address range [base, base+len(data)) is never
// given to another object of the heap; stack addresses are reused, and tell
// themselves apart by generation.
type object struct {
	base uint64
	data []byte
	// sh holds the undefined bits of each byte, nil while all are defined.
	sh []byte
	// prv holds the provenance of each pointer-sized word, 0 unknown; nil: all unknown.
	prv []uint64
	// poi marks the poison bytes among those with sh != 0; nil: none.
	poi   []byte
	gen   uint32
	kind  objKind
	ro    bool
	dead  bool // outside of lifetime.start … lifetime.end
	align uint8
	name  ir.GlobalID
	size  uint64 // functions have a size and no data
}

type memory struct {
	objs   []object
	free   []uint32 // indices of objects that may be used again
	order  []uint32 // heap and global objects by rising address; dead ones are swept now and then
	deadN  int
	live   uint64
	next   uint64 // next address of the heap
	maxMem uint64

	stackTop  uint64
	maxStack  uint64
	used      uint64 // stack objects lie at [stackTop-used, stackTop)
	stackMem  []byte // of the addresses before stackTop; it grows
	stackSh   []byte
	stackPrv  []uint64
	stackObjs []uint32 // by falling address

	ptrBytes uint64
	big      bool  // the high byte of a number comes first
	ptrShift uint8 // 64 - bits
	ptrMask  uint64
	prvShift uint8
	last     uint32 // the object found last by address
}

// Layout of the address space: globals and heap rise from heapStart, the stack
// falls from stackTop. Between objects lies a gap, so that the end of
// one is never the start of the next.
const (
	heapStart = 0x10000
	gap       = 16
)

func (m *memory) init(dl *ir.DataLayout, o Options) {
	m.objs = make([]object, 1, 64)
	m.ptrBytes, m.big = dl.PointerSize(0), dl.BigEndian
	m.ptrShift = uint8(64 - 8*m.ptrBytes)
	m.ptrMask = ^uint64(0) >> m.ptrShift
	m.prvShift = 3
	top := uint64(0x7fff_ffff_0000)
	if m.ptrBytes < 8 {
		m.prvShift = 2
		top = 0xfff0_0000
	}
	m.next = heapStart
	m.stackTop, m.maxStack = top, uint64(o.MaxStack)
	m.maxMem = o.MaxMemory
}

func (m *memory) newIndex() uint32 {
	if n := len(m.free); n > 0 {
		i := m.free[n-1]
		m.free = m.free[:n-1]
		return i
	}
	m.objs = append(m.objs, object{})
	return uint32(len(m.objs) - 1)
}

// ptr returns the pointer to the start of an object.
func (m *memory) ptr(i uint32) reg {
	o := &m.objs[i]
	return reg{v: o.base, p: uint64(o.gen)<<32 | uint64(i)}
}

// alloc makes a heap or global object; its bytes are zero and defined. nil data: a function.
func (m *memory) alloc(kind objKind, data []byte, size, align uint64) uint32 {
	i := m.newIndex()
	o := &m.objs[i]
	align = max(align, 1)
	base := (m.next + align - 1) &^ (align - 1)
	*o = object{base: base, data: data, gen: o.gen, kind: kind, size: size}
	for 1<<o.align < align {
		o.align++
	}
	m.next = base + max(size, 1) + gap
	m.order = append(m.order, i)
	m.live += size
	return i
}

// drop ends the life of a heap object.
func (m *memory) drop(i uint32) {
	o := &m.objs[i]
	m.live -= o.size
	o.gen++
	o.data, o.sh, o.prv, o.poi, o.size, o.kind = nil, nil, nil, nil, 0, objNone
	m.deadN++
	if m.deadN > 1024 && m.deadN > len(m.order)/2 {
		k := 0
		for _, j := range m.order {
			if m.objs[j].kind != objNone {
				m.order[k] = j
				k++
			} else {
				m.free = append(m.free, j)
			}
		}
		m.order = m.order[:k]
		m.deadN = 0
	}
}

// pushStack makes a stack object of undefined bytes; ok is false when the stack is full.
func (m *memory) pushStack(size, align uint64) (uint32, bool) {
	align = max(align, 8)
	if size > m.maxStack || m.used+size+gap+align > m.maxStack {
		return 0, false
	}
	base := (m.stackTop - m.used - size - gap) &^ (align - 1)
	used := m.stackTop - base
	if used > uint64(len(m.stackMem)) {
		m.growStack(used)
	}
	i := m.newIndex()
	o := &m.objs[i]
	o.base, o.size, o.kind, o.ro, o.dead, o.poi, o.name = base, size, objStack, false, false, nil, 0
	m.placeStack(o)
	fill(o.sh)
	clear(o.prv)
	m.used = used
	m.stackObjs = append(m.stackObjs, i)
	return i, true
}

// placeStack gives a stack object its part of the stack's memory, which ends at stackTop.
func (m *memory) placeStack(o *object) {
	pos, size := uint64(len(m.stackMem))-(m.stackTop-o.base), o.size
	o.data = m.stackMem[pos : pos+size : pos+size]
	o.sh = m.stackSh[pos : pos+size : pos+size]
	o.prv = m.stackPrv[pos>>m.prvShift : (pos+size+7)>>m.prvShift]
}

// growStack makes room for n bytes. Addresses stay as they are, and the memory moves.
func (m *memory) growStack(n uint64) {
	n = (max(n, 2*uint64(len(m.stackMem))) + 15) &^ 15
	grow := func(old []byte) []byte {
		b := make([]byte, n)
		copy(b[n-uint64(len(old)):], old)
		return b
	}
	m.stackMem, m.stackSh = grow(m.stackMem), grow(m.stackSh)
	prv := make([]uint64, n>>m.prvShift)
	copy(prv[len(prv)-len(m.stackPrv):], m.stackPrv)
	m.stackPrv = prv
	for _, i := range m.stackObjs {
		m.placeStack(&m.objs[i])
	}
}

const ones = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"

// fill sets all bits.
func fill(b []byte) {
	for n := copy(b, ones); n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

// popStack ends the life of the stack objects above mark n.
func (m *memory) popStack(n int, used uint64) {
	for _, i := range m.stackObjs[n:] {
		o := &m.objs[i]
		o.gen++
		o.kind, o.size, o.data, o.sh, o.prv, o.poi = objNone, 0, nil, nil, nil, nil
		m.free = append(m.free, i)
	}
	m.stackObjs = m.stackObjs[:n]
	m.used = used
}

// find returns the live object that holds address a, or ends there; 0 for none.
func (m *memory) find(a uint64) uint32 {
	if o := &m.objs[m.last]; m.last != 0 && o.kind != objNone && a >= o.base && a-o.base <= o.size {
		return m.last
	}
	i := uint32(0)
	if a >= m.stackTop-m.used && a <= m.stackTop {
		k := sort.Search(len(m.stackObjs), func(k int) bool { return m.objs[m.stackObjs[k]].base <= a })
		if k == len(m.stackObjs) {
			return 0
		}
		i = m.stackObjs[k]
	} else {
		// Dead objects keep their base until they are swept.
		k := sort.Search(len(m.order), func(k int) bool { return m.objs[m.order[k]].base > a })
		if k == 0 {
			return 0
		}
		i = m.order[k-1]
	}
	o := &m.objs[i]
	if o.kind == objNone || a-o.base > o.size {
		return 0
	}
	m.last = i
	return i
}

// object returns the object that a pointer points into, wherever inside.
func (m *memory) object(p reg) (uint32, bool) {
	if p.p == 0 {
		i := m.find(p.v)
		return i, i != 0
	}
	i := uint32(p.p)
	return i, int(i) < len(m.objs) && m.objs[i].gen == uint32(p.p>>32)
}

// access checks that n bytes at p may be read or written and returns the
// object and the offset in it.
func (vm *Interp) access(p reg, n, align uint64, write bool) (*object, uint64, error) {
	verb := "load from"
	if write {
		verb = "store to"
	}
	if p.u != 0 {
		if p.poison() {
			return nil, 0, ub("poison pointer", "%s a poison pointer", verb)
		}
		return nil, 0, ub("undef pointer", "%s an undef pointer", verb)
	}
	i, ok := vm.object(p)
	if !ok {
		switch {
		case p.v < 4096 && p.p == 0:
			return nil, 0, ub("null pointer", "%s address %#x", verb, p.v)
		case p.p != 0:
			return nil, 0, ub("use after free", "%s %#x, whose object is no longer alive", verb, p.v)
		}
		return nil, 0, ub("wild pointer", "%s %#x, where no object is", verb, p.v)
	}
	o := &vm.objs[i]
	off := p.v - o.base
	if o.kind == objFunc {
		return nil, 0, ub("access to code", "%s function @%s", verb, vm.m.Globals[o.name].Name)
	}
	if off > uint64(len(o.data)) || uint64(len(o.data))-off < n {
		if p.v < 4096 {
			return nil, 0, ub("null pointer", "%s address %#x", verb, p.v)
		}
		return nil, 0, ub("out of bounds", "%s %d bytes at offset %d of a %s", verb, n, int64(off), vm.describe(o))
	}
	if write {
		if o.ro {
			return nil, 0, ub("store to constant", "%s a %s", verb, vm.describe(o))
		}
		if o.dead {
			return nil, 0, ub("outside of lifetime", "%s a %s before lifetime.start or after lifetime.end", verb, vm.describe(o))
		}
	}
	if p.v&(align-1) != 0 && align != 0 && !vm.o.Lenient.Align {
		return nil, 0, ub("misaligned", "%s %#x with alignment %d", verb, p.v, align)
	}
	return o, off, nil
}

func (vm *Interp) describe(o *object) string {
	s := objNames[o.kind] + " of " + itoa(o.size) + " bytes"
	if o.kind == objGlobal && o.name != 0 {
		s = "global @" + vm.m.Globals[o.name].Name + " of " + itoa(o.size) + " bytes"
	}
	return s
}

// bytesFor returns n readable or writable bytes at p; n may be 0.
func (vm *Interp) bytesAt(p reg, n uint64, write bool) ([]byte, *object, uint64, error) {
	if n == 0 {
		return nil, nil, 0, nil
	}
	o, off, err := vm.access(p, n, 1, write)
	if err != nil {
		return nil, nil, 0, err
	}
	return o.data[off : off+n : off+n], o, off, nil
}

// setDefined marks bytes as defined numbers.
func (o *object) setDefined(off, n uint64, shift uint8) {
	if o.sh != nil {
		clear(o.sh[off : off+n])
	}
	if o.prv != nil && n > 0 {
		clear(o.prv[off>>shift : (off+n-1)>>shift+1])
	}
}

func (o *object) setPoison(off, n uint64) {
	o.needShadow()
	if o.poi == nil {
		o.poi = make([]byte, len(o.data))
	}
	for i := off; i < off+n; i++ {
		o.sh[i], o.poi[i] = 0xff, 1
	}
}

func (o *object) needShadow() {
	if o.sh == nil {
		o.sh = make([]byte, len(o.data))
	}
}

func (o *object) setUndef(off, n uint64) {
	o.needShadow()
	fill(o.sh[off : off+n])
	if o.poi != nil {
		clear(o.poi[off : off+n])
	}
}

// load and store move a number of n ≤ 8 bytes in the memory's order.
func (m *memory) load(o *object, off, n uint64) reg {
	r := o.load(off, n)
	if m.big && !r.poison() {
		r = reversed(r, n)
	}
	return r
}

func (m *memory) store(o *object, off, n uint64, r reg) {
	if m.big && !r.poison() {
		r = reversed(r, n)
	}
	o.store(off, n, r, m.prvShift)
}

// reversed turns the low n bytes round.
func reversed(r reg, n uint64) reg {
	shift := 64 - 8*n
	r.v, r.u = bits.ReverseBytes64(r.v<<shift), bits.ReverseBytes64(r.u<<shift)
	return r
}

// load reads n ≤ 8 bytes as one number with its undefined bits, the low byte first.
func (o *object) load(off, n uint64) reg {
	var r reg
	d := o.data[off : off+n]
	for i := int(n) - 1; i >= 0; i-- {
		r.v = r.v<<8 | uint64(d[i])
	}
	if o.sh != nil {
		s := o.sh[off : off+n]
		for i := int(n) - 1; i >= 0; i-- {
			r.u = r.u<<8 | uint64(s[i])
		}
		if r.u != 0 {
			r.v &^= r.u
			if o.dead {
				return poisonReg
			}
			if o.poi != nil {
				for i, x := range o.poi[off : off+n] {
					if x != 0 && s[i] != 0 {
						return poisonReg
					}
				}
			}
		}
	}
	return r
}

// store writes the low n ≤ 8 bytes of r.
func (o *object) store(off, n uint64, r reg, shift uint8) {
	if r.poison() {
		o.setPoison(off, n)
		return
	}
	d := o.data[off : off+n]
	for i := range d {
		d[i] = byte(r.v >> (8 * i))
	}
	o.setDefined(off, n, shift)
	if r.u != 0 {
		o.needShadow()
		s := o.sh[off : off+n]
		for i := range s {
			s[i] = byte(r.u >> (8 * i))
		}
		if o.poi != nil {
			clear(o.poi[off : off+n])
		}
	}
}

// loadPtr and storePtr move a pointer with its provenance. A pointer that does
// not lie on a whole word loses it, and may point to any object then.
func (m *memory) loadPtr(o *object, off uint64) reg {
	r := m.load(o, off, m.ptrBytes)
	if r.u == 0 && o.prv != nil && off&(m.ptrBytes-1) == 0 {
		r.p = o.prv[off>>m.prvShift]
	}
	return r
}

func (m *memory) storePtr(o *object, off uint64, r reg) {
	m.store(o, off, m.ptrBytes, r)
	if r.u == 0 && r.p != 0 && off&(m.ptrBytes-1) == 0 {
		if o.prv == nil {
			o.prv = make([]uint64, (uint64(len(o.data))+m.ptrBytes-1)>>m.prvShift)
		}
		o.prv[off>>m.prvShift] = r.p
	}
}

// move copies n bytes with all that is known about them; the ranges may overlap.
func (m *memory) move(d *object, doff uint64, s *object, soff, n uint64) {
	if n == 0 {
		return
	}
	if d.prv != nil || s.prv != nil {
		m.moveProvenance(d, doff, s, soff, n)
	}
	copy(d.data[doff:doff+n], s.data[soff:soff+n])
	switch {
	case s.dead:
		d.setPoison(doff, n)
	case s.sh != nil:
		d.needShadow()
		copy(d.sh[doff:doff+n], s.sh[soff:soff+n])
		if s.poi != nil {
			if d.poi == nil {
				d.poi = make([]byte, len(d.data))
			}
			copy(d.poi[doff:doff+n], s.poi[soff:soff+n])
		} else if d.poi != nil {
			clear(d.poi[doff : doff+n])
		}
	case d.sh != nil:
		clear(d.sh[doff : doff+n])
	}
}

// moveProvenance copies whole words when both ranges lie alike, and forgets otherwise.
func (m *memory) moveProvenance(d *object, doff uint64, s *object, soff, n uint64) {
	w := m.ptrBytes
	if s.prv == nil || doff&(w-1) != soff&(w-1) {
		if d.prv != nil {
			clear(d.prv[doff>>m.prvShift : (doff+n-1)>>m.prvShift+1])
		}
		return
	}
	if d.prv == nil {
		d.prv = make([]uint64, (uint64(len(d.data))+w-1)>>m.prvShift)
	}
	first, last := (doff+w-1)>>m.prvShift, (doff+n)>>m.prvShift
	if first < last {
		from := (soff + w - 1) >> m.prvShift
		copy(d.prv[first:last], s.prv[from:from+last-first])
	}
	if first > 0 && doff&(w-1) != 0 {
		d.prv[first-1] = 0
	}
	if (doff+n)&(w-1) != 0 && last < uint64(len(d.prv)) && last >= first {
		d.prv[last] = 0
	}
}

func le32(b []byte) uint64 { return uint64(binary.LittleEndian.Uint32(b)) }
