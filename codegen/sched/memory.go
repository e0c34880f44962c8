package sched

import (
	"slices"

	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// The accesses of a region are kept by the object that they are known to touch, in
// lists from the last to the first: those of different objects need no edges.
// Objects that no pointer of the IR leads to are kept apart from the others.

// object is a key of the lists: a kind of base and its number, unknownObject for
// what may be anywhere.
type object uint64

const unknownObject object = 0

// The lists are of these sorts.
const (
	storeList = iota
	loadList
	privateStores
	privateLoads
	exceptionList // what may raise exceptions of floating point: only barriers order it
	numLists
)

// hugeRegion is how many accesses are told apart; when there are more, the half of
// them that comes last in the region goes behind a barrier (LLVM's -dag-maps-huge-region).
// In regions of more than vastRegion instructions, whose edges would be as many
// times more, it is vastAccesses.
const (
	hugeRegion   = 1000
	vastRegion   = 1 << 14
	vastAccesses = 100
)

// memRow is an access in a list.
type memRow struct{ node, next int32 }

// memList is the list of one object and sort.
type memList struct {
	key        object
	head, tail int32 // 0 none
	set        int32 // in reach, of the accesses in the list
}

// memoryOrder are the lists. Each sort has its lists in the order in which objects were met.
type memoryOrder struct {
	lists [numLists][]memList
	count [numLists]int
	most  int      // that are told apart in this region
	rows  []memRow // row 0 unused
	// table finds a list by object: open addressing, the sort in the low bits of the key.
	table   []memSlot
	used    int
	epoch   uint32
	objects []foundObject
	nums    []int32
	reach   memoryReach
}

type memSlot struct {
	key   object
	sort  uint8
	epoch uint32
	list  int32
}

// foundObject is an object that an access touches; private ones no pointer leads to.
type foundObject struct {
	key     object
	private bool
}

// begin starts with a region of so many instructions. Sparse graphs have no edges to
// what is reached by others.
func (m *memoryOrder) begin(instrs int, sparse bool) {
	if m.most = hugeRegion; instrs > vastRegion {
		m.most = vastAccesses
	}
	m.reach.begin(sparse, instrs, m.most)
	m.clear()
}

// clear empties the lists.
func (m *memoryOrder) clear() {
	for k := range m.lists {
		m.lists[k], m.count[k] = m.lists[k][:0], 0
	}
	m.rows = append(m.rows[:0], memRow{})
	m.epoch++
	m.used = 0
}

// find returns the list of an object, -1 when there is none and make is not set.
func (m *memoryOrder) find(sort uint8, key object, make bool) int32 {
	if 2*m.used >= len(m.table) {
		m.grow()
	}
	mask := uint64(len(m.table) - 1)
	h := (uint64(key)*numLists + uint64(sort)) * 0x9e3779b97f4a7c15 >> 20
	for ; ; h++ {
		s := &m.table[h&mask]
		if s.epoch != m.epoch {
			if !make {
				return -1
			}
			m.used++
			*s = memSlot{key, sort, m.epoch, int32(len(m.lists[sort]))}
			l := memList{key: key}
			if m.reach.on {
				l.set = m.reach.newSet()
			}
			m.lists[sort] = append(m.lists[sort], l)
			return s.list
		}
		if s.key == key && s.sort == sort {
			return s.list
		}
	}
}

func (m *memoryOrder) grow() {
	m.table = rows.Zeroed(m.table, max(64, 2*len(m.table)))
	m.epoch++
	for sort := range m.lists {
		for k := range m.lists[sort] {
			key := m.lists[sort][k].key
			mask := uint64(len(m.table) - 1)
			h := (uint64(key)*numLists + uint64(sort)) * 0x9e3779b97f4a7c15 >> 20
			for m.table[h&mask].epoch == m.epoch {
				h++
			}
			m.table[h&mask] = memSlot{key, uint8(sort), m.epoch, int32(k)}
		}
	}
}

func (m *memoryOrder) insert(sort uint8, key object, n int32) {
	l := &m.lists[sort][m.find(sort, key, true)]
	k := int32(len(m.rows))
	m.rows = append(m.rows, memRow{node: n})
	if l.head == 0 {
		l.head = k
	} else {
		m.rows[l.tail].next = k
	}
	l.tail = k
	m.count[sort]++
	if r := &m.reach; r.on && sort != exceptionList {
		r.put(l.set, r.slotOf[n])
		r.put(r.sorts[sort], r.slotOf[n])
	}
}

// effects adds the edges of what node n does to memory, and of effects that keep
// their order.
func (b *builder) effects(n int32) {
	f, g, m := b.f, b.g, &b.mem
	i := g.nodes[n].instr
	d := f.Desc(i)
	invariant := f.IsInvariantLoad(i)
	if d.IsCall() || f.HasSideEffects(i) || f.HasOrderedMem(i) && !invariant {
		if b.barrier >= 0 {
			b.before(n, b.barrier)
		}
		b.barrier = n
		for sort := range m.lists {
			for k := range m.lists[sort] {
				for r := m.lists[sort][k].head; r != 0; r = m.rows[r].next {
					b.before(n, m.rows[r].node)
				}
			}
		}
		m.clear()
		if m.reach.on {
			m.reach.forget()
		}
		return
	}
	if d.MayRaiseFPException() && f.Instr(i).Flags()&mir.NoFPExcept == 0 {
		if b.barrier >= 0 {
			b.before(n, b.barrier)
		}
		m.insert(exceptionList, unknownObject, n)
		if m.count[exceptionList] >= m.most {
			b.reduce(exceptionList, exceptionList)
		}
	}
	store := f.MayStore(i)
	if !store && (!f.MayLoad(i) || invariant) {
		return
	}
	if b.barrier >= 0 {
		b.before(n, b.barrier)
	}
	if m.reach.on {
		if m.reach.full() {
			b.renumber()
		}
		m.reach.enter(f, n, i)
	}
	if b.findObjects(i) {
		b.knownAccess(n, store)
	} else {
		b.unknownAccess(n, store)
	}
	if m.count[storeList]+m.count[loadList] >= m.most {
		b.reduce(storeList, loadList)
	}
	if m.count[privateStores]+m.count[privateLoads] >= m.most {
		b.reduce(privateStores, privateLoads)
	}
}

// unknownAccess orders an access that may touch anything.
func (b *builder) unknownAccess(n int32, store bool) {
	b.beforeAll(n, storeList, 0)
	b.beforeAll(n, privateStores, 0)
	if !store {
		b.mem.insert(loadList, unknownObject, n)
		return
	}
	b.beforeAll(n, loadList, 1)
	b.beforeAll(n, privateLoads, 1)
	b.mem.insert(storeList, unknownObject, n)
}

// knownAccess orders an access of the objects that were found.
func (b *builder) knownAccess(n int32, store bool) {
	m := &b.mem
	for _, o := range m.objects {
		stores, loads := uint8(storeList), uint8(loadList)
		if o.private {
			stores, loads = privateStores, privateLoads
		}
		b.beforeList(n, stores, o.key, 0)
		if store {
			b.beforeList(n, loads, o.key, 1)
		} else {
			m.insert(loads, o.key, n)
		}
	}
	if store {
		for _, o := range m.objects {
			stores := uint8(storeList)
			if o.private {
				stores = privateStores
			}
			m.insert(stores, o.key, n)
		}
		b.beforeList(n, loadList, unknownObject, 1)
	}
	b.beforeList(n, storeList, unknownObject, 0)
}

// before puts node n before another one that it must not pass for its effects.
func (b *builder) before(n, other int32) {
	lat := int32(0)
	if f := b.f; f.MayStore(b.g.nodes[n].instr) && f.MayLoad(b.g.nodes[other].instr) {
		lat = 1
	}
	b.g.add(n, other, barrierEdge, 0, lat)
}

func (b *builder) beforeAll(n int32, sort uint8, latency int32) {
	if r := &b.mem.reach; r.on {
		b.beforeSet(n, r.sorts[sort], latency)
		return
	}
	for k := range b.mem.lists[sort] {
		b.beforeRows(n, b.mem.lists[sort][k].head, latency)
	}
}

func (b *builder) beforeList(n int32, sort uint8, key object, latency int32) {
	switch k := b.mem.find(sort, key, false); {
	case k < 0:
	case b.mem.reach.on:
		b.beforeSet(n, b.mem.lists[sort][k].set, latency)
	default:
		b.beforeRows(n, b.mem.lists[sort][k].head, latency)
	}
}

// beforeRows puts n before the accesses of a list from row r on that it may touch.
func (b *builder) beforeRows(n, r, latency int32) {
	for i := b.g.nodes[n].instr; r != 0; r = b.mem.rows[r].next {
		if k := b.mem.rows[r].node; k != n && b.memory.MayAlias(i, b.g.nodes[k].instr) {
			b.g.add(n, k, memoryEdge, 0, latency)
		}
	}
}

// reduce takes the half of the accesses of two sorts that stands last out of their
// lists: a node becomes the barrier that all others stand before.
func (b *builder) reduce(x, y uint8) {
	m := &b.mem
	m.nums = m.nums[:0]
	for _, sort := range []uint8{x, y}[:2-boolInt(x == y)] {
		for k := range m.lists[sort] {
			for r := m.lists[sort][k].head; r != 0; r = m.rows[r].next {
				m.nums = append(m.nums, m.rows[r].node)
			}
		}
	}
	slices.Sort(m.nums)
	if at := m.nums[len(m.nums)-m.most/2]; b.barrier < 0 || at < b.barrier {
		if b.barrier >= 0 {
			b.before(at, b.barrier)
		}
		b.barrier = at
	}
	for _, sort := range []uint8{x, y}[:2-boolInt(x == y)] {
		m.count[sort] = 0
		for k := range m.lists[sort] {
			l := &m.lists[sort][k]
			r := l.head
			for ; r != 0 && m.rows[r].node > b.barrier; r = m.rows[r].next {
				b.before(b.barrier, m.rows[r].node)
				m.forgetRow(sort, l, r)
			}
			if r != 0 && m.rows[r].node == b.barrier {
				m.forgetRow(sort, l, r)
				r = m.rows[r].next
			}
			for l.head = r; r != 0; r = m.rows[r].next {
				m.count[sort]++
			}
		}
	}
}

// forgetRow takes a row that leaves its list out of the sets.
func (m *memoryOrder) forgetRow(sort uint8, l *memList, row int32) {
	if r := &m.reach; r.on && sort != exceptionList {
		slot := r.slotOf[m.rows[row].node]
		r.drop(l.set, slot)
		r.drop(r.sorts[sort], slot)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// findObjects finds what the memory operands of i touch; false when that may be anything.
func (b *builder) findObjects(i mir.InstrID) bool {
	f, m := b.f, &b.mem
	m.objects = m.objects[:0]
	for k := range f.NumMem(i) {
		if !b.objectsOf(f.MemOf(i, k)) {
			return false
		}
	}
	return true
}

// objectsOf finds what a memory operand touches.
func (b *builder) objectsOf(o *mir.MemOperand) bool {
	f, m := b.f, &b.mem
	if o.Flags&mir.MemVolatile != 0 || o.Order != 0 {
		return false
	}
	private := false
	switch o.PtrKind {
	case mir.PtrValue:
		vals, ok := b.memory.Objects(o)
		for _, v := range vals {
			m.addObject(object(mir.PtrValue)<<32|object(v), false)
		}
		return ok
	case mir.PtrGOT, mir.PtrJumpTable, mir.PtrConstantPool, mir.PtrGlobalCall, mir.PtrExtSymCall:
		private = true
	case mir.PtrStack:
	case mir.PtrFixedStack:
		fi := int(int32(o.Ptr))
		fl := f.Frame.Object(fi).Flags
		if private = fl&mir.FrameSpill != 0; fi >= 0 && !private || fi < 0 && fl&mir.FrameAliased != 0 {
			return false
		}
	default:
		return false
	}
	if f.Frame.HasTailCall {
		return false
	}
	m.addObject(object(o.PtrKind)<<32|object(o.Ptr), private)
	return true
}

func (m *memoryOrder) addObject(key object, private bool) {
	for _, o := range m.objects {
		if o.key == key {
			return
		}
	}
	m.objects = append(m.objects, foundObject{key, private})
}
