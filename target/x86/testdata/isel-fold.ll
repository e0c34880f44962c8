; RUN: llc -mtriple=x86_64-linux-gnu -O2 -verify-machineinstrs -verify-regalloc %s -o - | FileCheck %s

; A call reads the address of the callee itself, but not a volatile one, one that
; somebody else reads, or across what may write it.
define i32 @virtual(ptr %o, i32 %x) {
; CHECK-LABEL: virtual:
; CHECK: movq (%rdi), %rax
; CHECK-NEXT: callq *32(%rax)
  %vt = load ptr, ptr %o
  %s = getelementptr ptr, ptr %vt, i64 4
  %f = load ptr, ptr %s
  %r = call i32 %f(ptr %o, i32 %x)
  %r2 = add i32 %r, 1
  ret i32 %r2
}

define i32 @volatile_callee(ptr %o) {
; CHECK-LABEL: volatile_callee:
; CHECK: callq *%rax
  %f = load volatile ptr, ptr %o
  %r = call i32 %f(ptr %o)
  %r2 = add i32 %r, 1
  ret i32 %r2
}

define i32 @written_callee(ptr %o, ptr %p) {
; CHECK-LABEL: written_callee:
; CHECK: movq (%rdi), %rax
; CHECK: movq $0, (%rsi)
; CHECK: callq *%rax
  %f = load ptr, ptr %o
  store ptr null, ptr %p
  %r = call i32 %f(ptr %o)
  %r2 = add i32 %r, 1
  ret i32 %r2
}

; What changes memory sets the flags that the comparison of the result asks for.
define i32 @count_down(ptr %p) {
; CHECK-LABEL: count_down:
; CHECK: decw (%rdi)
; CHECK-NEXT: j{{n?}}e
  %v = load i16, ptr %p
  %d = add i16 %v, -1
  store i16 %d, ptr %p
  %c = icmp eq i16 %d, 0
  br i1 %c, label %x, label %y
x:
  ret i32 5
y:
  ret i32 9
}

define i32 @mask(ptr %p, i32 %b) {
; CHECK-LABEL: mask:
; CHECK: andl %esi, (%rdi)
; CHECK-NEXT: j{{le|g}}
  %v = load i32, ptr %p
  %d = and i32 %v, %b
  store i32 %d, ptr %p
  %c = icmp sgt i32 %d, 0
  br i1 %c, label %x, label %y
x:
  ret i32 5
y:
  ret i32 9
}

define i32 @subtract(ptr %p, i64 %b) {
; CHECK-LABEL: subtract:
; CHECK: subq %rsi, (%rdi)
; CHECK-NEXT: j{{n?}}s
  %v = load i64, ptr %p
  %d = sub i64 %v, %b
  store i64 %d, ptr %p
  %c = icmp slt i64 %d, 0
  br i1 %c, label %x, label %y
x:
  ret i32 5
y:
  ret i32 9
}

; An addition may overflow: greater than 0 is not what its flags say.
define i32 @overflow(ptr %p, i32 %b) {
; CHECK-LABEL: overflow:
; CHECK: testl
; CHECK-NEXT: j{{le|g}}
  %v = load i32, ptr %p
  %d = add i32 %v, %b
  store i32 %d, ptr %p
  %c = icmp sgt i32 %d, 0
  br i1 %c, label %x, label %y
x:
  ret i32 5
y:
  ret i32 9
}

; The result is asked for, the memory is volatile, or another one.
define i32 @result(ptr %p, ptr %q, i32 %b) {
; CHECK-LABEL: result:
; CHECK: movl %e{{..}}, (%rdi)
; CHECK: movl %e{{..}}, (%rsi)
  %v = load i32, ptr %p
  %d = and i32 %v, %b
  store i32 %d, ptr %p
  store i32 %d, ptr %q
  %c = icmp eq i32 %d, 0
  br i1 %c, label %x, label %y
x:
  ret i32 5
y:
  ret i32 9
}

define i32 @volatile_memory(ptr %p, i32 %b) {
; CHECK-LABEL: volatile_memory:
; CHECK: movl (%rdi), %eax
; CHECK: movl %eax, (%rdi)
  %v = load volatile i32, ptr %p
  %d = and i32 %v, %b
  store volatile i32 %d, ptr %p
  %c = icmp eq i32 %d, 0
  br i1 %c, label %x, label %y
x:
  ret i32 5
y:
  ret i32 9
}

; A call between the store and the comparison changes the flags.
define i32 @call_between(ptr %p, i32 %b) {
; CHECK-LABEL: call_between:
; CHECK: callq f
; CHECK: test
  %v = load i32, ptr %p
  %d = and i32 %v, %b
  store i32 %d, ptr %p
  call void @f()
  %c = icmp eq i32 %d, 0
  br i1 %c, label %x, label %y
x:
  ret i32 5
y:
  ret i32 9
}
declare void @f()

define i32 @absolute(i32 %x) {
; CHECK-LABEL: absolute:
; CHECK: negl %eax
; CHECK-NEXT: cmovsl %edi, %eax
  %s = call i32 @llvm.abs.i32(i32 %x, i1 false)
  ret i32 %s
}

; Sums of what has no bits in common, and of something twice.
define i64 @disjoint(i64 %x) {
; CHECK-LABEL: disjoint:
; CHECK: leaq 1({{%r..}}), %r
; CHECK-NOT: orq
  %z = shl i64 %x, 2
  %s = or disjoint i64 %z, 1
  %a = mul i64 %z, %s
  ret i64 %a
}

define i64 @twice(i16 %x) {
; CHECK-LABEL: twice:
; CHECK: movzwl %di, %eax
; CHECK-NEXT: leaq 8(%rax,%rax), %rax
; CHECK-NEXT: retq
  %z = zext i16 %x to i64
  %s = shl nuw nsw i64 %z, 1
  %a = add nuw nsw i64 %s, 8
  ret i64 %a
}

; A number of 32 bits is one instruction, which is as cheap as a move: no edge is
; split for it.
define i64 @constant(i64 %x) {
; CHECK-LABEL: constant:
; CHECK: movl $3000000000, %e{{..}}
; CHECK-NEXT: cmpq
  %c = icmp ult i64 %x, 2
  br i1 %c, label %end, label %more
more:
  %y = mul i64 %x, %x
  br label %end
end:
  %r = phi i64 [ 3000000000, %0 ], [ %y, %more ]
  ret i64 %r
}
