//go:build !nojit

package jit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mirin-go/mirin/objabi"
)

// Engine holds loaded code. All its methods may be called from several
// goroutines, and so may the code that it holds.
type Engine struct {
	abi    *objabi.ABI
	cfg    Config
	stacks machines

	mu      sync.RWMutex
	globals map[string]*entry
	images  []*image // by address
	stubs   []*stubPage
	atExit  []exitCall // what __cxa_atexit was told
	size    int
	closed  bool
}

// entry is a global symbol: what Go's function variables and, where functions can
// be replaced, compiled code refer to.
type entry struct {
	addr  atomic.Uintptr
	weak  bool // another definition may take its place while images are loaded
	words []uintptr
}

// exitCall is a call that is due when the engine is closed.
type exitCall struct{ fn, arg uintptr }

// span is a range of addresses.
type span struct{ lo, hi uintptr }

// function is a function's place and name.
type function struct {
	span
	name string
}

// image is a loaded Image.
type image struct {
	mem      []byte
	code     span
	rangeNo  int
	funcs    []function // by address
	frames   []byte     // .eh_frame
	framesAt uintptr
	init     []uintptr
	fini     []uintptr
}

var errNoABI = errors.New("jit: there is no code generator for this machine")

// New returns an engine for code of the ABI of this process, nil where there is none.
func New(abi *objabi.ABI, cfg Config) *Engine {
	return &Engine{abi: abi, cfg: cfg, globals: map[string]*entry{}}
}

// Load maps images, which may refer to each other, and makes them ready to run,
// then runs their constructors. Nothing of them stays when that fails.
func (e *Engine) Load(imgs ...*Image) error { return e.load(imgs, false) }

// Replace is Load, but global functions that exist already get the new images'
// code: calls that begin later run it, those on their way go on in the old code,
// which stays until the engine is closed. Addresses that a program keeps in its
// own memory stay those of the old code.
func (e *Engine) Replace(imgs ...*Image) error {
	if !e.cfg.Replaceable {
		return errors.New("jit: the engine's code is not replaceable")
	}
	return e.load(imgs, true)
}

func (e *Engine) load(imgs []*Image, replace bool) error {
	if e.abi == nil {
		return errNoABI
	}
	if err := setUp(); err != nil {
		return err
	}
	init, err := e.loadLocked(imgs, replace)
	if err != nil {
		return err
	}
	for _, f := range init {
		if _, err := e.Call(f); err != nil {
			return fmt.Errorf("jit: a constructor: %w", err)
		}
	}
	return nil
}

// Lookup returns the address of a global symbol of the loaded images.
func (e *Engine) Lookup(name string) (uintptr, bool) {
	if x := e.entryOf(name); x != nil {
		return x.addr.Load(), true
	}
	return 0, false
}

func (e *Engine) entryOf(name string) *entry {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.globals[name]
}

// Symbols lists the global symbols by name.
func (e *Engine) Symbols() []string {
	e.mu.RLock()
	defer e.mu.RUnlock()
	names := make([]string, 0, len(e.globals))
	for n := range e.globals {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Code returns the bytes of a function and where they are.
func (e *Engine) Code(name string) (code []byte, addr uintptr, ok bool) {
	addr, ok = e.Lookup(name)
	if !ok {
		return nil, 0, false
	}
	img := e.imageAt(addr)
	if img == nil {
		return nil, 0, false
	}
	if f := img.function(addr); f != nil && f.lo == addr {
		base := img.base()
		return slices.Clone(img.mem[f.lo-base : f.hi-base]), addr, true
	}
	return nil, 0, false
}

// imageAt finds the image whose code an address lies in.
func (e *Engine) imageAt(pc uintptr) *image {
	e.mu.RLock()
	defer e.mu.RUnlock()
	i, ok := slices.BinarySearchFunc(e.images, pc, func(g *image, pc uintptr) int { return compareSpan(g.code, pc) })
	if !ok {
		return nil
	}
	return e.images[i]
}

func compareSpan(s span, pc uintptr) int {
	switch {
	case pc < s.lo:
		return 1
	case pc >= s.hi:
		return -1
	}
	return 0
}

// function finds the function that an address lies in.
func (img *image) function(pc uintptr) *function {
	i, ok := slices.BinarySearchFunc(img.funcs, pc, func(f function, pc uintptr) int { return compareSpan(f.span, pc) })
	if !ok {
		return nil
	}
	return &img.funcs[i]
}

// frame names the function of an address.
func (e *Engine) frame(pc uintptr) Frame {
	f := Frame{PC: pc}
	if img := e.imageAt(pc); img != nil {
		if g := img.function(pc); g != nil {
			f.Func, f.Offset = g.name, pc-g.lo
		}
	}
	return f
}

// index makes an image's table of functions.
func (l *loader) index(out *image) {
	for i := range l.img.Symbols {
		s := &l.img.Symbols[i]
		if s.Section < 0 || !l.img.Sections[s.Section].Exec || s.Name == "" || strings.HasPrefix(s.Name, ".L") {
			continue
		}
		lo := l.addr[s.Section] + uintptr(s.Value)
		out.funcs = append(out.funcs, function{span{lo, lo + uintptr(s.Size)}, s.Name})
	}
	slices.SortStableFunc(out.funcs, func(a, b function) int { return cmp.Compare(a.lo, b.lo) })
	// What has no size, as assembly may, ends where the next begins; of several names the first stays.
	out.funcs = slices.CompactFunc(out.funcs, func(a, b function) bool { return a.lo == b.lo })
	for i := range out.funcs {
		f := &out.funcs[i]
		next := out.code.hi
		if i+1 < len(out.funcs) {
			next = out.funcs[i+1].lo
		}
		if f.hi == f.lo || f.hi > next {
			f.hi = next
		}
	}
}

// Close runs what the code registered for its end, waits for the calls that are
// on their way, and unmaps everything. Calls that begin later fail with ErrClosed.
// A callback must not close the engine that called it.
func (e *Engine) Close() error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.closed = true
	exits := e.atExit
	var fini []uintptr
	for _, img := range e.images {
		fini = append(fini, img.fini...)
	}
	e.mu.Unlock()
	var errs []error
	for i := len(exits) - 1; i >= 0; i-- {
		if _, err := e.Call(exits[i].fn, exits[i].arg); err != nil {
			errs = append(errs, fmt.Errorf("jit: at exit: %w", err))
		}
	}
	for i := len(fini) - 1; i >= 0; i-- {
		if _, err := e.Call(fini[i]); err != nil {
			errs = append(errs, fmt.Errorf("jit: a destructor: %w", err))
		}
	}
	e.stacks.close()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, img := range e.images {
		dropRange(img.rangeNo)
		errs = append(errs, unmapMemory(img.mem))
	}
	for _, p := range e.stubs {
		errs = append(errs, p.free())
	}
	e.images, e.stubs, e.globals = nil, nil, map[string]*entry{}
	return errors.Join(errs...)
}
