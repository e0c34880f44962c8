; Exceptions: invokes, landing pads, their tables, and frame information behind epilogues.
; RUN: llc -mtriple=x86_64-linux-gnu -relocation-model=pic -verify-machineinstrs -verify-regalloc %s -o - | FileCheck %s --check-prefixes=CHECK,PIC
; RUN: llc -mtriple=x86_64-linux-gnu -relocation-model=static -verify-machineinstrs %s -o - | FileCheck %s --check-prefixes=CHECK,STATIC
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -verify-machineinstrs -verify-regalloc -filetype=obj %s -o %t.o
; RUN: llc -mtriple=x86_64-linux-gnu -stop-after=irtranslator %s -o - | FileCheck %s --check-prefix=MIR
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -stop-before=cfi-instr-inserter %s -o - | llc -mtriple=x86_64-linux-gnu -x mir -start-before=cfi-instr-inserter -o - | FileCheck %s --check-prefix=CFI

@int = external constant ptr
@text = external constant ptr

declare i32 @personality(...)
declare i32 @may_throw(i32)
declare void @plain()
declare void @use(ptr, i32)

; CHECK-LABEL: caught:
; CHECK: .Lfunc_begin0:
; PIC: .cfi_personality 155, DW.ref.personality
; PIC-NEXT: .cfi_lsda 27, .Lexception0
; STATIC: .cfi_personality 3, personality
; STATIC-NEXT: .cfi_lsda 3, .Lexception0
; CHECK: [[B:.Leh[0-9_]+]]:
; CHECK: callq may_throw
; CHECK: [[E:.Leh[0-9_]+]]:
; CHECK: [[P:.Leh[0-9_]+]]:
; CHECK: .section .gcc_except_table,"a",@progbits
; CHECK: .Lexception0:
; CHECK-NEXT: .byte 255
; PIC-NEXT: .byte 155
; STATIC-NEXT: .byte 3
; CHECK-NEXT: .uleb128 .Lttbase0-.Lttbaseref0
; CHECK: .byte 1
; CHECK-NEXT: .uleb128 .Lcst_end0-.Lcst_begin0
; CHECK-NEXT: .Lcst_begin0:
; The call before the invoke goes on to the caller.
; CHECK-NEXT: .uleb128 .Lfunc_begin0-.Lfunc_begin0
; CHECK-NEXT: .uleb128 [[B]]-.Lfunc_begin0
; CHECK-NEXT: .uleb128 0
; CHECK-NEXT: .uleb128 0
; CHECK-NEXT: .uleb128 [[B]]-.Lfunc_begin0
; CHECK-NEXT: .uleb128 [[E]]-[[B]]
; CHECK-NEXT: .uleb128 [[P]]-.Lfunc_begin0
; CHECK-NEXT: .uleb128 5
; CHECK-NEXT: .uleb128 [[E]]-.Lfunc_begin0
; CHECK: .Lcst_end0:
; Last the cleanup, before it @text, then @int: each with the way to the next.
; CHECK-NEXT: .byte 0
; CHECK-NEXT: .byte 0
; CHECK-NEXT: .byte 2
; CHECK-NEXT: .byte 125
; CHECK-NEXT: .byte 1
; CHECK-NEXT: .byte 125
; PIC: .long .Ltext.DW.stub-
; PIC: .long .Lint.DW.stub-
; STATIC: .long text
; STATIC-NEXT: .long int
; CHECK-NEXT: .Lttbase0:

; MIR-LABEL: name: caught
; MIR: EH_LABEL <mcsymbol .Leh{{[0-9]+}}_1>
; MIR: CALL64pcrel32 @may_throw
; MIR: EH_LABEL <mcsymbol .Leh{{[0-9]+}}_2>
; MIR: bb.{{[0-9]+}}.pad (landing-pad):
; MIR: liveins: $rax, $rdx
; MIR: EH_LABEL <mcsymbol .Leh{{[0-9]+}}_3>
; MIR-NEXT: %{{[0-9]+}}:_(p0) = COPY $rax
; MIR-NEXT: %{{[0-9]+}}:_(s64) = COPY $rdx
define i32 @caught(i32 %x) personality ptr @personality {
entry:
  call void @plain()
  %r = invoke i32 @may_throw(i32 %x) to label %ok unwind label %pad
ok:
  ret i32 %r
pad:
  %before = phi i32 [ %x, %entry ]
  %e = landingpad { ptr, i32 } cleanup catch ptr @int catch ptr @text
  %p = extractvalue { ptr, i32 } %e, 0
  %s = extractvalue { ptr, i32 } %e, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @text)
  %is = icmp eq i32 %s, %id
  br i1 %is, label %handle, label %on
handle:
  call void @use(ptr %p, i32 %before)
  ret i32 0
on:
  resume { ptr, i32 } %e
}

; A filter: its number in the action is negative, its types stand behind the base.
; CHECK-LABEL: filtered:
; CHECK: .Lcst_end1:
; CHECK-NEXT: .byte 127
; CHECK-NEXT: .byte 0
; CHECK: .Lttbase1:
; CHECK-NEXT: .byte 1
; CHECK-NEXT: .byte 0
define void @filtered() personality ptr @personality {
  %r = invoke i32 @may_throw(i32 1) to label %ok unwind label %pad
ok:
  ret void
pad:
  %e = landingpad { ptr, i32 } filter [1 x ptr] [ptr @int]
  resume { ptr, i32 } %e
}

; Only a cleanup: no action, no types.
; CHECK-LABEL: cleaned:
; CHECK: callq _Unwind_Resume
; CHECK: .Lexception2:
; CHECK-NEXT: .byte 255
; CHECK-NEXT: .byte 255
; The code behind the epilogue has the frame again.
; CFI-LABEL: cleaned:
; CFI: .cfi_def_cfa_offset 8
; CFI-NEXT: retq
; CFI-NEXT: .{{.*}}:
; CFI: .cfi_def_cfa_offset {{[1-9][0-9]}}
define void @cleaned(ptr %p) personality ptr @personality {
  %r = invoke i32 @may_throw(i32 1) to label %ok unwind label %pad
ok:
  ret void
pad:
  %e = landingpad { ptr, i32 } cleanup
  call void @use(ptr %p, i32 5)
  resume { ptr, i32 } %e
}

; PIC: .hidden DW.ref.personality
; PIC-NEXT: .weak DW.ref.personality
; PIC: .quad personality
; PIC: .Ltext.DW.stub:
; PIC-NEXT: .quad text

declare i32 @llvm.eh.typeid.for.p0(ptr)
