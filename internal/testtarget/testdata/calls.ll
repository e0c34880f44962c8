; What calls, frames and memory of Big.td have that examples/target-tiny has not.
; Each RUN line is a call that the simulator and the interpreter make.

; RUN numbers(1, -2, 300, 40000, -5, 60000, 7, -8)
; RUN numbers(255, 127, 65535, 0, 128, 32768, -1, 8)
define i32 @numbers(i8 %a, i8 signext %b, i16 %c, i32 %d, i8 %e, i16 signext %f, i8 zeroext %g, i1 %h) nounwind {
  %a1 = sext i8 %a to i32
  %b1 = sext i8 %b to i32
  %c1 = sext i16 %c to i32
  %e1 = sext i8 %e to i32
  %f1 = sext i16 %f to i32
  %g1 = zext i8 %g to i32
  %h1 = zext i1 %h to i32
  %1 = mul i32 %a1, 3
  %2 = mul i32 %b1, 5
  %3 = mul i32 %c1, 7
  %4 = mul i32 %d, 11
  %5 = mul i32 %e1, 13
  %6 = mul i32 %f1, 17
  %7 = mul i32 %g1, 19
  %8 = mul i32 %h1, 23
  %s1 = add i32 %1, %2
  %s2 = add i32 %3, %4
  %s3 = add i32 %5, %6
  %s4 = add i32 %7, %8
  %s5 = xor i32 %s1, %s2
  %s6 = xor i32 %s3, %s4
  %r = sub i32 %s5, %s6
  ret i32 %r
}

; RUN narrow(77)
; RUN narrow(-130)
define i32 @narrow(i32 %n) nounwind {
  %a = trunc i32 %n to i8
  %b = mul i32 %n, 77
  %c = trunc i32 %b to i16
  %d = trunc i32 %b to i1
  %r = call i32 @numbers(i8 %a, i8 signext %a, i16 %c, i32 %n, i8 %a, i16 signext %c, i8 zeroext %a, i1 %d)
  ret i32 %r
}

; Pairs begin at even registers, and on the stack at multiples of eight.
; RUN pairs(1, 4294967298, 3, 4, 21474836486, 7, 38654705674)
define i64 @pairs(i32 %a, i64 %b, i32 %c, i32 %d, i64 %e, i32 %f, i64 %g) nounwind {
  %a1 = sext i32 %a to i64
  %c1 = sext i32 %c to i64
  %d1 = sext i32 %d to i64
  %f1 = sext i32 %f to i64
  %1 = mul i64 %b, 3
  %2 = mul i64 %e, 5
  %3 = mul i64 %g, 7
  %4 = add i64 %1, %2
  %5 = sub i64 %4, %3
  %6 = shl i64 %a1, 40
  %7 = xor i64 %5, %6
  %8 = mul i64 %c1, %d1
  %9 = add i64 %7, %8
  %10 = sub i64 %9, %f1
  ret i64 %10
}

; RUN callpairs(12345678912345)
; RUN callpairs(-9)
define i64 @callpairs(i64 %x) nounwind {
  %t = trunc i64 %x to i32
  %y = add i64 %x, 4294967295
  %r = call i64 @pairs(i32 %t, i64 %x, i32 5, i32 6, i64 %y, i32 %t, i64 %x)
  %s = call i128 @long(i32 1, i128 18446744073709551619, i32 7)
  %h = lshr i128 %s, 60
  %u = trunc i128 %h to i64
  %v = add i64 %r, %u
  ret i64 %v
}

define i128 @long(i32 %a, i128 %b, i32 %c) nounwind {
  %1 = zext i32 %a to i128
  %2 = zext i32 %c to i128
  %3 = shl i128 %b, 3
  %4 = add i128 %3, %1
  %5 = sub i128 %4, %2
  ret i128 %5
}

@table = global [5 x i16] [i16 1, i16 -2, i16 300, i16 -400, i16 5000]
@mixed = global { i8, i64, [3 x i8], i16, ptr } { i8 -1, i64 1311768467463790320, [3 x i8] c"xyz", i16 -21555, ptr @table }
@wide = global i128 1512366075204170947332355369683137040
@part = global ptr getelementptr (i8, ptr @table, i32 4)

