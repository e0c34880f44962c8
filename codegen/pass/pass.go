package pass

import (
	"reflect"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Pass is one step of code generation.
type Pass struct {
	// Name is LLVM's name of the pass, as -run-pass and -stop-after take it.
	Name string
	// Title is LLVM's description, as -print-after heads its dumps.
	Title string
	// Requires must hold of the function before the pass; Sets and Clears say
	// what holds and what no longer holds after it.
	Requires, Sets, Clears mir.Properties
	// Optional says whether bisection and optnone may leave the pass out.
	Optional Optional
	// Keeps lists the analyses that hold after the pass as before it; KeepsCFG
	// means all that follow from blocks and edges, KeepsAll every one. The runner
	// drops the rest, and computes the kept ones again to compare where it verifies.
	Keeps              []Kind
	KeepsCFG, KeepsAll bool
	// IR marks passes over the IR function that stand before instruction selection.
	IR bool
	// Verify has the machine verifier run after the pass whatever the flags say.
	Verify bool
	// Run does the work on one function. IR passes change f.IR.
	Run func(c *Context, f *mir.Function) error
	// RunModule does the work of passes over the whole module, which have no Run: all
	// functions went through the passes before it, and none has begun those behind it.
	RunModule func(c *Context, m *Module) error
	// AnyTarget marks passes that need nothing of the target but its facts.
	AnyTarget bool
	// Print appends what the pass has to say of a function instead: passes that
	// only print (print<machine-block-freq>) have no Run.
	Print func(b []byte, r *Runner, c *Context, f *mir.Function) []byte
	// WithParams makes p, a copy of the pass, the variant that -passes=name<params>
	// asks for, with "" what -passes=name does; nil for passes without parameters.
	WithParams func(p *Pass, params string) error
}

// PrintFunction prints the function.
var PrintFunction = Pass{Name: "print", Title: "Machine Function Printer", KeepsAll: true,
	Print: func(b []byte, r *Runner, c *Context, f *mir.Function) []byte { return r.print(b, c, f) }}

// Optional says what may be left of a pass when optimizations are cut off
// (-opt-bisect-limit and its like, optnone).
type Optional uint8

const (
	// Required passes always run.
	Required Optional = iota
	// Relaxable passes always run, and then do what they do at -O0.
	Relaxable
	// Skippable passes need not run: the code is right without them.
	Skippable
)

// MachineVerifier is the pass that changes nothing and has the function verified.
var MachineVerifier = Pass{Name: "machineverifier", Title: "Verify generated machine code", Verify: true,
	KeepsAll: true, AnyTarget: true, Run: func(*Context, *mir.Function) error { return nil }}

// Context is what one worker keeps: reset for each function, reused for all.
type Context struct {
	Machine   *target.Machine
	Subtarget *target.Subtarget // of the current function
	Module    *ir.Module        // nil for MIR without a module
	Opt       target.OptLevel   // of the current function: 0 for optnone
	OptNone   bool              // the current function is not to be optimized
	Index     int               // the place of the current function in the module's order
	// Stats counts events by name for -stats; nil when they are not wanted.
	Stats map[Stat]int64

	// CheckRegAlloc makes allocators prove their result (-verify-regalloc).
	CheckRegAlloc bool
	// SubRegLiveness gives parts of registers live ranges of their own on targets that
	// have none by themselves (-enable-subreg-liveness).
	SubRegLiveness bool
	// StripAllDebug has mir-strip-debug remove debug information that mir-debugify did not
	// make, too (-mir-strip-debugify-only=0).
	StripAllDebug bool
	// Times are the times of the runner's passes, by their place in it (-time-passes).
	Times []PassTime

	warnings []byte // of the current function, for its log
	scratch  map[reflect.Type]any

	results  []result      // of Get, in the order in which they were first asked for
	valid    uint64        // a bit for each of results that holds
	analysed *mir.Function // whose results are valid
	edits    uint64        // the least CFGEdits of what the analysis that is being computed asked for
	fresh    *Context      // for comparing kept results with new ones
}

// Stat names a counter: the pass and what is counted, in LLVM's words.
type Stat struct{ Pass, Desc string }

// Count adds n to a counter when statistics are wanted.
func (c *Context) Count(pass, desc string, n int64) {
	if c.Stats != nil {
		c.Stats[Stat{pass, desc}] += n
	}
}

// Warn has something said about the current function, as LLVM says what a module asks to be told.
func (c *Context) Warn(text string) {
	c.warnings = append(append(append(c.warnings, "warning: <unknown>:0:0: "...), text...), '\n')
}

// Scratch returns the context's value of type T, made on first use: a pass
// keeps its reusable memory in a private struct type.
func Scratch[T any](c *Context) *T {
	key := reflect.TypeFor[T]()
	if v, ok := c.scratch[key]; ok {
		return v.(*T)
	}
	if c.scratch == nil {
		c.scratch = map[reflect.Type]any{}
	}
	v := new(T)
	c.scratch[key] = v
	return v
}
