package intrin

import (
	"testing"

	"github.com/mirin-go/mirin/ir"
)

func TestLookup(t *testing.T) {
	for name, want := range map[string]string{
		"llvm.memcpy.p0.p0.i64": "llvm.memcpy", "llvm.memcpy.inline.p0.p0.i64": "llvm.memcpy.inline", "llvm.trap": "llvm.trap",
		"llvm.trap.x": "", "llvm.no.such": "", "memcpy": "", "llvm.x86.sse2.pause": "llvm.x86.sse2.pause",
	} {
		if got := Lookup(name).Name(); got != want {
			t.Errorf("Lookup(%s) = %q, want %q", name, got, want)
		}
	}
}

func TestMatch(t *testing.T) {
	ty := ir.NewTypes()
	v4, nx4 := ty.Vector(ir.Int32, 4, false), ty.Vector(ir.Int32, 4, true)
	m4 := ty.Vector(ir.Int1, 4, false)
	for _, c := range []struct {
		name string
		ret  ir.Type
		args []ir.Type
		want string // mangled name
		r    Result
	}{
		{"llvm.ctlz", ir.Int32, []ir.Type{ir.Int32, ir.Int1}, "llvm.ctlz.i32", Matches},
		{"llvm.ctlz", ir.Int32, []ir.Type{ir.Int64, ir.Int1}, "", NoMatchArg},
		{"llvm.ctlz", ir.Int32, []ir.Type{ir.Int32}, "", NoMatchVarArg},
		{"llvm.masked.load", v4, []ir.Type{ir.Ptr, m4, v4}, "llvm.masked.load.v4i32.p0", Matches},
		{"llvm.masked.load", nx4, []ir.Type{ir.Ptr, m4, nx4}, "", NoMatchArg},
		{"llvm.frameaddress", ty.Pointer(5), []ir.Type{ir.Int32}, "llvm.frameaddress.p5", Matches},
		{"llvm.sadd.with.overflow", ty.Struct([]ir.Type{ir.Int8, ir.Int1}, false), []ir.Type{ir.Int8, ir.Int8}, "llvm.sadd.with.overflow.i8", Matches},
	} {
		id := Lookup(c.name)
		over, r := id.Match(ty, ty.Func(c.ret, c.args, false))
		if r != c.r {
			t.Errorf("%s: result %d, want %d", c.name, r, c.r)
			continue
		}
		if r == Matches {
			if got := id.MangledName(ty, over); got != c.want {
				t.Errorf("%s: name %s, want %s", c.name, got, c.want)
			}
			if id.FuncType(ty, over...) != ty.Func(c.ret, c.args, false) {
				t.Errorf("%s: FuncType does not give back what Match took", c.name)
			}
		}
	}
}

// TestTables reads every row of the embedded tables.
func TestTables(t *testing.T) {
	m := ir.NewModule("t")
	n := word(0)
	for id := ID(1); int(id) <= n; id++ {
		if !ir.Intrinsic(id).Known() {
			t.Fatalf("there are signatures of %d intrinsics and no name for %d", n, id)
		}
		if len(decode(id.code())) == 0 {
			t.Errorf("%s has no signature", id.Name())
		}
		if id%7 == 0 {
			id.AttrList(m, m.Types.Func(ir.Void, nil, false))
		}
	}
	if ir.Intrinsic(n+1).Known() || n < 15000 {
		t.Errorf("there are signatures of %d intrinsics, and more names", n)
	}
}
