//go:build !nojit

package jit

// ownFunction makes the functions that a program ends and prepares its end with:
// the C library's would end the process. It runs while e.mu is held.
func (e *Engine) ownFunction(name string) (uintptr, bool) {
	var h handler
	switch name {
	case "exit", "_exit", "_Exit", "quick_exit":
		h = func(m *machine) error { return &ExitError{Code: int(int32(m.words[0]))} }
	case "abort":
		h = func(*machine) error { return &ExitError{Aborted: true} }
	case "__cxa_atexit":
		h = func(m *machine) error { return e.addExit(m, uintptr(m.words[0]), uintptr(m.words[1])) }
	case "atexit":
		h = func(m *machine) error { return e.addExit(m, uintptr(m.words[0]), 0) }
	default:
		return 0, false
	}
	a, err := e.addHandlerLocked(h)
	return a, err == nil
}

// addExit notes a call for Close, and tells compiled code that it did.
func (e *Engine) addExit(m *machine, fn, arg uintptr) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.atExit = append(e.atExit, exitCall{fn, arg})
	m.ret[0] = 0
	return nil
}
