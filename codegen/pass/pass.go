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
	// IR marks passes over the IR function that stand before instruction selection.
	IR bool
	// Verify has the machine verifier run after the pass whatever the flags say.
	Verify bool
	// Run does the work on one function. IR passes change f.IR.
	Run func(c *Context, f *mir.Function) error
}

// MachineVerifier is the pass that changes nothing and has the function verified.
var MachineVerifier = Pass{Name: "machineverifier", Title: "Verify generated machine code", Verify: true,
	Run: func(*Context, *mir.Function) error { return nil }}

// Context is what one worker keeps: reset for each function, reused for all.
type Context struct {
	Machine   *target.Machine
	Subtarget *target.Subtarget // of the current function
	Module    *ir.Module        // nil for MIR without a module
	Opt       target.OptLevel   // of the current function: 0 for optnone
	// Stats counts events by name for -stats; nil when they are not wanted.
	Stats map[Stat]int64

	// CheckRegAlloc makes allocators prove their result (-verify-regalloc).
	CheckRegAlloc bool
	// Times are the times of the runner's passes, by their place in it (-time-passes).
	Times []PassTime

	scratch map[reflect.Type]any
}

// Stat names a counter: the pass and what is counted, in LLVM's words.
type Stat struct{ Pass, Desc string }

// Count adds n to a counter when statistics are wanted.
func (c *Context) Count(pass, desc string, n int64) {
	if c.Stats != nil {
		c.Stats[Stat{pass, desc}] += n
	}
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