; Addresses go in their own registers.
define i32 @addresses(ptr %p, i32 %i, ptr %q, i32 %j, ptr %r, i32 %k) nounwind {
  %a = getelementptr i16, ptr %p, i32 %i
  %b = getelementptr i16, ptr %q, i32 %j
  %c = getelementptr i16, ptr %r, i32 %k
  %1 = load i16, ptr %a
  %2 = load i16, ptr %b
  %3 = load i16, ptr %c
  %4 = sext i16 %1 to i32
  %5 = zext i16 %2 to i32
  %6 = sext i16 %3 to i32
  %7 = mul i32 %4, 1000
  %8 = add i32 %5, %6
  %9 = add i32 %7, %8
  ret i32 %9
}

; RUN calladdresses(1)
; RUN calladdresses(3)
define i32 @calladdresses(i32 %n) nounwind {
  %p = load ptr, ptr @part
  %r = call i32 @addresses(ptr @table, i32 %n, ptr %p, i32 1, ptr @table, i32 4)
  ret i32 %r
}

; RUN initial(0)
; RUN initial(7)
; RUN initial(13)
; RUN initial(20)
; RUN initial(22)
; RUN initial(23)
define i32 @initial(i32 %n) nounwind {
  %p = getelementptr i8, ptr @mixed, i32 %n
  %b = load i8, ptr %p
  %s = sext i8 %b to i32
  %f = getelementptr {i8, i64, [3 x i8], i16, ptr}, ptr @mixed, i32 0, i32 4
  %q = load ptr, ptr %f
  %t = load i16, ptr %q
  %u = zext i16 %t to i32
  %w = getelementptr i8, ptr @wide, i32 3
  %x = load i8, ptr %w
  %y = zext i8 %x to i32
  %z = shl i32 %y, 12
  %1 = shl i32 %u, 8
  %2 = add i32 %s, %1
  %3 = add i32 %2, %z
  ret i32 %3
}

; Accesses that are not aligned are cut into bytes.
; RUN unaligned(1)
; RUN unaligned(2)
; RUN unaligned(3)
; RUN unaligned(5)
define i64 @unaligned(i32 %n) nounwind {
  %m = alloca [40 x i8], align 8
  call void @llvm.memset.p0.i32(ptr %m, i8 90, i32 40, i1 false)
  %p = getelementptr i8, ptr %m, i32 %n
  store i64 81985529216486895, ptr %p, align 1
  %p2 = getelementptr i8, ptr %p, i32 9
  store i16 4660, ptr %p2, align 1
  %p3 = getelementptr i8, ptr %p2, i32 3
  store i24 11259375, ptr %p3, align 1
  %p4 = getelementptr i8, ptr %p3, i32 4
  store ptr null, ptr %p4, align 1
  %a = load i32, ptr %p2, align 1
  %b = load i64, ptr %m, align 1
  %c = load i16, ptr %p2, align 1
  %d = load i24, ptr %p3, align 1
  %q = getelementptr i8, ptr %m, i32 3
  %e = load i56, ptr %q, align 1
  %f = load ptr, ptr %p4, align 1
  %g = ptrtoint ptr %f to i32
  %a1 = zext i32 %a to i64
  %c1 = sext i16 %c to i64
  %d1 = sext i24 %d to i64
  %e1 = zext i56 %e to i64
  %g1 = zext i32 %g to i64
  %1 = mul i64 %a1, 3
  %2 = xor i64 %1, %b
  %3 = add i64 %2, %c1
  %4 = sub i64 %3, %d1
  %5 = xor i64 %4, %e1
  %6 = add i64 %5, %g1
  ret i64 %6
}
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)

; RUN division(100, 7)
; RUN division(-100, 7)
; RUN division(-100, -13)
; RUN division(12, 5)
define i32 @division(i32 %a, i32 %b) nounwind {
  %1 = sdiv i32 %a, %b
  %2 = srem i32 %a, %b
  %3 = urem i32 %a, %b
  %4 = trunc i32 %a to i8
  %5 = srem i8 %4, 11
  %6 = sext i8 %5 to i32
  %7 = mul i32 %1, 7
  %8 = mul i32 %2, 31
  %9 = add i32 %7, %8
  %10 = xor i32 %9, %3
  %11 = add i32 %10, %6
  ret i32 %11
}

; RUN order(16909060)
define i32 @order(i32 %a) nounwind {
  %p = alloca i32
  store i32 %a, ptr %p
  %b = load i8, ptr %p
  %s = call i32 @llvm.bswap.i32(i32 %a)
  %c = trunc i32 %s to i8
  %d = zext i8 %b to i32
  %e = zext i8 %c to i32
  %v = bitcast i32 %a to <4 x i8>
  %x = extractelement <4 x i8> %v, i32 1
  %f = zext i8 %x to i32
  %g = shl i32 %f, 16
  %1 = shl i32 %d, 8
  %2 = or i32 %1, %e
  %3 = or i32 %2, %g
  ret i32 %3
}
declare i32 @llvm.bswap.i32(i32)

