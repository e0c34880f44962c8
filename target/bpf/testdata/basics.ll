; RUN: mirin llc -mtriple=bpfel -verify-machineinstrs %s -o - | filecheck %s
; RUN: mirin llc -mtriple=bpfel -mcpu=v1 -verify-machineinstrs %s -o - | filecheck --check-prefix=V1 %s
; RUN: mirin llc -mtriple=bpfeb -mcpu=v4 -verify-machineinstrs %s -o - | filecheck --check-prefix=V4 %s

; A helper of the kernel is called by its number; conditions fall through to the block behind.
; CHECK-LABEL: helper:
; CHECK: if w1 s>= 5 goto
; CHECK: call 14
; CHECK: exit
; V1-LABEL: helper:
; V1: r1 <<= 32
; V1-NEXT: r1 s>>= 32
; V1: if r1 s>= r{{[0-9]}} goto
define i64 @helper(i32 %a) {
  %c = icmp slt i32 %a, 5
  br i1 %c, label %x, label %y
x:
  %r = call i64 inttoptr (i64 14 to ptr)()
  ret i64 %r
y:
  ret i64 0
}

; What lies in a stack object is addressed from r10.
; CHECK-LABEL: stack:
; CHECK: r1 = r10
; CHECK-NEXT: r1 += -8
; CHECK: *(u64 *)(r10 - 8) = r2
; V4-LABEL: stack:
; V4: *(u64 *)(r10 - 8) = 0
declare i64 @user(ptr)
define i64 @stack() {
  %p = alloca i64, align 8
  store i64 0, ptr %p, align 8
  %r = call i64 @user(ptr %p)
  ret i64 %r
}

; Divisions by constants stay divisions; bytes are swapped by one instruction.
; CHECK-LABEL: numbers:
; CHECK: r{{[0-9]}} /= 10
; CHECK: = be16 r
; V4-LABEL: numbers:
; V4: = bswap16 r
declare i16 @llvm.bswap.i16(i16)
define i64 @numbers(i64 %a, i16 %b) {
  %d = udiv i64 %a, 10
  %s = call i16 @llvm.bswap.i16(i16 %b)
  %z = zext i16 %s to i64
  %r = add i64 %d, %z
  ret i64 %r
}

; Memory is moved by accesses that are aligned; a byte that is loaded has zeros above.
; CHECK-LABEL: memory:
; CHECK: *(u16 *)
; CHECK-NOT: u32
; CHECK: w{{[0-9]}} = *(u8 *)(r{{[0-9]}} + 0)
; CHECK-NEXT: if w{{[0-9]}} != 110 goto
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i64 @memory(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %p, ptr align 8 %q, i64 6, i1 false)
  %b = load i8, ptr %q
  %c = icmp eq i8 %b, 110
  br i1 %c, label %x, label %y
x:
  ret i64 1
y:
  ret i64 0
}

; A trap is a call of a function that the kernel does not have.
; CHECK-LABEL: trapped:
; CHECK: call __bpf_trap
declare void @llvm.trap()
define void @trapped() {
  call void @llvm.trap()
  unreachable
}
