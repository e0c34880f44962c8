# RUN: llvm-mc -triple x86_64 -x86-asm-syntax=intel -show-encoding %s | FileCheck %s
# Returns without a size are those of the mode; far ones have 32 bits.

# CHECK: retq # encoding: [0xc3]
ret
# CHECK: retq $4 # encoding: [0xc2,0x04,0x00]
ret 4
# CHECK: lretl # encoding: [0xcb]
retf
# CHECK: lretl $8 # encoding: [0xca,0x08,0x00]
retf 8
