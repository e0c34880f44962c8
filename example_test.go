package mirin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mirin-go/mirin"
	"github.com/mirin-go/mirin/ir"
)

// LLVM IR from text, called from Go.
func ExampleLoad() {
	m, err := mirin.ParseIR("gcd.ll", []byte(`
define i64 @gcd(i64 %a, i64 %b) {
entry:
  br label %test
test:
  %x = phi i64 [ %a, %entry ], [ %y, %step ]
  %y = phi i64 [ %b, %entry ], [ %r, %step ]
  %done = icmp eq i64 %y, 0
  br i1 %done, label %exit, label %step
step:
  %r = urem i64 %x, %y
  br label %test
exit:
  ret i64 %x
}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := mirin.Load(m, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	var gcd func(a, b int64) int64
	if err := p.Func("gcd", &gcd); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(gcd(1071, 462))
	// Output: 21
}

// A module built by API that calls back into Go.
func ExampleOptions_symbols() {
	m := ir.NewModule("callback")
	emit := m.Declare("emit", m.Types.Func(ir.Void, []ir.Type{ir.Int64}, false))
	b := ir.NewBuilder(m.Define("squares", m.Types.Func(ir.Void, []ir.Type{ir.Int64}, false)))
	entry, loop, done := b.Block("entry"), b.Block("loop"), b.Block("done")
	b.SetBlock(entry)
	b.Br(loop)
	b.SetBlock(loop)
	i := b.Phi(ir.Int64)
	b.Call(emit, b.Mul(i, i))
	next := b.Add(i, b.Int(ir.Int64, 1))
	b.AddIncoming(i, b.Int(ir.Int64, 1), entry)
	b.AddIncoming(i, next, loop)
	b.CondBr(b.ICmp(ir.ICmpSLE, next, b.Arg(0)), loop, done)
	b.SetBlock(done)
	b.RetVoid()
	if err := b.Err(); err != nil {
		fmt.Println(err)
		return
	}

	p, err := mirin.Load(m, &mirin.Options{Symbols: map[string]any{"emit": func(n int64) { fmt.Println(n) }}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	var squares func(n int64)
	if err := p.Func("squares", &squares); err != nil {
		fmt.Println(err)
		return
	}
	squares(4)
	// Output:
	// 1
	// 4
	// 9
	// 16
}

func TestErrors(t *testing.T) {
	m, err := mirin.ParseIR("x.ll", []byte("declare x86_amx @llvm.x86.tilezero.internal(i16, i16)\ndefine void @f() {\n  %t = call x86_amx @llvm.x86.tilezero.internal(i16 8, i16 64)\n  ret void\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mirin.Object(m, nil); err == nil || !strings.Contains(err.Error(), "x86_amx is not supported") {
		t.Errorf("what is not supported is named: %v", err)
	}
	if _, err := mirin.Object(ir.NewModule(""), &mirin.Options{Triple: "pdp11-dec-unix"}); err == nil || !strings.Contains(err.Error(), "pdp11") {
		t.Errorf("unknown target: %v", err)
	}
	if _, err := mirin.Object(ir.NewModule(""), &mirin.Options{Features: "+sse4.2,+warp"}); err == nil || !strings.Contains(err.Error(), "'+warp' is not a feature of x86-64") {
		t.Errorf("unknown feature: %v", err)
	}
	m = ir.NewModule("")
	b := ir.NewBuilder(m.Define("f", m.Types.Func(ir.Void, nil, false)))
	b.SetBlock(b.Block(""))
	b.Call(m.Declare("no_such_function", m.Types.Func(ir.Void, nil, false)))
	b.RetVoid()
	if _, err := mirin.Load(m, nil); err == nil || !strings.Contains(err.Error(), "no_such_function") {
		t.Errorf("missing symbol: %v", err)
	}
	if _, err := mirin.ParseIR("bad.ll", []byte("define i32 @f() {\n  ret i33 0\n}")); err == nil || !strings.Contains(err.Error(), "bad.ll:2:") {
		t.Errorf("position: %v", err)
	}
	m = ir.NewModule("")
	b = ir.NewBuilder(m.Define("f", m.Types.Func(ir.Void, nil, false)))
	b.SetBlock(b.Block("")) // without an end
	if _, err := mirin.Object(m, nil); err == nil || !strings.Contains(err.Error(), "does not have terminator") {
		t.Errorf("a block without an end: %v", err)
	}
	asm, err := mirin.Assembly(ir.NewModule("empty"), &mirin.Options{Opt: mirin.O0, AsmVariant: 1})
	if err != nil || !strings.Contains(string(asm), ".intel_syntax") {
		t.Errorf("assembly %q, %v", asm, err)
	}
}
