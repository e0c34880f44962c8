package x86

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// TestRefused: what a module asks for beside its instructions, and nobody does, is
// refused by name; what is a hint, or done, is not.
func TestRefused(t *testing.T) {
	const plain = "define void @f(ptr %p) ATTR { ret void }"
	for _, r := range []struct{ what, src, attr string }{
		{"function attribute safestack", plain, "safestack"},
		{"function attribute shadowcallstack", plain, "shadowcallstack"},
		{"function attribute speculative_load_hardening", plain, "speculative_load_hardening"},
		{"function attribute split-stack", plain, `"split-stack"`},
		{"function attribute no_caller_saved_registers", plain, `"no_caller_saved_registers"`},
		{"function attribute use-soft-float=true", plain, `"use-soft-float"="true"`},
		{"function attribute frame-pointer=reserved", plain, `"frame-pointer"="reserved"`},
		{"feature retpoline-indirect-calls", plain, `"target-features"="+retpoline-indirect-calls"`},
		{"feature lvi-load-hardening", plain, `"target-features"="+lvi-load-hardening"`},
		{"garbage collection by strategy shadow-stack", plain, `gc "shadow-stack"`},
		{"metadata of functions kcfi_type", "define void @f() !kcfi_type !0 { ret void }\n!0 = !{i32 7}", ""},
		{"metadata of functions pcsections", "define void @f() !pcsections !0 { ret void }\n!0 = !{!\"s\"}", ""},
		{"attribute of a call no_caller_saved_registers", "define void @f(ptr %p) { call void %p() \"no_caller_saved_registers\" ret void }", ""},
		{"attribute of a call trap-func-name=t", "declare void @llvm.trap()\ndefine void @f() { call void @llvm.trap() \"trap-func-name\"=\"t\" ret void }", ""},
		{"operand bundle kcfi", "define void @f(ptr %p) { call void %p() [ \"kcfi\"(i32 7) ] ret void }", ""},
		{"operand bundle ptrauth", "define void @f(ptr %p) { call void %p() [ \"ptrauth\"(i32 0, i64 7) ] ret void }", ""},
		{"operand bundle kcfi", `declare i32 @__gxx_personality_v0(...)
define void @f(ptr %p) personality ptr @__gxx_personality_v0 {
  invoke void %p() [ "kcfi"(i32 7) ] to label %a unwind label %b
a:
  ret void
b:
  %x = landingpad { ptr, i32 } cleanup
  ret void
}`, ""},
		{"call to g marked \"dontcall-error\": not here", "declare void @g() \"dontcall-error\"=\"not here\"\ndefine void @f() { call void @g() ret void }", ""},
		{"", plain, `"thunk" "no-trapping-math"="true" "min-legal-vector-width"="0" "frame-pointer"="all" uwtable nounwind cold nocf_check`},
		{"", plain, `gc "statepoint-example"`},
		{"", "declare void @llvm.assume(i1)\ndefine void @f(ptr %p) { call void @llvm.assume(i1 true) [ \"align\"(ptr %p, i64 8) ] ret void }", ""},
	} {
		var failed error
		compileModule(t, "x.ll", []byte(strings.ReplaceAll(r.src, "ATTR", r.attr)), target.Options{}, []*pass.Pass{&globalisel.IRTranslator},
			func(_ *mir.Function, _ *target.Subtarget, err error) { failed = err })
		switch {
		case r.what == "" && failed != nil:
			t.Errorf("%s: %v", r.attr, failed)
		case r.what != "" && (failed == nil || !strings.Contains(failed.Error(), r.what)):
			t.Errorf("%s: got %v", r.what, failed)
		}
	}
}

// TestRefusedModule does the same for module flags.
func TestRefusedModule(t *testing.T) {
	m, err := target.NewMachine(&Target, target.Options{Triple: "x86_64-unknown-linux-gnu"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct{ flag, what string }{
		{`!"kcfi", i32 1`, "module flag kcfi"},
		{`!"override-stack-alignment", i32 32`, "module flag override-stack-alignment"},
		{`!"stack-protector-guard", !"global"`, ""},
		{`!"stack-protector-guard-symbol", !"x"`, "module flag stack-protector-guard-symbol=x"},
		{`!"import-call-optimization", i32 1`, "module flag import-call-optimization"},
		{`!"Code Model", i32 1`, ""},
		{`!"ibt-seal", i32 1`, ""},
		{`!"kcfi", i32 0`, ""},
		{`!"stack-protector-guard", !"tls"`, ""},
		{`!"stack-protector-guard-reg", !"gs"`, ""},
		{`!"PIC Level", i32 2`, ""},
		{`!"wchar_size", i32 4`, ""},
		{`!"uwtable", i32 2`, ""},
	} {
		mod, err := irtext.Parse("x.ll", []byte("!llvm.module.flags = !{!0}\n!0 = !{i32 1, "+r.flag+"}\n"), irtext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = m.RefusedModule(mod)
		if (err == nil) != (r.what == "") || err != nil && !strings.Contains(err.Error(), r.what+" is not supported") {
			t.Errorf("%s: %v", r.flag, err)
		}
	}
}
