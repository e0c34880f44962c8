//go:build !nojit

package jit

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"unsafe"
)

// caller is a compiled function that Go calls.
type caller struct {
	e          *Engine
	name       string
	entry      *entry
	slots      []slot
	results    []slot
	stackWords int
	bit        bool // the result is an i1
}

// begin takes a stack for a call.
func (c *caller) begin() (*machine, error) {
	m, err := c.e.stacks.acquire()
	if err != nil {
		return nil, fmt.Errorf("function %s: %w", c.name, err)
	}
	m.begin(c.entry.addr.Load())
	return m, nil
}

// A resultKind is where typed calls find a result.
type resultKind uint8

const (
	inInt resultKind = iota
	inFloat
	inBit // one bit; what lies above it is anything
)

func (c *caller) kind() resultKind {
	switch {
	case len(c.results) > 0 && c.results[0].word >= 2:
		return inFloat
	case c.bit:
		return inBit
	}
	return inInt
}

// fail ends a call that did not return.
func (c *caller) fail(m *machine, err error) error {
	retire(m)
	return err
}

// place1 is a register slot as typed calls keep it: the word, and whether narrow
// values are extended by their sign.
type place1 uint8

const signedPlace = 0x80

func (s slot) place1() place1 {
	if s.signed {
		return place1(s.word) | signedPlace
	}
	return place1(s.word)
}

// put stores an argument where it goes.
func put[T Word](m *machine, s place1, v T) {
	var x uint64
	switch unsafe.Sizeof(v) {
	case 8:
		x = *(*uint64)(unsafe.Pointer(&v))
	case 4:
		if x = uint64(*(*uint32)(unsafe.Pointer(&v))); s&signedPlace != 0 {
			x = uint64(int64(int32(x)))
		}
	case 2:
		if x = uint64(*(*uint16)(unsafe.Pointer(&v))); s&signedPlace != 0 {
			x = uint64(int64(int16(x)))
		}
	case 1:
		if x = uint64(*(*uint8)(unsafe.Pointer(&v))); s&signedPlace != 0 {
			x = uint64(int64(int8(x)))
		}
	}
	m.words[s&0xf] = x
}

// get is the result of a call in the first register of its kind.
func get[T Word](m *machine, k resultKind) (v T) {
	switch k {
	case inFloat:
		return *(*T)(unsafe.Pointer(&m.fret[0]))
	case inBit:
		m.ret[0] &= 1
	}
	return *(*T)(unsafe.Pointer(&m.ret[0]))
}

func (m *machine) result(s slot) uint64 {
	if s.word >= 2 {
		return m.fret[s.word&1]
	}
	return m.ret[s.word&1]
}

func (m *machine) setResult(s slot, v uint64) {
	if s.word >= 2 {
		m.fret[s.word&1] = v
	} else {
		m.ret[s.word&1] = v
	}
}

// Func0 to Func4 are typed views of a compiled function, without an allocation a
// call. The error is a *Fault, an *ExitError, ErrClosed, or what a callback gave.
func Func0[R Word](e *Engine, name string, sig *Signature) (func() (R, error), error) {
	var fn func() (R, error)
	c, err := e.newCaller(name, reflect.TypeOf(fn), sig)
	if err != nil {
		return nil, err
	}
	return call0[R](c), nil
}

func call0[R Word](c *caller) func() (R, error) {
	kind := c.kind()
	return func() (r R, err error) {
		m, err := c.begin()
		if err != nil {
			return r, err
		}
		if err := c.e.call(m); err != nil {
			return r, c.fail(m, err)
		}
		r = get[R](m, kind)
		retire(m)
		return r, nil
	}
}

// Func1 is Func0 for functions of one argument.
func Func1[A, R Word](e *Engine, name string, sig *Signature) (func(A) (R, error), error) {
	var fn func(A) (R, error)
	c, err := e.newCaller(name, reflect.TypeOf(fn), sig)
	if err != nil {
		return nil, err
	}
	return call1[A, R](c), nil
}

