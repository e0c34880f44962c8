package intrin_test

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
)

func TestCall(t *testing.T) {
	m := ir.NewModule("m")
	f := m.Define("f", m.Types.Func(ir.Double, []ir.Type{ir.Double, ir.Ptr}, false))
	b := ir.NewBuilder(f)
	b.SetBlock(b.Block("entry"))
	x := intrin.Call(b, "llvm.sqrt", ir.Double, b.Arg(0))
	v := b.Load(m.Types.Vector(ir.Int32, 4, false), b.Arg(1))
	intrin.Call(b, "llvm.vector.reduce.add", ir.Int32, v)
	intrin.Call(b, "llvm.memset", ir.Void, b.Arg(1), b.Int(ir.Int8, 0), b.Int(ir.Int64, 16), b.Bool(false))
	intrin.Call(b, "llvm.sqrt.f64", ir.Double, b.Arg(0))
	b.Ret(x)
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	if r := irverify.Module(m); r != "" {
		t.Error(r)
	}
	text := string(irtext.AppendModule(nil, m))
	for _, want := range []string{"@llvm.sqrt.f64(double", "@llvm.vector.reduce.add.v4i32(<4 x i32>", "@llvm.memset.p0.i64(ptr"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
}
