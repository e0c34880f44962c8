//go:build !nojit

package jit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/objabi"
)

const (
	pageSize     = 4096
	maxImageSize = 1 << 31
)

// loader is the state of loading one image. The mapping is laid out as
// executable sections and stubs, then read-only sections, then writable ones,
// each group on pages of its own. The table of addresses is read-only, unless
// functions can be replaced.
type loader struct {
	e      *Engine
	img    *Image
	mem    []byte
	base   uintptr
	ends   [3]int    // of the three groups
	align  int       // of base: what a section wants, at least a page
	addr   []uintptr // of each section
	sym    []uintptr // of each symbol; 0 when undefined and weak
	own    []uintptr // of each symbol that the image defines, though another definition may be the one that counts
	got    map[int]int
	stub   map[int]int
	gotAt  int
	stubAt int
}

// loadLocked does all of load but running code; it returns the constructors.
func (e *Engine) loadLocked(imgs []*Image, replace bool) (init []uintptr, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, ErrClosed
	}
	ls := make([]*loader, len(imgs))
	size := e.size
	defer func() {
		if err != nil {
			for _, l := range ls {
				if l != nil && l.mem != nil {
					unmapMemory(l.mem)
				}
			}
		}
	}()
	for i, img := range imgs {
		l := &loader{e: e, img: img, got: map[int]int{}, stub: map[int]int{}}
		ls[i] = l
		if err := l.layOut(); err != nil {
			return nil, err
		}
		if size += l.ends[2]; e.cfg.MaxMemory > 0 && size > e.cfg.MaxMemory {
			return nil, fmt.Errorf("jit: the program takes more than %d bytes", e.cfg.MaxMemory)
		}
		if err := l.mapSections(); err != nil {
			return nil, err
		}
	}
	news, err := e.define(ls, replace)
	if err != nil {
		return nil, err
	}
	if err := e.link(ls, news); err != nil {
		return nil, err
	}
	for _, l := range ls {
		if err := l.protect(); err != nil {
			return nil, err
		}
	}
	// From here on nothing fails.
	e.size = size
	e.publish(ls, news)
	for _, l := range ls {
		img := l.finish()
		e.tell(img)
		i, _ := slices.BinarySearchFunc(e.images, img.code.lo, func(g *image, lo uintptr) int { return cmp.Compare(g.code.lo, lo) })
		e.images = slices.Insert(e.images, i, img)
		init = append(init, img.init...)
	}
	return init, nil
}

// tell writes an image's functions for perf.
func (e *Engine) tell(img *image) {
	if e.cfg.PerfMap == nil {
		return
	}
	var b []byte
	for k := range img.funcs {
		f := &img.funcs[k]
		b = fmt.Appendf(b, "%x %x %s\n", f.lo, f.hi-f.lo, f.name)
	}
	e.cfg.PerfMap.Write(b)
}

