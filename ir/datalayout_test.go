package ir

import "testing"

const x86Layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

func TestDataLayoutSizes(t *testing.T) {
	d, err := ParseDataLayout(x86Layout)
	if err != nil {
		t.Fatal(err)
	}
	ts := NewTypes()
	st := ts.Struct([]Type{Int8, Int32, Int8, Double, Int16}, false)
	packed := ts.Struct([]Type{Int8, Int32, Int16}, true)
	for _, c := range []struct {
		typ                     Type
		bits, store, alloc, abi uint64
	}{
		{Int1, 1, 1, 1, 1}, {Int8, 8, 1, 1, 1}, {ts.Int(17), 17, 3, 4, 4}, {Int64, 64, 8, 8, 8}, {Int128, 128, 16, 16, 16},
		{ts.Int(65), 65, 9, 16, 16}, {Half, 16, 2, 2, 2}, {Float, 32, 4, 4, 4}, {X86FP80, 80, 10, 16, 16}, {FP128, 128, 16, 16, 16},
		{Ptr, 64, 8, 8, 8}, {ts.Pointer(270), 32, 4, 4, 4}, {ts.Array(Int16, 5), 80, 10, 10, 2},
		{ts.Vector(Int32, 4, false), 128, 16, 16, 16}, {ts.Vector(Int1, 3, false), 3, 1, 1, 1}, {ts.Vector(Int32, 3, false), 96, 12, 16, 16},
		{st, 256, 32, 32, 8}, {packed, 56, 7, 7, 1}, {ts.Struct(nil, false), 0, 0, 0, 1}, {ts.Array(st, 3), 768, 96, 96, 8},
	} {
		if b, s, a, al := d.SizeInBits(ts, c.typ), d.StoreSize(ts, c.typ), d.SizeOf(ts, c.typ), d.ABIAlign(ts, c.typ); b != c.bits || s != c.store || a != c.alloc || al != c.abi {
			t.Errorf("type %d (kind %d): bits %d store %d alloc %d align %d, want %d %d %d %d", c.typ, ts.Kind(c.typ), b, s, a, al, c.bits, c.store, c.alloc, c.abi)
		}
	}
	off, size, align := d.StructLayout(ts, st)
	for i, want := range []uint64{0, 4, 8, 16, 24} {
		if off[i] != want || d.StructOffset(ts, st, i) != want {
			t.Errorf("member %d at %d, want %d", i, off[i], want)
		}
	}
	if size != 32 || align != 8 {
		t.Errorf("struct: size %d align %d", size, align)
	}
	if d.PrefAlign(ts, Int8) != 1 || d.PrefAlign(ts, st) != 8 || d.StackAlign != 16 || d.PrivatePrefix() != ".L" || d.GlobalPrefix() != "" {
		t.Error("preferred or stack alignment, or mangling")
	}
	if n, ok := d.GEPOffset(ts, ts.Array(st, 2), 0, []int64{1, 1, 3}); !ok || n != 64+32+16 {
		t.Errorf("GEPOffset = %d %v", n, ok)
	}
	if n, ok := d.GEPOffset(ts, Int32, 270, []int64{-1}); !ok || n != -4 {
		t.Errorf("GEPOffset = %d %v", n, ok)
	}
	if _, ok := d.GEPOffset(ts, st, 0, []int64{0, 5}); ok {
		t.Error("GEPOffset accepts a member that does not exist")
	}
	// An absurd type has an absurd size, no small one.
	if huge := ts.Array(ts.Array(Int64, 1<<62), 1<<62); d.SizeOf(ts, huge) < 1<<63 {
		t.Error("size of a huge array wrapped around")
	}
}

func TestDataLayoutParse(t *testing.T) {
	d, err := ParseDataLayout("E-m:o-p:32:32-p1:64:64:64:32-ni:1-A5-G1-P2-Fn32-n32-S64-a:0:32-i64:32:64")
	if err != nil {
		t.Fatal(err)
	}
	ts := NewTypes()
	if !d.BigEndian || d.PointerSize(0) != 4 || d.IndexBits(1) != 32 || !d.IsNonIntegral(1) || d.AllocaAS != 5 || d.GlobalsAS != 1 ||
		d.ProgramAS != 2 || d.FuncPtrAlign != 4 || d.ABIAlign(ts, Int64) != 4 || d.PrefAlign(ts, Int64) != 8 || d.GlobalPrefix() != "_" {
		t.Errorf("%+v", d)
	}
	for text, want := range map[string]string{
		"e-":            "empty specification is not allowed",
		"i8:16":         "i8 must be 8-bit aligned",
		"p:64":          "malformed specification, must be of the form \"p[<n>]:<size>:<abi>[:<pref>[:<idx>]]\"",
		"i32:24":        "ABI alignment must be a power of two times the byte width",
		"i32:64:32":     "preferred alignment cannot be less than the ABI alignment",
		"x":             "unknown specifier 'x'",
		"m:q":           "unknown mangling mode",
		"p:32:32:32:64": "index size cannot be larger than the pointer size",
	} {
		if _, err := ParseDataLayout(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestConstPoolIndex(t *testing.T) {
	p := NewConstPool()
	var ids [1000]ConstID
	for i := range ids {
		ids[i] = p.Int(Int32, uint64(i)*0x10001)
	}
	var q ConstPool
	q.copyFrom(p)
	for i := range ids {
		if p.Int(Int32, uint64(i)*0x10001) != ids[i] || q.Int(Int32, uint64(i)*0x10001) != ids[i] {
			t.Fatalf("constant %d has a second row", i)
		}
	}
	if p.Int(Int64, 0) == ids[0] || p.Plain(ConstUndef, Int32) == p.Plain(ConstPoison, Int32) {
		t.Error("different constants share a row")
	}
}

// TestNamedAddrSpaces reads p2(name).
func TestNamedAddrSpaces(t *testing.T) {
	d, err := ParseDataLayout("e-p2(global):32:8-p8(stack):8:8")
	if err != nil {
		t.Fatal(err)
	}
	if as, ok := d.NamedAddrSpace("stack"); !ok || as != 8 || d.Pointer(2).Bits != 32 {
		t.Errorf("stack is address space %d (%v), p2 has %d bits", as, ok, d.Pointer(2).Bits)
	}
	for _, s := range []string{"p2():32:32", "p2(a:32:32", "p2(A):32:32", "p2(a):32:32-p3(a):32:32", "p2(a)x:32:32"} {
		if _, err := ParseDataLayout(s); err == nil {
			t.Errorf("%s is read", s)
		}
	}
}
