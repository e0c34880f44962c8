; The functions that compiled code calls though no source does, for programs that
; are loaded without a C library: copies and comparisons of memory, and division
; and conversion of 128 bits. Their definitions are weak, so that a program's own are taken.

target triple = "x86_64-unknown-linux-gnu"

define weak ptr @memcpy(ptr %to, ptr %from, i64 %n) nounwind uwtable {
  %r = call { ptr, ptr, i64 } asm sideeffect "rep movsb", "={di},={si},={cx},0,1,2,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %to, ptr %from, i64 %n)
  ret ptr %to
}

; Downwards where the end of the source would be overwritten before it is read.
define weak ptr @memmove(ptr %to, ptr %from, i64 %n) nounwind uwtable {
entry:
  %t = ptrtoint ptr %to to i64
  %f = ptrtoint ptr %from to i64
  %ahead = sub i64 %t, %f
  %overlaps = icmp ult i64 %ahead, %n
  br i1 %overlaps, label %down, label %up

up:
  %u = call { ptr, ptr, i64 } asm sideeffect "rep movsb", "={di},={si},={cx},0,1,2,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %to, ptr %from, i64 %n)
  ret ptr %to

down:
  %last = sub i64 %n, 1
  %tl = getelementptr i8, ptr %to, i64 %last
  %fl = getelementptr i8, ptr %from, i64 %last
  %d = call { ptr, ptr, i64 } asm sideeffect "std\0A\09rep movsb\0A\09cld", "={di},={si},={cx},0,1,2,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %tl, ptr %fl, i64 %n)
  ret ptr %to
}

define weak ptr @memset(ptr %to, i32 %c, i64 %n) nounwind uwtable {
  %r = call { ptr, i64 } asm sideeffect "rep stosb", "={di},={cx},{ax},0,1,~{memory},~{dirflag},~{fpsr},~{flags}"(i32 %c, ptr %to, i64 %n)
  ret ptr %to
}

define weak i32 @memcmp(ptr %p, ptr %q, i64 %n) nounwind uwtable {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %same ]
  %end = icmp eq i64 %i, %n
  br i1 %end, label %equal, label %compare

compare:
  %pa = getelementptr i8, ptr %p, i64 %i
  %qa = getelementptr i8, ptr %q, i64 %i
  %a = load i8, ptr %pa
  %b = load i8, ptr %qa
  %next = add i64 %i, 1
  %eq = icmp eq i8 %a, %b
  br i1 %eq, label %same, label %differ

same:
  br label %loop

differ:
  %az = zext i8 %a to i32
  %bz = zext i8 %b to i32
  %r = sub i32 %az, %bz
  ret i32 %r

equal:
  ret i32 0
}

define weak i32 @bcmp(ptr %p, ptr %q, i64 %n) nounwind uwtable {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 %n)
  ret i32 %r
}

define weak i64 @strlen(ptr %s) nounwind uwtable {
entry:
  br label %loop

loop:
  %n = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %s, i64 %n
  %c = load i8, ptr %p
  %next = add i64 %n, 1
  %end = icmp eq i8 %c, 0
  br i1 %end, label %done, label %loop

done:
  ret i64 %n
}

; The quotient of (hi, lo) and d and their remainder, where hi is below d.
define internal { i64, i64 } @div(i64 %hi, i64 %lo, i64 %d) nounwind uwtable {
  %r = call { i64, i64 } asm "divq $4", "={ax},={dx},0,1,r,~{dirflag},~{fpsr},~{flags}"(i64 %lo, i64 %hi, i64 %d)
  ret { i64, i64 } %r
}

declare i64 @llvm.ctlz.i64(i64, i1)