; Variable arguments are on the stack, those of two words at multiples of eight.
define i64 @sum(i32 %n, ...) nounwind {
entry:
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %a = va_arg ptr %list, i32
  %b = va_arg ptr %list, i64
  %p = va_arg ptr %list, ptr
  %c = load i16, ptr %p
  %a1 = sext i32 %a to i64
  %c1 = sext i16 %c to i64
  %1 = mul i64 %s, 5
  %2 = mul i64 %a1, %b
  %3 = add i64 %1, %2
  %t = add i64 %3, %c1
  %j = add i32 %i, 1
  %e = icmp slt i32 %j, %n
  br i1 %e, label %loop, label %done
done:
  call void @llvm.va_end.p0(ptr %list)
  ret i64 %t
}
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)

; RUN variable(3, 12884901889)
define i64 @variable(i32 %a, i64 %b) nounwind {
  %p = getelementptr i16, ptr @table, i32 3
  %c = add i64 %b, 77
  %r = call i64 (i32, ...) @sum(i32 3, i32 %a, i64 %b, ptr @table, i32 -4, i64 %c, ptr %p, i32 9, i64 -3, ptr %p)
  ret i64 %r
}

%five = type { i32, i64, i8, i16, i32 }

; A result that does not fit registers, and the address of one.
define %five @big(i32 %a) nounwind {
  %w = sext i32 %a to i64
  %b = trunc i32 %a to i8
  %c = trunc i32 %a to i16
  %m = mul i64 %w, 4294967297
  %1 = insertvalue %five poison, i32 %a, 0
  %2 = insertvalue %five %1, i64 %m, 1
  %3 = insertvalue %five %2, i8 %b, 2
  %4 = insertvalue %five %3, i16 %c, 3
  %5 = insertvalue %five %4, i32 -1, 4
  ret %five %5
}
define void @sret(ptr sret(%five) %p, i32 %a, ptr %q) nounwind {
  %x = getelementptr %five, ptr %p, i32 0, i32 1
  %y = load i16, ptr %q
  %z = sext i16 %y to i64
  store i64 %z, ptr %x
  store i32 %a, ptr %p
  ret void
}

define ptr @second(i32 %a, ptr %p, ptr %q) nounwind {
  %c = icmp eq i32 %a, 0
  %r = select i1 %c, ptr %p, ptr %q
  ret ptr %r
}

; RUN results(5)
; RUN results(-300)
define i64 @results(i32 %a) nounwind {
  %r = call %five @big(i32 %a)
  %b = extractvalue %five %r, 1
  %c = extractvalue %five %r, 2
  %d = extractvalue %five %r, 3
  %m = alloca %five
  %q = call ptr @second(i32 1, ptr %m, ptr @table)
  call void @sret(ptr sret(%five) %m, i32 9, ptr %q)
  %e = load i32, ptr %m
  %f = getelementptr %five, ptr %m, i32 0, i32 1
  %g = load i64, ptr %f
  %c1 = sext i8 %c to i64
  %d1 = zext i16 %d to i64
  %e1 = zext i32 %e to i64
  %h = load i16, ptr %q
  %h1 = zext i16 %h to i64
  %1 = mul i64 %c1, 3
  %2 = mul i64 %d1, 5
  %3 = add i64 %b, %1
  %4 = add i64 %3, %2
  %5 = add i64 %4, %e1
  %6 = xor i64 %5, %g
  %7 = sub i64 %6, %h1
  ret i64 %7
}

%seven = type { [7 x i8] }
define i32 @copies(i32 %a, ptr byval(%five) align 8 %p, i8 %b, ptr byval(%seven) align 1 %q, i64 %c) nounwind {
  %x = getelementptr %five, ptr %p, i32 0, i32 3
  %y = load i16, ptr %x
  store i16 0, ptr %x
  %z = getelementptr i8, ptr %q, i32 6
  %w = load i8, ptr %z
  store i8 1, ptr %z
  %1 = sext i16 %y to i32
  %2 = sext i8 %w to i32
  %3 = sext i8 %b to i32
  %4 = trunc i64 %c to i32
  %5 = mul i32 %1, 3
  %6 = mul i32 %2, 5
  %7 = add i32 %5, %6
  %8 = sub i32 %7, %3
  %9 = xor i32 %8, %4
  %10 = add i32 %9, %a
  ret i32 %10
}

