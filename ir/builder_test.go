package ir_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
)

// A function that adds the numbers from 1 to n.
func ExampleBuilder() {
	m := ir.NewModule("sum")
	f := m.Define("sum", m.Types.Func(ir.Int32, []ir.Type{ir.Int32}, false))
	f.SetParamNames("n")
	b := ir.NewBuilder(f)
	entry, loop, done := b.Block("entry"), b.Block("loop"), b.Block("done")

	b.SetBlock(entry)
	b.Br(loop)

	b.SetBlock(loop)
	i := b.Name("i").Phi(ir.Int32)
	sum := b.Name("sum").Phi(ir.Int32)
	next := b.Name("next").With(ir.NSW).Add(i, b.Int(ir.Int32, 1))
	more := b.Name("sum").With(ir.NSW).Add(sum, next)
	b.AddIncoming(i, b.Int(ir.Int32, 0), entry)
	b.AddIncoming(i, next, loop)
	b.AddIncoming(sum, b.Int(ir.Int32, 0), entry)
	b.AddIncoming(sum, more, loop)
	b.CondBr(b.ICmp(ir.ICmpSLT, next, b.Arg(0)), loop, done)

	b.SetBlock(done)
	b.Ret(more)

	if err := b.Err(); err != nil {
		fmt.Println(err)
	}
	_, text, _ := strings.Cut(string(irtext.AppendModule(nil, m)), "\n\n")
	fmt.Print(text)
	// Output:
	// define i32 @sum(i32 %n) {
	// entry:
	//   br label %loop
	//
	// loop:                                             ; preds = %loop, %entry
	//   %i = phi i32 [ 0, %entry ], [ %next, %loop ]
	//   %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]
	//   %next = add nsw i32 %i, 1
	//   %sum1 = add nsw i32 %sum, %next
	//   %0 = icmp slt i32 %next, %n
	//   br i1 %0, label %loop, label %done
	//
	// done:                                             ; preds = %loop
	//   ret i32 %sum1
	// }
}

// A constant table and a call of a C function.
func ExampleModule_Constants() {
	m := ir.NewModule("table")
	c := m.Constants()
	m.AddVar("primes", m.Types.Array(ir.Int32, 3), c.ConstArray(ir.Int32, c.Int(ir.Int32, 2), c.Int(ir.Int32, 3), c.Int(ir.Int32, 5)))
	puts := m.Declare("puts", m.Types.Func(ir.Int32, []ir.Type{ir.Ptr}, false))
	b := ir.NewBuilder(m.Define("main", m.Types.Func(ir.Int32, nil, false)))
	b.SetBlock(b.Block(""))
	b.Call(puts, b.Str("hello"))
	b.Ret(b.Int(ir.Int32, 0))
	_, text, _ := strings.Cut(string(irtext.AppendModule(nil, m)), "\n\n")
	fmt.Print(text)
	// Output:
	// @primes = global [3 x i32] [i32 2, i32 3, i32 5]
	// @.str = private unnamed_addr constant [6 x i8] c"hello\00", align 1
	//
	// declare i32 @puts(ptr)
	//
	// define i32 @main() {
	//   %1 = call i32 @puts(ptr @.str)
	//   ret i32 0
	// }
}

// TestBuilderFaults: the first fault is kept, and nothing panics after it.
func TestBuilderFaults(t *testing.T) {
	for _, tc := range []struct {
		want string
		make func(b ir.Builder)
	}{
		{"add: operands have types i32 and i64", func(b ir.Builder) { b.Add(b.Int(ir.Int32, 1), b.Int(ir.Int64, 1)) }},
		{"fadd: operand of type i32", func(b ir.Builder) { b.FAdd(b.Int(ir.Int32, 1), b.Int(ir.Int32, 1)) }},
		{"trunc: no cast from i32 to i64", func(b ir.Builder) { b.Trunc(b.Int(ir.Int32, 1), ir.Int64) }},
		{"ret: value of type i64, want i32", func(b ir.Builder) { b.Ret(b.Int(ir.Int64, 0)) }},
		{"ends in a terminator", func(b ir.Builder) { b.Ret(b.Int(ir.Int32, 0)); b.Add(b.Arg(0), b.Arg(0)) }},
		{"load: operand of type i32, want a pointer", func(b ir.Builder) { b.Load(ir.Int8, b.Arg(0)) }},
		{"has no member 2", func(b ir.Builder) {
			b.ExtractValue(b.Zero(b.Func().Module.Types.Struct([]ir.Type{ir.Int8, ir.Ptr}, false)), 2)
		}},
		{"call: argument 0 has type i64, want i32", func(b ir.Builder) { b.Call(b.Func().ID, b.Int(ir.Int64, 1)) }},
		{"there is no block", func(b ir.Builder) { b.SetBlock(0); b.Add(b.Arg(0), b.Arg(0)) }},
	} {
		m := ir.NewModule("")
		b := ir.NewBuilder(m.Define("f", m.Types.Func(ir.Int32, []ir.Type{ir.Int32}, false)))
		b.SetBlock(b.Block(""))
		tc.make(b)
		b.Mul(b.Arg(0), b.Arg(0))
		if err := b.Err(); err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "@f") {
			t.Errorf("got %v, want %q", err, tc.want)
		}
	}
}
