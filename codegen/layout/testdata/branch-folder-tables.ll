; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs -stop-after=branch-folder -simplify-mir %s -o - | FileCheck %s
; RUN: llc -O2 -mtriple=x86_64-unknown-linux-gnu -verify-machineinstrs -stop-after=branch-folder -opt-disable=branch-folder -simplify-mir %s -o - | FileCheck --check-prefix=OFF %s

; Blocks that only jump on leave jump tables too: the table names where they
; lead. Landing pads and blocks whose address is taken stay, whoever reaches them.
; CHECK-LABEL: name: table
; CHECK: jumpTable:
; CHECK: blocks: [ '[[A:%bb\.[0-9]+]]', '[[B:%bb\.[0-9]+]]', '[[C:%bb\.[0-9]+]]', '[[A]]',
; OFF-LABEL: name: table
; OFF: blocks: [ '[[A:%bb\.[0-9]+]]',
; OFF-NOT: '[[A]]'
; OFF: ]
define i32 @table(i32 %x, ptr %p) {
  switch i32 %x, label %d [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %c
    i32 3, label %empty
    i32 4, label %e
  ]
a:
  store volatile i32 1, ptr %p
  ret i32 1
b:
  store volatile i32 2, ptr %p
  ret i32 2
c:
  store volatile i32 3, ptr %p
  ret i32 3
empty:
  br label %a
e:
  store volatile i32 4, ptr %p
  ret i32 4
d:
  ret i32 0
}

; CHECK-LABEL: name: taken
; CHECK: ir-block-address-taken %ir-block.x
@t = global ptr blockaddress(@taken, %x)
define i32 @taken(ptr %p) {
  indirectbr ptr %p, [label %x, label %y]
x:
  br label %y
y:
  ret i32 1
}
