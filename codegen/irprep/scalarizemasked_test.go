package irprep_test

import (
	"runtime"
	"testing"

	"github.com/mirin-go/mirin"
)

const maskedSource = `
define void @load(ptr %p, ptr %mask, ptr %r) {
  %m = load <5 x i8>, ptr %mask, align 1
  %b = trunc <5 x i8> %m to <5 x i1>
  %v = call <5 x i32> @llvm.masked.load.v5i32.p0(ptr align 4 %p, <5 x i1> %b, <5 x i32> <i32 -1, i32 -2, i32 -3, i32 -4, i32 -5>)
  call void @llvm.masked.store.v5i32.p0(<5 x i32> %v, ptr align 4 %r, <5 x i1> <i1 1, i1 1, i1 1, i1 1, i1 1>)
  ret void
}
define void @store(ptr %p, ptr %mask, ptr %r) {
  %m = load <5 x i8>, ptr %mask, align 1
  %b = trunc <5 x i8> %m to <5 x i1>
  %v = load <5 x i32>, ptr %p, align 4
  call void @llvm.masked.store.v5i32.p0(<5 x i32> %v, ptr align 4 %r, <5 x i1> %b)
  ret void
}
define void @expand(ptr %p, ptr %mask, ptr %r) {
  %m = load <5 x i8>, ptr %mask, align 1
  %b = trunc <5 x i8> %m to <5 x i1>
  %v = call <5 x i32> @llvm.masked.expandload.v5i32(ptr %p, <5 x i1> %b, <5 x i32> <i32 -1, i32 -2, i32 -3, i32 -4, i32 -5>)
  call void @llvm.masked.store.v5i32.p0(<5 x i32> %v, ptr align 4 %r, <5 x i1> <i1 1, i1 1, i1 1, i1 1, i1 1>)
  ret void
}
define void @compress(ptr %p, ptr %mask, ptr %r) {
  %m = load <5 x i8>, ptr %mask, align 1
  %b = trunc <5 x i8> %m to <5 x i1>
  %v = load <5 x i32>, ptr %p, align 4
  call void @llvm.masked.compressstore.v5i32(<5 x i32> %v, ptr %r, <5 x i1> %b)
  ret void
}
declare <5 x i32> @llvm.masked.load.v5i32.p0(ptr, <5 x i1>, <5 x i32>)
declare void @llvm.masked.store.v5i32.p0(<5 x i32>, ptr, <5 x i1>)
declare <5 x i32> @llvm.masked.expandload.v5i32(ptr, <5 x i1>, <5 x i32>)
declare void @llvm.masked.compressstore.v5i32(<5 x i32>, ptr, <5 x i1>)
`

// TestMaskedAccesses runs masked accesses under all masks.
func TestMaskedAccesses(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("runs x86-64 code")
	}
	m, err := mirin.ParseIR("masked.ll", []byte(maskedSource))
	if err != nil {
		t.Fatal(err)
	}
	p, err := mirin.Load(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	src := [5]int32{10, 20, 30, 40, 50}
	for name, want := range map[string]func(bits int, out *[5]int32){
		"load": func(bits int, out *[5]int32) {
			for k := range out {
				if out[k] = int32(-1 - k); bits>>k&1 != 0 {
					out[k] = src[k]
				}
			}
		},
		"store": func(bits int, out *[5]int32) {
			for k := range out {
				if bits>>k&1 != 0 {
					out[k] = src[k]
				}
			}
		},
		"expand": func(bits int, out *[5]int32) {
			n := 0
			for k := range out {
				if out[k] = int32(-1 - k); bits>>k&1 != 0 {
					out[k] = src[n]
					n++
				}
			}
		},
		"compress": func(bits int, out *[5]int32) {
			n := 0
			for k := range out {
				if bits>>k&1 != 0 {
					out[n] = src[k]
					n++
				}
			}
		},
	} {
		var call func(p *[5]int32, mask *[5]byte, r *[5]int32)
		if err := p.Func(name, &call); err != nil {
			t.Fatal(err)
		}
		for bits := range 32 {
			var mask [5]byte
			for k := range mask {
				mask[k] = byte(bits >> k & 1)
			}
			got := [5]int32{7, 7, 7, 7, 7}
			exp := got
			want(bits, &exp)
			call(&src, &mask, &got)
			if got != exp {
				t.Errorf("%s with mask %05b: %v, want %v", name, bits, got, exp)
			}
		}
	}
}
