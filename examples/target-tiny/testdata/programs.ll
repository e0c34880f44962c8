target triple = "tiny"

define i32 @factorial(i32 %n) nounwind {
entry:
  %done = icmp ule i32 %n, 1
  br i1 %done, label %one, label %more
one:
  ret i32 1
more:
  %less = sub i32 %n, 1
  %rest = call i32 @factorial(i32 %less)
  %result = mul i32 %n, %rest
  ret i32 %result
}

define i32 @fib(i32 %n) nounwind {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = phi i32 [ 0, %entry ], [ %b, %loop ]
  %b = phi i32 [ 1, %entry ], [ %sum, %loop ]
  %sum = add i32 %a, %b
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %b
}

@numbers = global [10 x i32] [i32 42, i32 -7, i32 0, i32 99, i32 3, i32 -100, i32 8, i32 8, i32 1000000, i32 5]

; Insertion sort in place.
define void @sort(ptr %p, i32 %n) nounwind {
entry:
  br label %outer
outer:
  %i = phi i32 [ 1, %entry ], [ %i1, %placed ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %take, label %end
take:
  %pi = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %pi
  br label %inner
inner:
  %j = phi i32 [ %i, %take ], [ %k, %move ]
  %first = icmp eq i32 %j, 0
  br i1 %first, label %placed, label %compare
compare:
  %k = sub i32 %j, 1
  %pk = getelementptr i32, ptr %p, i32 %k
  %w = load i32, ptr %pk
  %less = icmp slt i32 %v, %w
  br i1 %less, label %move, label %placed
move:
  %pj = getelementptr i32, ptr %p, i32 %j
  store i32 %w, ptr %pj
  br label %inner
placed:
  %at = phi i32 [ 0, %inner ], [ %j, %compare ]
  %pat = getelementptr i32, ptr %p, i32 %at
  store i32 %v, ptr %pat
  %i1 = add i32 %i, 1
  br label %outer
end:
  ret void
}

define i32 @sortnumbers(i32 %which) nounwind {
  call void @sort(ptr @numbers, i32 10)
  %p = getelementptr [10 x i32], ptr @numbers, i32 0, i32 %which
  %v = load i32, ptr %p
  ret i32 %v
}

define i32 @seven(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e, i32 %f, i32 %g) nounwind {
  %1 = mul i32 %a, 1000000
  %2 = mul i32 %b, 100000
  %3 = mul i32 %c, 10000
  %4 = mul i32 %d, 1000
  %5 = mul i32 %e, 100
  %6 = mul i32 %f, 10
  %7 = add i32 %1, %2
  %8 = add i32 %7, %3
  %9 = add i32 %8, %4
  %10 = add i32 %9, %5
  %11 = add i32 %10, %6
  %12 = add i32 %11, %g
  ret i32 %12
}

define i32 @stack(i32 %x) nounwind {
  %y = add i32 %x, 1
  %1 = call i32 @seven(i32 %x, i32 %y, i32 3, i32 4, i32 5, i32 %y, i32 7)
  %2 = call i32 @seven(i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1)
  %3 = sub i32 %1, %2
  ret i32 %3
}

define i32 @narrow(i8 %a, i16 signext %b) nounwind {
  %s = alloca i8
  store i8 %a, ptr %s
  %c = load i8, ptr %s
  %d = zext i8 %c to i32
  %e = sext i16 %b to i32
  %f = sext i8 %a to i32
  %g = add i32 %d, %e
  %h = xor i32 %g, %f
  ret i32 %h
}

define i64 @wide(i64 %a, i64 %b) nounwind {
  %1 = add i64 %a, %b
  %2 = mul i64 %1, %a
  %3 = sub i64 %2, 12345678901
  %4 = lshr i64 %3, 3
  %5 = icmp slt i64 %a, %b
  %6 = select i1 %5, i64 %4, i64 %3
  ret i64 %6
}

@table = constant [3 x ptr] [ptr @factorial, ptr @fib, ptr @stack]

define i32 @through(i32 %which, i32 %n) nounwind {
  %p = getelementptr [3 x ptr], ptr @table, i32 0, i32 %which
  %f = load ptr, ptr %p
  %r = call i32 %f(i32 %n)
  ret i32 %r
}

define i32 @choose(i32 %n) nounwind {
  switch i32 %n, label %other [ i32 0, label %a
                                i32 1, label %b
                                i32 7, label %c ]
a:
  ret i32 10
b:
  ret i32 -123456789
c:
  %m = urem i32 %n, 3
  %d = sdiv i32 -100, %n
  %x = add i32 %m, %d
  ret i32 %x
other:
  %neg = icmp slt i32 %n, 0
  %v = select i1 %neg, i32 -1, i32 1
  ret i32 %v
}

@primes = constant [10 x i32] [i32 2, i32 3, i32 5, i32 7, i32 11, i32 13, i32 17, i32 19, i32 23, i32 29]

declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)

