package mirin

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/jit"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/all"
)

// A Fault is the error of a call whose compiled code did what the processor
// refuses: a division by zero, an access to memory that is not there, a stack
// overflow, llvm.trap. It names the functions that were running.
type Fault = jit.Fault

// An ExitError is the error of a call whose compiled code called exit or abort.
type ExitError = jit.ExitError

// ErrClosed is the error of calls of a program that was closed.
var ErrClosed = jit.ErrClosed

// Word is a type whose values Func1 and its like pass.
type Word = jit.Word

// Void is the result type of functions that have none, for Func1 and its like.
type Void = jit.Void

// Program is code in this process: modules that were compiled and loaded, and
// may call each other, Go functions and, where Options.Library is given, a C
// library. All its methods may be called from several goroutines, and so may the
// functions that Func gives.
type Program struct {
	engine  *jit.Engine
	options Options

	mu       sync.Mutex
	sigs     map[string]*jit.Signature
	resolved map[string]uintptr // what Symbols and mathematics are
	helpers  bool               // the run-time functions are loaded
}

// NewProgram returns a program without code for this machine.
func NewProgram(o *Options) (*Program, error) {
	p := &Program{sigs: map[string]*jit.Signature{}, resolved: map[string]uintptr{}}
	if o != nil {
		p.options = *o
	}
	t := all.Native()
	if t == nil {
		return nil, fmt.Errorf("there is no code generator for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	m, err := target.NewMachine(t, target.Options{Triple: all.DefaultTriple})
	if err != nil {
		return nil, err
	}
	p.engine = jit.New(m.ABI(), jit.Config{
		Resolve:     func(name string) (uintptr, bool) { a, ok := p.resolved[name]; return a, ok },
		Library:     p.options.Library,
		Replaceable: p.options.Replaceable,
		MaxMemory:   p.options.MaxMemory,
		PerfMap:     p.options.PerfMap,
	})
	return p, nil
}

// Load compiles a module and loads it, as a program of its own.
func Load(m *ir.Module, o *Options) (*Program, error) {
	p, err := NewProgram(o)
	if err != nil {
		return nil, err
	}
	if err := p.Add(m); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Add compiles modules, which may refer to each other and to what is there
// already, loads them, and runs their constructors (llvm.global_ctors). Names that
// nothing defines are looked up in Options.Symbols, Options.Library and Builtins.
func (p *Program) Add(mods ...*ir.Module) error { return p.add(mods, p.engine.Load) }

// Replace is Add, but functions that are there already get new code, by
// Options.Replaceable. Calls on their way end in the old code; addresses that a
// program has in its own memory stay those of the old functions.
func (p *Program) Replace(mods ...*ir.Module) error { return p.add(mods, p.engine.Replace) }

func (p *Program) add(mods []*ir.Module, load func(...*jit.Image) error) error {
	imgs := make([]*jit.Image, len(mods))
	var undefined []string
	for i, m := range mods {
		j, err := job(m, &p.options, true)
		if err != nil {
			return err
		}
		if j.Machine.Target != all.Native() {
			return fmt.Errorf("code for %s does not run on %s/%s", j.Machine.Target.Name, runtime.GOOS, runtime.GOARCH)
		}
		obj, _, errs := j.Object()
		if len(errs) > 0 {
			return errors.Join(errs...)
		}
		if imgs[i], err = jit.NewImage(obj); err != nil {
			return err
		}
		undefined = appendUndefined(undefined, obj)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	need, err := p.resolve(undefined, imgs)
	if err != nil {
		return err
	}
	if need && !p.helpers {
		h, err := helperImage()
		if err != nil {
			return err
		}
		imgs = append(imgs, h)
	}
	if err := load(imgs...); err != nil {
		return err
	}
	p.helpers = p.helpers || need
	for _, m := range mods {
		p.describe(m)
	}
	return nil
}

func appendUndefined(names []string, obj *mc.Object) []string {
	for i := range obj.Symbols {
		if s := &obj.Symbols[i]; s.Section == jit.Undefined && s.Name != "" {
			names = append(names, s.Name)
		}
	}
	return names
}

// resolve finds what names are that the images leave open, but for those of
// loaded images and of the library, and reports whether some are the run-time
// functions'.
func (p *Program) resolve(names []string, imgs []*jit.Image) (helpers bool, err error) {
	defined := map[string]bool{}
	for _, img := range imgs {
		for i := range img.Symbols {
			if s := &img.Symbols[i]; s.Section != jit.Undefined && !s.Local {
				defined[s.Name] = true
			}
		}
	}
	for _, name := range names {
		if _, ok := p.resolved[name]; ok || defined[name] {
			continue
		}
		if v, ok := p.options.Symbols[name]; ok {
			addr, ok := v.(uintptr)
			if !ok {
				if addr, err = p.engine.Callback(v); err != nil {
					return false, fmt.Errorf("symbol %s: %w", name, err)
				}
			}
			p.resolved[name] = addr
			continue
		}
		if _, ok := p.engine.Lookup(name); ok {
			continue
		}
		if p.options.Library != nil {
			if _, ok := p.options.Library(name); ok {
				continue
			}
		}
		if f, ok := mathFunction(name); ok {
			if p.resolved[name], err = p.engine.Callback(f); err != nil {
				return false, err
			}
		} else if slices.Contains(helperNames, name) {
			helpers = true
		}
	}
	return helpers, nil
}

// Func makes the function variable that fn points to call the compiled function
// called name:
//
//	var f func(int64) (int64, error)
//	err := p.Func("f", &f)
//
// Go's type is held to the module's: integers have its widths, floats are floats,
// pointers are pointers of any type, unsafe.Pointer, uintptr, slices (the address
// of the first element) or strings (a C string that lives as long as the call). A
// structure that is returned in registers is several results, or a Go structure of
// the same fields; one that is returned or passed in memory is a Go structure of
// the same size, whose fields have to lie where the module's do.
//
// A last result of type error takes what else can become of a call: a *Fault, an
// *ExitError, ErrClosed, the error of a callback. Without it the call panics with
// that error. A first parameter of type context.Context ends the call when the
// context is done, in the middle of compiled code or behind a callback or function
// of a library; the program's memory is then as it was in that moment.
func (p *Program) Func(name string, fn any) error {
	return p.engine.Bind(name, fn, p.signature(name))
}

// Func0 is a view of a compiled function of the program, without an allocation
// or reflection at each call; see Program.Func.
func Func0[R Word](p *Program, name string) (func() (R, error), error) {
	return jit.Func0[R](p.engine, name, p.signature(name))
}

// Func1 is Func0 for functions of one argument.
func Func1[A, R Word](p *Program, name string) (func(A) (R, error), error) {
	return jit.Func1[A, R](p.engine, name, p.signature(name))
}

// Func2 is Func0 for functions of two arguments.
func Func2[A, B, R Word](p *Program, name string) (func(A, B) (R, error), error) {
	return jit.Func2[A, B, R](p.engine, name, p.signature(name))
}

// Func3 is Func0 for functions of three arguments.
func Func3[A, B, C, R Word](p *Program, name string) (func(A, B, C) (R, error), error) {
	return jit.Func3[A, B, C, R](p.engine, name, p.signature(name))
}

// Callback gives a Go function an address that compiled code can call, until
// the program is closed. Its parameters are what compiled code passes: integers,
// floats, bools, pointers, and strings (copied from C strings). A last result of
// type error that is not nil, and a panic, end the call that compiled code is in.
func (p *Program) Callback(fn any) (uintptr, error) { return p.engine.Callback(fn) }

// Addr returns the address of a function or variable of the program.
func (p *Program) Addr(name string) (uintptr, bool) { return p.engine.Lookup(name) }

// Symbols lists the names of the program's functions and variables that other
// modules see.
func (p *Program) Symbols() []string { return p.engine.Symbols() }

// Close runs what the program registered for its end (destructors, atexit),
// waits for the calls that are on their way, and frees its memory. Later calls
// fail with ErrClosed. A callback must not close the program that called it.
func (p *Program) Close() error { return p.engine.Close() }

func (p *Program) signature(name string) *jit.Signature {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sigs[name]
}

// describe keeps the types of a module's functions.
func (p *Program) describe(m *ir.Module) {
	for _, g := range m.Globals[1:] {
		if g.Kind == ir.GlobalFunc && g.IsDefinition() && !g.HasLocalLinkage() {
			p.sigs[g.Name] = signatureOf(m, g)
		}
	}
}

//go:embed builtins.ll
var builtinsText []byte

// helperNames are the functions of builtins.ll.
var helperNames = []string{"__divti3", "__fixdfti", "__fixsfti", "__fixunsdfti", "__fixunssfti", "__floattidf", "__floattisf", "__floatuntidf", "__floatuntisf", "__modti3", "__udivti3", "__umodti3", "bcmp", "memcmp", "memcpy", "memmove", "memset", "strlen"}

// Builtins lists the functions that a program can use without a library: those
// that compiled code is made to call, and mathematics.
func Builtins() []string {
	names := slices.Clone(helperNames)
	for n := range mathFunctions {
		names = append(names, n, n+"f")
	}
	slices.Sort(names)
	return names
}

// helperImage is builtins.ll, compiled once in the life of the process.
var helperImage = sync.OnceValues(func() (*jit.Image, error) {
	m, err := irtext.Parse("builtins.ll", builtinsText, irtext.Options{})
	if err != nil {
		return nil, err
	}
	j, err := job(m, &Options{Jobs: 1}, true)
	if err != nil {
		return nil, err
	}
	obj, _, errs := j.Object()
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return jit.NewImage(obj)
})

// mathFunction is Go's function for a C one, as double or float.
func mathFunction(name string) (any, bool) {
	if f, ok := mathFunctions[name]; ok {
		return f, true
	}
	if n := len(name) - 1; n > 0 && name[n] == 'f' {
		switch f := mathFunctions[name[:n]].(type) {
		case func(float64) float64:
			return func(x float32) float32 { return float32(f(float64(x))) }, true
		case func(float64, float64) float64:
			return func(x, y float32) float32 { return float32(f(float64(x), float64(y))) }, true
		case func(float64, float64, float64) float64:
			return func(x, y, z float32) float32 { return float32(f(float64(x), float64(y), float64(z))) }, true
		}
	}
	return nil, false
}

// mathFunctions are those that LLVM's intrinsics and operations become calls of.
var mathFunctions = map[string]any{
	"acos": math.Acos, "asin": math.Asin, "atan": math.Atan, "atan2": math.Atan2, "cbrt": math.Cbrt, "ceil": math.Ceil,
	"cos": math.Cos, "cosh": math.Cosh, "exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1,
	"exp10": func(x float64) float64 { return math.Pow(10, x) }, "fabs": math.Abs, "floor": math.Floor, "fma": math.FMA,
	"fmax": fmax, "fmin": fmin, "fmod": math.Mod, "hypot": math.Hypot,
	"ldexp": func(x float64, n int32) float64 { return math.Ldexp(x, int(n)) },
	"log":   math.Log, "log10": math.Log10, "log1p": math.Log1p, "log2": math.Log2, "nearbyint": math.RoundToEven, "pow": math.Pow,
	"rint": math.RoundToEven, "round": math.Round, "roundeven": math.RoundToEven, "sin": math.Sin, "sinh": math.Sinh,
	"sqrt": math.Sqrt, "tan": math.Tan, "tanh": math.Tanh, "trunc": math.Trunc,
}

// fmax and fmin are C's: of a number and a NaN they are the number.
func fmax(x, y float64) float64 {
	if x > y || y != y {
		return x
	}
	return y
}

func fmin(x, y float64) float64 {
	if x < y || y != y {
		return x
	}
	return y
}
