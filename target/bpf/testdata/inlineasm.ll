; RUN: mirin llc -mtriple=bpfel -verify-machineinstrs %s -o - | filecheck %s
; RUN: mirin llc -mtriple=bpfel -filetype=obj %s -o %t && mirin objdump -d %t | filecheck --check-prefix=OBJ %s

; r takes a whole register, whose upper half is zero, w a low half.
; CHECK-LABEL: operands:
; CHECK: r[[A:[0-9]]] = w2
; CHECK: r{{[0-9]}} = r[[A]]; r{{[0-9]}} += 7
; CHECK: r{{[0-9]}} = *(u64 *) (r1 + 0)
; CHECK: w{{[0-9]}} = w{{[0-9]}}
; OBJ: r{{[0-9]}} += 0x7
; OBJ: may_goto +0x1
define i32 @operands(ptr %p, i32 %v) {
  %a = call i32 asm sideeffect "$0 = $1; $0 += $2", "=r,r,i,~{r3}"(i32 %v, i32 7)
  %b = call i64 asm sideeffect "$0 = *(u64 *) $1", "=r,*m"(ptr elementtype(i64) %p)
  %w = call i32 asm sideeffect "$0 = $1", "=w,w"(i32 %a)
  call void asm sideeffect "may_goto +1", ""()
  %q = trunc i64 %b to i32
  %c = add i32 %w, %q
  ret i32 %c
}

; The high bits of a narrow operand are what is there.
; CHECK-LABEL: narrow:
; CHECK-NOT: &=
; CHECK: r1 += 0
define void @narrow(i64 %x) {
  %t = trunc i64 %x to i16
  call void asm sideeffect "$0 += 0", "r"(i16 %t)
  ret void
}
