package vm

import (
	"encoding/binary"
	"fmt"
)

// Memory is what lies outside of what a program owns: the kernel's memory and that of processes.
// Reads and writes report whether there is such memory.
type Memory interface {
	Read(addr uint64, to []byte) bool
	Write(addr uint64, from []byte) bool
}

// region is memory of one owner. Its number is the high word of its addresses, so that a pointer
// keeps naming its region when it leaves it; the first byte lies in the middle of the low word.
type region struct {
	name     string
	data     []byte
	low      int // the first byte that may be touched
	readOnly bool
	freed    bool
	aligned  bool // accesses are to be aligned in any case
	// object is the map whose handle or value this is.
	object *Map
	// special answers loads of fields that are not what is stored there: pointers in contexts.
	special func(off, size int) (v uint64, ok bool)
}

const regionMiddle = 1 << 31

func addressOf(id int, off int) uint64 {
	return uint64(id)<<32 + regionMiddle + uint64(int64(off))
}

// newRegion gives memory an address.
func (c *Collection) newRegion(r region) int {
	if n := len(c.free); n > 0 {
		id := c.free[n-1]
		c.free = c.free[:n-1]
		c.regions[id] = r
		return id
	}
	c.regions = append(c.regions, r)
	return len(c.regions) - 1
}

// release takes a region away at the end of the run; until then its memory stays, as in the
// kernel (RCU), unless now is set.
func (c *Collection) release(id int, now bool) {
	c.regions[id].freed = now
	c.released = append(c.released, id)
}

// reclaim makes the numbers of released regions free.
func (c *Collection) reclaim() {
	for _, id := range c.released {
		c.regions[id] = region{name: "memory that was freed", freed: true}
	}
	c.free = append(c.free, c.released...)
	c.released = c.released[:0]
}

// find is the region of an address and the offset into it; nil outside of all.
func (c *Collection) find(addr uint64) (*region, int) {
	id := addr >> 32
	if id == 0 || id >= uint64(len(c.regions)) {
		return nil, 0
	}
	return &c.regions[id], int(int64(addr&0xffffffff) - regionMiddle)
}

// span is size bytes at an address in a region, to be read or written.
func (c *Collection) span(addr uint64, size int, write bool) ([]byte, error) {
	r, off := c.find(addr)
	if r == nil {
		return nil, fmt.Errorf("%s of %d bytes at address %#x, where there is no memory", access(write), size, addr)
	}
	switch {
	case r.freed:
		return nil, fmt.Errorf("%s of %d bytes of %s", access(write), size, r.name)
	case off < r.low || size < 0 || off+size > len(r.data):
		return nil, fmt.Errorf("%s of %d bytes at offset %d of %s, which has %d bytes", access(write), size, off, r.name, len(r.data))
	case write && r.readOnly:
		return nil, fmt.Errorf("write of %d bytes at offset %d of %s, which is read-only", size, off, r.name)
	}
	return r.data[off : off+size : off+size], nil
}

func access(write bool) string {
	if write {
		return "write"
	}
	return "read"
}

// value is a number of 1, 2, 4 or 8 bytes.
func value(order byteOrder, b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}

func setValue(order byteOrder, b []byte, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		order.PutUint16(b, uint16(v))
	case 4:
		order.PutUint32(b, uint32(v))
	default:
		order.PutUint64(b, v)
	}
}

// load is what an instruction loads.
func (m *machine) load(addr uint64, size int) (uint64, error) {
	c := m.c
	r, off := c.find(addr)
	if r == nil {
		return m.loadOutside(addr, size)
	}
	if r.special != nil {
		if v, ok := r.special(off, size); ok {
			return v, nil
		}
	}
	if (r.aligned || c.opts.Strict) && off&(size-1) != 0 {
		return 0, fmt.Errorf("read of %d bytes at offset %d of %s, which is not aligned", size, off, r.name)
	}
	b, err := c.span(addr, size, false)
	if err != nil {
		return 0, err
	}
	return value(c.order, b), nil
}