func call1[A, R Word](c *caller) func(A) (R, error) {
	s0, kind := c.slots[0].place1(), c.kind()
	return func(a A) (r R, err error) {
		m, err := c.begin()
		if err != nil {
			return r, err
		}
		put(m, s0, a)
		err = c.e.call(m)
		runtime.KeepAlive(a)
		if err != nil {
			return r, c.fail(m, err)
		}
		r = get[R](m, kind)
		retire(m)
		return r, nil
	}
}

// Func2 is Func0 for functions of two arguments.
func Func2[A, B, R Word](e *Engine, name string, sig *Signature) (func(A, B) (R, error), error) {
	var fn func(A, B) (R, error)
	c, err := e.newCaller(name, reflect.TypeOf(fn), sig)
	if err != nil {
		return nil, err
	}
	return call2[A, B, R](c), nil
}

func call2[A, B, R Word](c *caller) func(A, B) (R, error) {
	s0, s1, kind := c.slots[0].place1(), c.slots[1].place1(), c.kind()
	return func(a A, b B) (r R, err error) {
		m, err := c.begin()
		if err != nil {
			return r, err
		}
		put(m, s0, a)
		put(m, s1, b)
		err = c.e.call(m)
		runtime.KeepAlive(a)
		runtime.KeepAlive(b)
		if err != nil {
			return r, c.fail(m, err)
		}
		r = get[R](m, kind)
		retire(m)
		return r, nil
	}
}

// Func3 is Func0 for functions of three arguments.
func Func3[A, B, C, R Word](e *Engine, name string, sig *Signature) (func(A, B, C) (R, error), error) {
	var fn func(A, B, C) (R, error)
	c, err := e.newCaller(name, reflect.TypeOf(fn), sig)
	if err != nil {
		return nil, err
	}
	return call3[A, B, C, R](c), nil
}

func call3[A, B, C, R Word](c *caller) func(A, B, C) (R, error) {
	s0, s1, s2, kind := c.slots[0].place1(), c.slots[1].place1(), c.slots[2].place1(), c.kind()
	return func(a0 A, a1 B, a2 C) (r R, err error) {
		m, err := c.begin()
		if err != nil {
			return r, err
		}
		put(m, s0, a0)
		put(m, s1, a1)
		put(m, s2, a2)
		err = c.e.call(m)
		runtime.KeepAlive(a0)
		runtime.KeepAlive(a1)
		runtime.KeepAlive(a2)
		if err != nil {
			return r, c.fail(m, err)
		}
		r = get[R](m, kind)
		retire(m)
		return r, nil
	}
}

// newCaller holds a Go function type to a compiled function's; sig is what is
// known of that, nil when Go's type has to be believed.
func (e *Engine) newCaller(name string, t reflect.Type, sig *Signature) (*caller, error) {
	c, _, err := e.prepare(name, newGoFunc(t), sig)
	if err == nil && c.stackWords > 0 {
		return nil, fmt.Errorf("function %s: an argument on the stack is not supported here; Bind passes it", name)
	}
	return c, err
}

func (e *Engine) prepare(name string, f *goFunc, sig *Signature) (*caller, *Signature, error) {
	fail := func(err error) (*caller, *Signature, error) {
		return nil, nil, fmt.Errorf("function %s: %w", name, err)
	}
	x := e.entryOf(name)
	if x == nil {
		return nil, nil, fmt.Errorf("there is no function %s", name)
	}
	own, err := f.signature()
	if sig == nil {
		if err != nil {
			return fail(err)
		}
		sig = own
	}
	if err := f.match(sig); err != nil {
		return fail(err)
	}
	c := &caller{e: e, name: name, entry: x}
	c.slots, c.stackWords = place(sig.Params)
	if c.results, err = placeResults(sig.Results); err != nil {
		return fail(err)
	}
	c.bit = len(sig.Results) == 1 && sig.Results[0].Kind == Int && sig.Results[0].Bits == 1
	return c, sig, nil
}

