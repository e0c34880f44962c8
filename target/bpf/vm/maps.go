package vm

import (
	"fmt"
	"slices"
)

// MapType is the kernel's number of a kind of map.
type MapType uint32

// The kinds of maps that behave as their name says; others are hash tables.
const (
	Hash           MapType = 1
	Array          MapType = 2
	ProgArray      MapType = 3
	PerfEventArray MapType = 4
	PerCPUHash     MapType = 5
	PerCPUArray    MapType = 6
	StackTrace     MapType = 7
	CgroupArray    MapType = 8
	LRUHash        MapType = 9
	LRUPerCPUHash  MapType = 10
	LPMTrie        MapType = 11
	ArrayOfMaps    MapType = 12
	HashOfMaps     MapType = 13
	DevMap         MapType = 14
	SockMap        MapType = 15
	CPUMap         MapType = 16
	XSKMap         MapType = 17
	SockHash       MapType = 18
	Queue          MapType = 22
	Stack          MapType = 23
	SkStorage      MapType = 24
	DevMapHash     MapType = 25
	StructOps      MapType = 26
	RingBuf        MapType = 27
	InodeStorage   MapType = 28
	TaskStorage    MapType = 29
	BloomFilter    MapType = 30
	UserRingBuf    MapType = 31
	CgrpStorage    MapType = 32
	Arena          MapType = 33
)

const (
	noPrealloc = 1      // BPF_F_NO_PREALLOC
	readOnly   = 1 << 7 // BPF_F_RDONLY_PROG

	updateAny     = 0
	updateNoExist = 1
	updateExist   = 2
)

// Map is a map of a collection.
type Map struct {
	Name       string
	Type       MapType
	KeySize    uint32
	ValueSize  uint32
	MaxEntries uint32
	Flags      uint32

	c      *Collection
	handle uint64 // the address that programs know it by
	array  int    // the region of an array's values
	stride int
	elems  map[string]*element
	order  []*element // in the order of their making
	queue  [][]byte
	inner  *Map // what maps in this map are like
	slots  map[uint32]*Program
	maps   map[string]*Map
}

type element struct {
	key    string
	region int
}

// isArray says that values lie in one block and are always there.
func (m *Map) isArray() bool { return m.Type == Array || m.Type == PerCPUArray }

// init makes a map's memory.
func (m *Map) init(c *Collection, data []byte) error {
	m.c = c
	if n := c.opts.MaxEntries; n > 0 && (m.MaxEntries == 0 || m.MaxEntries > n) && m.Type != Arena && data == nil {
		m.MaxEntries = n
	}
	if m.MaxEntries == 0 {
		m.MaxEntries = 1
	}
	m.handle = addressOf(c.newRegion(region{name: "map " + m.Name, object: m}), 0)
	m.elems, m.slots, m.maps = map[string]*element{}, map[uint32]*Program{}, map[string]*Map{}
	switch {
	case m.isArray():
		m.stride = int(m.ValueSize+7) &^ 7
		total := uint64(m.stride) * uint64(m.MaxEntries)
		if total > 1<<30 {
			return fmt.Errorf("map %s has %d bytes: more than this machine holds", m.Name, total)
		}
		if data == nil {
			data = make([]byte, total)
		}
		m.array = c.newRegion(region{name: "values of map " + m.Name, data: data, readOnly: m.Flags&readOnly != 0, object: m})
	case m.Type == Arena:
		c.arena = &arena{pages: map[uint32][]byte{}, next: 1, limit: m.MaxEntries}
	}
	return nil
}

// find is the address of a key's value, 0 for none.
func (m *Map) find(key []byte) uint64 {
	if m.isArray() {
		i := m.index(key)
		if i >= m.MaxEntries {
			return 0
		}
		return addressOf(m.array, int(i)*m.stride)
	}
	if m.Type == LPMTrie {
		if e := m.longest(key); e != nil {
			return addressOf(e.region, 0)
		}
		return 0
	}
	if e := m.elems[string(key)]; e != nil {
		return addressOf(e.region, 0)
	}
	return 0
}

func (m *Map) index(key []byte) uint32 {
	if len(key) != 4 {
		return m.MaxEntries
	}
	return m.c.order.Uint32(key)
}

// longest is the element of the longest prefix that a key of an LPM trie matches.
func (m *Map) longest(key []byte) (best *element) {
	bestLen := -1
	for _, e := range m.order {
		n := int(m.c.order.Uint32([]byte(e.key)))
		if n > bestLen && n <= int(m.c.order.Uint32(key)) && samePrefix([]byte(e.key[4:]), key[4:], n) {
			best, bestLen = e, n
		}
	}
	return best
}

