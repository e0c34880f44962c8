; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -print-pipeline %s | FileCheck --check-prefix=O2 %s
; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -print-pipeline %s | FileCheck --check-prefix=O0 %s
; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -debug-pass=Structure %s -o %t 2>&1 | FileCheck --check-prefix=STRUCTURE %s
; RUN: llc -O0 -mtriple=x86_64-unknown-linux-gnu -debug-pass=Arguments %s -o %t 2>&1 | FileCheck --check-prefix=ARGUMENTS %s

; O2: atomic-expand
; O2-NEXT: loop-reduce
; O2-NEXT: mergeicmps
; O2-NEXT: expand-memcmp
; O2-NEXT: partially-inline-libcalls
; O2-NEXT: post-inline-ee-instrument
; O2-NEXT: scalarize-masked-mem-intrin
; O2-NEXT: codegenprepare
; O2-NEXT: callbrprepare
; O2-NEXT: stack-protector
; O2-NEXT: irtranslator
; O2-NEXT: x86-prelegalizer-combiner
; O2: dead-mi-elimination
; O2: branch-folder
; O2: cfi-instr-inserter
; O0: atomic-expand
; O0-NEXT: post-inline-ee-instrument
; O0-NEXT: scalarize-masked-mem-intrin
; O0-NEXT: callbrprepare
; O0-NEXT: stack-protector
; O0-NEXT: irtranslator
; O0-NEXT: legalizer
; O0-NOT: branch-folder
; O0: fallthrough-branches
; STRUCTURE: Pass Arguments:  -atomic-expand -post-inline-ee-instrument -scalarize-masked-mem-intrin -callbrprepare -stack-protector -irtranslator -legalizer
; STRUCTURE: FunctionPass Manager
; STRUCTURE-NEXT:      Expand Atomic instructions
; STRUCTURE-NEXT:      Instrument function entry/exit with calls to e.g. mcount() (post inlining)
; STRUCTURE-NEXT:      Scalarize unsupported masked memory intrinsics
; STRUCTURE-NEXT:      Prepare callbr
; STRUCTURE-NEXT:      Insert stack protectors
; STRUCTURE-NEXT:      IRTranslator
; STRUCTURE-NEXT:      Legalizer
; STRUCTURE:      Prologue/Epilogue Insertion & Frame Finalization
; ARGUMENTS: Pass Arguments:  -atomic-expand -post-inline-ee-instrument -scalarize-masked-mem-intrin -callbrprepare -stack-protector -irtranslator
; ARGUMENTS-NOT: Prologue
define void @f() {
  ret void
}
