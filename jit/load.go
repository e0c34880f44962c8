package jit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/objabi"
)

const (
	pageSize     = 4096
	maxImageSize = 1 << 31
)

// Engine holds loaded code. An Engine is not safe for parallel loading; the
// code that it holds may run in parallel.
type Engine struct {
	abi     *objabi.ABI
	resolve func(name string) (uintptr, bool)
	globals map[string]uintptr
	maps    [][]byte
	// loaded are the bytes of the last image's sections in memory.
	loaded [][]byte
	libs   []uintptr // handles of the C libraries, opened at first need
}

// New returns an engine for code of the ABI of this process. It looks names up
// in what was loaded before, then by resolve (nil: none), then in the C library
// of the process.
func New(abi *objabi.ABI, resolve func(name string) (uintptr, bool)) *Engine {
	return &Engine{abi: abi, resolve: resolve, globals: map[string]uintptr{}}
}

// Close unmaps all code. Nothing of it may run any more.
func (e *Engine) Close() error {
	for _, m := range e.maps {
		if err := unmapMemory(m); err != nil {
			return err
		}
	}
	e.maps, e.globals = nil, map[string]uintptr{}
	return nil
}

// Lookup returns the address of a global symbol of the loaded images.
func (e *Engine) Lookup(name string) (uintptr, bool) {
	a, ok := e.globals[name]
	return a, ok
}

// loader is the state of loading one image. The mapping is laid out as
// executable sections and stubs, then read-only sections and the table of
// addresses, then writable sections, each group on pages of its own.
type loader struct {
	e      *Engine
	img    *Image
	mem    []byte
	base   uintptr
	addr   []uintptr // of each section
	sym    []uintptr // of each symbol; 0 when undefined and weak
	got    map[int]int
	stub   map[int]int
	gotAt  int
	stubAt int
}

// Load maps an image, relocates it and makes it ready to run.
func (e *Engine) Load(img *Image) error {
	if e.abi == nil {
		return errors.New("jit: loading code for this machine is not supported")
	}
	l := &loader{e: e, img: img, got: map[int]int{}, stub: map[int]int{}}
	ends, err := l.layOut()
	if err != nil {
		return err
	}
	if l.mem, err = mapMemory(ends[2]); err != nil {
		return fmt.Errorf("jit: mapping %d bytes: %w", ends[2], err)
	}
	e.maps = append(e.maps, l.mem)
	l.base = uintptr(unsafe.Pointer(&l.mem[0]))
	for i := range img.Sections {
		l.addr[i] += l.base
		copy(l.mem[l.addr[i]-l.base:], img.Sections[i].Data)
	}
	if err := l.resolveSymbols(); err != nil {
		return err
	}
	for i := range img.Relocs {
		if err := l.relocate(&img.Relocs[i]); err != nil {
			return err
		}
	}
	e.loaded = e.loaded[:0]
	for i := range img.Sections {
		off := int(l.addr[i] - l.base)
		e.loaded = append(e.loaded, l.mem[off:off+img.Sections[i].Size])
	}
	if err := protect(l.mem[:ends[0]], true); err != nil {
		return err
	}
	return protect(l.mem[ends[0]:ends[1]], false)
}

// layOut assigns offsets to sections, stubs, address table and common symbols
// and returns where the three groups end.
func (l *loader) layOut() (ends [3]int, err error) {
	l.addr = make([]uintptr, len(l.img.Sections))
	at := 0
	place := func(size, align int) int {
		align = max(align, 1)
		at = (at + align - 1) &^ (align - 1)
		off := at
		at += size
		return off
	}
	// Every undefined symbol may need a stub and an entry; that is at most 16 bytes each.
	need := 0
	for i := range l.img.Symbols {
		if s := &l.img.Symbols[i]; s.Section == Undefined || !s.Local {
			need++
		}
	}
	for group := range 3 {
		for i := range l.img.Sections {
			s := &l.img.Sections[i]
			if g := groupOf(s); g == group {
				l.addr[i] = uintptr(place(s.Size, s.Align))
			}
		}
		switch group {
		case 0:
			l.stubAt = place(need*l.e.abi.Stub.Size, l.e.abi.Stub.Size)
		case 1:
			l.gotAt = place(len(l.img.Symbols)*l.e.word(), l.e.word())
		case 2:
			l.sym = make([]uintptr, len(l.img.Symbols))
			for i := range l.img.Symbols {
				if s := &l.img.Symbols[i]; s.Section == Common {
					l.sym[i] = uintptr(place(int(s.Size), int(s.Value)))
				}
			}
		}
		at = (at + pageSize - 1) &^ (pageSize - 1)
		ends[group] = at
	}
	if at >= maxImageSize {
		return ends, fmt.Errorf("jit: an image of 2 GiB or more is not supported")
	}
	ends[2] = max(ends[2], pageSize)
	return ends, nil
}

func groupOf(s *Section) int {
	switch {
	case s.Exec:
		return 0
	case s.Write:
		return 2
	}
	return 1
}

