; RUN: mirin llc -O2 -mtriple=i386-linux-gnu -mattr=+sse2,+cmov %s -o - -verify-machineinstrs | FileCheck %s
; RUN: mirin llc -O2 -mtriple=i386-linux-gnu -mattr=+sse2,+cmov -relocation-model=pic %s -o - | FileCheck %s --check-prefix=PIC
; RUN: mirin llc -O2 -mtriple=i386-linux-gnu %s -o - -verify-machineinstrs | FileCheck %s --check-prefix=X87

@g = external global i32
@l = internal global [4 x i32] zeroinitializer
@t = external thread_local global i32
@le = internal thread_local(localexec) global i32 0
declare void @ext(i32)

; Integers of 64 bits are pairs, EDX:EAX where they are returned.
; CHECK-LABEL: add64:
; CHECK-DAG: movl {{4|12}}(%esp), %eax
; CHECK-DAG: addl {{4|12}}(%esp), %eax
; CHECK-DAG: movl {{8|16}}(%esp), %edx
; CHECK: adcl {{8|16}}(%esp), %edx
; CHECK: retl
define i64 @add64(i64 %a, i64 %b) {
  %c = add i64 %a, %b
  ret i64 %c
}

; CHECK-LABEL: div64:
; CHECK: calll __udivdi3
define i64 @div64(i64 %a, i64 %b) {
  %c = udiv i64 %a, %b
  ret i64 %c
}

; Numbers come on the stack and are returned on that of the x87.
; CHECK-LABEL: fadd:
; CHECK: movsd 16(%esp), %xmm0
; CHECK: addsd 24(%esp), %xmm0
; CHECK: movsd %xmm0, (%esp)
; CHECK: fldl (%esp)
; X87-LABEL: fadd:
; X87-NOT: xmm
; X87: fadd
; X87: retl
define double @fadd(double %a, double %b) {
  %c = fadd double %a, %b
  ret double %c
}

; The callee takes the address of a result in memory off the stack, and all arguments in stdcall.
; CHECK-LABEL: sret:
; CHECK: movl 4(%esp), %eax
; CHECK: movl $7, (%eax)
; CHECK: retl $4
define void @sret(ptr sret(i32) %p) {
  store i32 7, ptr %p
  ret void
}

; CHECK-LABEL: std:
; CHECK: retl $12
define x86_stdcallcc i32 @std(i32 %a, i64 %b) {
  ret i32 %a
}

; CHECK-LABEL: fast:
; CHECK: leal (%e{{[cd]}}x,%e{{[cd]}}x), %eax
; CHECK: retl $4
define x86_fastcallcc i32 @fast(i32 inreg %a, i32 inreg %b, i32 %c) {
  %d = add i32 %a, %b
  ret i32 %d
}

; CHECK-LABEL: regparm:
; CHECK: movl %ecx, %eax
; CHECK: retl{{$}}
define i32 @regparm(i32 inreg %a, i32 inreg %b, i32 inreg %c, i32 inreg %d) {
  ret i32 %c
}

; Symbols are absolute, or count from the global offset table.
; CHECK-LABEL: globals:
; CHECK: movl 4(%esp), %eax
; CHECK: movl l(,%eax,4), %eax
; CHECK: addl g, %eax
; PIC-LABEL: globals:
; PIC: calll [[PB:.L[0-9]+\$pb]]
; PIC-NEXT: [[PB]]:
; PIC-NEXT: popl [[R:%e..]]
; PIC-NEXT: [[TMP:.Ltmp[0-9]+]]:
; PIC-NEXT: addl $_GLOBAL_OFFSET_TABLE_+([[TMP]]-[[PB]]), [[R]]
; PIC-DAG: l@GOTOFF(
; PIC-DAG: movl g@GOT([[R]]),
define i32 @globals(i32 %i) {
  %p = getelementptr [4 x i32], ptr @l, i32 0, i32 %i
  %a = load i32, ptr %p
  %b = load i32, ptr @g
  %c = add i32 %a, %b
  ret i32 %c
}

; PIC-LABEL: call:
; PIC: addl $_GLOBAL_OFFSET_TABLE_+({{.*}}), %ebx
; PIC: calll ext@PLT
; CHECK-LABEL: call:
; CHECK-NOT: ebx
; CHECK: calll ext@PLT
define void @call() {
  call void @ext(i32 1)
  call void @ext(i32 2)
  ret void
}

; CHECK-LABEL: tls:
; CHECK-DAG: movl t@INDNTPOFF, [[O:%e..]]
; CHECK: movl %gs:([[O]]), %eax
; PIC-LABEL: tls:
; PIC: leal t@TLSGD(,%ebx), %eax
; PIC-NEXT: calll ___tls_get_addr@PLT
define i32 @tls() {
  %v = load i32, ptr @t
  ret i32 %v
}

; CHECK-LABEL: localexec:
; CHECK: movl %gs:le@NTPOFF, %eax
define i32 @localexec() {
  %v = load i32, ptr @le
  ret i32 %v
}

; Four registers alone have a low byte.
; CHECK-LABEL: bytes:
; CHECK-NOT: sil
; CHECK-NOT: dil
; CHECK: retl
define i8 @bytes(ptr %p, ptr %q, i32 %a, i32 %b, i32 %c) {
  %x = trunc i32 %a to i8
  %y = trunc i32 %b to i8
  %z = trunc i32 %c to i8
  store i8 %x, ptr %p
  store i8 %y, ptr %q
  %s = mul i8 %x, %y
  %r = sub i8 %s, %z
  ret i8 %r
}

; CHECK-LABEL: exchange:
; CHECK: lock cmpxchg8b
define i64 @exchange(ptr %p, i64 %a, i64 %b) {
  %x = cmpxchg ptr %p, i64 %a, i64 %b seq_cst seq_cst
  %v = extractvalue { i64, i1 } %x, 0
  ret i64 %v
}

; Without conditional moves there are branches.
; CHECK-LABEL: select:
; CHECK: cmov
; X87-LABEL: select:
; X87-NOT: cmov
; X87: j
define i32 @select(i32 %a, i32 %b, i32 %c) {
  %x = icmp slt i32 %a, %b
  %r = select i1 %x, i32 %b, i32 %c
  ret i32 %r
}
