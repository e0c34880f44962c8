package layout

import (
	"strconv"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// The passes that leave places in functions for tools that watch or change programs
// while they run.

// FEntryInsert calls the profiler first of all where "fentry-call" asks for it.
var FEntryInsert = pass.Pass{
	Name:      "fentry-insert",
	Title:     "Insert fentry calls",
	AnyTarget: true,
	KeepsCFG:  true,
	Run: func(_ *pass.Context, f *mir.Function) error {
		if v, _ := target.FnAttr(f, "fentry-call"); v == "true" {
			b := f.FirstBlock()
			f.InsertBefore(b, f.Block(b).First(), f.New(desc.FENTRY_CALL))
		}
		return nil
	},
}

// PatchableFunction makes room where a function begins, for instructions that are
// written there later.
var PatchableFunction = pass.Pass{
	Name:      "patchable-function",
	Title:     "Implement the 'patchable-function' attribute",
	AnyTarget: true,
	KeepsCFG:  true,
	Run:       runPatchableFunction,
}

func runPatchableFunction(_ *pass.Context, f *mir.Function) error {
	b := f.FirstBlock()
	if _, ok := target.FnAttr(f, "patchable-function-entry"); ok {
		f.InsertBefore(b, f.Block(b).First(), f.New(desc.PATCHABLE_FUNCTION_ENTER))
		return nil
	}
	if _, ok := target.FnAttr(f, "patchable-function"); !ok {
		return nil
	}
	// A short jump, two bytes, must fit, and be written at once.
	i := f.Block(b).First()
	for i != 0 && (f.Desc(i).IsMeta() || f.IsDebugInstr(i)) {
		i = f.Instr(i).Next()
	}
	n := f.New(desc.PATCHABLE_OP, mir.ImmOp(2))
	if i != 0 {
		f.Instr(n).Loc = f.Instr(i).Loc
	}
	f.InsertBefore(b, i, n)
	f.Align = max(f.Align, 4)
	return nil
}

// XRayInstrumentation marks where a function is entered and left. Of those that do
// not say whether they want it the large ones are marked, and those with loops.
var XRayInstrumentation = pass.Pass{
	Name:     "xray-instrumentation",
	Title:    "Insert XRay ops",
	KeepsCFG: true,
	Run:      runXRayInstrumentation,
}

func runXRayInstrumentation(c *pass.Context, f *mir.Function) error {
	if !wantsXRay(c, f) {
		return nil
	}
	b := f.FirstBlock()
	for b != 0 && f.Block(b).First() == 0 {
		b = f.NextBlock(b)
	}
	if b == 0 {
		return nil
	}
	if c.Machine.WordSize() != 8 {
		return c.Subtarget.NotSupported(f, "XRay instrumentation on this processor")
	}
	if _, skip := target.FnAttr(f, "xray-skip-entry"); !skip {
		first := f.Block(b).First()
		n := f.New(desc.PATCHABLE_FUNCTION_ENTER)
		f.Instr(n).Loc = f.Instr(first).Loc
		f.InsertBefore(b, first, n)
	}
	if _, skip := target.FnAttr(f, "xray-skip-exit"); !skip {
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			markExits(c, f, b)
		}
	}
	return nil
}

// mayXRay reports whether a function may be marked.
func mayXRay(f *mir.Function) bool {
	v, _ := target.FnAttr(f, "function-instrument")
	_, large := target.FnAttr(f, "xray-instruction-threshold")
	return v == "xray-always" || large && v != "xray-never"
}

// wantsXRay reports whether a function is to be marked.
func wantsXRay(c *pass.Context, f *mir.Function) bool {
	switch v, _ := target.FnAttr(f, "function-instrument"); v {
	case "xray-always":
		return true
	case "xray-never":
		return false
	}
	v, _ := target.FnAttr(f, "xray-instruction-threshold")
	least, err := strconv.ParseUint(v, 0, 64)
	if err != nil {
		return false
	}
	n := uint64(0)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if !f.IsDebugInstr(i) {
				n++
			}
		}
	}
	if n >= least {
		return true
	}
	_, ignore := target.FnAttr(f, "xray-ignore-loops")
	return !ignore && len(pass.Get[pass.Loops](c, f).All) > 0
}

// markExits makes returns and tail calls of b ones that can be changed: the opcode is
// the first operand then.
func markExits(c *pass.Context, f *mir.Function, b mir.BlockID) {
	for i := f.FirstTerminator(b); i != 0; {
		next := f.Instr(i).Next()
		op := desc.Opcode(0)
		switch d := f.Desc(i); {
		case d.IsReturn() && d.IsCall():
			op = desc.PATCHABLE_TAIL_CALL
		case f.Instr(i).Opcode == c.Subtarget.Variant.ReturnOp:
			op = desc.PATCHABLE_RET
		}
		if op != 0 {
			n := f.New(op, mir.ImmOp(int64(f.Instr(i).Opcode)))
			f.Instr(n).Loc = f.Instr(i).Loc
			for k := range f.Instr(i).NumOps() {
				f.InsertOp(n, f.Instr(n).NumOps(), *f.Op(i, k))
			}
			f.InsertBefore(b, i, n)
			f.Erase(i)
		}
		i = next
	}
}