// Bind makes the function variable that fn points to call the compiled
// function called name, by the C calling convention:
//
//	var add func(a, b int32) int32
//	err := e.Bind("add", &add, nil)
//
// Arguments are integers, floats, bools, pointers, slices (as the address of their
// first element) and strings (as a C string that lives as long as the call);
// results are several of them, or the fields of one structure. Structures are
// passed where the function takes them by value on the stack, or returns them
// through a pointer. Go's type is held to sig when that is not nil.
//
// A last result of type error takes what else can become of a call: a *Fault, an
// *ExitError, ErrClosed, a callback's error; without one the call panics with it.
// A first parameter of type context.Context ends the call when it is done.
func (e *Engine) Bind(name string, fn any, sig *Signature) error {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Func {
		return fmt.Errorf("function %s: Go has %T, want a pointer to a function variable", name, fn)
	}
	f := newGoFunc(v.Elem().Type())
	c, sig, err := e.prepare(name, f, sig)
	if err != nil {
		return err
	}
	// Typed calls know registers alone; a structure by value of a word's size looks like a word.
	if c.stackWords > 0 || !bindTyped(c, fn) {
		v.Elem().Set(reflect.MakeFunc(f.typ, c.reflected(f, sig)))
	}
	return nil
}

// reflected is the way of every call that has no typed one.
func (c *caller) reflected(f *goFunc, sig *Signature) func([]reflect.Value) []reflect.Value {
	sret := len(sig.Params) > 0 && sig.Params[0].Kind == SRet
	return func(args []reflect.Value) []reflect.Value {
		ctx := context.Background()
		if f.context {
			if !args[0].IsNil() {
				ctx = args[0].Interface().(context.Context)
			}
			args = args[1:]
		}
		out := make([]reflect.Value, len(f.results), len(f.results)+1)
		for i, t := range f.results {
			out[i] = reflect.New(t).Elem()
		}
		m, err := c.begin()
		if err == nil {
			var keep []any
			slots := c.slots
			base := m.pushArgs(c.stackWords)
			if sret {
				m.store(slots[0], base, uint64(uintptr(out[0].Addr().UnsafePointer())))
				slots = slots[1:]
			}
			for i, a := range args {
				keep = m.pass(slots[i], base, a, keep)
			}
			err = c.e.callContext(ctx, m)
			runtime.KeepAlive(args)
			runtime.KeepAlive(keep)
			if err == nil && !sret {
				c.results2go(m, f, out)
			}
			retire(m)
		}
		if f.fails {
			e := reflect.New(errorType).Elem()
			if err != nil {
				e.Set(reflect.ValueOf(err))
			}
			return append(out, e)
		}
		if err != nil {
			panic(err)
		}
		return out
	}
}

// store puts a word into its register or on the stack.
func (m *machine) store(s slot, base uintptr, x uint64) {
	if s.stack {
		*at[uint64](base + uintptr(s.off)*8) = x
		return
	}
	m.words[s.word] = x
}

