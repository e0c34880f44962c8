package ir_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
)

// debugModule is: int f(int x) { return x + 1; }, with debug information.
func debugModule() *ir.Module {
	m := ir.NewModule("f.c")
	f := m.Define("f", m.Types.Func(ir.Int32, []ir.Type{ir.Int32}, false))
	d := ir.NewDIBuilder(m)
	file := d.File("f.c", "/src")
	d.CompileUnit(file, "DW_LANG_C11", "example", false)
	num := d.BasicType("int", 32, "DW_ATE_signed")
	point := d.StructType(0, "point", file, 9, 64)
	d.SetMembers(point, d.Member(point, "x", file, 10, num, 32, 0), d.Member(point, "y", file, 11, num, 32, 32))
	color := d.EnumType(0, "color", file, 13, 32, num, d.Enumerator("red", 0), d.Enumerator("none", -1))
	g := m.AddVar("origin", m.Types.Struct([]ir.Type{ir.Int32, ir.Int32}, false), m.Constants().Zero(m.Types.Struct([]ir.Type{ir.Int32, ir.Int32}, false)))
	d.GlobalVariable(g, "origin", file, 12, point)
	sp := d.Subprogram(f, file, "f", file, 1, d.SubroutineType(num, num))

	b := ir.NewBuilder(f)
	b.SetBlock(b.Block("entry"))
	addr := b.Name("x.addr").Alloca(ir.Int32)
	b.Store(b.Arg(0), addr)
	at := d.Location(1, 11, sp)
	d.Declare(b, addr, d.Variable(sp, "x", 1, file, 1, num), at)
	d.Value(b, b.Int(ir.Int32, 7), d.Variable(d.LexicalBlock(sp, file, 1, 14), "c", 0, file, 1, color), at)
	b.Loc(d.Location(1, 23, sp))
	b.Ret(b.With(ir.NSW).Add(b.Load(ir.Int32, addr), b.Int(ir.Int32, 1)))
	d.Finish()
	return m
}

func ExampleDIBuilder() {
	text := string(irtext.AppendModule(nil, debugModule()))
	_, text, _ = strings.Cut(text, "define")
	text, _, _ = strings.Cut(text, "!llvm.dbg.cu")
	fmt.Print("define", text)
	// Output:
	// define i32 @f(i32 %0) !dbg !12 {
	// entry:
	//   %x.addr = alloca i32, align 4
	//   store i32 %0, ptr %x.addr, align 4
	//     #dbg_declare(ptr %x.addr, !15, !DIExpression(), !16)
	//     #dbg_value(i32 7, !17, !DIExpression(), !16)
	//   %1 = load i32, ptr %x.addr, align 4, !dbg !23
	//   %2 = add nsw i32 %1, 1, !dbg !23
	//   ret i32 %2, !dbg !23
	// }
}

// TestDebugInfoAgainstLLVM: LLVM's verifier accepts the module.
func TestDebugInfoAgainstLLVM(t *testing.T) {
	cmd := exec.Command(testenv.LLVM(t, "opt"), "-passes=verify", "-S", "-o", "-", "-")
	text := irtext.AppendModule(nil, debugModule())
	cmd.Stdin = strings.NewReader(string(text))
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "warning") {
		t.Fatalf("%v: %s\n%s", err, out, text)
	}
	for _, want := range []string{"#dbg_declare(ptr %x.addr, ", "#dbg_value(i32 7, ", "DISubprogram(name: \"f\"", "DIEnumerator(name: \"none\", value: -1)"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is missing in\n%s", want, out)
		}
	}
}
