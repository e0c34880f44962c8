; Names that mean something else in assembly stand in quotes there: an @ would begin a
; modifier, and Intel syntax has names for registers, sizes and operators.
; RUN: llc -relocation-model=pic -O2 < %s | FileCheck %s --check-prefix=ATT
; RUN: llc -relocation-model=pic -O2 -x86-asm-syntax=intel < %s | FileCheck %s --check-prefix=INTEL
; RUN: llc -relocation-model=pic -O2 -x86-asm-syntax=intel < %s | llvm-mc -triple=x86_64 -filetype=obj -o %t1
; RUN: llc -relocation-model=pic -O2 -filetype=obj < %s -o %t2
; RUN: llvm-objdump -r %t1 | FileCheck %s --check-prefix=OBJ
; RUN: llvm-objdump -r %t2 | FileCheck %s --check-prefix=OBJ
target triple = "x86_64-unknown-linux-gnu"

declare void @"f@V1"()
declare void @"$d"()
declare void @rax()
declare void @OFFSET()
declare void @byte()
declare void @"0d"()
declare void @plain()

; ATT: callq "f@V1"@PLT
; ATT: callq ($d@PLT)
; ATT: callq rax@PLT
; ATT: callq OFFSET@PLT
; ATT: callq byte@PLT
; ATT: callq "0d"@PLT
; ATT: callq plain@PLT
; INTEL: call "f@V1"@PLT
; INTEL: call "$d"@PLT
; INTEL: call "rax"@PLT
; INTEL: call "OFFSET"@PLT
; INTEL: call "byte"@PLT
; INTEL: call "0d"@PLT
; INTEL: call plain@PLT
; OBJ: R_X86_64_PLT32 f@V1
; OBJ: R_X86_64_PLT32 $d
; OBJ: R_X86_64_PLT32 rax
; OBJ: R_X86_64_PLT32 OFFSET
; OBJ: R_X86_64_PLT32 byte
; OBJ: R_X86_64_PLT32 0d
; OBJ: R_X86_64_PLT32 plain
define void @g() {
  call void @"f@V1"()
  call void @"$d"()
  call void @rax()
  call void @OFFSET()
  call void @byte()
  call void @"0d"()
  call void @plain()
  ret void
}