// pass puts an argument where it goes; keep holds what was made for it.
func (m *machine) pass(s slot, base uintptr, a reflect.Value, keep []any) []any {
	if s.size > 0 {
		// Through memory of its own, which a structure in a Value need not have.
		p := reflect.New(a.Type())
		p.Elem().Set(a)
		src := unsafe.Slice((*byte)(p.UnsafePointer()), s.size)
		copy(unsafe.Slice(at[byte](base+uintptr(s.off)*8), s.size), src)
		return keep
	}
	var x uint64
	switch a.Kind() {
	case reflect.Bool:
		if a.Bool() {
			x = 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if x = uint64(a.Int()); !s.signed {
			x &= 1<<(a.Type().Bits()-1)<<1 - 1
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		x = a.Uint()
	case reflect.Float32:
		f := float32(a.Float())
		x = uint64(*(*uint32)(unsafe.Pointer(&f)))
	case reflect.Float64:
		f := a.Float()
		x = *(*uint64)(unsafe.Pointer(&f))
	case reflect.String:
		b := append([]byte(a.String()), 0)
		keep = append(keep, b)
		x = uint64(uintptr(unsafe.Pointer(&b[0])))
	default:
		x = uint64(uintptr(a.UnsafePointer()))
	}
	m.store(s, base, x)
	return keep
}

// results2go moves the results of a call into Go values.
func (c *caller) results2go(m *machine, f *goFunc, out []reflect.Value) {
	for i, s := range c.results {
		v := m.result(s)
		if f.asStruct {
			setWord(out[0].Field(i), v)
		} else {
			setWord(out[i], v)
		}
	}
}

// setWord sets an addressable value to the low bytes of a register. It goes
// around reflection, which refuses fields that are not exported.
func setWord(v reflect.Value, x uint64) {
	p := v.Addr().UnsafePointer()
	switch v.Type().Size() {
	case 8:
		*(*uint64)(p) = x
	case 4:
		*(*uint32)(p) = uint32(x)
	case 2:
		*(*uint16)(p) = uint16(x)
	case 1:
		if v.Kind() == reflect.Bool {
			x &= 1
		}
		*(*uint8)(p) = uint8(x)
	}
}

// bindTyped binds the function types that programs use most, without reflection
// at each call.
func bindTyped(c *caller, fn any) bool {
	switch f := fn.(type) {
	case *func():
		g := call0[Void](c)
		*f = func() { must(g()) }
	case *func() error:
		g := call0[Void](c)
		*f = func() error { _, err := g(); return err }
	default:
		return bindSame[int64](c, fn) || bindSame[int32](c, fn) || bindSame[int](c, fn) || bindSame[uint64](c, fn) ||
			bindSame[uint32](c, fn) || bindSame[uintptr](c, fn) || bindSame[float64](c, fn) || bindSame[float32](c, fn) ||
			bindPointer[int64](c, fn) || bindPointer[int](c, fn) || bindPointer[uint64](c, fn)
	}
	return true
}

// bindSame binds functions whose arguments and result are of one type.
func bindSame[T Word](c *caller, fn any) bool {
	switch f := fn.(type) {
	case *func() T:
		g := call0[T](c)
		*f = func() T { return must(g()) }
	case *func(T) T:
		g := call1[T, T](c)
		*f = func(a T) T { return must(g(a)) }
	case *func(T):
		g := call1[T, Void](c)
		*f = func(a T) { must(g(a)) }
	case *func(T, T) T:
		g := call2[T, T, T](c)
		*f = func(a, b T) T { return must(g(a, b)) }
	case *func(T, T, T) T:
		g := call3[T, T, T, T](c)
		*f = func(a0, a1, a2 T) T { return must(g(a0, a1, a2)) }
	case *func() (T, error):
		*f = call0[T](c)
	case *func(T) (T, error):
		*f = call1[T, T](c)
	case *func(T, T) (T, error):
		*f = call2[T, T, T](c)
	case *func(T, T, T) (T, error):
		*f = call3[T, T, T, T](c)
	default:
		return false
	}
	return true
}

// bindPointer binds functions over memory and a number.
func bindPointer[T Word](c *caller, fn any) bool {
	switch f := fn.(type) {
	case *func(unsafe.Pointer) T:
		g := call1[unsafe.Pointer, T](c)
		*f = func(p unsafe.Pointer) T { return must(g(p)) }
	case *func(unsafe.Pointer) (T, error):
		*f = call1[unsafe.Pointer, T](c)
	case *func(unsafe.Pointer, T):
		g := call2[unsafe.Pointer, T, Void](c)
		*f = func(p unsafe.Pointer, n T) { must(g(p, n)) }
	case *func(unsafe.Pointer, T) T:
		g := call2[unsafe.Pointer, T, T](c)
		*f = func(p unsafe.Pointer, n T) T { return must(g(p, n)) }
	case *func(unsafe.Pointer, T) (T, error):
		*f = call2[unsafe.Pointer, T, T](c)
	case *func(unsafe.Pointer, unsafe.Pointer, T):
		g := call3[unsafe.Pointer, unsafe.Pointer, T, Void](c)
		*f = func(p, q unsafe.Pointer, n T) { must(g(p, q, n)) }
	default:
		return false
	}
	return true
}

// must gives what has no error result to take it to the caller as a panic.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