; Copied word by word, or by the function below.
define i32 @copied(i32 %k) nounwind {
  %p = alloca [12 x i32]
  call void @llvm.memset.p0.i32(ptr %p, i8 1, i32 48, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr %p, ptr @primes, i32 40, i1 false)
  %q = getelementptr i32, ptr %p, i32 %k
  %v = load i32, ptr %q
  ret i32 %v
}

define ptr @memcpy(ptr %d, ptr %s, i32 %n) nounwind "no-builtins" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %end
body:
  %p = getelementptr i8, ptr %s, i32 %i
  %q = getelementptr i8, ptr %d, i32 %i
  %v = load i8, ptr %p
  store i8 %v, ptr %q
  %j = add i32 %i, 1
  br label %loop
end:
  ret ptr %d
}

define ptr @memset(ptr %d, i32 %v, i32 %n) nounwind "no-builtins" {
entry:
  %b = trunc i32 %v to i8
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %end
body:
  %q = getelementptr i8, ptr %d, i32 %i
  store i8 %b, ptr %q
  %j = add i32 %i, 1
  br label %loop
end:
  ret ptr %d
}

%pair = type { i32, i16, [3 x i8] }

; By value on the stack, and a result through memory.
define i32 @sum(ptr byval(%pair) %p, i32 %x) nounwind {
  %a = load i32, ptr %p
  %pb = getelementptr %pair, ptr %p, i32 0, i32 1
  %b = load i16, ptr %pb
  %pc = getelementptr %pair, ptr %p, i32 0, i32 2, i32 2
  %c = load i8, ptr %pc
  %be = sext i16 %b to i32
  %ce = zext i8 %c to i32
  %1 = add i32 %a, %be
  %2 = add i32 %1, %ce
  %3 = sub i32 %2, %x
  ret i32 %3
}

define i32 @byvalue(i32 %x) nounwind {
  %p = alloca %pair
  store i32 1000, ptr %p
  %pb = getelementptr %pair, ptr %p, i32 0, i32 1
  store i16 -7, ptr %pb
  %pc = getelementptr %pair, ptr %p, i32 0, i32 2, i32 2
  store i8 200, ptr %pc
  %r = call i32 @sum(ptr byval(%pair) %p, i32 %x)
  ret i32 %r
}

define [4 x i32] @four(i32 %x) nounwind {
  %1 = insertvalue [4 x i32] poison, i32 %x, 0
  %2 = insertvalue [4 x i32] %1, i32 5, 1
  %3 = insertvalue [4 x i32] %2, i32 6, 2
  %y = mul i32 %x, %x
  %4 = insertvalue [4 x i32] %3, i32 %y, 3
  ret [4 x i32] %4
}

define i32 @throughmemory(i32 %x) nounwind {
  %r = call [4 x i32] @four(i32 %x)
  %a = extractvalue [4 x i32] %r, 0
  %b = extractvalue [4 x i32] %r, 3
  %c = extractvalue [4 x i32] %r, 2
  %1 = add i32 %a, %b
  %2 = add i32 %1, %c
  ret i32 %2
}

; Two aggregates by value do not share their place.
define i32 @sumtwo(i32 %f, ptr byval(%pair) %p, i32 %x, ptr byval(%pair) %q) nounwind {
  %1 = call i32 @sum(ptr byval(%pair) %p, i32 0)
  %2 = call i32 @sum(ptr byval(%pair) %q, i32 %x)
  %3 = mul i32 %1, %f
  %4 = sub i32 %3, %2
  ret i32 %4
}

define i32 @bytwovalues(i32 %x) nounwind {
  %p = alloca %pair
  store i32 1000, ptr %p
  %pb = getelementptr %pair, ptr %p, i32 0, i32 1
  store i16 -7, ptr %pb
  %pc = getelementptr %pair, ptr %p, i32 0, i32 2, i32 2
  store i8 200, ptr %pc
  %q = alloca %pair
  store i32 2000, ptr %q
  %qb = getelementptr %pair, ptr %q, i32 0, i32 1
  store i16 8, ptr %qb
  %qc = getelementptr %pair, ptr %q, i32 0, i32 2, i32 2
  store i8 100, ptr %qc
  %y = mul i32 %x, -3
  %r = call i32 @sumtwo(i32 100, ptr byval(%pair) %p, i32 %y, ptr byval(%pair) %q)
  ret i32 %r
}