// layOut assigns offsets to sections, stubs, address table and common symbols.
func (l *loader) layOut() error {
	l.addr = make([]uintptr, len(l.img.Sections))
	l.own = make([]uintptr, len(l.img.Symbols))
	at := 0
	l.align = pageSize
	place := func(size, align int) int {
		align = max(align, 1)
		l.align = max(l.align, align)
		at = (at + align - 1) &^ (align - 1)
		off := at
		at += size
		return off
	}
	// Every symbol that other images may define needs at most a stub and a word.
	need := 0
	for i := range l.img.Symbols {
		if s := &l.img.Symbols[i]; s.Section == Undefined || !s.Local {
			need++
		}
	}
	gotGroup := 1
	if l.e.cfg.Replaceable {
		gotGroup = 2
	}
	for group := range 3 {
		for i := range l.img.Sections {
			s := &l.img.Sections[i]
			if g := groupOf(s); g == group {
				l.addr[i] = uintptr(place(s.Size, s.Align))
			}
			if at > maxImageSize || l.align > maxImageSize/2 {
				return fmt.Errorf("jit: an image of 2 GiB or more is not supported")
			}
		}
		if group == 0 {
			l.stubAt = place(need*l.e.abi.Stub.Size, l.e.abi.Stub.Size)
		}
		if group == gotGroup {
			l.gotAt = place(len(l.img.Symbols)*l.e.word(), l.e.word())
		}
		if group == 2 {
			for i := range l.img.Symbols {
				if s := &l.img.Symbols[i]; s.Section == Common {
					l.own[i] = uintptr(place(int(s.Size), int(s.Value)))
				}
			}
		}
		at = (at + pageSize - 1) &^ (pageSize - 1)
		l.ends[group] = at
	}
	if at >= maxImageSize {
		return fmt.Errorf("jit: an image of 2 GiB or more is not supported")
	}
	l.ends[2] = max(l.ends[2], pageSize)
	return nil
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

// mapSections takes memory and fills it.
func (l *loader) mapSections() (err error) {
	if l.mem, err = mapAligned(l.ends[2], l.align); err != nil {
		return fmt.Errorf("jit: mapping %d bytes: %w", l.ends[2], err)
	}
	l.base = uintptr(unsafe.Pointer(&l.mem[0]))
	for i := range l.img.Sections {
		l.addr[i] += l.base
		copy(l.mem[l.addr[i]-l.base:], l.img.Sections[i].Data)
	}
	for i := range l.img.Symbols {
		switch s := &l.img.Symbols[i]; s.Section {
		case Undefined:
		case Absolute:
			l.own[i] = uintptr(s.Value)
		case Common:
			l.own[i] += l.base
		default:
			l.own[i] = l.addr[s.Section] + uintptr(s.Value)
		}
	}
	return nil
}

// definition is what a batch of images makes of a global symbol.
type definition struct {
	addr uintptr
	weak bool
}

// define collects the global symbols that images define: a strong definition
// stands above weak and common ones, and those that are loaded already above all,
// unless they are replaced.
func (e *Engine) define(ls []*loader, replace bool) (map[string]definition, error) {
	news := map[string]definition{}
	for _, l := range ls {
		for i := range l.img.Symbols {
			s := &l.img.Symbols[i]
			if s.Section == Undefined || s.Local || s.Name == "" {
				continue
			}
			weak := s.Weak || s.Section == Common
			have, twice := news[s.Name]
			if old := e.globals[s.Name]; old != nil && !replace {
				if weak {
					continue
				}
				// Code that is there already refers to a weak one.
				return nil, fmt.Errorf("jit: symbol %s is defined twice", s.Name)
			}
			switch {
			case !twice || have.weak && !weak:
				news[s.Name] = definition{l.own[i], weak}
			case !weak:
				return nil, fmt.Errorf("jit: symbol %s is defined twice", s.Name)
			}
		}
	}
	return news, nil
}

// link finds what symbols are and fills in all places.
func (e *Engine) link(ls []*loader, news map[string]definition) error {
	var missing []string
	for _, l := range ls {
		l.sym = slices.Clone(l.own)
		for i := range l.img.Symbols {
			s := &l.img.Symbols[i]
			if s.Name == "" || s.Local {
				continue
			}
			if d, ok := news[s.Name]; ok {
				l.sym[i] = d.addr
				continue
			}
			if x := e.globals[s.Name]; x != nil {
				l.sym[i] = x.addr.Load()
				continue
			}
			if s.Name == "__dso_handle" { // what tells libraries apart: any address of the image
				l.sym[i] = l.base
				continue
			}
			a, ok := e.find(s.Name)
			if !ok && !s.Weak {
				missing = append(missing, s.Name)
			}
			l.sym[i] = a
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return &MissingError{Names: slices.Compact(missing)}
	}
	for _, l := range ls {
		for i := range l.img.Relocs {
			if err := l.relocate(&l.img.Relocs[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// publish makes definitions those that later images, lookups and, where functions
// are replaced, all code see.
func (e *Engine) publish(ls []*loader, news map[string]definition) {
	for name, d := range news {
		x := e.globals[name]
		if x == nil {
			x = &entry{}
			e.globals[name] = x
		}
		x.weak = d.weak
		x.addr.Store(d.addr)
		for _, w := range x.words {
			atomic.StoreUintptr(at[uintptr](w), d.addr)
		}
	}
	if !e.cfg.Replaceable {
		return
	}
	for _, l := range ls {
		for i, n := range l.got {
			if x := e.globals[l.img.Symbols[i].Name]; x != nil && !l.img.Symbols[i].Local {
				x.words = append(x.words, l.base+uintptr(l.gotAt+n*e.word()))
			}
		}
	}
}

// protect ends writing to code and constants.
func (l *loader) protect() error {
	if err := protect(l.mem[:l.ends[0]], true); err != nil {
		return err
	}
	return protect(l.mem[l.ends[0]:l.ends[1]], false)
}

// finish makes the record of an image that is loaded.
func (l *loader) finish() *image {
	out := &image{mem: l.mem, code: span{l.base, l.base + uintptr(l.ends[0])}}
	out.rangeNo = addRange(out.code.lo, out.code.hi)
	l.index(out)
	for i := range l.img.Sections {
		if s := &l.img.Sections[i]; s.Name == ".eh_frame" {
			out.frames, out.framesAt = l.sectionBytes(i), l.addr[i]
		}
	}
	out.init, out.fini = l.arrays(".init_array"), l.arrays(".fini_array")
	return out
}

func (img *image) base() uintptr { return uintptr(unsafe.Pointer(&img.mem[0])) }

func (l *loader) sectionBytes(i int) []byte {
	off := int(l.addr[i] - l.base)
	return l.mem[off : off+l.img.Sections[i].Size]
}

// find looks a name up outside of the images.
func (e *Engine) find(name string) (uintptr, bool) {
	if e.cfg.Resolve != nil {
		if a, ok := e.cfg.Resolve(name); ok {
			return a, true
		}
	}
	if a, ok := e.ownFunction(name); ok {
		return a, true
	}
	if e.cfg.Library != nil {
		return e.cfg.Library(name)
	}
	return 0, false
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
		if l.replaceable(r.Symbol) && l.e.abi.Stub.IsBranch(l.mem, uint64(off)) {
			v = int64(l.stubFor(r.Symbol)) + r.Addend - p
		}
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

// replaceable reports whether a symbol is a function that another may replace.
func (l *loader) replaceable(i int) bool {
	s := &l.img.Symbols[i]
	return l.e.cfg.Replaceable && !s.Local && s.Name != "" && (s.Section == Undefined || s.Section >= 0 && l.img.Sections[s.Section].Exec)
}

// arrays lists the functions that the sections called name, or name.priority,
// of an image hold, in the order of their names.
func (l *loader) arrays(name string) []uintptr {
	var order []int
	for i := range l.img.Sections {
		if n := l.img.Sections[i].Name; n == name || strings.HasPrefix(n, name+".") {
			order = append(order, i)
		}
	}
	// Those with a priority come first, by their numbers.
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := l.img.Sections[a].Name, l.img.Sections[b].Name
		if (x == name) != (y == name) {
			return cmp.Compare(len(y), len(x))
		}
		return strings.Compare(x, y)
	})
	var fns []uintptr
	for _, i := range order {
		b := l.sectionBytes(i)
		for word := l.e.word(); len(b) >= word; b = b[word:] {
			if f := uintptr(mc.GetInt(b[:word], l.e.abi.Machine.BigEndian)); f != 0 && f != ^uintptr(0) {
				fns = append(fns, f)
			}
		}
	}
	return fns
}
