; RUN: not llc -O2 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs %s -o - 2>&1 | FileCheck %s

; Addresses of 32 bits are refused by name, not computed with 64.

; CHECK: in function f: legalizing {{.*}} = G_PTR_ADD {{.*}}(p270), {{.*}} is not supported
define i32 @f(ptr %pp, i32 %i) {
  %p = load ptr addrspace(270), ptr %pp
  %q = getelementptr i32, ptr addrspace(270) %p, i32 %i
  %x = load i32, ptr addrspace(270) %q
  ret i32 %x
}