; Vectors are passed by their elements, in registers and on the stack.
define i32 @weigh(<2 x i32> %a, <4 x i32> %b) nounwind {
  %p = alloca [6 x i32]
  %aw = mul <2 x i32> %a, <i32 1, i32 2>
  store <2 x i32> %aw, ptr %p, align 4
  %q = getelementptr i32, ptr %p, i32 2
  %bw = mul <4 x i32> %b, <i32 3, i32 4, i32 -5, i32 5>
  store <4 x i32> %bw, ptr %q, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %s = phi i32 [ 0, %0 ], [ %t, %loop ]
  %e = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %e
  %t = add i32 %s, %v
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 6
  br i1 %c, label %loop, label %end
end:
  ret i32 %t
}

define i32 @lanes(i32 %x) nounwind {
  %p = alloca [6 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %v = phi i32 [ %x, %0 ], [ %w, %loop ]
  %e = getelementptr i32, ptr %p, i32 %i
  store i32 %v, ptr %e
  %w = add i32 %v, 2
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 6
  br i1 %c, label %loop, label %end
end:
  %a = load <2 x i32>, ptr %p, align 4
  %q = getelementptr i32, ptr %p, i32 2
  %b = load <4 x i32>, ptr %q, align 4
  %r = call i32 @weigh(<2 x i32> %a, <4 x i32> %b)
  ret i32 %r
}

; What is beside a narrow argument in its stack slot does not matter.
define i32 @narrowslots(i32 %a, i32 %b, i32 %c, i32 %d, i8 %e, i16 %f, i8 zeroext %g) nounwind {
  %ew = zext i8 %e to i32
  %fw = sext i16 %f to i32
  %gw = zext i8 %g to i32
  %1 = mul i32 %ew, 3
  %2 = mul i32 %fw, 5
  %3 = add i32 %1, %2
  %4 = add i32 %3, %gw
  ret i32 %4
}

define i32 @slots(i32 %x, i32 %y) nounwind {
  %e = trunc i32 %x to i8
  %f = trunc i32 %y to i16
  %r = call i32 @narrowslots(i32 1, i32 2, i32 3, i32 4, i8 %e, i16 %f, i8 zeroext %e)
  ret i32 %r
}

; Variable arguments: n numbers, then one of 64 bits and a byte; in registers and on the stack.
define i32 @total(i32 %n, ...) nounwind {
  %l = alloca ptr
  call void @llvm.va_start.p0(ptr %l)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %s = phi i32 [ 0, %0 ], [ %t, %loop ]
  %v = va_arg ptr %l, i32
  %t = add i32 %s, %v
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  %w = va_arg ptr %l, i64
  %b = va_arg ptr %l, i8
  %k = va_arg ptr %l, i32
  call void @llvm.va_end.p0(ptr %l)
  %hi = lshr i64 %w, 32
  %h = trunc i64 %hi to i32
  %lo = trunc i64 %w to i32
  %bw = zext i8 %b to i32
  %x = add i32 %t, %h
  %y = add i32 %x, %lo
  %z = add i32 %y, %bw
  %r = add i32 %z, %k
  ret i32 %r
}
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)

define i32 @addall(i32 %x) nounwind {
  %w = zext i32 %x to i64
  %h = shl i64 %w, 32
  %v = or i64 %h, 70000
  %r = call i32 (i32, ...) @total(i32 3, i32 1, i32 2, i32 %x, i64 %v, i32 261, i32 600)
  ret i32 %r
}

; All variable arguments are on the stack.
define i32 @third(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e, ...) nounwind {
  %l = alloca ptr
  call void @llvm.va_start.p0(ptr %l)
  %u = va_arg ptr %l, i32
  %v = va_arg ptr %l, i32
  %r = add i32 %u, %v
  %s = add i32 %r, %e
  ret i32 %s
}

define i32 @addstacked(i32 %x) nounwind {
  %r = call i32 (i32, i32, i32, i32, i32, ...) @third(i32 1, i32 2, i32 3, i32 4, i32 %x, i32 20, i32 300)
  ret i32 %r
}
