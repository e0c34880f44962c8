//go:build !nojit

package jit

import (
	"encoding/binary"
	"errors"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A handler is a callback's Go side: it takes its arguments from m.words and
// the stack of compiled code, and leaves results in m.ret and m.fret. An error
// ends the call that compiled code is in.
type handler func(m *machine) error

// callbacks is the table of the process: numbers, since compiled code may not
// hold Go's pointers. Readers take the table as it is; who adds copies it when it
// has to grow, and numbers of closed engines are used again.
var callbacks struct {
	sync.Mutex
	table atomic.Pointer[[]handler]
	free  []uint32 // first numbers of pages
}

// Stubs come in pages: 16 bytes each, `mov $number, %r11d; jmp *entry(%rip)`,
// and the entry's address at the end.
const (
	stubBytes    = 16
	stubsPerPage = pageSize/stubBytes - 1
)

// stubPage is a page of an engine's stubs.
type stubPage struct {
	mem   []byte
	first uint32 // number of the first
	used  int
}

// newStubPage makes a page whose stubs all exist already: code never becomes
// writable again.
func newStubPage() (*stubPage, error) {
	mem, err := mapMemory(pageSize)
	if err != nil {
		return nil, err
	}
	p := &stubPage{mem: mem, first: takeNumbers()}
	entry, _ := addresses()
	const literal = pageSize - 8
	binary.LittleEndian.PutUint64(mem[literal:], uint64(entry))
	for i := range stubsPerPage {
		b := mem[i*stubBytes:]
		b[0], b[1] = 0x41, 0xbb
		binary.LittleEndian.PutUint32(b[2:], p.first+uint32(i))
		b[6], b[7] = 0xff, 0x25
		binary.LittleEndian.PutUint32(b[8:], uint32(literal-(i*stubBytes+12)))
		copy(b[12:stubBytes], "\xcc\xcc\xcc\xcc")
	}
	if err := protect(mem, true); err != nil {
		p.free()
		return nil, err
	}
	return p, nil
}

func takeNumbers() uint32 {
	callbacks.Lock()
	defer callbacks.Unlock()
	if n := len(callbacks.free); n > 0 {
		first := callbacks.free[n-1]
		callbacks.free = callbacks.free[:n-1]
		return first
	}
	var old []handler
	if t := callbacks.table.Load(); t != nil {
		old = *t
	}
	table := make([]handler, len(old)+stubsPerPage, max(2*len(old), len(old)+stubsPerPage))
	copy(table, old)
	callbacks.table.Store(&table)
	return uint32(len(old))
}

// add gives h a stub; false when the page is full. No one calls the stub before
// its address is returned, so that writing the entry races with nobody.
func (p *stubPage) add(h handler) (uintptr, bool) {
	if p.used == stubsPerPage {
		return 0, false
	}
	callbacks.Lock()
	(*callbacks.table.Load())[p.first+uint32(p.used)] = h
	callbacks.Unlock()
	addr := uintptr(unsafe.Pointer(&p.mem[p.used*stubBytes]))
	p.used++
	return addr, true
}

// free unmaps the page; its numbers will be others'.
func (p *stubPage) free() error {
	callbacks.Lock()
	t := *callbacks.table.Load()
	clear(t[p.first:][:stubsPerPage])
	callbacks.free = append(callbacks.free, p.first)
	callbacks.Unlock()
	return unmapMemory(p.mem)
}

var errNoCallback = errors.New("jit: compiled code called a callback that was freed")

// dispatch runs the callback that m stopped at.
func dispatch(m *machine) error {
	t := *callbacks.table.Load()
	if m.calleeID >= uint64(len(t)) || t[m.calleeID] == nil {
		return errNoCallback
	}
	return t[m.calleeID](m)
}

// stackWord is the address of the k-th word of a callback's stack arguments: behind
// the six registers that were pushed and the return address.
func (m *machine) stackWord(k int) uintptr { return uintptr(m.calleeSP) + uintptr(7+k)*8 }
