; RUN: mirin llc -mtriple=bpfel -mcpu=v4 -verify-machineinstrs %s -o - | filecheck %s
; RUN: mirin llc -mtriple=bpfel -mcpu=v4 -filetype=obj %s -o %t.o
; RUN: mirin objdump -t %t.o | filecheck %s --check-prefix=SYM
; RUN: mirin llc -mtriple=bpfel -mcpu=v4 -relocation-model=static %s -o - | filecheck %s --check-prefix=STATIC
; RUN: mirin llc -mtriple=bpfel -mcpu=v3 %s -o - | filecheck %s --check-prefix=V3

; Thirteen cases are as many as make a table; twelve are comparisons, and so is everything before version 4.
; CHECK-LABEL: thirteen:
; CHECK: [[T:r[0-9]]] = BPF.JT.0.0 ll
; CHECK: {{r[0-9]}} <<= 3
; CHECK: [[E:r[0-9]]] = *(u64 *)({{r[0-9]}} + 0)
; CHECK-NEXT: [[T]] += [[E]]
; CHECK-NEXT: gotox [[T]]
; CHECK-NEXT: [[FIRST:LBB0_[0-9]+]]:
; CHECK: .section .jumptables,"",@progbits{{$}}
; CHECK-NEXT: BPF.JT.0.0:
; CHECK-NEXT: .quad [[FIRST]]-prog
; CHECK-COUNT-12: .quad LBB0_{{[0-9]+}}-prog
; CHECK-NEXT: .size BPF.JT.0.0, 104
; CHECK-LABEL: twelve:
; CHECK-NOT: gotox
; SYM: g O .jumptables {{0*}}68 BPF.JT.0.0
; STATIC: [[E:r[0-9]]] = *(u64 *)({{r[0-9]}} + 0)
; STATIC-NEXT: gotox [[E]]
; V3-NOT: gotox
define i32 @thirteen(i32 %x) section "prog" {
  switch i32 %x, label %d [
    i32 0, label %b0
    i32 1, label %b1
    i32 2, label %b2
    i32 3, label %b3
    i32 4, label %b4
    i32 5, label %b5
    i32 6, label %b6
    i32 7, label %b7
    i32 8, label %b8
    i32 9, label %b9
    i32 10, label %b10
    i32 11, label %b11
    i32 12, label %b12
  ]
b0:
  %r0 = call i32 @g(i32 3)
  %s0 = add i32 %r0, 5
  br label %d
b1:
  %r1 = call i32 @g(i32 4)
  %s1 = mul i32 %r1, 12
  br label %d
b2:
  %r2 = call i32 @g(i32 7)
  %s2 = xor i32 %r2, 19
  br label %d
b3:
  %r3 = call i32 @g(i32 12)
  %s3 = or i32 %r3, 26
  br label %d
b4:
  %r4 = call i32 @g(i32 19)
  %s4 = add i32 %r4, 33
  br label %d
b5:
  %r5 = call i32 @g(i32 28)
  %s5 = mul i32 %r5, 40
  br label %d
b6:
  %r6 = call i32 @g(i32 39)
  %s6 = xor i32 %r6, 47
  br label %d
b7:
  %r7 = call i32 @g(i32 52)
  %s7 = or i32 %r7, 54
  br label %d
b8:
  %r8 = call i32 @g(i32 67)
  %s8 = add i32 %r8, 61
  br label %d
b9:
  %r9 = call i32 @g(i32 84)
  %s9 = mul i32 %r9, 68
  br label %d
b10:
  %r10 = call i32 @g(i32 103)
  %s10 = xor i32 %r10, 75
  br label %d
b11:
  %r11 = call i32 @g(i32 124)
  %s11 = or i32 %r11, 82
  br label %d
b12:
  %r12 = call i32 @g(i32 147)
  %s12 = add i32 %r12, 89
  br label %d
d:
  %r = phi i32 [ 0, %0 ], [ %s0, %b0 ], [ %s1, %b1 ], [ %s2, %b2 ], [ %s3, %b3 ], [ %s4, %b4 ], [ %s5, %b5 ], [ %s6, %b6 ], [ %s7, %b7 ], [ %s8, %b8 ], [ %s9, %b9 ], [ %s10, %b10 ], [ %s11, %b11 ], [ %s12, %b12 ]
  ret i32 %r
}

define i32 @twelve(i32 %x) section "prog" {
  switch i32 %x, label %d [
    i32 0, label %b0
    i32 1, label %b1
    i32 2, label %b2
    i32 3, label %b3
    i32 4, label %b4
    i32 5, label %b5
    i32 6, label %b6
    i32 7, label %b7
    i32 8, label %b8
    i32 9, label %b9
    i32 10, label %b10
    i32 11, label %b11
  ]
b0:
  %r0 = call i32 @g(i32 3)
  %s0 = add i32 %r0, 5
  br label %d
b1:
  %r1 = call i32 @g(i32 4)
  %s1 = mul i32 %r1, 12
  br label %d
b2:
  %r2 = call i32 @g(i32 7)
  %s2 = xor i32 %r2, 19
  br label %d
b3:
  %r3 = call i32 @g(i32 12)
  %s3 = or i32 %r3, 26
  br label %d
b4:
  %r4 = call i32 @g(i32 19)
  %s4 = add i32 %r4, 33
  br label %d
b5:
  %r5 = call i32 @g(i32 28)
  %s5 = mul i32 %r5, 40
  br label %d
b6:
  %r6 = call i32 @g(i32 39)
  %s6 = xor i32 %r6, 47
  br label %d
b7:
  %r7 = call i32 @g(i32 52)
  %s7 = or i32 %r7, 54
  br label %d
b8:
  %r8 = call i32 @g(i32 67)
  %s8 = add i32 %r8, 61
  br label %d
b9:
  %r9 = call i32 @g(i32 84)
  %s9 = mul i32 %r9, 68
  br label %d
b10:
  %r10 = call i32 @g(i32 103)
  %s10 = xor i32 %r10, 75
  br label %d
b11:
  %r11 = call i32 @g(i32 124)
  %s11 = or i32 %r11, 82
  br label %d
d:
  %r = phi i32 [ 0, %0 ], [ %s0, %b0 ], [ %s1, %b1 ], [ %s2, %b2 ], [ %s3, %b3 ], [ %s4, %b4 ], [ %s5, %b5 ], [ %s6, %b6 ], [ %s7, %b7 ], [ %s8, %b8 ], [ %s9, %b9 ], [ %s10, %b10 ], [ %s11, %b11 ]
  ret i32 %r
}

declare i32 @g(i32)
