; RUN: llc -O2 -j1 -mtriple=x86_64-unknown-linux-gnu -stop-after=legalizer -verify-machineinstrs -opt-bisect-limit=5 %s -o %t.1 2>&1 | FileCheck %s
; RUN: llc -O2 -j4 -mtriple=x86_64-unknown-linux-gnu -stop-after=legalizer -verify-machineinstrs -opt-bisect-limit=5 %s -o %t.2 2>&1 | FileCheck %s
; RUN: diff %t.1 %t.2
; RUN: FileCheck --check-prefix=MIR %s < %t.1
; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -stop-after=legalizer -opt-bisect=2,4-5 %s -o %t.3 2>&1 | FileCheck --check-prefix=INTERVALS %s
; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -opt-bisect-limit=0 -opt-bisect-verbose=false %s -o - 2>&1 | FileCheck --check-prefix=QUIET --implicit-check-not=BISECT %s
; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -opt-disable=x86-prelegalizer-combiner %s -o - 2>&1 | FileCheck --check-prefix=QUIET --implicit-check-not=BISECT %s
; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -opt-bisect-funcs=second %s -o - 2>&1 | FileCheck --check-prefix=FUNCS %s
; RUN: not llc -O2 -mtriple=x86_64-unknown-linux-gnu -opt-bisect=3,1 %s -o - 2>&1 | FileCheck --check-prefix=BAD %s

; Runs of optional passes are numbered through the module, whatever the number
; of workers; those above the limit are shown and left out.

; CHECK: BISECT: running pass (1) irtranslator on function (first)
; CHECK-NEXT: BISECT: running pass (2) x86-prelegalizer-combiner on function (first)
; CHECK-NEXT: BISECT: running pass (3) localizer on function (first)
; CHECK-NEXT: BISECT: running pass (4) irtranslator on function (second)
; CHECK-NEXT: BISECT: running pass (5) x86-prelegalizer-combiner on function (second)
; CHECK-NEXT: BISECT: NOT running pass (6) localizer on function (second)
; CHECK-NEXT: BISECT: NOT running pass (7) irtranslator on function (third)

; INTERVALS: BISECT: NOT running pass (1)
; INTERVALS: BISECT: running pass (2)
; INTERVALS: BISECT: NOT running pass (3)
; INTERVALS: BISECT: running pass (4)
; INTERVALS: BISECT: running pass (5)
; INTERVALS: BISECT: NOT running pass (6)

; The multiplication by a power of two is a shift where the combiner ran.
; MIR-LABEL: name: first
; MIR: G_SHL
; MIR-LABEL: name: second
; MIR: G_SHL
; MIR-LABEL: name: third
; MIR: G_MUL
; QUIET-LABEL: first:
; QUIET: imull
; QUIET-LABEL: second:
; QUIET: imull
; FUNCS-LABEL: first:
; FUNCS: imull
; FUNCS-LABEL: second:
; FUNCS: shll
; FUNCS-LABEL: third:
; FUNCS: imull
; BAD: Invalid interval specification for -opt-bisect: 3,1
define i32 @first(i32 %a) {
  %b = mul i32 %a, 8
  ret i32 %b
}

define i32 @second(i32 %a) {
  %b = mul i32 %a, 16
  ret i32 %b
}

; No optional pass runs on a function that is not to be optimized.
define i32 @third(i32 %a) noinline optnone {
  %b = mul i32 %a, 32
  ret i32 %b
}
