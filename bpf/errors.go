package bpf

import (
	"errors"
	"fmt"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target"
	backend "github.com/mirin-go/mirin/target/bpf"
)

// Error is why a function cannot be compiled.
type Error struct {
	Func string
	// File and Line are the place in the source, "" and 0 where the module does not say.
	File string
	Line int
	// Stack is the stack's size in bytes and Variables what lies there, the largest first, where
	// the function has more than the kernel's 512 bytes.
	Stack     int64
	Variables []Variable
	Err       error
}

// Variable is something on the stack.
type Variable struct {
	Name string
	Size int64 // bytes
}

func (e *Error) Error() string {
	if e.File != "" {
		return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
	}
	return e.Err.Error()
}

// Unwrap gives the compiler's own error.
func (e *Error) Unwrap() error { return e.Err }

// describe makes an Error of each of the compiler's.
func describe(m *ir.Module, errs []error) []error {
	out := make([]error, len(errs))
	for i, err := range errs {
		e := &Error{Err: err}
		out[i] = e
		var u *target.Unsupported
		var s *backend.StackOverflow
		switch {
		case errors.As(err, &s):
			e.Func, e.Stack = s.Func, s.Size
			for _, o := range s.Objects {
				e.Variables = append(e.Variables, Variable{o.Name, o.Size})
			}
		case errors.As(err, &u):
			e.Func = u.Func
			if l, ok := m.MD.Location(ir.MDID(u.Loc)); ok && u.Loc != 0 {
				e.Line, e.File = int(l.Line), fileOf(m, l.Scope)
			}
		}
		if e.File == "" {
			e.ofFunction(m)
		}
	}
	return out
}

// ofFunction takes the place where the function begins.
func (e *Error) ofFunction(m *ir.Module) {
	id := m.Lookup(e.Func)
	if id == 0 {
		return
	}
	for _, a := range m.Globals[id].MD {
		if n := m.MD.At(a.Node); n != nil && n.Str == "DISubprogram" {
			e.Line, e.File = int(n.FieldInt("line")), fileOf(m, a.Node)
		}
	}
}

// fileOf is the file of a scope.
func fileOf(m *ir.Module, scope ir.MDID) string {
	n := m.MD.At(scope)
	if n == nil {
		return ""
	}
	f := m.MD.At(n.FieldNode("file"))
	if f == nil {
		return ""
	}
	name, dir := f.FieldText("filename"), f.FieldText("directory")
	if dir != "" && len(name) > 0 && name[0] != '/' {
		return dir + "/" + name
	}
	return name
}