func samePrefix(x, y []byte, bits int) bool {
	for k := 0; k < len(x) && bits > 0; k, bits = k+1, bits-8 {
		mask := byte(0xff)
		if bits < 8 {
			mask <<= 8 - bits
		}
		if (x[k]^y[k])&mask != 0 {
			return false
		}
	}
	return true
}

// errno is a helper's result that says what failed, by its number in Linux.
func errno(n int64) uint64 { return uint64(-n) }

// Numbers of errors.
const (
	eNOENT    = 2
	e2BIG     = 7
	eAGAIN    = 11
	eNOMEM    = 12
	eFAULT    = 14
	eEXIST    = 17
	eINVAL    = 22
	eOPNOTSUP = 95
)

// update sets a key's value.
func (m *Map) update(key, value []byte, flags uint64) uint64 {
	if flags&3 == 3 {
		return errno(eINVAL)
	}
	if m.isArray() {
		switch i := m.index(key); {
		case i >= m.MaxEntries:
			return errno(e2BIG)
		case flags&3 == updateNoExist:
			return errno(eEXIST)
		default:
			copy(m.c.regions[m.array].data[int(i)*m.stride:], value[:m.ValueSize])
		}
		return 0
	}
	if m.Type == LPMTrie && m.c.order.Uint32(key) > 8*(m.KeySize-4) {
		return errno(eINVAL)
	}
	old := m.elems[string(key)]
	switch {
	case old != nil && flags&3 == updateNoExist:
		return errno(eEXIST)
	case old == nil && flags&3 == updateExist:
		return errno(eNOENT)
	case old != nil && (m.Type == PerCPUHash || m.Type == LRUPerCPUHash):
		copy(m.c.regions[old.region].data, value)
		return 0
	case old == nil && len(m.order) >= int(m.MaxEntries):
		if m.Type != LRUHash && m.Type != LRUPerCPUHash {
			return errno(e2BIG)
		}
		m.drop(m.order[0])
	}
	if old != nil { // pointers to the old value keep seeing that
		m.drop(old)
	}
	m.insert(string(key), slices.Clone(value))
	return 0
}

func (m *Map) insert(key string, value []byte) *element {
	e := &element{key: key, region: m.c.newRegion(region{name: "a value of map " + m.Name, data: value, object: m})}
	m.elems[key] = e
	m.order = append(m.order, e)
	return e
}

func (m *Map) drop(e *element) {
	delete(m.elems, e.key)
	m.order = slices.DeleteFunc(m.order, func(x *element) bool { return x == e })
	m.c.release(e.region, false)
}

func (m *Map) remove(key []byte) uint64 {
	switch {
	case m.isArray():
		return errno(eINVAL)
	case m.elems[string(key)] == nil:
		return errno(eNOENT)
	}
	m.drop(m.elems[string(key)])
	return 0
}

// program is the program at an index of a program array.
func (m *Map) program(i uint32) *Program {
	if i >= m.MaxEntries {
		return nil
	}
	return m.slots[i]
}

// Lookup is a copy of a key's value, nil for none.
func (m *Map) Lookup(key []byte) []byte {
	addr := m.find(key)
	if addr == 0 {
		return nil
	}
	b, err := m.c.span(addr, int(m.ValueSize), false)
	if err != nil {
		return nil
	}
	return slices.Clone(b)
}

// Update sets a key's value from outside, in read-only maps too.
func (m *Map) Update(key, value []byte) error {
	if len(key) != int(m.KeySize) || len(value) != int(m.ValueSize) {
		return fmt.Errorf("map %s has keys of %d bytes and values of %d", m.Name, m.KeySize, m.ValueSize)
	}
	if e := m.update(key, value, updateAny); e != 0 {
		return fmt.Errorf("map %s: error %d", m.Name, -int64(e))
	}
	m.c.reclaim()
	return nil
}

// SetProgram puts a program into a program array.
func (m *Map) SetProgram(i uint32, p *Program) { m.slots[i] = p }

// Dump calls visit with all keys and values, in the order of indexes or of their making.
func (m *Map) Dump(visit func(key, value []byte)) {
	if m.isArray() {
		key := make([]byte, 4)
		for i := range m.MaxEntries {
			m.c.order.PutUint32(key, i)
			visit(key, m.c.regions[m.array].data[int(i)*m.stride:][:m.ValueSize])
		}
		return
	}
	for _, e := range m.order {
		visit([]byte(e.key), m.c.regions[e.region].data)
	}
}
