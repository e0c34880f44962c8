package interp

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/mirin-go/mirin/ir"
)

// Options control an interpreter. The zero value is strict, with the
// process's files and generous limits.
type Options struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Env is the environment that getenv reads, as os.Environ gives it.
	Env []string
	// Fuel is the number of instructions that may be executed, 0 for no limit.
	Fuel uint64
	// MaxStack is the number of bytes of stack objects, 0 for 8 MiB;
	// MaxDepth the number of nested calls, 0 for a million.
	MaxStack, MaxDepth int
	// MaxMemory is the number of bytes of heap objects alive, 0 for 4 GiB.
	MaxMemory uint64
	// Now is the clock that time, clock and gettimeofday read; nil is time.Now.
	Now     func() time.Time
	Lenient Lenient
}

// Lenient switches off checks, one by one. All false is LLVM's semantics.
type Lenient struct {
	// UndefBranch lets branches, switches and divisors read undef as 0 bits.
	UndefBranch bool
	// NoUndef ignores noundef attributes and metadata for undef (not poison).
	NoUndef bool
	// InBounds keeps getelementptr inbounds from making poison.
	InBounds bool
	// Align ignores alignment of accesses.
	Align bool
	// Flags ignores nsw, nuw, exact, disjoint, nneg, samesign and fast-math flags.
	Flags bool
	// UndefArgs lets C library functions read undefined bits as 0.
	UndefArgs bool
}

// ParseLenient reads the names of checks to switch off, as the command line gives them.
func ParseLenient(names []string) (Lenient, error) {
	var l Lenient
	for n := range strings.SplitSeq(strings.Join(names, ","), ",") {
		switch n {
		case "":
		case "undef-branch":
			l.UndefBranch = true
		case "noundef":
			l.NoUndef = true
		case "inbounds":
			l.InBounds = true
		case "align":
			l.Align = true
		case "flags":
			l.Flags = true
		case "undef-args":
			l.UndefArgs = true
		case "all":
			l = Lenient{true, true, true, true, true, true}
		default:
			return l, fmt.Errorf("there is no check %q", n)
		}
	}
	return l, nil
}

// UB is undefined behaviour that a program ran into.
type UB struct {
	Kind string // as "out of bounds", "branch on poison"
	Msg  string // details
	Position
}

// Error tells kind, details and position.
func (e *UB) Error() string {
	s := "undefined behaviour: " + e.Kind
	if e.Msg != "" {
		s += ": " + e.Msg
	}
	return s + e.Position.String()
}

// NotSupported names something that the interpreter does not do.
type NotSupported struct {
	What string
	Position
}

// Error names what is missing, and where it was needed.
func (e *NotSupported) Error() string {
	return "interp: " + e.What + " is not supported" + e.Position.String()
}

// Stopped is the end of a run by a limit: fuel, stack, memory.
type Stopped struct {
	Reason string
	Position
}

// Error tells which limit was reached, and where.
func (e *Stopped) Error() string { return "interp: " + e.Reason + e.Position.String() }

// Position is a place in the program.
type Position struct {
	Function, Block, Instr string
	// File and Line are the source position when the instruction has one.
	File string
	Line int
	// Poison is the instruction that made poison last, when the report is about
	// poison: most often where it came from.
	Poison string
	// Callers are the functions that were active, innermost first (at most 16).
	Callers []string
}

// String returns the position as the tail of a message.
func (p *Position) String() string {
	if p.Function == "" {
		return ""
	}
	s := "\n  in @" + p.Function
	if p.Block != "" {
		s += ", block %" + p.Block
	}
	if p.Line != 0 {
		s += ", at " + p.File + ":" + strconv.Itoa(p.Line)
	}
	if p.Instr != "" {
		s += "\n  " + p.Instr
	}
	if p.Poison != "" {
		s += "\n  poison came last from " + p.Poison
	}
	for _, c := range p.Callers {
		s += "\n  called from @" + c
	}
	return s
}

