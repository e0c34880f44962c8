//go:build !nojit

package jit

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// machines are the stacks that an engine's calls run on. Close waits for the
// calls that are on the way, by their stacks.
type machines struct {
	closed atomic.Bool
	// quick are stacks that a call takes without a lock; which one is tried
	// follows from the goroutine's stack, so that goroutines seldom meet.
	quick [8]atomic.Pointer[machine]
	mu    sync.Mutex
	free  []*machine
	all   []*machine
}

// acquire takes a stack for a call. The caller's frame tells goroutines apart.
func (s *machines) acquire() (*machine, error) {
	var here byte
	k := uintptr(unsafe.Pointer(&here)) >> 11 & uintptr(len(s.quick)-1)
	m := s.quick[k].Load()
	if m == nil || !atomic.CompareAndSwapUint32(&m.busy, 0, 1) {
		var err error
		if m, err = s.acquireSlow(k); err != nil {
			return nil, err
		}
	}
	// Close sets closed before it looks at busy; here it is the other way round,
	// so that one of the two sees the other.
	if s.closed.Load() {
		retire(m)
		return nil, ErrClosed
	}
	return m, nil
}

func (s *machines) acquireSlow(k uintptr) (*machine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return nil, ErrClosed
	}
	for i := len(s.free) - 1; i >= 0; i-- {
		if m := s.free[i]; atomic.CompareAndSwapUint32(&m.busy, 0, 1) {
			return m, nil
		}
	}
	m, err := newMachine()
	if err != nil {
		return nil, err
	}
	atomic.StoreUint32(&m.busy, 1)
	s.all = append(s.all, m)
	if s.quick[k].Load() == nil {
		s.quick[k].Store(m)
	} else {
		s.free = append(s.free, m)
	}
	return m, nil
}

// close waits until no call runs and lets others have the stacks.
func (s *machines) close() {
	s.closed.Store(true)
	s.mu.Lock()
	all := s.all
	s.all, s.free = nil, nil
	s.mu.Unlock()
	for _, m := range all {
		for wait := time.Microsecond; !atomic.CompareAndSwapUint32(&m.busy, 0, 1); wait = min(2*wait, time.Millisecond) {
			time.Sleep(wait)
		}
		freeMachine(m)
	}
	for i := range s.quick {
		s.quick[i].Store(nil)
	}
}

// retire ends a call: its stack is anybody's from now on.
func retire(m *machine)

// begin readies m for a call of pc.
func (m *machine) begin(pc uintptr) {
	m.pc, m.sp, m.nextArg = uint64(pc), uint64(m.top()), 0
}

// pushArgs makes room for n words of arguments on the stack and returns the
// address of the first.
func (m *machine) pushArgs(n int) uintptr {
	m.sp -= uint64(n*8+15) &^ 15
	return uintptr(m.sp)
}

// call runs what begin prepared to its end. A call that ends otherwise than by
// returning is an error; m is the caller's to retire in every case but a panic of
// a callback, which retires it.
func (e *Engine) call(m *machine) error {
	run(m)
	if m.reason == reasonReturn {
		return nil
	}
	return e.outside(m)
}

// outside runs the callbacks of a call, and says how it ended.
func (e *Engine) outside(m *machine) error {
	for {
		switch m.reason {
		case reasonReturn:
			return nil
		case reasonCallback:
			if err := e.runCallback(m); err != nil {
				return err
			}
			if atomic.LoadUint32(&m.cancel) != 0 {
				return ErrCancelled
			}
			goOn(m)
		case reasonCancel:
			return ErrCancelled
		default:
			return e.fault(m)
		}
	}
}

// runCallback runs one callback. Its panic goes on to the caller of the compiled
// code, whose stack is given up; callContext gives up its own.
func (e *Engine) runCallback(m *machine) error {
	done := false
	defer func() {
		if !done && m.wantTID == 0 {
			retire(m)
		}
	}()
	err := dispatch(m)
	done = true
	return err
}

// callContext is call, ended when ctx is.
func (e *Engine) callContext(ctx context.Context, m *machine) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if ctx.Done() == nil {
		return e.call(m)
	}
	m.wantTID = 1
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-ctx.Done():
			m.interrupt(over)
		case <-over:
		}
	}()
	done := false
	defer func() {
		// The stack is nobody's before the watcher has let go of it.
		close(over)
		<-ended
		m.wantTID, m.tid, m.cancel = 0, 0, 0
		if !done {
			retire(m)
		}
	}()
	err := e.call(m)
	done = true
	if err == ErrCancelled {
		return context.Cause(ctx)
	}
	return err
}

// Call calls the C function at addr with integer or pointer arguments and
// returns what it left in its result register. The memory that arguments point
// to is the caller's to keep alive.
func (e *Engine) Call(addr uintptr, args ...uintptr) (uintptr, error) {
	m, err := e.stacks.acquire()
	if err != nil {
		return 0, err
	}
	m.begin(addr)
	for i, a := range args[:min(len(args), 6)] {
		m.words[i] = uint64(a)
	}
	if len(args) > 6 {
		p := m.pushArgs(len(args) - 6)
		for i, a := range args[6:] {
			*at[uint64](p + uintptr(i)*8) = uint64(a)
		}
	}
	err = e.call(m)
	r := uintptr(m.ret[0])
	retire(m)
	return r, err
}
