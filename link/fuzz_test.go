package link

import (
	"bytes"
	"testing"

	"github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/elfabi"
)

// FuzzExecutable: no object makes the linker panic.
func FuzzExecutable(f *testing.F) {
	t := &testing.T{}
	o := compile(t, `
@s = private constant [3 x i8] c"hi\00"
@t = thread_local global i32 3
@p = constant ptr @s
@c = common global i64 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 200, ptr @f, ptr null }]
$f = comdat any
declare i32 @puts(ptr)
declare i32 @__gxx_personality_v0(...)
define linkonce_odr void @f() comdat personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @puts(ptr @s) to label %ok unwind label %pad
ok:
  ret void
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
define i32 @main() {
  %a = call ptr @llvm.threadlocal.address(ptr @t)
  %v = load i32, ptr %a
  %w = load i64, ptr @c
  call void @f()
  ret i32 %v
}
declare ptr @llvm.threadlocal.address(ptr)`, target.RelocPIC)
	b, err := elf.Append(nil, o)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	for i := range b { // without fuzzing, every byte is wrong once
		c := bytes.Clone(b)
		c[i] ^= [...]byte{0xff, 1, 0x80, 8}[i%4]
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := elf.Read(b)
		if err != nil {
			return
		}
		Executable(&elfabi.ABI, []Input{{"fuzz.o", o}}, nil)
	})
}