// resolveSymbols finds the address of every symbol and publishes the global ones.
func (l *loader) resolveSymbols() error {
	var missing []string
	for i := range l.img.Symbols {
		s := &l.img.Symbols[i]
		switch s.Section {
		case Undefined:
			if s.Name == "" {
				continue
			}
			a, ok := l.e.find(s.Name)
			if !ok && !s.Weak {
				missing = append(missing, s.Name)
			}
			l.sym[i] = a
			continue
		case Absolute:
			l.sym[i] = uintptr(s.Value)
		case Common:
			l.sym[i] += l.base
		default:
			l.sym[i] = l.addr[s.Section] + uintptr(s.Value)
		}
		if !s.Local && s.Name != "" {
			if _, have := l.e.globals[s.Name]; !have || !s.Weak {
				l.e.globals[s.Name] = l.sym[i]
			}
		}
	}
	if len(missing) > 0 {
		return &MissingError{Names: missing}
	}
	return nil
}

// MissingError lists symbols that nothing defines.
type MissingError struct{ Names []string }

// Error lists the names.
func (m *MissingError) Error() string {
	s := "jit: undefined symbol"
	for i, n := range m.Names {
		if i > 0 {
			s += ","
		}
		s += " " + n
	}
	return s
}

func (e *Engine) find(name string) (uintptr, bool) {
	if a, ok := e.globals[name]; ok {
		return a, true
	}
	if e.resolve != nil {
		if a, ok := e.resolve(name); ok {
			return a, true
		}
	}
	if a, ok := e.processSymbol(name); ok {
		return a, true
	}
	return e.builtin(name)
}

// builtin loads one of the functions that the C library keeps out of its shared
// object, such as atexit.
func (e *Engine) builtin(name string) (uintptr, bool) {
	if e.abi.Builtin == nil {
		return 0, false
	}
	o := e.abi.Builtin(name)
	if o == nil {
		return 0, false
	}
	img, err := NewImage(o)
	if err != nil || e.Load(img) != nil {
		return 0, false
	}
	return e.Lookup(name)
}

// word is the size of an address in bytes.
func (e *Engine) word() int { return e.abi.Machine.PtrSize }

// gotEntry returns the address of the table entry that holds symbol i's address.
func (l *loader) gotEntry(i int) uintptr {
	word := l.e.word()
	n, ok := l.got[i]
	if !ok {
		n = len(l.got)
		l.got[i] = n
		mc.PutInt(l.mem[l.gotAt+n*word:][:word], uint64(l.sym[i]), l.e.abi.Machine.BigEndian)
	}
	return l.base + uintptr(l.gotAt+n*word)
}

// stubFor returns the address of code near by that jumps to symbol i.
func (l *loader) stubFor(i int) uintptr {
	entry := l.gotEntry(i)
	n, ok := l.stub[i]
	if !ok {
		n = len(l.stub)
		l.stub[i] = n
		off := l.stubAt + n*l.e.abi.Stub.Size
		l.e.abi.Stub.Put(l.mem[off:], int64(entry)-int64(l.base)-int64(off)) // within the image, which is below 2 GiB
	}
	return l.base + uintptr(l.stubAt+n*l.e.abi.Stub.Size)
}

// relocate fills in one place.
func (l *loader) relocate(r *Reloc) error {
	off := int(l.addr[r.Section]-l.base) + r.Offset
	p := int64(l.base) + int64(off)
	s := int64(l.sym[r.Symbol])
	name := l.img.Symbols[r.Symbol].Name
	info, ok := l.e.abi.Reloc(r.Type)
	var v int64
	switch info.Form {
	case objabi.Abs:
		v = s + r.Addend
	case objabi.PC, objabi.Call:
		v = s + r.Addend - p
		if info.Bytes == 4 && v != int64(int32(v)) && (info.Form == objabi.Call || l.e.abi.Stub.IsBranch(l.mem, uint64(off))) {
			v = int64(l.stubFor(r.Symbol)) + r.Addend - p
		}
	case objabi.GOTEntry:
		v = int64(l.gotEntry(r.Symbol)) + r.Addend - p
	default:
		ok = info.Name == "NONE"
	}
	switch {
	case !ok:
		return fmt.Errorf("jit: relocation type %d (symbol %s) is not supported", r.Type, name)
	case !l.e.abi.Put(&info, l.mem[off:], v):
		return fmt.Errorf("jit: %s is out of reach of a relocation %s%s: compile with -relocation-model=pic", name, l.e.abi.RelocPrefix, info.Name)
	}
	return nil
}

// arrays lists the functions that the sections called name, or name.priority,
// of a loaded image hold, in the order of their names.
func (e *Engine) arrays(img *Image, name string) []uintptr {
	var order []int
	for i := range img.Sections {
		if n := img.Sections[i].Name; n == name || strings.HasPrefix(n, name+".") {
			order = append(order, i)
		}
	}
	// Those with a priority come first, by their numbers.
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := img.Sections[a].Name, img.Sections[b].Name
		if (x == name) != (y == name) {
			return cmp.Compare(len(y), len(x))
		}
		return strings.Compare(x, y)
	})
	var fns []uintptr
	for _, i := range order {
		b := e.loaded[i]
		for word := e.word(); len(b) >= word; b = b[word:] {
			fns = append(fns, uintptr(mc.GetInt(b[:word], e.abi.Machine.BigEndian)))
		}
	}
	return fns
}
