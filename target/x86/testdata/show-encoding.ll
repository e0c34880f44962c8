; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -show-mc-encoding %s -o - | FileCheck %s --check-prefix=ENC
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -asm-show-inst -j2 %s -o - | FileCheck %s --check-prefix=INST
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -O2 -misched-limit=3 -rng-seed 7 %s -o - 2>&1 | FileCheck %s --check-prefix=NOTE

; NOTE: llc: note: without meaning here: --misched-limit --rng-seed
; NOTE-NOT: note:
declare void @g()
define i32 @f(i32 %x) {
; ENC-LABEL: f:
; ENC: callq g # encoding: [0xe8,A,A,A,A]
; ENC-NEXT: # fixup A - offset: 1,
; ENC: addl $3, %ebx # encoding: [0x83,0xc3,0x03]
; INST-LABEL: f:
; INST: addl $3, %ebx # <MCInst #{{[0-9]+}} ADD32ri8
; INST-NEXT: #  <MCOperand Reg:EBX>
; INST-NEXT: #  <MCOperand Reg:EBX>
; INST-NEXT: #  <MCOperand Imm:3>>
  call void @g()
  %y = add i32 %x, 3
  ret i32 %y
}
define i32 @h(i32 %x) {
; ENC-LABEL: h:
; ENC: retq # encoding: [0xc3]
; INST-LABEL: h:
; INST: retq # <MCInst #{{[0-9]+}} RET64
  ret i32 %x
}