; RUN byvalue(3)
; RUN byvalue(-700)
define i32 @byvalue(i32 %n) nounwind {
  %f = alloca %five
  %s = alloca %seven, align 1
  %v = call %five @big(i32 %n)
  store %five %v, ptr %f
  call void @llvm.memset.p0.i32(ptr %s, i8 51, i32 7, i1 false)
  %t = trunc i32 %n to i8
  %w = sext i32 %n to i64
  %r = call i32 @copies(i32 1, ptr byval(%five) align 8 %f, i8 %t, ptr byval(%seven) align 1 %s, i64 %w)
  %q = call i32 @copies(i32 1, ptr byval(%five) align 8 %f, i8 %t, ptr byval(%seven) align 1 %s, i64 %w)
  %1 = mul i32 %q, 3
  %2 = sub i32 %r, %1
  ret i32 %2
}

; The stack pointer moves; what is large lies beyond 16 bits from it.
; RUN dynamic(3)
; RUN dynamic(17)
define i32 @dynamic(i32 %n) nounwind {
entry:
  %far = alloca [20000 x i32]
  %near = alloca i32
  store i32 %n, ptr %near
  %last = getelementptr i32, ptr %far, i32 19999
  store i32 7, ptr %last
  %v = alloca i32, i32 %n
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr i32, ptr %v, i32 %i
  %x = call i32 @division(i32 %i, i32 3)
  store i32 %x, ptr %p
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %next
next:
  %s = call ptr @llvm.stacksave.p0()
  %w = alloca i64, i32 %n, align 16
  %bits = ptrtoint ptr %w to i32
  %low = and i32 %bits, 15
  store i64 -1, ptr %w
  call void @llvm.stackrestore.p0(ptr %s)
  %m = sub i32 %n, 1
  %q = getelementptr i32, ptr %v, i32 %m
  %y = load i32, ptr %q
  %z = load i32, ptr %near
  %u = load i32, ptr %last
  %t = trunc i32 %z to i8
  %f = call i32 @numbers(i8 1, i8 2, i16 3, i32 %y, i8 %t, i16 6, i8 7, i1 true)
  br label %out
out:
  %1 = add i32 %y, %f
  %2 = mul i32 %u, %z
  %3 = add i32 %1, %2
  %4 = add i32 %3, %low
  ret i32 %4
}
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)

; RUN aligned(5)
define i32 @aligned(i32 %n) nounwind {
  %a = alloca i32, align 64
  %b = alloca [3 x i8]
  store volatile i32 %n, ptr %a
  store volatile i8 1, ptr %b
  %v = alloca i32, i32 %n
  store volatile i32 3, ptr %v
  %x = ptrtoint ptr %a to i32
  %y = and i32 %x, 63
  %f = call i32 @numbers(i8 1, i8 2, i16 3, i32 %n, i8 5, i16 6, i8 7, i1 true)
  %l = load volatile i32, ptr %a
  %m = load volatile i32, ptr %v
  %1 = add i32 %y, %l
  %2 = add i32 %1, %m
  %3 = add i32 %2, %f
  ret i32 %3
}

; Conditions live across calls, and are numbers.
; RUN conditions(3, 9)
; RUN conditions(-3, -9)
; RUN conditions(0, 0)
define i32 @conditions(i32 %a, i32 %b) nounwind {
  %c = icmp slt i32 %a, %b
  %d = icmp ugt i32 %a, %b
  %e = icmp eq i32 %a, 0
  %f = icmp sle i32 %b, -9
  %g = icmp uge i32 %a, 3
  %x = call i32 @division(i32 %a, i32 7)
  %h = and i1 %c, %g
  %i = xor i1 %d, %e
  %j = or i1 %h, %f
  %k = select i1 %c, i1 %i, i1 %j
  %1 = select i1 %d, i32 %x, i32 %b
  %2 = select i1 %e, ptr @table, ptr @mixed
  %3 = load i8, ptr %2
  %4 = sext i8 %3 to i32
  %5 = sext i1 %k to i32
  %6 = zext i1 %f to i32
  %7 = add i32 %1, %4
  %8 = xor i32 %7, %5
  %9 = shl i32 %6, 20
  %10 = add i32 %8, %9
  br i1 %g, label %more, label %done
more:
  %11 = call i32 @numbers(i8 1, i8 2, i16 3, i32 %10, i8 5, i16 6, i8 7, i1 %k)
  br label %done
done:
  %r = phi i32 [ %10, %0 ], [ %11, %more ]
  %q = phi i1 [ %e, %0 ], [ %c, %more ]
  %s = zext i1 %q to i32
  %t = add i32 %r, %s
  ret i32 %t
}

