; RUN: mirin llc -O2 -mtriple=i386-linux-gnu %s -o - -verify-machineinstrs | FileCheck %s
; RUN: mirin llc -O0 -mtriple=i386-linux-gnu -relocation-model=pic %s -o - -verify-machineinstrs | FileCheck %s --check-prefix=PIC

; Exceptions come in EAX, the clause that caught them in EDX; atomic integers of 64 bits are exchanged.

@type = external constant ptr
declare i32 @__gxx_personality_v0(...)
declare void @may(i64)

; CHECK-LABEL: catch:
; CHECK: .cfi_personality 0, __gxx_personality_v0
; CHECK: calll may@PLT
; CHECK: cmpl $1, %edx
; CHECK: calll _Unwind_Resume
; PIC-LABEL: catch:
; PIC: .cfi_personality 155, DW.ref.__gxx_personality_v0
define i32 @catch(i64 %x) personality ptr @__gxx_personality_v0 {
  invoke void @may(i64 %x) to label %ok unwind label %lp
ok:
  ret i32 0
lp:
  %l = landingpad { ptr, i32 } catch ptr @type
  %s = extractvalue { ptr, i32 } %l, 1
  %t = call i32 @llvm.eh.typeid.for(ptr @type)
  %c = icmp eq i32 %s, %t
  br i1 %c, label %caught, label %re
caught:
  ret i32 1
re:
  resume { ptr, i32 } %l
}

; CHECK-LABEL: load:
; CHECK: lock cmpxchg8b
define i64 @load(ptr %p) {
  %v = load atomic i64, ptr %p seq_cst, align 8
  ret i64 %v
}

; CHECK-LABEL: add:
; CHECK: adcl
; CHECK: lock cmpxchg8b
define i64 @add(ptr %p, i64 %v) {
  %x = atomicrmw add ptr %p, i64 %v seq_cst
  ret i64 %x
}