; A divisor of one word takes two steps by words. The quotient of a longer one is
; guessed of its leading 64 bits and is then one too large, or right, or, made
; smaller by one, one too small (Warren, Hacker's Delight, 2nd edition, section 9-5).
define weak i128 @__udivti3(i128 %n, i128 %d) nounwind uwtable {
entry:
  %nh128 = lshr i128 %n, 64
  %nh = trunc i128 %nh128 to i64
  %nl = trunc i128 %n to i64
  %dh128 = lshr i128 %d, 64
  %dh = trunc i128 %dh128 to i64
  %dl = trunc i128 %d to i64
  %short = icmp eq i64 %dh, 0
  br i1 %short, label %word, label %long

word:
  %q1 = udiv i64 %nh, %dl
  %r1 = urem i64 %nh, %dl
  %s = call { i64, i64 } @div(i64 %r1, i64 %nl, i64 %dl)
  %q0 = extractvalue { i64, i64 } %s, 0
  %q1w = zext i64 %q1 to i128
  %q1s = shl i128 %q1w, 64
  %q0w = zext i64 %q0 to i128
  %qw = or i128 %q1s, %q0w
  ret i128 %qw

long:
  %z = call i64 @llvm.ctlz.i64(i64 %dh, i1 true)
  %zw = zext i64 %z to i128
  %dn = shl i128 %d, %zw
  %d1w = lshr i128 %dn, 64
  %d1 = trunc i128 %d1w to i64
  %half = lshr i128 %n, 1
  %hh128 = lshr i128 %half, 64
  %hh = trunc i128 %hh128 to i64
  %hl = trunc i128 %half to i64
  %g = call { i64, i64 } @div(i64 %hh, i64 %hl, i64 %d1)
  %g0 = extractvalue { i64, i64 } %g, 0
  %down = sub i64 63, %z
  %g1 = lshr i64 %g0, %down
  %some = icmp ne i64 %g1, 0
  %one = zext i1 %some to i64
  %low = sub i64 %g1, %one
  %lw = zext i64 %low to i128
  %p = mul i128 %lw, %d
  %r = sub i128 %n, %p
  %more = icmp uge i128 %r, %d
  %m = zext i1 %more to i128
  %ql = add i128 %lw, %m
  ret i128 %ql
}

define weak i128 @__umodti3(i128 %n, i128 %d) nounwind uwtable {
  %q = call i128 @__udivti3(i128 %n, i128 %d)
  %p = mul i128 %q, %d
  %r = sub i128 %n, %p
  ret i128 %r
}

define weak i128 @__divti3(i128 %n, i128 %d) nounwind uwtable {
  %na = call i128 @llvm.abs.i128(i128 %n, i1 false)
  %da = call i128 @llvm.abs.i128(i128 %d, i1 false)
  %q = call i128 @__udivti3(i128 %na, i128 %da)
  %x = xor i128 %n, %d
  %minus = icmp slt i128 %x, 0
  %neg = sub i128 0, %q
  %r = select i1 %minus, i128 %neg, i128 %q
  ret i128 %r
}

define weak i128 @__modti3(i128 %n, i128 %d) nounwind uwtable {
  %q = call i128 @__divti3(i128 %n, i128 %d)
  %p = mul i128 %q, %d
  %r = sub i128 %n, %p
  ret i128 %r
}

declare i128 @llvm.abs.i128(i128, i1)

; Conversions between 128-bit integers and floating point. What does not fit has no
; meaning, but must not be a fault.

; The magnitude of a double, cut to a whole number.
define internal i128 @magnitude(double %x) nounwind uwtable {
entry:
  %bits = bitcast double %x to i64
  %e = lshr i64 %bits, 52
  %exp = and i64 %e, 2047
  %frac = and i64 %bits, 4503599627370495
  %mant = or i64 %frac, 4503599627370496
  %m = zext i64 %mant to i128
  %small = icmp ult i64 %exp, 1075
  br i1 %small, label %right, label %left

right:
  %r = sub i64 1075, %exp
  %r.cut = call i64 @llvm.umin.i64(i64 %r, i64 63)
  %r.wide = zext i64 %r.cut to i128
  %low = lshr i128 %m, %r.wide
  ret i128 %low

left:
  %l = sub i64 %exp, 1075
  %l.cut = and i64 %l, 127
  %l.wide = zext i64 %l.cut to i128
  %high = shl i128 %m, %l.wide
  ret i128 %high
}

define weak i128 @__fixunsdfti(double %x) nounwind uwtable {
  %m = call i128 @magnitude(double %x)
  %neg = fcmp olt double %x, 0.0
  %r = select i1 %neg, i128 0, i128 %m
  ret i128 %r
}

define weak i128 @__fixdfti(double %x) nounwind uwtable {
  %m = call i128 @magnitude(double %x)
  %n = sub i128 0, %m
  %neg = fcmp olt double %x, 0.0
  %r = select i1 %neg, i128 %n, i128 %m
  ret i128 %r
}

define weak i128 @__fixunssfti(float %x) nounwind uwtable {
  %d = fpext float %x to double
  %r = call i128 @__fixunsdfti(double %d)
  ret i128 %r
}

define weak i128 @__fixsfti(float %x) nounwind uwtable {
  %d = fpext float %x to double
  %r = call i128 @__fixdfti(double %d)
  ret i128 %r
}

; A number's 64 first bits, the last of them set where others follow that are, so that
; rounding them rounds the number, and the binary exponent of their unit.
define internal { i64, i64 } @leading(i128 %x) nounwind uwtable {
  %n = call i128 @llvm.ctlz.i128(i128 %x, i1 false)
  %n.cut = and i128 %n, 127
  %y = shl i128 %x, %n.cut
  %hi.wide = lshr i128 %y, 64
  %hi = trunc i128 %hi.wide to i64
  %lo = trunc i128 %y to i64
  %more = icmp ne i64 %lo, 0
  %sticky = zext i1 %more to i64
  %h = or i64 %hi, %sticky
  %n64 = trunc i128 %n.cut to i64
  %unit = sub i64 64, %n64
  %r0 = insertvalue { i64, i64 } poison, i64 %h, 0
  %r1 = insertvalue { i64, i64 } %r0, i64 %unit, 1
  ret { i64, i64 } %r1
}

define weak double @__floatuntidf(i128 %x) nounwind uwtable {
  %p = call { i64, i64 } @leading(i128 %x)
  %h = extractvalue { i64, i64 } %p, 0
  %unit = extractvalue { i64, i64 } %p, 1
  %d = uitofp i64 %h to double
  %e = add i64 %unit, 1023
  %f = shl i64 %e, 52
  %scale = bitcast i64 %f to double
  %r = fmul double %d, %scale
  ret double %r
}

define weak float @__floatuntisf(i128 %x) nounwind uwtable {
  %p = call { i64, i64 } @leading(i128 %x)
  %h = extractvalue { i64, i64 } %p, 0
  %unit = extractvalue { i64, i64 } %p, 1
  %d = uitofp i64 %h to float
  %u = trunc i64 %unit to i32
  %e = add i32 %u, 127
  %f = shl i32 %e, 23
  %scale = bitcast i32 %f to float
  %r = fmul float %d, %scale
  ret float %r
}

define weak double @__floattidf(i128 %x) nounwind uwtable {
  %m = call i128 @llvm.abs.i128(i128 %x, i1 false)
  %d = call double @__floatuntidf(i128 %m)
  %n = fneg double %d
  %neg = icmp slt i128 %x, 0
  %r = select i1 %neg, double %n, double %d
  ret double %r
}

define weak float @__floattisf(i128 %x) nounwind uwtable {
  %m = call i128 @llvm.abs.i128(i128 %x, i1 false)
  %d = call float @__floatuntisf(i128 %m)
  %n = fneg float %d
  %neg = icmp slt i128 %x, 0
  %r = select i1 %neg, float %n, float %d
  ret float %r
}

declare i64 @llvm.umin.i64(i64, i64)
declare i128 @llvm.ctlz.i128(i128, i1)
