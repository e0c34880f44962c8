; Assembly in an object: TestAssembledObjects holds it to what the assembler makes of the text.
; RUN: llc -mtriple=x86_64-linux-gnu -filetype=obj %s -o %t.o

module asm ".globl modfn"
module asm ".type modfn,@function"
module asm "modfn: call h; ret # comment"
module asm ".weak wk; .set alias, modfn"
module asm ".macro twice x; \x; \x; .endm"
module asm ".section .note.mine,\22a\22,@note"
module asm ".long 1, 2"

@g = global i32 0
@table = external global i32
declare void @h()
declare void @modfn()

; Local labels, sections, and symbols that are defined here and used there.
define void @labels(i32 %x) {
  call void asm sideeffect "jmp 1f\0A1: nop\0A jne 1b\0A .pushsection .data,\22aw\22\0A.globl table\0Atable: .quad 1b\0A.long ${:uid}\0A.popsection", ""()
  call void asm sideeffect ".Lhere${:uid}: .byte 1,2,3; twice nop; call wk; movl g(%rip), %ecx", "~{ecx}"()
  call void @h()
  ret void
}

; Jumps over assembly grow as they must.
define i32 @far(i32 %x) {
entry:
  %c = icmp eq i32 %x, 7
  br i1 %c, label %a, label %b
a:
  call void asm sideeffect ".fill 200, 1, 0x90\0A.rept 3\0A.cfi_escape 0x2e, 0x10\0A.endr", ""()
  br label %b
b:
  %p = phi i32 [1, %entry], [2, %a]
  call void asm sideeffect inteldialect "mov eax, dword ptr [$0 + 4]\0A\09lea rcx, [rip + g]", "r,~{eax},~{ecx}"(ptr @g)
  ret i32 %p
}

define ptr @plain() {
  call void asm sideeffect "", "~{memory}"()
  ret ptr @modfn
}
