; Inline assembly: what each constraint gives, as text and as MIR. TestAssembledObjects has its object.
; RUN: llc -mtriple=x86_64-linux-gnu -verify-machineinstrs -verify-regalloc %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -O0 -verify-machineinstrs -verify-regalloc %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -stop-after=irtranslator %s -o - | FileCheck %s --check-prefix=MIR

; CHECK-LABEL: regs:
; CHECK: #APP
; CHECK-NEXT: addl %esi, %e{{ax|di|cx}}
; CHECK-NEXT: #NO_APP
; MIR-LABEL: name: regs
; MIR: INLINEASM &"addl $2, $0", 0 /* attdialect */, {{[0-9]+}} /* regdef:GR32_NOREX2 */, def [[R:%[0-9]+]], {{[0-9]+}} /* reguse tiedto:$0 */, %{{[0-9]+}}(tied-def 3), {{[0-9]+}} /* reguse:GR32_NOREX2 */, %{{[0-9]+}}, 12 /* clobber */, implicit-def early-clobber $eflags
define i32 @regs(i32 %a, i32 %b) {
  %r = call i32 asm "addl $2, $0", "=r,0,r,~{flags}"(i32 %a, i32 %b)
  ret i32 %r
}

; One register, two results, 64 bits by the type.
; CHECK-LABEL: named:
; CHECK: divq %r{{[a-z0-9]+}}
; MIR-LABEL: name: named
; MIR: $rax = COPY
; MIR-NEXT: $rdx = COPY
; MIR-NEXT: INLINEASM &"divq $4", 0 /* attdialect */, 10 /* regdef */, implicit-def $rax, 10 /* regdef */, implicit-def $rdx, {{[0-9]+}} /* reguse tiedto:$0 */, $rax(tied-def 3), {{[0-9]+}} /* reguse tiedto:$1 */, $rdx(tied-def 5), {{[0-9]+}} /* reguse:GR64_NOREX2 */
define i64 @named(i64 %a, i64 %b) {
  %r = call { i64, i64 } asm "divq $4", "={ax},={dx},0,1,r,~{flags}"(i64 %a, i64 0, i64 %b)
  %q = extractvalue { i64, i64 } %r, 0
  %m = extractvalue { i64, i64 } %r, 1
  %s = add i64 %q, %m
  ret i64 %s
}

; Memory, constants and modifiers.
; CHECK-LABEL: memory:
; CHECK: movb %{{[a-d]}}l, (%r{{[a-z0-9]+}}) # 8(%r{{[a-z0-9]+}}) $42 42 $ att .L
; MIR-LABEL: name: memory
; MIR: INLINEASM &"{{.*}}", 25 /* sideeffect mayload maystore attdialect */, {{[0-9]+}} /* mem:m */, %{{[0-9]+}}, 1, $noreg, 0, $noreg, {{[0-9]+}} /* reguse:GR32_ABCD */, %{{[0-9]+}}, 13 /* imm */, 42
define void @memory(ptr %p, i32 %v) {
  call void asm sideeffect "movb ${1:b}, $0 # ${0:H} $2 ${2:c} $$ $(att$|intel$) ${:private}", "=*m,Q,i,~{memory}"(ptr elementtype(i8) %p, i32 %v, i32 42)
  ret void
}

; A condition, an early clobber, a value for which "imr" prefers a register.
; CHECK-LABEL: flags:
; CHECK: cmpl $3, %e
; CHECK: setl
define i32 @flags(i32 %a) {
  %r = call i32 asm "cmpl $$3, $1", "={@ccl},imr"(i32 %a)
  ret i32 %r
}

; CHECK-LABEL: float:
; CHECK: addsd %xmm1, %xmm0
define double @float(double %a, double %b) {
  %r = call double asm "addsd $1, $0", "=x,x,0"(double %b, double %a)
  ret double %r
}

; An indirect output that an input matches is a register stored behind the assembly.
; CHECK-LABEL: indirect:
; CHECK: #NO_APP
; CHECK: movl %e{{[a-z]+}}, (%r{{[a-z0-9]+}})
define void @indirect(ptr %p, i32 %v) {
  call void asm sideeffect "", "=*imr,0"(ptr elementtype(i32) %p, i32 %v)
  ret void
}

; The other dialect.
; CHECK-LABEL: intel:
; CHECK: .intel_syntax noprefix
; CHECK-NEXT: mov e{{[a-z]+}}, dword ptr [r{{[a-z0-9]+}}]
; CHECK-NEXT: .att_syntax prefix
define i32 @intel(ptr %p) {
  %r = call i32 asm inteldialect "mov $0, dword ptr $1", "=r,*m"(ptr elementtype(i32) %p)
  ret i32 %r
}

; A doubled dollar is one in AT&T's dialect, and nothing in Intel's.
; CHECK-LABEL: numbers:
; CHECK: mov eax, 13
; CHECK: mov $13, %eax
define void @numbers() {
  call void asm sideeffect inteldialect "mov eax, $$13", "~{eax}"()
  call void asm sideeffect "mov $$13, %eax", "~{eax}"()
  ret void
}

; Empty text and instructions without operands go into objects too.
; CHECK-LABEL: barrier:
; CHECK: #APP
; CHECK-NEXT: #NO_APP
define i32 @barrier(i32 %x) {
  %r = call i32 asm sideeffect "", "=r,0,~{memory}"(i32 %x)
  ret i32 %r
}

; CHECK-LABEL: plain:
; CHECK: cpuid
; CHECK-NEXT: pause; nop
define i32 @plain(i32 %leaf) {
  %r = call i32 asm sideeffect "cpuid\0A\09pause; nop # done", "={ax},{ax},~{ebx},~{ecx},~{edx}"(i32 %leaf)
  ret i32 %r
}
