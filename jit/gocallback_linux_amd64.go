//go:build !nojit

package jit

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Callback gives a Go function an address that compiled code calls, until the
// engine is closed. Its parameters and results are as Bind has them, without
// slices and with strings read from C strings; a last result of type error ends
// the call that compiled code is in, when it is not nil, and so does a panic,
// which goes on in who called compiled code. In neither case do functions between
// them clean up.
//
// Only goroutines that called compiled code can be called back, not threads that
// compiled code makes itself.
func (e *Engine) Callback(fn any) (uintptr, error) {
	h, err := newHandler(fn)
	if err != nil {
		return 0, fmt.Errorf("callback: %w", err)
	}
	return e.addHandler(h)
}

func (e *Engine) addHandler(h handler) (uintptr, error) {
	if err := setUp(); err != nil {
		return 0, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.addHandlerLocked(h)
}

func (e *Engine) addHandlerLocked(h handler) (uintptr, error) {
	if e.closed {
		return 0, ErrClosed
	}
	if n := len(e.stubs); n > 0 {
		if a, ok := e.stubs[n-1].add(h); ok {
			return a, nil
		}
	}
	p, err := newStubPage()
	if err != nil {
		return 0, err
	}
	e.stubs = append(e.stubs, p)
	a, _ := p.add(h)
	return a, nil
}

// newHandler makes the Go side of a callback.
func newHandler(fn any) (handler, error) {
	if h := typedHandler(fn); h != nil {
		return h, nil
	}
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.IsNil() {
		return nil, fmt.Errorf("Go has %T, want a function", fn)
	}
	f := newGoFunc(v.Type())
	if f.context {
		return nil, fmt.Errorf("a context cannot come from compiled code")
	}
	if f.typ.IsVariadic() {
		return nil, fmt.Errorf("%s is variadic", f.typ)
	}
	sig, err := f.signature()
	if err != nil {
		return nil, err
	}
	for _, t := range f.params {
		if t.Kind() == reflect.Slice {
			return nil, fmt.Errorf("a slice cannot come from compiled code")
		}
	}
	for _, t := range f.parts() {
		if t.Kind() == reflect.Slice || t.Kind() == reflect.String {
			return nil, fmt.Errorf("%s cannot be a result", t)
		}
	}
	slots, _ := place(sig.Params)
	results, err := placeResults(sig.Results)
	if err != nil {
		return nil, err
	}
	return func(m *machine) error { return m.reflectCall(v, f, slots, results) }, nil
}

// reflectCall calls a Go function with the arguments that compiled code gave.
func (m *machine) reflectCall(v reflect.Value, f *goFunc, slots, results []slot) error {
	args := make([]reflect.Value, len(f.params))
	for i, t := range f.params {
		args[i] = reflect.New(t).Elem()
		x := m.argument(slots[i])
		if t.Kind() == reflect.String {
			args[i].SetString(cString(uintptr(x)))
		} else {
			setWord(args[i], x)
		}
	}
	out := v.Call(args)
	if f.fails {
		if err, _ := out[len(out)-1].Interface().(error); err != nil {
			return err
		}
	}
	for i, s := range results {
		if f.asStruct {
			m.setResult(s, wordOf(out[0].Field(i)))
		} else {
			m.setResult(s, wordOf(out[i]))
		}
	}
	return nil
}

// argument is what compiled code passed in a slot.
func (m *machine) argument(s slot) uint64 {
	if s.stack {
		return *at[uint64](m.stackWord(s.off))
	}
	return m.words[s.word%uint8(len(m.words))]
}

// wordOf is a result as a register has it.
func wordOf(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return uint64(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return v.Uint()
	case reflect.Float32:
		f := float32(v.Float())
		return uint64(*(*uint32)(unsafe.Pointer(&f)))
	case reflect.Float64:
		f := v.Float()
		return *(*uint64)(unsafe.Pointer(&f))
	}
	return uint64(v.Pointer())
}

// cString reads a C string; "" for a null pointer.
func cString(p uintptr) string {
	if p == 0 {
		return ""
	}
	n := uintptr(0)
	for *at[byte](p + n) != 0 {
		n++
	}
	return string(unsafe.Slice(at[byte](p), n))
}

// typedHandler makes handlers of the function types that programs use most,
// without reflection at each call; nil for others.
func typedHandler(fn any) handler {
	switch f := fn.(type) {
	case func():
		return func(*machine) error { f(); return nil }
	case func() error:
		return func(*machine) error { return f() }
	}
	for _, h := range [...]handler{typedSame[int64](fn), typedSame[int32](fn), typedSame[int](fn), typedSame[uint64](fn), typedSame[uint32](fn),
		typedSame[uintptr](fn), typedSame[float64](fn), typedSame[float32](fn), typedSame[unsafe.Pointer](fn)} {
		if h != nil {
			return h
		}
	}
	return nil
}

func typedSame[T Word](fn any) handler {
	var z T
	first := uint8(0)
	switch any(z).(type) {
	case float32, float64:
		first = 6
	}
	results := []slot{{word: first / 3}}
	arg := func(m *machine, i uint8) T {
		x := m.words[(first+i)%uint8(len(m.words))]
		return *(*T)(unsafe.Pointer(&x))
	}
	give := func(m *machine, v T) {
		var x uint64
		*(*T)(unsafe.Pointer(&x)) = v
		m.setResult(results[0], x)
	}
	switch f := fn.(type) {
	case func() T:
		return func(m *machine) error { give(m, f()); return nil }
	case func(T):
		return func(m *machine) error { f(arg(m, 0)); return nil }
	case func(T) error:
		return func(m *machine) error { return f(arg(m, 0)) }
	case func(T) T:
		return func(m *machine) error { give(m, f(arg(m, 0))); return nil }
	case func(T, T) T:
		return func(m *machine) error { give(m, f(arg(m, 0), arg(m, 1))); return nil }
	case func(T, T):
		return func(m *machine) error { f(arg(m, 0), arg(m, 1)); return nil }
	case func(T) (T, error):
		return func(m *machine) error {
			v, err := f(arg(m, 0))
			give(m, v)
			return err
		}
	}
	return nil
}
