package globalisel

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Exceptions follow the Itanium C++ ABI. An invoke is a call between two
// EH_LABELs that ends its block but for the jump to where it returns; the
// block's other successor is the landing pad, which begins with an EH_LABEL and
// copies the exception and the selector out of their registers. That is all that
// codegen/asmprinter needs to write the tables: what a pad catches stands in the IR.

// otherEH are the personalities that work by other means than landing pads and
// tables of call sites.
func otherEH(s string) bool {
	switch s {
	case "__gxx_personality_sj0", "__gcc_personality_sj0", "__gxx_wasm_personality_v0", "__CxxFrameHandler3", "__C_specific_handler", "_except_handler3",
		"_except_handler4", "ProcessCLRException", "__xlcxx_personality_v0", "__xlcxx_personality_v1", "__zos_cxx_personality_v2":
		return true
	}
	return false
}

func (t *translator) landingPads() *ir.LandingPads {
	if t.pads == nil {
		t.pads = ir.NewLandingPads(t.fn)
	}
	return t.pads
}

// exceptionsOK refuses what the target or its tables cannot do.
func (t *translator) exceptionsOK() bool {
	p := t.fn.Global().Persona
	switch {
	case t.st.Target.ISel.ExceptionRegs == nil:
		t.fail("exception handling")
	case t.st.Options.JIT:
		t.fail("exception handling in the process that compiles")
	case p == 0 || p.Tag() != ir.TagGlobal || otherEH(t.mod.Globals[p.Global()].Name):
		t.fail("exception handling with this personality")
	}
	return t.err == nil
}

// ehLabel builds an EH_LABEL with a symbol that is the function's own.
func (t *translator) ehLabel() {
	f := t.f
	t.labels++
	// Not Function.Symbol, which looks for an equal one.
	f.Symbols = append(f.Symbols, t.dl.PrivatePrefix()+"eh"+strconv.Itoa(int(t.fn.ID))+"_"+strconv.Itoa(t.labels))
	t.Build(desc.EH_LABEL, mir.IndexOp(mir.OpMCSymbol, uint32(len(f.Symbols)-1), 0, 0))
}

func (t *translator) invoke(i ir.InstrID) {
	if !t.exceptionsOK() {
		return
	}
	if t.checkCall(i); t.err != nil {
		return
	}
	callee := t.fn.Callee(i)
	n := t.fn.NumOps(i)
	normal, unwind := t.blocks[t.op(i, n-2).Block()], t.blocks[t.op(i, n-1).Block()]
	if callee.Tag() == ir.TagInlineAsm {
		t.fail("inline assembly that throws")
		return
	}
	t.ehLabel()
	if x := t.fn.IntrinsicOf(i); x != ir.NotIntrinsic {
		t.intrinsic(i, x)
	} else {
		t.plainCall(i, callee)
	}
	t.ehLabel()
	t.f.MergeSucc(t.mb.Block, normal, t.prob(0))
	t.f.MergeSucc(t.mb.Block, unwind, t.prob(1))
	t.jump(normal)
}

func (t *translator) landingPad(i ir.InstrID) {
	if !t.exceptionsOK() {
		return
	}
	rs := t.get(ir.Local(i))
	if len(rs) != 2 || !t.Type(rs[0]).IsPointer() {
		t.fail("a landing pad of another type than { ptr, i32 }")
		return
	}
	b := t.mb.Block
	t.f.Block(b).Flags |= mir.EHPad
	t.ehLabel()
	exception, selector := t.st.Target.ISel.ExceptionRegs(t.st)
	t.f.AddLiveIn(b, mir.Reg(exception), ^uint64(0))
	t.f.AddLiveIn(b, mir.Reg(selector), ^uint64(0))
	t.Copy(rs[0], mir.Reg(exception))
	wide := t.New(mir.Scalar(t.pointerLLT(0).ScalarBits()))
	t.Copy(wide, mir.Reg(selector))
	t.joinWords(rs[1], []mir.Reg{wide})
}

// resume hands the exception back to the unwinder.
func (t *translator) resume(i ir.InstrID) {
	if !t.exceptionsOK() {
		return
	}
	rs := t.get(t.op(i, 0))
	c := target.CallInfo{Symbol: "_Unwind_Resume", NoReturn: true, Ret: callconv.Arg{Type: ir.Void},
		Args: []callconv.Arg{{Type: ir.Ptr, Parts: []callconv.Part{{Type: ir.Ptr, LLT: t.pointerLLT(0)}}, Regs: rs[:1]}}, NumFixed: 1}
	t.setErr(t.calls.call(t.st, t.Builder, &c, nil))
}