// loadOutside loads from an arena or the kernel's memory. Loads of kernel pointers that fault
// give 0, as in the kernel.
func (m *machine) loadOutside(addr uint64, size int) (uint64, error) {
	c := m.c
	if c.arena != nil && addr>>32 == 0 {
		if b := c.arena.page(uint32(addr), size, false); b != nil {
			return value(c.order, b), nil
		}
		return 0, nil
	}
	if c.opts.Kernel == nil || addr < 4096 {
		return 0, fmt.Errorf("read of %d bytes at address %#x, where there is no memory", size, addr)
	}
	var b [8]byte
	if !c.opts.Kernel.Read(addr, b[:size]) {
		return 0, nil
	}
	return value(c.order, b[:size]), nil
}

// store is what an instruction stores.
func (m *machine) store(addr uint64, size int, v uint64) error {
	c := m.c
	r, off := c.find(addr)
	if r == nil {
		if c.arena != nil && addr>>32 == 0 {
			if b := c.arena.page(uint32(addr), size, false); b != nil {
				setValue(c.order, b, v)
			}
			return nil
		}
		var b [8]byte
		setValue(c.order, b[:size], v)
		if c.opts.Kernel == nil || addr < 4096 || !c.opts.Kernel.Write(addr, b[:size]) {
			return fmt.Errorf("write of %d bytes at address %#x, where there is no memory", size, addr)
		}
		return nil
	}
	if (r.aligned || c.opts.Strict) && off&(size-1) != 0 {
		return fmt.Errorf("write of %d bytes at offset %d of %s, which is not aligned", size, off, r.name)
	}
	if r.special != nil {
		if _, ok := r.special(off, size); ok {
			return fmt.Errorf("write of %d bytes at offset %d of %s, which is a pointer of the kernel's", size, off, r.name)
		}
	}
	b, err := c.span(addr, size, true)
	if err == nil {
		setValue(c.order, b, v)
	}
	return err
}

// bytes is memory that a helper reads, a copy where it is the kernel's.
func (m *machine) bytes(addr uint64, n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	if r, _ := m.c.find(addr); r == nil {
		if m.c.arena != nil && addr>>32 == 0 {
			if b := m.c.arena.page(uint32(addr), n, false); b != nil {
				return b, nil
			}
		}
		if m.c.opts.Kernel != nil && addr >= 4096 && n > 0 && n < 1<<24 {
			b := make([]byte, n)
			if m.c.opts.Kernel.Read(addr, b) {
				return b, nil
			}
		}
	}
	return m.c.span(addr, n, false)
}

// probe reads any memory; a fault is no error, the bytes are then zero.
func (m *machine) probe(addr uint64, to []byte) bool {
	if b, err := m.bytes(addr, len(to)); err == nil {
		copy(to, b)
		return true
	}
	clear(to)
	return false
}

// cstring is the text at an address up to its 0.
func (m *machine) cstring(addr uint64) (string, error) {
	var s []byte
	for k := uint64(0); k < 4096; k++ {
		b, err := m.bytes(addr+k, 1)
		if err != nil {
			return "", err
		}
		if b[0] == 0 {
			break
		}
		s = append(s, b[0])
	}
	return string(s), nil
}

// arena is memory of 4 GiB that pages are allocated in; programs have the low words of its
// addresses while they use it.
type arena struct {
	pages map[uint32][]byte
	next  uint32 // where to look for a free page first
	limit uint32 // number of pages
}

const (
	pageSize = 4096
	// arenaUser is where user space sees an arena.
	arenaUser = 0x7f00 << 32
)

// page is size bytes at an offset, which lie in one page; nil where there is none.
func (a *arena) page(off uint32, size int, make_ bool) []byte {
	n, at := off/pageSize, int(off%pageSize)
	p := a.pages[n]
	if p == nil {
		if !make_ || n >= a.limit {
			return nil
		}
		p = make([]byte, pageSize)
		a.pages[n] = p
	}
	if at+size > pageSize {
		return nil
	}
	return p[at : at+size : at+size]
}

// alloc gives the offset of n free pages in a row.
func (a *arena) alloc(n uint32) (off uint32, ok bool) {
	for first := a.next; n > 0 && uint64(first)+uint64(n) <= uint64(a.limit); first++ {
		k := uint32(0)
		for k < n && a.pages[first+k] == nil {
			k++
		}
		if k < n {
			continue
		}
		for k = 0; k < n; k++ {
			a.pages[first+k] = make([]byte, pageSize)
		}
		a.next = first + n
		return first * pageSize, true
	}
	return 0, false
}

// byteOrder is the order of an object's bytes.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}
