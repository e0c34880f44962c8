; Attributes that are numbers are refused where they are none.
; RUN: split-file %s %t
; RUN: not llc -mtriple=x86_64-unknown-linux-gnu %t/probe.ll -o - 2>&1 | FileCheck %s --check-prefix=PROBE
; RUN: not llc -mtriple=x86_64-unknown-linux-gnu %t/protector.ll -o - 2>&1 | FileCheck %s --check-prefix=PROTECTOR
; RUN: not llc -mtriple=x86_64-unknown-linux-gnu %t/xray.ll -o - 2>&1 | FileCheck %s --check-prefix=XRAY
; RUN: llc -mtriple=x86_64-unknown-linux-gnu %t/right.ll -o - | FileCheck %s --check-prefix=RIGHT

; PROBE: error: cannot parse integer attribute stack-probe-size
; PROTECTOR: error: cannot parse integer attribute stack-protector-buffer-size
; XRAY: error: cannot parse integer attribute xray-instruction-threshold
; RIGHT: always:

;--- probe.ll
define void @f() "stack-probe-size"="4_096" {
  ret void
}
;--- protector.ll
define void @f() "stack-protector-buffer-size"="-1" {
  ret void
}
;--- xray.ll
define void @f() "xray-instruction-threshold"="" {
  ret void
}
;--- right.ll
declare void @g() "stack-probe-size"="abc"
define void @always() "function-instrument"="xray-always" "xray-instruction-threshold"="abc" "stack-probe-size"="0x1000" "stack-protector-buffer-size"="5000000000" {
  call void @g()
  ret void
}