// ub makes a report without position; the loop adds it.
func ub(kind, format string, args ...any) *UB {
	return &UB{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}

func unsupported(format string, args ...any) *NotSupported {
	return &NotSupported{What: fmt.Sprintf(format, args...)}
}

// exitError ends the program by exit, _exit or abort.
type exitError struct {
	code int
	run  bool // atexit handlers run
}

func (e *exitError) Error() string { return "exit " + strconv.Itoa(e.code) }

// reg is one register: v holds the bits (zero above the width), u the
// undefined ones. u is not 0 and p is poisonMark for poison. For pointers p is the provenance:
// generation<<32 | index of the object, 0 when any object may be meant.
type reg struct{ v, p, u uint64 }

const poisonMark = 0xffff_ffff << 32 // the generation that no object reaches, of object 0

var poisonReg = reg{u: ^uint64(0), p: poisonMark}

func (r *reg) poison() bool { return r.u != 0 && r.p == poisonMark }

func def(v uint64) reg { return reg{v: v} }

func undefBits(v, u uint64) reg { return reg{v: v &^ u, u: u} }

// Interp runs the functions of one module. It is not safe for several goroutines.
type Interp struct {
	m  *ir.Module
	t  *ir.Types
	dl *ir.DataLayout
	o  Options

	memory
	stack  []reg
	frames []frame
	fuel   int64
	steps  int64

	layouts []*layout // by type
	codes   []*code   // by global, of defined functions
	sws     []switchInfo
	ext     []libFn // by global, of library functions
	globals []reg   // addresses by global, v is 0 until needed
	strs    map[string]reg

	madePoison poisonSource
	lib        libState
}

// New prepares a module for execution. The module must not change afterwards.
func New(m *ir.Module, o Options) (*Interp, error) {
	dl, err := ir.ParseDataLayout(m.DataLayout)
	if err != nil {
		return nil, err
	}
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	if o.Stdout == nil {
		o.Stdout = os.Stdout
	}
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	if o.MaxStack == 0 {
		o.MaxStack = 8 << 20
	}
	if o.MaxDepth == 0 {
		o.MaxDepth = 1 << 20
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = 4 << 30
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	vm := &Interp{m: m, t: m.Types, dl: dl, o: o}
	vm.fuel = int64(^uint64(0) >> 1)
	if o.Fuel != 0 {
		vm.fuel = int64(o.Fuel)
	}
	vm.steps = vm.fuel
	vm.memory.init(dl, o)
	vm.codes = make([]*code, len(m.Globals))
	vm.ext = make([]libFn, len(m.Globals))
	vm.globals = make([]reg, len(m.Globals))
	vm.strs = map[string]reg{}
	vm.stack = make([]reg, frameRegs+1<<10)
	vm.lib.init(vm)
	if err := vm.initGlobals(); err != nil {
		return nil, err
	}
	return vm, nil
}

// Steps returns the number of instructions executed so far, as fuel counts them.
func (vm *Interp) Steps() uint64 { return uint64(vm.steps - vm.fuel) }

// RunMain runs constructors, main with the given arguments (args[0] is the
// program's name), destructors and atexit handlers. exit is what main returned or exit was given.
func (vm *Interp) RunMain(args []string) (exit int, err error) {
	exit, err = vm.runMain(args)
	if e := vm.lib.flushAll(); err == nil && e != nil {
		err = e
	}
	return exit, err
}

func (vm *Interp) runMain(args []string) (int, error) {
	g := vm.m.Lookup("main")
	if g == 0 || vm.m.Globals[g].Func == nil {
		return 1, errors.New("there is no function main")
	}
	code := 0
	err := vm.runXtors("llvm.global_ctors")
	if err == nil {
		params := vm.t.Subtypes(vm.m.Globals[g].ValueType)
		argv := vm.lib.argv(args, vm.o.Env)
		var res []reg
		all := []reg{def(uint64(len(args))), argv, vm.lib.environ}
		res, err = vm.call(g, all[:min(len(params), len(all))])
		if err == nil {
			if len(res) > 0 {
				if res[0].u != 0 {
					return 1, ub("undefined exit status", "main returns undef or poison")
				}
				code = int(res[0].v & 0xff)
			}
			err = &exitError{code: code, run: true}
		}
	}
	for {
		var e *exitError
		if !errors.As(err, &e) {
			return 1, err
		}
		code = e.code
		if !e.run {
			return code, nil
		}
		if n := len(vm.lib.atexit); n > 0 {
			h := vm.lib.atexit[n-1]
			vm.lib.atexit = vm.lib.atexit[:n-1]
			vm.frames = vm.frames[:0]
			if _, herr := vm.callPtr(h.fn, h.args); herr != nil {
				err = herr
			}
			continue
		}
		if !vm.lib.dtorsDone {
			vm.lib.dtorsDone = true
			vm.frames = vm.frames[:0]
			if herr := vm.runXtors("llvm.global_dtors"); herr != nil {
				err = herr
				continue
			}
		}
		return code, nil
	}
}

// Value is a scalar argument or result of Call: up to 64 bits, zero-extended;
// floating-point numbers by their bits. Undef tells which bits are undefined.
type Value struct {
	Bits, Undef uint64
	Poison      bool
}

// Call calls a function with scalar arguments; the results are its scalar
// parts (the lanes of a vector, the members of a struct, the 64-bit words of a wide integer).
func (vm *Interp) Call(fn string, args ...Value) ([]Value, error) {
	g := vm.m.Lookup(fn)
	if g == 0 {
		return nil, fmt.Errorf("there is no function @%s", fn)
	}
	regs := make([]reg, len(args))
	for i, a := range args {
		regs[i] = undefBits(a.Bits, a.Undef)
		if a.Poison {
			regs[i] = poisonReg
		}
	}
	res, err := vm.call(g, regs)
	if e := vm.lib.flushAll(); err == nil && e != nil {
		err = e
	}
	out := make([]Value, len(res))
	for i, r := range res {
		out[i] = Value{Bits: r.v, Undef: r.u}
		if r.poison() {
			out[i] = Value{Poison: true}
		}
	}
	return out, err
}
