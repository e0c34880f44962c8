; The models of thread-local variables, chosen as LLVM chooses them.
; RUN: llc -mtriple=x86_64-linux-gnu -relocation-model=pic -verify-machineinstrs -o - %s | FileCheck %s --check-prefixes=CHECK,PIC
; RUN: llc -mtriple=x86_64-linux-gnu -relocation-model=pic -enable-tlsdesc -verify-machineinstrs -o - %s | FileCheck %s --check-prefixes=CHECK,DESC
; RUN: llc -mtriple=x86_64-linux-gnu -relocation-model=static -verify-machineinstrs -o - %s | FileCheck %s --check-prefixes=CHECK,EXEC
; RUN: llc -O0 -mtriple=x86_64-linux-gnu -relocation-model=pic -verify-machineinstrs -filetype=obj -o %t %s
; RUN: llvm-objdump -dr %t | FileCheck %s --check-prefix=OBJ

@e = external thread_local global i32
@d = thread_local global i32 3
@l = internal thread_local global i32 5
@l2 = internal thread_local global [10 x i32] zeroinitializer
@ie = external thread_local(initialexec) global i32
@le = thread_local(localexec) global i32 4

; CHECK-LABEL: external:
; PIC:       data16
; PIC-NEXT:  leaq e@TLSGD(%rip), %rdi
; PIC-NEXT:  data16
; PIC-NEXT:  data16
; PIC-NEXT:  rex64
; PIC-NEXT:  callq __tls_get_addr@PLT
; PIC-NEXT:  movl (%rax), %eax
; DESC:      leaq e@tlsdesc(%rip), %rax
; DESC-NEXT: callq *e@tlscall(%rax)
; DESC-NEXT: movl %fs:(%rax), %eax
; EXEC:      movq e@GOTTPOFF(%rip), %rax
; EXEC-NEXT: movl %fs:(%rax), %eax
; The bytes that linkers look for.
; OBJ-LABEL: <external>:
; OBJ:       66 48 8d 3d 00 00 00 00
; OBJ-NEXT:  R_X86_64_TLSGD e-0x4
; OBJ-NEXT:  66 66 48 e8 00 00 00 00
; OBJ-NEXT:  R_X86_64_PLT32 __tls_get_addr-0x4
define i32 @external() {
  %v = load i32, ptr @e
  ret i32 %v
}

; CHECK-LABEL: offset:
; DESC:      movq %fs:0, %rcx
; DESC:      leaq 4(%rcx,%rax), %rax
; EXEC:      movq d@GOTTPOFF(%rip), %rcx
; EXEC:      leaq 4(%rax,%rcx), %rax
define ptr @offset() {
  ret ptr getelementptr (i8, ptr @d, i64 4)
}

; The second call for the base of the module goes.
; CHECK-LABEL: local:
; PIC:       leaq l@TLSLD(%rip), %rdi
; PIC-NEXT:  callq __tls_get_addr@PLT
; PIC-NOT:   call
; PIC:       l@DTPOFF(%rax)
; PIC-NOT:   call
; PIC:       l2@DTPOFF(%rax,%rbx,4)
; DESC:      leaq _TLS_MODULE_BASE_@tlsdesc(%rip), %rax
; DESC-NEXT: callq *_TLS_MODULE_BASE_@tlscall(%rax)
; DESC:      %fs:l@DTPOFF(%rax)
; DESC:      %fs:l2@DTPOFF(%rax,%rdi,4)
; EXEC:      movl %fs:l@TPOFF, %
; EXEC:      %fs:l2@TPOFF(,%rdi,4)
; CHECK:     retq
define i32 @local(i64 %i) {
  %v = load i32, ptr @l
  %p = getelementptr [10 x i32], ptr @l2, i64 0, i64 %i
  %w = load i32, ptr %p
  %s = add i32 %v, %w
  ret i32 %s
}

; CHECK-LABEL: asked:
; CHECK:     movq ie@GOTTPOFF(%rip), %rax
; CHECK:     subl %fs:le@TPOFF, %eax
; CHECK:     retq
define i32 @asked() {
  %v = load i32, ptr @ie
  %w = load i32, ptr @le
  %s = sub i32 %v, %w
  ret i32 %s
}

; CHECK-LABEL: nosegment:
; CHECK:     movq %fs:0, %rax
; CHECK:     movl le@TPOFF(%rax), %eax
define i32 @nosegment() "indirect-tls-seg-refs" {
  %w = load i32, ptr @le
  ret i32 %w
}
