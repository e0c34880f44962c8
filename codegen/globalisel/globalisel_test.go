package globalisel_test

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86"
)

// compile runs passes over the functions of a module and hands each to done.
func compile(t *testing.T, name string, src []byte, o target.Options, passes []*pass.Pass, done func(f *mir.Function, err error)) {
	t.Helper()
	mod, err := irtext.Parse(name, src, irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o.Triple = "x86_64-unknown-linux-gnu"
	m, err := target.NewMachine(&x86.Target, o)
	if err != nil {
		t.Fatal(err)
	}
	r := &pass.Runner{Passes: passes}
	c := &pass.Context{Machine: m, Module: mod, Opt: o.Opt}
	f := mir.NewFunction("", m.Facts)
	for _, id := range mod.Funcs {
		g := mod.Globals[id]
		if g.Func == nil {
			continue
		}
		f.Reset(g.Name)
		f.Module, f.IR = mod, g.Func
		if c.Subtarget, err = m.Subtarget(g, mod); err != nil {
			t.Fatal(err)
		}
		done(f, r.Run(c, f, &pass.Log{}))
	}
}

// TestNotSupported names what is refused.
func TestNotSupported(t *testing.T) {
	for src, want := range map[string]string{
		"define ppc_fp128 @f(ppc_fp128 %a) { ret ppc_fp128 %a }":                                                                      "type ppc_fp128",
		"define x86_amx @f(x86_amx %a) { ret x86_amx %a }":                                                                            "type x86_amx",
		"define void @f(ptr %p, i1 %c) { %s = select i1 %c, ppc_fp128 0xM0, ppc_fp128 0xM1\n store ppc_fp128 %s, ptr %p\n ret void }": "type ppc_fp128",
		"define void @f(<vscale x 4 x i32> %a) { ret void }":                                                                          "type vscale",
		"define double @f() { %r = call double asm \"fldz\", \"={k1}\"()\n ret double %r }":                                           "inline assembly with output constraint '{k1}'",
		"declare void @g(i32, ...)\ndefine void @f(i32 %a, ...) { musttail call void (i32, ...) @g(i32 %a, ...)\n ret void }":         "musttail with variable arguments",
		"declare tailcc void @g(i64, i64, i64, i64, i64, i64, i64, i64)\ndefine tailcc void @f() { musttail call tailcc void @g(i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7)\n ret void }": "musttail with more arguments on the stack than its caller has",
		"define ghccc void @f() { ret void }":                                                      "this calling convention",
		"define i128 @f(ptr %p) { %r = load atomic i128, ptr %p seq_cst, align 16\n ret i128 %r }": "an atomic access of this size",
	} {
		n := 0
		compile(t, "test.ll", []byte(src), target.Options{}, []*pass.Pass{&globalisel.IRTranslator, &globalisel.Legalizer}, func(f *mir.Function, err error) {
			n++
			if err == nil || !strings.Contains(err.Error(), want+" is not supported") {
				t.Errorf("%s\ngot the error %v, want %s", src, err, want)
			}
		})
		if n != 1 {
			t.Errorf("%d functions in %s", n, src)
		}
	}
}
