package ir

import (
	"fmt"
	"runtime"
	"strings"
)

// fail remembers a fault, with the place in the caller's code. The module keeps
// it too, so that what compiles it refuses it (Module.Err).
func (b Builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("%sfunction @%s: "+format, append([]any{callerPlace(), b.f.Name()}, args...)...)
		b.f.Module.note(b.err)
	}
}

// Fail notes a fault of who builds by way of the builder: the first one counts.
func (b Builder) Fail(format string, args ...any) { b.fail(format, args...) }

// Err returns the first fault of those who built the module: of its builders,
// constants and definitions; nil where there was none.
func (m *Module) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.fault
}

func (m *Module) note(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fault == nil {
		m.fault = err
	}
}

func (m *Module) fail(format string, args ...any) {
	m.note(fmt.Errorf("%s"+format, append([]any{callerPlace()}, args...)...))
}

// callerPlace is "file.go:12: " of the code that called this package.
func callerPlace() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "github.com/mirin-go/mirin/ir.") || strings.HasSuffix(f.File, "_test.go") {
			if f.File == "" {
				return ""
			}
			return fmt.Sprintf("%s:%d: ", f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		}
		if !more {
			return ""
		}
	}
}

// known reports whether v is a value of this function and module, and remembers
// the fault. A value of another function whose number exists here too cannot be
// told apart; the verifier sees most of them.
func (b Builder) known(v Value) bool {
	i := int(v.Index())
	ok := false
	switch v.Tag() {
	case TagLocal:
		ok = i > 0 && i < len(b.f.Instrs) && b.f.Instrs[i].Op != OpNone
	case TagConst:
		ok = i > 0 && i < b.pool.Len()
	case TagGlobal:
		ok = i > 0 && i < len(b.f.Module.Globals)
	case TagBlock:
		ok = i > 0 && i < len(b.f.Blocks)
	default:
		ok = v.Tag() <= TagLibrary
	}
	switch {
	case ok:
	case v == 0:
		b.fail("there is no value (the result of an instruction without one, or a variable that was not set)")
	default:
		b.fail("a value of another function or module")
	}
	return ok
}

// knownInstr is known for what an InstrID may be.
func (b Builder) knownInstr(i InstrID) bool {
	if int(i) >= len(b.f.Instrs) {
		b.fail("there is no instruction %d", i)
		return false
	}
	return b.known(Local(i))
}

// knownBlock reports whether blk is a block of this function, and remembers the fault.
func (b Builder) knownBlock(blk BlockID) bool {
	if blk == 0 || int(blk) >= len(b.f.Blocks) {
		b.fail("there is no block %d", blk)
		return false
	}
	return true
}

// knownType reports whether t is a type of this module, and remembers the fault.
func (b Builder) knownType(t Type) bool {
	if t == NoType || int(t) >= b.t.Len() {
		b.fail("there is no type %d", t)
		return false
	}
	return true
}

// sized reports whether values of type t have a size in memory.
func (b Builder) sized(op Op, t Type) bool {
	if !b.knownType(t) {
		return false
	}
	unsized := b.t.AnyPart(t, func(p Type) bool {
		switch b.t.Kind(p) {
		case KindVoid, KindFunction, KindLabel, KindMetadata, KindToken:
			return true
		}
		return b.t.IsOpaque(p)
	})
	if unsized {
		b.fail("%v: %s has no size", op, b.typeName(t))
	}
	return !unsized
}

// poison is a value for what failed; its type may be none.
func (b Builder) poison(t Type) Value {
	if t == NoType || int(t) >= b.t.Len() || t == Void {
		t = Int32
	}
	return b.Poison(t)
}
