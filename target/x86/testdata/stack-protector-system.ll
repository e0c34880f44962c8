; Where the word of stack protectors is, is the system's choice: in the block of the
; thread, or in a variable.
; RUN: llc -mtriple=x86_64-unknown-linux-musl %s -o - | FileCheck %s --check-prefix=FS40
; RUN: llc -mtriple=x86_64-unknown-hurd-gnu %s -o - | FileCheck %s --check-prefix=FS40
; RUN: llc -mtriple=x86_64-unknown-fuchsia %s -o - | FileCheck %s --check-prefix=FS16
; RUN: llc -mtriple=x86_64-unknown-freebsd -relocation-model=pic %s -o - | FileCheck %s --check-prefix=VAR
; RUN: llc -mtriple=x86_64-none-elf %s -o - | FileCheck %s --check-prefix=VAR
; RUN: not llc -mtriple=x86_64-unknown-openbsd %s -o - 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: not llc -mtriple=x86_64-openbsd %s -o - 2>&1 | FileCheck %s --check-prefix=NONE
; FS40-COUNT-2: movq %fs:40, %r
; FS16-COUNT-2: movq %fs:16, %r
; VAR-COUNT-2: movq __stack_chk_guard(%rip), %r
; NONE: in function f: a stack protector of this system is not supported
define i32 @f(i32 %x) sspreq {
  ret i32 %x
}
