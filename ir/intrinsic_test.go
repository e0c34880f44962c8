package ir

import "testing"

func TestLookupIntrinsic(t *testing.T) {
	for name, want := range map[string]Intrinsic{
		"llvm.memcpy.p0.p0.i64": IntrMemcpy, "llvm.memcpy.inline.p0.p0.i64": IntrMemcpyInline, "llvm.umul.with.overflow.i64": IntrUmulWithOverflow,
		"llvm.nonsense": IntrUnknown, "printf": NotIntrinsic, "llvm.va_start.p0": IntrVaStart, "llvm.va_start": IntrVaStart,
		"llvm.vector.reduce.add.v4i32": IntrVectorReduceAdd, "llvm.trap": IntrTrap, "llvm.trap.i32": IntrUnknown, "llvm.": IntrUnknown,
		"llvm.abs": IntrAbs, "llvm.ab": IntrUnknown, "llvm.x86.sse2.paus": IntrUnknown, "llvm.x86.sse2.pause.i8": IntrUnknown,
	} {
		if got := LookupIntrinsic(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if x := LookupIntrinsic("llvm.x86.sse2.pause"); !x.IsTarget() || x.Name() != "llvm.x86.sse2.pause" || x.Overloaded() {
		t.Errorf("llvm.x86.sse2.pause is %v", x)
	}
}

// TestIntrinsicNumbers: numbers and names belong together, and both parts are sorted.
func TestIntrinsicNumbers(t *testing.T) {
	for x := Intrinsic(1); x < numIntrinsics; x++ {
		if got := LookupIntrinsic(x.Name()); got != x {
			t.Fatalf("%s has number %d, and is found as %d", x.Name(), x, got)
		}
		if x > 1 && x != firstTargetIntrinsic && (x-1).Name() >= x.Name() {
			t.Errorf("%s stands before %s", (x - 1).Name(), x.Name())
		}
	}
	first, end := TargetIntrinsics("x86.sse2.")
	if end-first < 20 || first.Name()[:14] != "llvm.x86.sse2." || (end - 1).Name()[:14] != "llvm.x86.sse2." || end.Name()[:14] == "llvm.x86.sse2." || (first - 1).Name()[:14] == "llvm.x86.sse2." {
		t.Errorf("x86.sse2.: %v to %v", first, end)
	}
}
