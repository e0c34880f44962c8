; Assembly that leaves the function's section: the function ends where it began, and has a
; size; no function behind is in the other section.
; RUN: llc -mtriple=x86_64-linux-gnu -filetype=obj -j1 %s -o %t.o
; RUN: llc -mtriple=x86_64-linux-gnu -filetype=obj -j2 %s -o %t.o

define void @left() {
  call void asm sideeffect ".section .cold,\22ax\22,@progbits; ud2", ""()
  ret void
}

define void @behind() {
  call void asm sideeffect ".previous; .previous; nop; .if . - behind - 1; .err; .endif", ""()
  ret void
}
