; What is wrong with assembly is shown where it stands in its text, all of it, and with the number of
; its !srcloc; the functions behind it are read nevertheless.
; RUN: not llc -mtriple=x86_64-linux-gnu -filetype=obj -j1 %s -o %t.o 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
; RUN: not llc -mtriple=x86_64-linux-gnu -filetype=obj -j4 %s -o %t.o 2>&1 | FileCheck %s --match-full-lines --strict-whitespace

module asm ".globl modfn"
module asm "modfn: ret # comment"
module asm "foo bar"

;      CHECK:<inline asm>:3:1: error: invalid instruction mnemonic 'foo'
; CHECK-NEXT:foo bar
; CHECK-NEXT:^~~

; CHECK-NEXT:<inline asm>:2:2: error: invalid instruction mnemonic 'foo'
; CHECK-NEXT:        foo %edi
; CHECK-NEXT:        ^~~
; CHECK-NEXT:note: !srcloc = 88
; CHECK-NEXT:<inline asm>:3:18: error: invalid instruction mnemonic 'bar'
; CHECK-NEXT:  movl $1, %eax; bar
; CHECK-NEXT:                 ^~~
; CHECK-NEXT:note: !srcloc = 99
define void @lines(i32 %x) {
  call void asm sideeffect "nop # hello\0A\09foo $0\0A  movl $$1, %eax; bar", "{edi},~{eax}"(i32 %x), !srcloc !0
  ret void
}

; CHECK-NEXT:<inline asm>:1:2: error: invalid instruction mnemonic 'bar'
; CHECK-NEXT:        bar %edi
; CHECK-NEXT:        ^~~
; CHECK-NEXT:<inline asm>:2:2: error: invalid instruction mnemonic 'bar'
; CHECK-NEXT:        bar edi
; CHECK-NEXT:        ^~~
define void @dialects(i32 %x) {
  call void asm sideeffect "bar $0", "{edi}"(i32 %x)
  call void asm sideeffect inteldialect "bar $0", "{edi}"(i32 %x)
  ret void
}

; CHECK-NEXT:<instantiation>:1:{{[0-9]+}}: error: invalid instruction mnemonic 'zap'
;      CHECK:<inline asm>:4:2: note: while in macro instantiation
; CHECK-NEXT: m
; CHECK-NEXT: ^
; CHECK-NEXT:note: !srcloc = 5
define void @macro() {
  call void asm sideeffect ".macro m\0A zap\0A.endm\0A m\0A", ""(), !srcloc !1
  ret void
}

; Conditions end with their text, frames are the function's; a file is none of a module's.
; CHECK-NEXT:<inline asm>:2:1: error: unmatched .ifs or .elses
;      CHECK:<inline asm>:2:1: error: starting new .cfi frame before finishing the previous one
;      CHECK:<inline asm>:1:11: error: Could not find include file 'no-such-file.h'
;      CHECK:<inline asm>:1:2: error: symbol 'modfn' is already defined
;  CHECK-NOT:error:
define void @state() {
  call void asm sideeffect ".if 1", ""()
  call void asm sideeffect "nop", ""()
  call void asm sideeffect ".cfi_startproc", ""()
  call void asm sideeffect ".include \22no-such-file.h\22", ""()
  call void asm sideeffect "modfn:", ""()
  ret void
}

!0 = !{i32 77, i32 88, i32 99, i32 111}
!1 = !{i32 5}
