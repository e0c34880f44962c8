; Callees of tailcc take their arguments off the stack, and what aligns them; jumps put others in
; the place of the caller's.
; RUN: llc -O0 -mtriple=x86_64-linux-gnu -verify-machineinstrs -o - %s | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -verify-machineinstrs -o - %s | FileCheck %s
; RUN: llc -tailcallopt -mtriple=x86_64-linux-gnu -verify-machineinstrs -o - %s | FileCheck %s --check-prefix=OPT

; CHECK-LABEL: none:
; CHECK:       retq $8
; CHECK-LABEL: many:
; CHECK:       retq $24
; CHECK-LABEL: loop:
; CHECK-DAG:   jmp many
; CHECK-DAG:   jmp loop
; CHECK-LABEL: shrink:
; CHECK:       callq none
; CHECK-NEXT:  subq $8, %rsp
; CHECK:       addq $16, %rsp
; CHECK:       jmp none
; CHECK-LABEL: cmust:
; CHECK:       jmp cmust
; CHECK-LABEL: sw:
; CHECK:       retq $8
; OPT-LABEL:   fast:
; OPT:         retq $8
define fastcc i64 @fast(i64 %a) {
 ret i64 %a }
define tailcc i64 @none(i64 %a) noinline { %r = add i64 %a, 1
 ret i64 %r }
define tailcc i64 @many(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, i64 %i) noinline {
 %1 = mul i64 %a, 3
 %2 = add i64 %1, %b
 %3 = mul i64 %2, 5
 %4 = add i64 %3, %g
 %5 = mul i64 %4, 7
 %6 = add i64 %5, %h
 %7 = mul i64 %6, 11
 %8 = add i64 %7, %i
 ret i64 %8 }
define tailcc i64 @loop(i64 %n, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, i64 %i) noinline {
 %z = icmp eq i64 %n, 0
 br i1 %z, label %x, label %y
x:
 %s = add i64 %g, %i
 %u = musttail call tailcc i64 @many(i64 %n, i64 %c, i64 %b, i64 %d, i64 %e, i64 %f, i64 %h, i64 %g, i64 %s)
 ret i64 %u
y:
 %m = sub i64 %n, 1
 %gg = add i64 %g, %h
 %w = tail call tailcc i64 @loop(i64 %m, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %h, i64 %i, i64 %gg)
 ret i64 %w }
define tailcc i64 @shrink(i64 %n, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, i64 %i) noinline {
 %k = call tailcc i64 @none(i64 %g)
 %q = xor i64 %k, %i
 %u = musttail call tailcc i64 @none(i64 %q)
 ret i64 %u }
define tailcc i64 @shrink2(i64 %n, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, i64 %i, i64 %j, i64 %k) noinline {
 %u = musttail call tailcc i64 @many(i64 %n, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %k, i64 %j, i64 %g)
 ret i64 %u }
define i64 @cmust(i64 %n, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h) noinline {
 %z = icmp eq i64 %n, 0
 br i1 %z, label %x, label %y
x:
 %s = sub i64 %g, %h
 ret i64 %s
y:
 %m = sub i64 %n, 1
 %gg = mul i64 %g, 3
 %u = musttail call i64 @cmust(i64 %m, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %h, i64 %gg)
 ret i64 %u }
define swifttailcc i64 @sw(i64 %n, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g) noinline { %r = sub i64 %n, %g
 ret i64 %r }