; RUN switched(0)
; RUN switched(3)
; RUN switched(5)
; RUN switched(9)
define i32 @switched(i32 %n) nounwind {
  switch i32 %n, label %d [ i32 0, label %a
    i32 1, label %b
    i32 2, label %c
    i32 3, label %e
    i32 4, label %f
    i32 5, label %g ]
a:
  br label %o
b:
  br label %o
c:
  br label %o
e:
  br label %o
f:
  br label %o
g:
  br label %o
d:
  br label %o
o:
  %r = phi i32 [ 70000, %a ], [ 2, %b ], [ -3, %c ], [ 65535, %e ], [ 5, %f ], [ -32769, %g ], [ %n, %d ]
  ret i32 %r
}

@places = private constant [3 x ptr] [ptr blockaddress(@goto, %one), ptr blockaddress(@goto, %two), ptr blockaddress(@goto, %three)]
; RUN goto(0)
; RUN goto(1)
; RUN goto(2)
define i32 @goto(i32 %n) nounwind {
  %p = getelementptr ptr, ptr @places, i32 %n
  %a = load ptr, ptr %p
  indirectbr ptr %a, [label %one, label %two, label %three]
one:
  ret i32 1
two:
  ret i32 22
three:
  ret i32 333
}

@functions = constant [2 x ptr] [ptr @division, ptr @conditions]
; RUN through(0, 50)
; RUN through(1, -50)
define i32 @through(i32 %n, i32 %x) nounwind {
  %p = getelementptr ptr, ptr @functions, i32 %n
  %f = load ptr, ptr %p
  %r = call i32 %f(i32 %x, i32 3)
  ret i32 %r
}

; RUN library(987654321987654321, 12345)
; RUN library(-987654321987654321, 1234567890123)
define i64 @library(i64 %a, i64 %b) nounwind {
  %1 = sdiv i64 %a, %b
  %2 = urem i64 %a, %b
  %3 = mul i64 %1, %2
  %4 = ashr i64 %a, 37
  %5 = and i64 %b, 63
  %6 = shl i64 %4, %5
  %7 = icmp slt i64 %a, %b
  %8 = select i1 %7, i64 %6, i64 %3
  %9 = call i64 @llvm.bswap.i64(i64 %8)
  %10 = call i64 @llvm.ctlz.i64(i64 %2, i1 false)
  %11 = add i64 %9, %10
  ret i64 %11
}
declare i64 @llvm.bswap.i64(i64)
declare i64 @llvm.ctlz.i64(i64, i1)

; More values than registers of either kind.
; RUN pressure(3)
define i32 @pressure(i32 %n) nounwind {
  %a = getelementptr i16, ptr @table, i32 %n
  %b = getelementptr i8, ptr %a, i32 1
  %c = getelementptr i8, ptr @mixed, i32 %n
  %d = getelementptr i8, ptr %c, i32 4
  %e = getelementptr i8, ptr @wide, i32 %n
  %f = getelementptr i8, ptr %e, i32 2
  %g = getelementptr i8, ptr @table, i32 %n
  %1 = load i8, ptr %a
  %2 = load i8, ptr %b
  %3 = load i8, ptr %c
  %4 = load i8, ptr %d
  %5 = load i8, ptr %e
  %6 = load i8, ptr %f
  %7 = load i8, ptr %g
  %x = call i32 @division(i32 %n, i32 3)
  store volatile i8 %7, ptr %a
  store volatile i8 %1, ptr %b
  store volatile i8 %2, ptr %g
  store volatile i8 %3, ptr %f
  store volatile i8 %4, ptr %e
  store volatile i8 %5, ptr %d
  store volatile i8 %6, ptr %c
  %8 = load i32, ptr @table, align 1
  %9 = load i32, ptr @mixed, align 1
  %10 = load i32, ptr @wide, align 1
  %11 = xor i32 %8, %9
  %12 = add i32 %11, %10
  %13 = add i32 %12, %x
  store i8 %1, ptr %a
  store i8 %2, ptr %b
  store i8 %7, ptr %g
  store i8 %6, ptr %f
  store i8 %5, ptr %e
  store i8 %4, ptr %d
  store i8 %3, ptr %c
  ret i32 %13
}
